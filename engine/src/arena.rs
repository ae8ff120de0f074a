//! Many games between prepared players.
//!
//! An [`Arena`] is shared by all threads; each thread plays at a [`Table`] of its own, which holds
//! the working memory of one game at a time.

use crate::limit::Conditions;
use crate::player::{PlayerError, PlayerSpec};
use crate::result::GameResult;

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Openings {
    /// The start position: one opening.
    Start,
    /// Every position reachable by this many plies, one line for each class under the board's
    /// symmetry, in a fixed documented order. Othello: 1..=8 plies, 60 openings of 4, 67,245 of 8.
    Plies(u8),
    /// Given lines in the game's own move notation, one opening each.
    Lines(Vec<String>),
}

/// What an arena is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct ArenaSpec {
    /// The players, addressed by their place.
    pub players: Vec<PlayerSpec>,
    /// Conditions of whoever moves first and of whoever moves second.
    pub conditions: [Conditions; 2],
    /// Where games begin.
    pub openings: Openings,
    /// A game that is not over after so many plies, those of its opening counted, passes not, is
    /// broken off: a draw with margin 0. The players do not know of it.
    pub max_plies: Option<u16>,
}

/// Why an arena could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ArenaError {
    /// A player does not fit the game.
    #[error("player {place}: {reason}")]
    Player {
        /// Its place in the list, from 0.
        place: usize,
        /// What does not fit.
        reason: PlayerError,
    },
    /// A limit the game cannot use.
    #[error("{0}")]
    Limit(String),
    /// An opening that cannot be played.
    #[error("opening {place}: {reason}")]
    Opening {
        /// Its place in the list, from 0.
        place: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// One game to be played: who, from where, with which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// Place of the player who moves first.
    pub first: u32,
    /// Place of the other player.
    pub second: u32,
    /// The opening, below [`Arena::openings`].
    pub opening: u32,
    /// Feeds every random choice in the game.
    pub seed: u64,
}

/// Prepared players of one game.
pub trait Arena: Send + Sync {
    /// How many players there are.
    fn players(&self) -> u32;

    /// How many openings there are, at least one.
    fn openings(&self) -> u32;

    /// A place for one thread to play at.
    fn table(&self) -> Box<dyn Table + '_>;
}

/// One thread's seat in an arena.
pub trait Table {
    /// Plays one game. Places at or above the arena's counts are a caller's error and panic.
    fn play(&mut self, meeting: &Meeting) -> GameResult;

    /// Plays one game and keeps its moves, opening included, in the game's notation, passes named.
    fn record(&mut self, meeting: &Meeting) -> (Vec<String>, GameResult);
}
