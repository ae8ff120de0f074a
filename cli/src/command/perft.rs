//! `kembara perft`: counting move sequences.

use super::game;
use crate::failure::Done;
use crate::output;
use clap::{Args, ValueEnum};
use serde::Serialize;

/// What is counted.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The game, such as othello
    game: String,
    /// Plies, 0 to 60; every ply more takes about ten times as long
    #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    /// Whether a forced pass counts as a ply or costs no depth
    #[arg(long, value_enum, default_value_t = Pass::Ply)]
    pass: Pass,
    /// Give the count as JSON
    #[arg(long)]
    json: bool,
}

/// What a pass costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Pass {
    /// Nothing: the depth is the number of discs placed
    Free,
    /// A ply, as any move
    Ply,
}

#[derive(Serialize)]
struct Count {
    game: &'static str,
    depth: u32,
    pass: Pass,
    leaves: u64,
}

/// Counts and prints.
pub fn run(arguments: &Arguments) -> Done {
    let game = game::find(&arguments.game)?;
    let leaves = game.perft(arguments.depth, arguments.pass == Pass::Free);
    if arguments.json {
        return output::print_json(&Count { game: game.name(), depth: arguments.depth, pass: arguments.pass, leaves });
    }
    output::print(&format!("{leaves}\n"))
}
