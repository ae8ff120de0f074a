//! The binary `kembara-worker`: a worker without anything else, for machines that only play.

use clap::Parser;
use kembara_worker::WorkerArgs;
use std::process::ExitCode;

/// Plays games for a Kembara coordinator
#[derive(Parser)]
#[command(
    name = "kembara-worker",
    version,
    after_help = "Exit codes: 0 ended as asked, 1 the system failed, 2 a wrong setting, 3 refused by the \
                  coordinator, 4 no coordinator at the address."
)]
struct Cli {
    #[command(flatten)]
    worker: WorkerArgs,
}

fn main() -> ExitCode {
    match kembara_worker::run_to_end(&Cli::parse().worker) {
        Ok(summary) => {
            eprintln!("{} games played, {} recorded", summary.games, summary.recorded);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("kembara-worker: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
