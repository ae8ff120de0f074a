//! `kembara run launch`.

use crate::client::{self, ServerArguments};
use crate::command::spec_file::{self, Overrides};
use crate::failure::Done;
use crate::output;
use clap::Args;
use std::path::PathBuf;

/// What to launch.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The run spec: TOML, or JSON when its name ends in .json
    #[arg(value_name = "SPEC")]
    spec: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    server: ServerArguments,
}

/// Checks the spec here, launches it there.
pub fn run(arguments: &Arguments) -> Done {
    let spec = spec_file::load(&arguments.spec, &arguments.overrides)?;
    let server = arguments.server.connect()?;
    let run = client::launch(&server, &spec.json)?;
    if arguments.server.json {
        return output::print_json(&run);
    }
    output::print(&format!("{} is {}; `kembara run watch {}` follows it\n", run.name, run.state, run.name))
}
