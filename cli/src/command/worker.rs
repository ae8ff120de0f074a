//! `kembara worker`: the same as the small binary `kembara-worker`.

use crate::failure::{Done, Exit, Failure};
use crate::output::Status;
use kembara_worker::WorkerArgs;
use std::time::Duration;

/// Plays games until told to end.
pub fn run(arguments: &WorkerArgs) -> Done {
    match kembara_worker::run_to_end(arguments) {
        Ok(summary) => {
            Status::new(Duration::ZERO).say(&format!("{} games played, {} recorded", summary.games, summary.recorded));
            Ok(())
        }
        Err(error) => Err(Failure { exit: Exit::from_code(error.exit_code()), message: error.to_string() }),
    }
}
