//! The commands, one module each.

mod eval;
mod game;
mod matches;
mod perft;

use crate::failure::Done;
use clap::Subcommand;

/// What a person can ask for.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play two players against each other, without any server
    Match(matches::Arguments),
    /// Show the score of every move of a position, feature by feature
    Eval(eval::Arguments),
    /// Count move sequences from the start, the classic check of a move generator
    Perft(perft::Arguments),
}

/// Does what was asked.
pub fn run(command: Command) -> Done {
    match command {
        Command::Match(arguments) => matches::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
    }
}
