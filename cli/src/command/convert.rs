//! `kembara convert`: games from any format that is read to one that is written.

use super::records;
use crate::failure::{Done, Failure};
use crate::output;
use clap::{Args, ValueEnum};
use kembara_engine::othello::record::{self, Record};
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

/// The formats that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Smart Game Format, results in discs
    Sgf,
    /// The format of Othello servers, a line for each game
    Ggf,
    /// Moves only, as in `1. d3 - c3`, an empty line between games
    Text,
}

/// Reads and writes. Games that cannot be read are named, and the others are converted.
pub fn run(arguments: &Arguments) -> Done {
    let collection = records::open(&arguments.file)?;
    let write: fn(&Record) -> String = match arguments.to {
        Format::Sgf => record::sgf,
        Format::Ggf => record::ggf,
        Format::Text => record::text,
    };
    if let Some(number) = arguments.game {
        return output::print(&write(records::game(&collection, number)?));
    }
    let between = if arguments.to == Format::Text { "\n" } else { "" };
    for (place, record) in collection.records().enumerate() {
        let between = if place == 0 { "" } else { between };
        output::print(&format!("{between}{}", write(record)))?;
    }
    match records::complain(&collection) {
        0 => Ok(()),
        damaged => Err(Failure::failed(format!(
            "{damaged} of {} games could not be read; the others were converted",
            collection.games.len()
        ))),
    }
}
