//! The `perfect` player: it solves the position exactly.
//!
//! Scores are those of Pascal Pons' test sets, for the side to move: positive when it wins, 1 with
//! its last stone, one more for every stone earlier; negative when it loses; 0 for a draw. The
//! player plays a move with the highest score, of several the first in the order 4 3 5 2 6 1 7.
//!
//! From the sixteenth stone or so on a position takes milliseconds, from the eighth often some
//! seconds, and the first moves of a game more than a minute. So that it can be played with from
//! the start, a book keeps what the solver found for its own first moves.

use super::position::{Column, Position};

mod book;
mod solver;
mod table;

pub use solver::Solver;

/// What an exact solution says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// For the side to move.
    pub score: i32,
    /// The numbers of the best columns that are nearest the centre: one, or two with the left first.
    pub columns: Vec<u8>,
}

impl Solver {
    /// Solves the position after a line of moves, without the book.
    ///
    /// # Errors
    /// Says what is wrong when the line cannot be played or the game is over at its end.
    pub fn solve(&mut self, line: &str) -> Result<Solution, String> {
        let (_, position) = super::notation::line(line)?;
        if position.result().is_some() {
            return Err("the game is over at the end of the line".to_owned());
        }
        let score = self.score(&position);
        let best = self.first_best(&position, score);
        let mirrored = best.mirrored();
        let mut columns = vec![best.number()];
        // The left one of two as near was asked first.
        if mirrored > best && position.has_room(mirrored) && self.reaches(&position, mirrored, score) {
            columns.push(mirrored.number());
        }
        Ok(Solution { score, columns })
    }

    /// The first best move in the order from the centre, and the position's score.
    ///
    /// # Panics
    /// When the game is over.
    pub(super) fn best(&mut self, position: &Position) -> (Column, i32) {
        book::find(position).unwrap_or_else(|| {
            let score = self.score(position);
            (self.first_best(position, score), score)
        })
    }
}

#[cfg(test)]
mod tests;
