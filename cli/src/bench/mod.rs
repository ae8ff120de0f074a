//! `kembara bench`: how fast this is, measured on this machine.

mod overhead;
mod rounds;

use crate::failure::Done;
use clap::{Args, Subcommand};

/// What to measure.
#[derive(Args, Debug)]
#[command(subcommand_value_name = "BENCHMARK")]
pub struct Arguments {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Debug, Subcommand)]
enum Benchmark {
    /// Compare a cluster on this machine with the same games in a bare loop
    Overhead(overhead::Arguments),
}

/// Measures.
pub fn run(arguments: &Arguments) -> Done {
    match &arguments.benchmark {
        Benchmark::Overhead(arguments) => overhead::run(arguments),
    }
}
