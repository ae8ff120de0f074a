//! `kembara`: everything a person types.

mod arguments;
mod command;
mod failure;
mod output;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let ended = match arguments::Arguments::try_parse() {
        Ok(arguments) => command::run(arguments.command),
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
