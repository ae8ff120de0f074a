//! The worker: leases ranges of pairings ahead of need, plays them and reports the results.
//!
//! Games are played on threads of their own, one game at a time a thread; everything that talks to
//! the coordinator runs in tasks beside them, so that a heartbeat never waits for a game:
//!
//! - `feed` leases and fetches definitions, before the work in hand runs out;
//! - `deliver` reports what is done;
//! - `renew` keeps leases alive.
//!
//! A worker keeps nothing on disk. When it vanishes, its leases end and others play its games; when
//! the coordinator vanishes, finished games wait in memory until it is back.

pub mod backoff;
pub mod bare;
pub mod config;
mod coordinator;
pub mod definition;
mod deliver;
mod desk;
pub mod error;
mod feed;
pub mod lease;
pub mod logging;
mod outbox;
mod player;
mod renew;
pub mod shutdown;
pub mod status;
mod trouble;
mod worker;

pub use config::{LogFormat, Threads, WorkerArgs, WorkerConfig};
pub use definition::Prepared;
pub use error::WorkerError;
pub use shutdown::Shutdown;
pub use status::Summary;
pub use worker::run;

/// Runs a worker from start to end as a program of its own would: on a small runtime, listening to
/// signals and writing its log.
///
/// # Errors
/// [`WorkerError`] when waiting cannot help.
pub fn run_to_end(args: &WorkerArgs) -> Result<Summary, WorkerError> {
    logging::start(args.log_format);
    let config = args.config()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let summary = runtime.block_on(async {
        let shutdown = Shutdown::on_signals()?;
        if let Some(parent) = args.end_with_parent {
            shutdown.end_with_parent(parent);
        }
        run(config, shutdown).await
    });
    // A thread in the middle of a long game is not waited for.
    runtime.shutdown_background();
    summary
}
