//! What the referee and the players say to each other.

use crate::failure::Failure;
use kembara_engine::Side;
use kembara_engine::player::shorten;
use kembara_engine::tablut::{Cell, Move, Position, Turn};
use serde::{Deserialize, Serialize};

/// The referee's board, and whose turn it is or how the game ended.
#[derive(Debug, Deserialize)]
pub struct State {
    board: Vec<Vec<String>>,
    turn: String,
}

impl State {
    /// Whose turn it is, or how the game ended.
    pub fn turn(&self) -> Result<Turn, Failure> {
        Turn::from_word(&self.turn).ok_or_else(|| wrong(&format!("`{}` is nobody's turn", shorten(&self.turn))))
    }

    /// The position of a game that goes on.
    pub fn position(&self, to_move: Side) -> Result<Position, Failure> {
        let cell = |word: &String| {
            Cell::from_word(word)
                .ok_or_else(|| wrong(&format!("`{}` is nothing that stands on a square", shorten(word))))
        };
        let rows: Vec<Vec<Cell>> =
            self.board.iter().map(|row| row.iter().map(cell).collect()).collect::<Result<_, _>>()?;
        Position::from_cells(&rows, to_move).map_err(|error| wrong(&error))
    }
}

fn wrong(reason: &dyn std::fmt::Display) -> Failure {
    Failure::failed(format!("the referee's state makes no sense: {reason}"))
}

/// A move.
#[derive(Debug, Serialize)]
pub struct Answer {
    from: String,
    to: String,
    turn: &'static str,
}

impl Answer {
    pub fn new(action: Move, turn: Turn) -> Self {
        Self { from: action.from.to_string(), to: action.to.to_string(), turn: turn.word() }
    }
}
