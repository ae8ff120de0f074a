//! OBF, the text in which endgame positions are published: a board, who is to move, and moves with
//! their exact scores.
//!
//! A line is 64 squares from a1 to h8 (`X` black, `O` white, `-` or `.` empty), a blank, `X` or `O` to
//! move, and `;`; behind it moves as `G8:+18;`, the mover's final margin with the empty squares given to
//! the winner. Blank lines and lines that begin with `%` say nothing.

use super::bitboard::{Bitboard, Square};
use super::position::Position;
use crate::player::shorten;

/// A position to be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The board, for the side to move.
    pub position: Position,
    /// Whether black is to move.
    pub black: bool,
    /// Moves and the mover's margins, as far as the line gives them.
    pub scores: Vec<(Square, i32)>,
}

/// Text that is no position of an OBF file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObfError {
    /// The board is not 64 squares long.
    #[error("a board is 64 squares of X, O and -, not {0}")]
    Length(usize),
    /// A square is none of the three.
    #[error("square {place} of the board is {found:?}; a square is X, O or -")]
    Square {
        /// From 1.
        place: usize,
        /// What stands there.
        found: char,
    },
    /// Nobody is to move.
    #[error("`{0}` does not say who is to move; write X or O behind the board")]
    ToMove(String),
    /// A move without a score.
    #[error("`{0}` is not a move with its score as in G8:+18")]
    Score(String),
}

/// A fault and the line that has it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ObfFault {
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: ObfError,
}

/// Reads all positions of a file, each with its line's number from 1.
///
/// # Errors
/// The first fault.
pub fn parse(text: &str) -> Result<Vec<(usize, Problem)>, ObfFault> {
    let lines = text.lines().enumerate().map(|(place, line)| (place + 1, parse_line(line)));
    let read = |(line, problem): (usize, Result<Option<Problem>, ObfError>)| match problem {
        Ok(problem) => problem.map(|problem| Ok((line, problem))),
        Err(reason) => Some(Err(ObfFault { line, reason })),
    };
    lines.filter_map(read).collect()
}

/// Reads one line; `None` when it says nothing.
///
/// # Errors
/// [`ObfError`] says what is wrong.
pub fn parse_line(line: &str) -> Result<Option<Problem>, ObfError> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('%') {
        return Ok(None);
    }
    let (front, moves) = line.split_once(';').unwrap_or((line, ""));
    let (board, to_move) = front.split_once(char::is_whitespace).unwrap_or((front, ""));
    let squares = board.chars().count();
    if squares != 64 {
        return Err(ObfError::Length(squares));
    }
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (place, mark) in (0..64_u8).zip(board.chars()) {
        match mark {
            'X' | 'x' | '*' => black.0 |= 1 << place,
            'O' | 'o' => white.0 |= 1 << place,
            '-' | '.' => {}
            found => return Err(ObfError::Square { place: usize::from(place) + 1, found }),
        }
    }
    let is_black = match to_move.trim() {
        "X" | "x" | "*" => true,
        "O" | "o" => false,
        other => return Err(ObfError::ToMove(shorten(other))),
    };
    let (own, other) = if is_black { (black, white) } else { (white, black) };
    let scores =
        moves.split(';').map(str::trim).filter(|word| !word.is_empty()).map(score).collect::<Result<_, _>>()?;
    Ok(Some(Problem { position: Position { own, other }, black: is_black, scores }))
}

fn score(word: &str) -> Result<(Square, i32), ObfError> {
    let read = || {
        let (square, score) = word.split_once(':')?;
        let score = score.trim().parse().ok().filter(|score| (-64..=64).contains(score))?;
        Some((square.trim().parse().ok()?, score))
    };
    read().ok_or_else(|| ObfError::Score(shorten(word)))
}

#[cfg(test)]
mod tests;
