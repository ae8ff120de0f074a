//! Games written down: one [`Record`] type, and readers and writers of the formats in use.
//!
//! [`read`] finds the format by content and reads every game of a file: SGF, GGF, WTHOR, PGN as
//! Othello programs write it, and the lists and boards that people paste. A record is always
//! legal: a game that cannot be played as written is listed as [`Damage`], with its place, and the
//! games around it are still read. Forced passes may be written or left out in every format.
//!
//! Bounds: a file of at most [`MAX_BYTES`], at most [`MAX_GAMES`] games of it; one game holds at
//! most 10,000 properties and 200 moves, passes included. Memory stays within a small multiple of the
//! file's size and about half a kilobyte a game.
//!
//! ```
//! use kembara_engine::othello::record::{self, Counting};
//!
//! let file = record::read(b"1. d3 - c3\n2. c4 - e3\n").unwrap();
//! let game = file.records().next().unwrap();
//! assert_eq!(game.moves().len(), 4);
//! assert_eq!(game.counted().score(Counting::Discs), [3, 5]);
//! assert_eq!(record::opening_names(game).last(), Some(&"Diagonal"));
//! ```

mod damage;
mod diagram;
mod names;
mod pgn;
mod plain;
mod replay;
mod result;
mod start;
mod tree;
mod write;
pub mod wthor;

pub use damage::{Damage, Fault, Place, Unreadable};
pub use diagram::diagram;
pub use names::opening_names;
pub use replay::{Illegal, Reason};
pub use result::{Counting, Discs, Written};
pub use start::{NotABoard, Start};
pub use write::{ggf, sgf, text};

use super::notation::Action;
use super::position::Position;
use crate::result::Side;
use replay::{Played, Ply};
use std::borrow::Cow;

/// The longest file that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;
/// The most games of a file that are read.
pub const MAX_GAMES: usize = 1_000_000;

/// One game, legal from its first move to its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Who played, black first; empty where unknown.
    pub players: [String; 2],
    /// When, as it was written.
    pub date: String,
    /// The tournament or match.
    pub event: String,
    /// Where: a town, a server, a program.
    pub place: String,
    /// All comments, a line each.
    pub comment: String,
    /// The result as it was written, whatever the board says.
    pub written: Option<Written>,
    /// How many variations were left out: only the main line is kept.
    pub variations: u32,
    start: Start,
    moves: Vec<Action>,
    end: Start,
}

impl Record {
    /// A game of these moves; forced passes may be named or left out.
    ///
    /// # Errors
    /// [`Illegal`] tells the first move that cannot be played.
    pub fn new(start: Start, moves: impl IntoIterator<Item = Action>) -> Result<Self, Illegal> {
        let plies: Vec<_> = moves.into_iter().map(|action| Ply { action, colour: None, at: 0 }).collect();
        replay::play(start, &plies).map(|played| Self::played(start, played)).map_err(|(_, illegal)| illegal)
    }

    fn played(start: Start, Played { moves, end }: Played) -> Self {
        Self {
            players: Default::default(),
            date: String::new(),
            event: String::new(),
            place: String::new(),
            comment: String::new(),
            written: None,
            variations: 0,
            start,
            moves,
            end,
        }
    }

    /// The board the game began with.
    #[must_use]
    pub const fn start(&self) -> Start {
        self.start
    }

    /// The moves, every forced pass among them named.
    #[must_use]
    pub fn moves(&self) -> &[Action] {
        &self.moves
    }

    /// The board after the last move, and who would move next.
    #[must_use]
    pub const fn end(&self) -> Start {
        self.end
    }

    /// Whether neither side could go on; else the record stops early.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.end.is_over()
    }

    /// The discs on the last board.
    #[must_use]
    pub fn counted(&self) -> Discs {
        Discs([self.end.black().count() as u8, self.end.white().count() as u8])
    }

    /// Whether the written result is what the last board shows, in either way of counting the
    /// empties; `None` where the game stops early or no margin is written.
    #[must_use]
    pub fn agrees(&self) -> Option<bool> {
        let written = self.written.as_ref()?;
        let margin = written.margin.filter(|_| self.is_over())?;
        let countings = [Counting::Discs, Counting::EmptiesToWinner];
        let mut may_be = countings.iter().filter(|&&counting| written.counting.is_none_or(|told| told == counting));
        Some(may_be.any(|&counting| self.counted().margin(counting) == margin))
    }

    /// The boards of the game, each with who is to move: the start, then one after every move.
    #[must_use]
    pub fn boards(&self) -> Vec<Start> {
        replay::boards(self.start, &self.moves)
    }

    /// As [`Record::boards`], from the view of the side to move.
    #[must_use]
    pub fn positions(&self) -> Vec<(Position, Side)> {
        self.boards().into_iter().map(|board| (board.position(), board.to_move())).collect()
    }

    /// Whether both are the same moves from the same start, whoever played.
    #[must_use]
    pub fn same_game(&self, other: &Self) -> bool {
        (self.start, &self.moves) == (other.start, &other.moves)
    }
}

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Smart Game Format, `FF[4]` `GM[2]`.
    Sgf,
    /// The Generic Game Format of Othello servers.
    Ggf,
    /// The binary format of the French federation's collections.
    Wthor,
    /// Portable Game Notation with squares as moves.
    Pgn,
    /// Lists of moves, transcripts and boards.
    Text,
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sgf => "SGF",
            Self::Ggf => "GGF",
            Self::Wthor => "WTHOR",
            Self::Pgn => "PGN",
            Self::Text => "text",
        })
    }
}

/// The games of a file, in its order, damaged ones in their places.
#[derive(Clone, Debug)]
pub struct Collection {
    /// What the file is.
    pub format: Format,
    /// The games: number `n` stands at place `n - 1`. At least one.
    pub games: Vec<Result<Record, Damage>>,
}

impl Collection {
    /// The games that could be read.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.games.iter().filter_map(|game| game.as_ref().ok())
    }

    /// The games that could not.
    pub fn damaged(&self) -> impl Iterator<Item = &Damage> {
        self.games.iter().filter_map(|game| game.as_ref().err())
    }

    /// The games that stop before they are over, each with its number in the file, from 1.
    pub fn unfinished(&self) -> impl Iterator<Item = (usize, &Record)> {
        self.games
            .iter()
            .zip(1..)
            .filter_map(|(game, number)| Some((number, game.as_ref().ok()?)))
            .filter(|(_, record)| !record.is_over())
    }
}

/// Reads every game of a file; players of WTHOR games are numbers.
///
/// # Errors
/// [`Unreadable`] when there is no game in it at all.
pub fn read(bytes: &[u8]) -> Result<Collection, Unreadable> {
    read_with_names(bytes, &wthor::Names::default())
}

/// As [`read`], with the names that belong to WTHOR's numbers.
///
/// # Errors
/// As [`read`].
pub fn read_with_names(bytes: &[u8], names: &wthor::Names) -> Result<Collection, Unreadable> {
    if bytes.len() > MAX_BYTES {
        return Err(Unreadable::TooLong(bytes.len()));
    }
    let collection = if wthor::is_wthor(bytes) {
        Collection { format: Format::Wthor, games: wthor::read(bytes, names)? }
    } else {
        let text = decode(bytes);
        let format = format_of(&text);
        let games = match format {
            Format::Sgf | Format::Ggf => tree::read(&text),
            Format::Pgn => pgn::read(&text),
            Format::Text | Format::Wthor => plain::read(&text)?,
        };
        Collection { format, games }
    };
    if collection.games.is_empty() { Err(Unreadable::NoGame) } else { Ok(collection) }
}

/// Old files are Latin-1, where every byte is a letter.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

fn format_of(text: &str) -> Format {
    if let Some(format) = tree::format_of(text) {
        format
    } else if text.trim_start().starts_with('[') {
        Format::Pgn
    } else {
        Format::Text
    }
}

/// A name or title without line breaks and control characters; what only says "unknown" is empty.
fn cleaned(text: &str) -> String {
    let text: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let text = text.trim();
    if text.chars().all(|letter| matches!(letter, '?' | '.')) { String::new() } else { text.to_owned() }
}

/// A comment, which may have several lines.
fn add_comment(comment: &mut String, more: &str) {
    let lines = more.lines().map(|line| line.chars().filter(|letter| !letter.is_control()).collect::<String>());
    for line in lines.filter(|line| !line.trim().is_empty()) {
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(line.trim());
    }
}
