//! A player of ours, ready to choose moves.

use super::Book;
use crate::contest::conditions;
use crate::failure::Failure;
use kembara_engine::{Choice, Conditions, Limit, PlayerName, Session};
use std::sync::Arc;

/// A player of ours, and how it thinks.
#[derive(Clone, Debug)]
pub struct Machine {
    /// As people call it.
    pub name: PlayerName,
    /// How long it may think.
    pub limit: Limit,
    /// Decides its random choices.
    pub seed: u64,
    /// What it follows before it thinks.
    pub book: Option<Arc<Book>>,
}

impl Machine {
    /// The move it plays in this position, in which the game must not be over.
    pub fn choose(&self, session: &dyn Session) -> Result<Choice, Failure> {
        self.choose_within(session, self.limit)
    }

    /// As [`Machine::choose`], with another limit for this move.
    pub fn choose_within(&self, session: &dyn Session, limit: Limit) -> Result<Choice, Failure> {
        if let Some(action) = self.book.as_ref().and_then(|book| book.choose(session, self.seed)) {
            return Ok(Choice { action, value: None, nodes: 0, depth: 0 });
        }
        let conditions = Conditions { limit, epsilon: 0.0 };
        session.choose(&self.name.player, &conditions, self.seed).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Its limit in words.
    pub fn search(&self) -> String {
        conditions::describe(&Conditions { limit: self.limit, epsilon: 0.0 })
    }
}
