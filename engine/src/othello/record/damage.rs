//! What is wrong with a file or a game of it, and where.

use super::replay::Illegal;
use super::{MAX_BYTES, MAX_GAMES};
use std::fmt;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In text: both counted from 1, columns in characters.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// In a binary file: the byte, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, {place}: {fault}")]
pub struct Damage {
    /// Its number in the file, from 1.
    pub game: usize,
    /// Where the trouble is.
    pub place: Place,
    /// What it is.
    pub fault: Fault,
}

/// Why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A move breaks the rules.
    #[error("{0}")]
    Illegal(Box<Illegal>),
    /// The text or the bytes make no game.
    #[error("{0}")]
    Unreadable(String),
}

/// A file without any game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// More bytes than are read.
    #[error("the file has {0} bytes; at most {MAX_BYTES} are read, so split it")]
    TooLong(usize),
    /// Nothing that looks like a game.
    #[error("there is no game in it; SGF, GGF, WTHOR, PGN, lists of moves and boards of 64 squares are read")]
    NoGame,
    /// Neither text nor a known binary format.
    #[error("byte {0} is no text, and the file is not WTHOR either; SGF, GGF, WTHOR, PGN and text are read")]
    Binary(usize),
    /// A WTHOR file of something else than games on 8x8.
    #[error("a WTHOR file, but {0}")]
    Wthor(String),
}

/// What is wrong at an offset of the text: a reader's own error, before it has a game's number.
pub(super) struct Trouble {
    /// The offset in bytes.
    pub(super) at: usize,
    /// What it is.
    pub(super) fault: Fault,
}

impl Trouble {
    pub(super) fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, fault: Fault::Unreadable(reason.into()) }
    }

    /// The last entry of a list that is too long.
    pub(super) fn too_many_games(at: usize) -> Self {
        Self::new(at, format!("more than {MAX_GAMES} games; from here on nothing is read, so split the file"))
    }
}

/// Tells lines and columns of offsets that are asked for in ascending order: one pass over the text,
/// however many there are and however long its lines.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Up to here lines and columns are counted.
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> Lines<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, column: 1 }
    }

    /// The trouble of game number `game`.
    pub(super) fn damage(&mut self, game: usize, trouble: Trouble) -> Damage {
        let at = trouble.at.clamp(self.at, self.text.len());
        for &byte in &self.text.as_bytes()[self.at..at] {
            if byte == b'\n' {
                self.line += 1;
                self.column = 1;
            } else if byte & 0xC0 != 0x80 {
                // The bytes that continue a letter of UTF-8 are no columns of their own.
                self.column += 1;
            }
        }
        self.at = at;
        Damage { game, place: Place::Text { line: self.line, column: self.column }, fault: trouble.fault }
    }
}
