//! Two players against each other, without any server.
//!
//! A contest is a pure function of its settings: the same settings give the same games, whatever
//! the number of threads.

pub mod conditions;
mod field;
pub mod openings;
mod pairs;
pub mod record;
pub mod trial;

pub use field::Field;
pub use pairs::{Extent, MatchResult, play};
pub use trial::{Hypotheses, Trial};

use kembara_engine::{Conditions, Game, Openings, PlayerName, Search};

/// Who plays whom, and how.
pub struct Contest {
    /// The game.
    pub game: &'static dyn Game,
    /// A, named first, and B.
    pub players: [PlayerName; 2],
    /// The conditions of A and of B.
    pub conditions: [Conditions; 2],
    /// How both search, when they were told.
    pub way: Option<Search>,
    /// Where games begin; drawn without replacement until all were used.
    pub openings: Openings,
    /// Decides openings and every random move.
    pub seed: u64,
}

impl Contest {
    /// A player's search in words: `depth 9`, `1,000 nodes, negascout-soft`.
    pub fn search(&self, player: usize) -> String {
        let limit = conditions::describe(&self.conditions[player]);
        self.way.map_or(limit.clone(), |way| format!("{limit}, {way}"))
    }
}
