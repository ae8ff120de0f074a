//! `kembara up`: database, coordinator and workers on this machine, and a run on them.
//!
//! Everything runs in processes of its own that end with this one, even when it is killed. Nothing
//! is lost by that: the same command goes on where the database left off.

mod child;
mod follow;
pub mod house;

use super::spec_file::{self, Overrides};
use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use clap::Args;
use house::{House, Plan};
use kembara_coordinator::config::DEFAULT_LISTEN;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// What to start.
///
/// With a spec, its run is launched, or resumed when it is there already, and the command ends with
/// the run's report. Without one, the coordinator serves and unfinished runs go on until Ctrl-C.
/// The database is the one at DATABASE_URL, or a private one in the data folder.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The run spec: TOML, or JSON when its name ends in .json
    #[arg(value_name = "SPEC")]
    spec: Option<PathBuf>,
    /// Worker processes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=256))]
    workers: u32,
    /// Threads of each worker [default: the cores, shared among the workers]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroU32>,
    #[command(flatten)]
    overrides: Overrides,
    /// Where the private database and the logs are kept
    #[arg(long, env = "KEMBARA_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value_t = DEFAULT_LISTEN)]
    listen: SocketAddr,
    /// Allow an address that other machines can reach, though nothing asks them who they are
    #[arg(long)]
    allow_insecure: bool,
    /// How long a worker may keep games without a sign of life, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    lease: u32,
    /// Give the report as JSON
    #[arg(long)]
    json: bool,
}

/// Starts everything, follows the run, ends everything.
pub fn run(arguments: &Arguments) -> Done {
    let spec = arguments.spec.as_deref().map(|path| spec_file::load_named(path, &arguments.overrides)).transpose()?;
    if spec.is_none() && (arguments.overrides.name.is_some() || arguments.overrides.generations.is_some()) {
        return Err(Failure::usage("--name and --generations change a spec, but no SPEC is given"));
    }
    let interrupt = Interrupt::listen()?;
    let plan = Plan {
        workers: arguments.workers,
        threads: arguments.threads.map(NonZeroU32::get),
        data_dir: arguments.data_dir.clone(),
        listen: arguments.listen,
        allow_insecure: arguments.allow_insecure,
        lease: arguments.lease,
    };
    let mut house = House::open(plan, &interrupt)?;
    let ended = match &spec {
        Some(spec) => follow::run(&mut house, spec, &interrupt, arguments.json),
        None => follow::serve(&mut house, &interrupt),
    };
    house.close(&interrupt);
    ended
}
