//! `kembara`: everything a person types.

mod arguments;
mod client;
mod command;
mod contest;
mod failure;
mod interrupt;
mod output;
mod progress;
mod report;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let ended = match arguments::Arguments::try_parse() {
        Ok(arguments) => command::run(&arguments.command),
        Err(error) => arguments::explain(&error),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {}", failure.line());
            failure.exit.into()
        }
    }
}
