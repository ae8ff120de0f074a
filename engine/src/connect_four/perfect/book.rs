//! What the solver found for the first moves of the `perfect` player.
//!
//! The book holds the positions that `perfect` meets within its first moves, on either side, when it
//! plays by its own rule and the opponent as it likes, one for each pair of mirror images:
//! a line of moves, the score and the best columns nearest the centre. It was written by
//! `cargo run --release -p kembara-engine --example connect_four_book`, which asks the solver
//! alone; a test solves a part of it again.

use crate::connect_four::notation;
use crate::connect_four::position::{Column, Position};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A line a position: moves, score, columns, a `-` for no moves.
pub(super) const TEXT: &str = include_str!("book.txt");

/// The latest position in the book.
const LAST_PLY: u8 = 4;

struct Entry {
    /// The one of the two mirror images that the columns are given for.
    position: Position,
    score: i32,
    columns: Vec<Column>,
}

/// The move and score of a position that the book holds.
pub(super) fn find(position: &Position) -> Option<(Column, i32)> {
    static BOOK: OnceLock<HashMap<u64, Entry>> = OnceLock::new();
    if position.plies() > LAST_PLY {
        return None;
    }
    let entry = BOOK.get_or_init(read).get(&position.symmetric_key())?;
    let columns = entry.columns.iter().copied();
    // Of two columns as near the centre the left one is played, here as in the mirror.
    let column = if entry.position == *position { columns.min() } else { columns.map(Column::mirrored).min() };
    column.map(|column| (column, entry.score))
}

fn read() -> HashMap<u64, Entry> {
    let entry = |(line, score, columns): (&str, &str, &str)| {
        let (_, position) = notation::line(line).ok()?;
        let columns = columns.bytes().filter_map(|digit| Column::from_number(digit - b'0')).collect();
        Some((position.symmetric_key(), Entry { position, score: score.parse().ok()?, columns }))
    };
    entries().filter_map(entry).collect()
}

/// The book's lines: moves, score, columns.
pub(super) fn entries() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    TEXT.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut words = line.split_whitespace();
        let moves = words.next()?;
        Some((if moves == "-" { "" } else { moves }, words.next()?, words.next()?))
    })
}
