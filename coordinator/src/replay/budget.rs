//! How long a game may take, estimated before it is played.

use kembara_evolution::spec::SearchLimit;

/// The most nodes a game that is played again may be expected to take: some tens of seconds.
pub const MOST_NODES: u64 = 1_000_000_000;

/// Moves of a long game.
const MOVES: u64 = 60;

/// Positions that a cut search visits for each further ply; measured between 3 and 5 in Othello.
const BRANCHING: u64 = 5;

/// Nodes that a game is expected to take at most.
#[must_use]
pub const fn nodes_a_game(limit: SearchLimit) -> u64 {
    match limit {
        SearchLimit::Depth(plies) => MOVES.saturating_mul(BRANCHING.saturating_pow(plies as u32)),
        SearchLimit::Nodes(nodes) => MOVES.saturating_mul(nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_searches_are_beyond_the_budget_and_never_overflow() {
        assert!(nodes_a_game(SearchLimit::Depth(2)) < MOST_NODES / 1000);
        assert!(nodes_a_game(SearchLimit::Depth(9)) < MOST_NODES);
        assert!(nodes_a_game(SearchLimit::Depth(12)) > MOST_NODES);
        assert_eq!(nodes_a_game(SearchLimit::Depth(60)), u64::MAX);
        assert_eq!(nodes_a_game(SearchLimit::Nodes(u64::MAX)), u64::MAX);
    }
}
