//! `kembara convert`: games from any format that is read to one that is written.

use super::records::{self, Format};
use crate::failure::{Done, Failure};
use crate::output;
use clap::Args;
use std::path::PathBuf;

/// What becomes what.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A file of Othello games: SGF, GGF, WTHOR, PGN, lists of moves or boards; - for standard input
    file: PathBuf,
    /// The format to write, on standard output
    #[arg(long, value_enum)]
    to: Format,
    /// Convert only this game of the file, from 1
    #[arg(long)]
    game: Option<usize>,
}

/// Reads and writes. Games that cannot be read are named, and the others are converted.
pub fn run(arguments: &Arguments) -> Done {
    let collection = records::open(&arguments.file)?;
    if let Some(number) = arguments.game {
        return output::print(&arguments.to.write(records::game(&collection, number)?));
    }
    for (place, record) in collection.records().enumerate() {
        let between = if place == 0 { "" } else { arguments.to.between() };
        output::print(&format!("{between}{}", arguments.to.write(record)))?;
    }
    match records::complain(&collection) {
        0 => Ok(()),
        damaged => Err(Failure::failed(format!(
            "{damaged} of {} games could not be read; the others were converted",
            collection.games.len()
        ))),
    }
}
