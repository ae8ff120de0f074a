//! Games played again to show their moves, in a bounded pool.
//!
//! No move is stored: a game is a pure function of its generation, so it is played again when
//! somebody wants to see it. That takes a core, which the pool hands out sparingly: a few jobs at a
//! time, a few more in line, and whoever comes then is told to come later. A game that would take
//! too long is refused before it begins, since a search cannot be broken off.

mod budget;
mod duel;
mod game;
mod pool;

pub use budget::{MOST_NODES, nodes_a_game};
pub use duel::{Duel, DuelGame, OpeningsMatch, duel};
pub use game::{GenerationKey, Played, Prepared, Seat};
pub use pool::{Pool, ReplayError};
