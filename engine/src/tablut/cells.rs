//! Boards square by square, as the competition's referee writes them, and whose turn it says it is.

use super::board::{CAMPS, SIZE, Square, THRONE};
use super::position::Position;
use crate::result::{Outcome, Side};

/// What stands on a square, in the referee's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A white soldier.
    White,
    /// A black piece.
    Black,
    /// The king.
    King,
    /// The throne, empty.
    Throne,
}

impl Cell {
    /// All of them, with their letter in written boards and their word in messages.
    const NAMES: [(Self, char, &'static str); 5] = [
        (Self::Empty, 'O', "EMPTY"),
        (Self::White, 'W', "WHITE"),
        (Self::Black, 'B', "BLACK"),
        (Self::King, 'K', "KING"),
        (Self::Throne, 'T', "THRONE"),
    ];

    /// Its letter in the referee's written boards: `O`, `W`, `B`, `K` or `T`.
    #[must_use]
    pub fn letter(self) -> char {
        Self::NAMES[self as usize].1
    }

    /// Its word in the referee's messages: `EMPTY`, `WHITE`, `BLACK`, `KING` or `THRONE`.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::NAMES[self as usize].2
    }

    /// The cell with this letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::NAMES.into_iter().find(|name| name.1 == letter).map(|name| name.0)
    }

    /// The cell with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|name| name.2 == word).map(|name| name.0)
    }
}

/// Whose turn it is, or how the game ended, in the referee's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// White is to move.
    White,
    /// Black is to move.
    Black,
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
    /// Nobody has won.
    Draw,
}

impl Turn {
    /// All of them, with their letters in logs and their word in messages.
    const NAMES: [(Self, &'static str, &'static str); 5] = [
        (Self::White, "W", "WHITE"),
        (Self::Black, "B", "BLACK"),
        (Self::WhiteWins, "WW", "WHITEWIN"),
        (Self::BlackWins, "BW", "BLACKWIN"),
        (Self::Draw, "D", "DRAW"),
    ];

    /// Its letters in the referee's logs: `W`, `B`, `WW`, `BW` or `D`.
    #[must_use]
    pub fn letters(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// Its word in the referee's messages: `WHITE`, `BLACK`, `WHITEWIN`, `BLACKWIN` or `DRAW`.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::NAMES[self as usize].2
    }

    /// The turn with these letters.
    #[must_use]
    pub fn from_letters(letters: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|name| name.1 == letters).map(|name| name.0)
    }

    /// The turn with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|name| name.2 == word).map(|name| name.0)
    }

    /// Who is to move, while the game goes on.
    #[must_use]
    pub const fn to_move(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::First),
            Self::Black => Some(Side::Second),
            _ => None,
        }
    }

    /// The turn of a side to move in a game with this outcome, if it has one.
    #[must_use]
    pub const fn new(to_move: Side, outcome: Option<Outcome>) -> Self {
        match (outcome, to_move) {
            (Some(Outcome::FirstWins), _) => Self::WhiteWins,
            (Some(Outcome::SecondWins), _) => Self::BlackWins,
            (Some(Outcome::Draw), _) => Self::Draw,
            (None, Side::First) => Self::White,
            (None, Side::Second) => Self::Black,
        }
    }
}

/// Why cells are not a board of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The rows, or the squares in a row, are not nine.
    #[error("a board has 9 rows of 9 squares, but {0}")]
    Size(String),
    /// Something stands where it never can.
    #[error("{square} holds {}, which can never stand there", .cell.word())]
    Place {
        /// The square.
        square: Square,
        /// What it holds.
        cell: Cell,
    },
    /// Too many or too few of a kind.
    #[error("{given} pieces are {}, but there are {expected}", .cell.word())]
    Count {
        /// The kind.
        cell: Cell,
        /// How many there are.
        given: usize,
        /// How many there can be.
        expected: &'static str,
    },
}

impl Position {
    /// The position with these cells, rows from row 1, columns from a. An empty throne may be
    /// written as an empty square.
    ///
    /// # Errors
    /// [`BoardError`] for a wrong size, for boards without exactly one king or with more pieces than
    /// a game has, for anything but the king on the throne, and for white pieces on camps.
    pub fn from_cells<R: AsRef<[Cell]>>(rows: &[R], to_move: Side) -> Result<Self, BoardError> {
        if rows.len() != usize::from(SIZE) {
            return Err(BoardError::Size(format!("this one has {} rows", rows.len())));
        }
        let (mut kings, mut white, mut black) = (0_u128, 0_u128, 0_u128);
        for (row, cells) in (0..).zip(rows) {
            let cells = cells.as_ref();
            if cells.len() != usize::from(SIZE) {
                return Err(BoardError::Size(format!("row {} of this one has {} squares", row + 1, cells.len())));
            }
            for (square, cell) in (0..SIZE).filter_map(|column| Square::at(column, row)).zip(cells.iter().copied()) {
                let (is_throne, is_camp) = (square == THRONE, CAMPS & square.bit() != 0);
                let fits = match cell {
                    Cell::Empty => true,
                    Cell::White => !is_throne && !is_camp,
                    Cell::Black => !is_throne,
                    Cell::King => !is_camp,
                    Cell::Throne => is_throne,
                };
                if !fits {
                    return Err(BoardError::Place { square, cell });
                }
                match cell {
                    Cell::Empty | Cell::Throne => {}
                    Cell::White => white |= square.bit(),
                    Cell::Black => black |= square.bit(),
                    Cell::King => kings |= square.bit(),
                }
            }
        }
        let count = |squares: u128| squares.count_ones() as usize;
        let wrong = |cell, given, expected| BoardError::Count { cell, given, expected };
        match (super::board::Squares(kings).next(), count(kings)) {
            _ if count(white) > 8 => Err(wrong(Cell::White, count(white), "at most 8")),
            _ if count(black) > 16 => Err(wrong(Cell::Black, count(black), "at most 16")),
            (Some(king), 1) => Ok(Self { white, black, king, to_move, king_taken: false }),
            (_, given) => Err(wrong(Cell::King, given, "exactly 1")),
        }
    }

    /// What stands on every square, rows from row 1, columns from a. A taken king is still there.
    #[must_use]
    pub fn to_cells(&self) -> [[Cell; 9]; 9] {
        std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                Square::at(column as u8, row as u8).map_or(Cell::Empty, |square| self.cell(square))
            })
        })
    }

    /// What stands on a square.
    #[must_use]
    pub fn cell(&self, square: Square) -> Cell {
        if square == self.king {
            Cell::King
        } else if self.white & square.bit() != 0 {
            Cell::White
        } else if self.black & square.bit() != 0 {
            Cell::Black
        } else if square == THRONE {
            Cell::Throne
        } else {
            Cell::Empty
        }
    }
}
