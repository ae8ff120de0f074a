//! A game so far: the position, and what came before as far as it matters.

use super::position::{Move, Position};
use crate::result::{GameResult, Outcome, Side};

/// A game that is not over after so many plies is a draw.
///
/// Repetition ends every game some day, but that day may be far: a run needs a bound.
pub const LONGEST_GAME: u16 = 1000;

/// One position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    position: Position,
    outcome: Option<Outcome>,
}

/// A game from the start position to now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Never empty.
    steps: Vec<Step>,
    /// Of every step's position: games without captures get long, and most positions are new.
    keys: Vec<u32>,
}

impl Course {
    /// A game that begins.
    #[must_use]
    pub fn new() -> Self {
        let step = Step { position: Position::START, outcome: None };
        Self { steps: vec![step], keys: vec![step.position.key()] }
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.now().position
    }

    /// Plies played.
    #[must_use]
    pub fn plies(&self) -> u16 {
        (self.steps.len() - 1) as u16
    }

    /// How the game ended, if it is over.
    ///
    /// White wins when the king stands on the edge, Black when he is taken; the player to move
    /// loses without a legal move; a position with the same side to move seen before since the last
    /// capture is a draw, and so is every game of [`LONGEST_GAME`] plies.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.now().outcome
    }

    /// The result, if the game is over.
    #[must_use]
    pub fn result(&self) -> Option<GameResult> {
        self.outcome().map(|outcome| GameResult { outcome, margin: 0, plies: self.plies() })
    }

    /// Plays a move that is legal in a game that is not over. Returns the number of pieces taken,
    /// the king not counted.
    ///
    /// # Panics
    /// In debug builds, when the move is not legal.
    pub fn play(&mut self, action: Move) -> u32 {
        let (position, taken) = self.position().step(action);
        let key = position.key();
        let winner = position.winner().or_else(|| (!position.can_move()).then(|| position.to_move().other()));
        let outcome = match winner {
            Some(Side::First) => Some(Outcome::FirstWins),
            Some(Side::Second) => Some(Outcome::SecondWins),
            None if self.has_seen(&position, key) || self.steps.len() >= usize::from(LONGEST_GAME) => {
                Some(Outcome::Draw)
            }
            None => None,
        };
        self.steps.push(Step { position, outcome });
        self.keys.push(key);
        taken
    }

    /// Takes the last move back; false at the start.
    pub fn undo(&mut self) -> bool {
        let is_under_way = self.steps.len() > 1;
        if is_under_way {
            self.steps.pop();
            self.keys.pop();
        }
        is_under_way
    }

    /// Whether the position that comes next was seen before.
    fn has_seen(&self, next: &Position, key: u32) -> bool {
        // The start position does not count. Captures need no care: with fewer pieces none of the
        // positions before can come again.
        let (keys, steps) = (&self.keys[1..], &self.steps[1..]);
        // No early end: this way the compiler compares several at once.
        keys.iter().fold(false, |found, seen| found | (*seen == key)) && steps.iter().any(|step| step.position == *next)
    }

    fn now(&self) -> &Step {
        self.steps.last().expect("the start position is never taken back")
    }
}

impl Default for Course {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
