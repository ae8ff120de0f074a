//! How long a player may think, and how often its choice is replaced by chance.

use std::time::Duration;

/// The bound on one move's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// Search exactly this many plies, 1..=60.
    Depth(u8),
    /// Deepen one ply at a time until this many nodes (at least 1) were visited.
    Nodes(u64),
    /// Deepen until this much time has passed. Never part of a run: the clock may not enter a
    /// result that has to come out again.
    Time(Duration),
}

/// The conditions under which one side plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// The bound on each move's search.
    pub limit: Limit,
    /// Probability, 0..=1, that a move is replaced by a uniformly drawn legal one.
    pub epsilon: f64,
}

impl Conditions {
    /// Search to a fixed depth, no random moves.
    #[must_use]
    pub const fn depth(plies: u8) -> Self {
        Self { limit: Limit::Depth(plies), epsilon: 0.0 }
    }
}
