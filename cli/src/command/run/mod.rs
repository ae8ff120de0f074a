//! `kembara run`: everything about runs.

mod change;
mod launch;
mod list;
mod show;
mod verify;
mod watch;

use crate::client::ServerArguments;
use crate::command::spec_file;
use crate::failure::{Done, Failure};
use clap::{Args, Subcommand};

/// What to do.
#[derive(Args, Debug)]
#[command(subcommand_value_name = "ACTION")]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Launch a run; one that is there already goes on
    Launch(launch::Arguments),
    /// List all runs
    List(ServerArguments),
    /// Show a run, with the fingerprint of every generation
    Show(OneRun),
    /// Print everything that decides a run's results, resolved into literal values
    Spec(OneRun),
    /// Follow a run until it is over
    Watch(OneRun),
    /// Hand out no more games; those in hand come in
    Pause(OneRun),
    /// Let a paused run go on
    Resume(OneRun),
    /// End a run for good
    Stop(OneRun),
    /// Compute every fingerprint again from the database, and play games again
    Verify(verify::Arguments),
}

/// A run at a coordinator.
#[derive(Args, Debug)]
pub struct OneRun {
    /// The run's name
    #[arg(value_name = "RUN")]
    run: String,
    #[command(flatten)]
    server: ServerArguments,
}

impl OneRun {
    /// The run's name, checked.
    fn name(&self) -> Result<String, Failure> {
        spec_file::run_name(&self.run).map(|name| name.to_string())
    }
}

/// Does it.
pub fn run(arguments: &Arguments) -> Done {
    match &arguments.action {
        Action::Launch(arguments) => launch::run(arguments),
        Action::List(server) => list::run(server),
        Action::Show(run) => show::run(run),
        Action::Spec(run) => show::spec(run),
        Action::Watch(run) => watch::run(run),
        Action::Pause(run) => change::run(run, "pause"),
        Action::Resume(run) => change::run(run, "resume"),
        Action::Stop(run) => change::run(run, "stop"),
        Action::Verify(arguments) => verify::run(arguments),
    }
}
