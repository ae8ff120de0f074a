//! `kembara`: everything a person types.

mod arguments;
mod bench;
mod client;
mod command;
mod contest;
mod failure;
mod interrupt;
mod output;
mod playing;
mod progress;
mod report;
mod text_file;

use clap::Parser;
use failure::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let ended = match arguments::Arguments::try_parse() {
        Ok(arguments) => command::patterns::load(&arguments.patterns).and_then(|()| command::run(&arguments.command)),
        Err(error) => arguments::explain(&error),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let kind = if failure.exit == Exit::Interrupted { "" } else { "error: " };
            eprintln!("{kind}{}", failure.line());
            failure.exit.into()
        }
    }
}
