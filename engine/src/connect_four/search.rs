//! The evolvable player's search: four kinds of alpha-beta, all with the move and value of plain minimax.
//!
//! Values are whole numbers for the side to move. A finished game lies far beyond any evaluation:
//! a win is worth more the sooner it comes, a loss the later it comes; a draw is 0. At the horizon
//! the evaluation scores the last move for its mover. Of equal moves the first in the order
//! 4 3 5 2 6 1 7 is played. Nothing is kept from one move to the next.

use super::evaluation::{EVALUATION_BOUND, Evaluation};
use super::position::{Column, Position, SQUARES};
use crate::limit::Limit;
use crate::variant::Variant;
use std::time::Instant;

/// A win with the given number of stones on the board is worth this less that number.
pub(super) const WIN: i32 = 1_000_000;

/// Beyond every value.
const BEYOND: i32 = WIN + 1;

const _: () = assert!(EVALUATION_BOUND < WIN - SQUARES as i32);

/// A chosen move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) column: Column,
    pub(super) value: i32,
    /// Positions reached, all depths together.
    pub(super) nodes: u64,
    /// Plies searched in full.
    pub(super) depth: u8,
}

/// The bound was reached in the middle of a search.
struct Spent;

/// When to give up a search.
#[derive(Clone, Copy)]
enum Budget {
    Endless,
    Nodes(u64),
    Until(Instant),
}

/// One move's search.
struct Search<'a> {
    evaluation: &'a Evaluation,
    variant: Variant,
    nodes: u64,
    budget: Budget,
}

/// Finds the best move.
///
/// By nodes and by time the search deepens one ply at a time, the first ply in full, and the last
/// depth that was finished counts.
///
/// # Panics
/// When the game is over.
pub(super) fn best(evaluation: &Evaluation, position: &Position, limit: Limit, variant: Variant) -> Found {
    let mut search = Search { evaluation, variant, nodes: 0, budget: Budget::Endless };
    let deepest = SQUARES - position.plies();
    let budget = match limit {
        Limit::Depth(depth) => return search.in_full(position, depth.clamp(1, deepest)).unwrap_or_else(|_| endless()),
        Limit::Nodes(nodes) => Budget::Nodes(nodes),
        Limit::Time(time) => Instant::now().checked_add(time).map_or(Budget::Endless, Budget::Until),
    };
    let mut found = search.in_full(position, 1).unwrap_or_else(|_| endless());
    search.budget = budget;
    // A forced end is not seen better by looking deeper.
    for depth in 2..=deepest {
        if found.value.abs() > EVALUATION_BOUND || search.is_spent() {
            break;
        }
        match search.in_full(position, depth) {
            Ok(deeper) => found = deeper,
            Err(Spent) => break,
        }
    }
    Found { nodes: search.nodes, ..found }
}

fn endless() -> ! {
    unreachable!("a search without a budget ends by itself")
}

impl Search<'_> {
    fn is_spent(&self) -> bool {
        match self.budget {
            Budget::Endless => false,
            Budget::Nodes(nodes) => self.nodes >= nodes,
            // The clock costs more than a node: it is read now and then.
            Budget::Until(end) => self.nodes.is_multiple_of(256) && Instant::now() >= end,
        }
    }

    fn in_full(&mut self, position: &Position, depth: u8) -> Result<Found, Spent> {
        let mut best: Option<(Column, i32)> = None;
        for column in position.columns_centre_first() {
            let alpha = best.map_or(-BEYOND, |(_, value)| value);
            let value = self.child(&position.after(column), depth, alpha, BEYOND, best.is_none())?;
            if best.is_none() || value > alpha {
                best = Some((column, value));
            }
        }
        let (column, value) = best.expect("a game that is not over has a move");
        Ok(Found { column, value, nodes: self.nodes, depth })
    }

    /// The value of the move that led to `position` for its mover, when within `alpha..beta`.
    fn child(&mut self, position: &Position, depth: u8, alpha: i32, beta: i32, first: bool) -> Result<i32, Spent> {
        // A leaf has the same value in any window.
        self.variant.try_move(first || depth == 1, (alpha, beta), |(alpha, beta)| {
            Ok(-self.value(position, depth - 1, -beta, -alpha)?)
        })
    }

    /// The value of a position for the side to move, exact within `alpha..beta`, else a bound.
    fn value(&mut self, position: &Position, depth: u8, alpha: i32, beta: i32) -> Result<i32, Spent> {
        if self.is_spent() {
            return Err(Spent);
        }
        self.nodes += 1;
        if position.just_won() {
            return Ok(self.bounded(i32::from(position.plies()) - WIN, alpha, beta));
        }
        if position.plies() == SQUARES {
            return Ok(self.bounded(0, alpha, beta));
        }
        if depth == 0 {
            return Ok(self.bounded(-self.evaluation.score(position), alpha, beta));
        }
        // No move is better than a win at once, whatever the others are worth.
        if position.wins() != 0 {
            return Ok(self.bounded(WIN - i32::from(position.plies() + 1), alpha, beta));
        }
        let threatened = position.threatened();
        let mut best = -BEYOND;
        for (place, column) in position.columns_centre_first().enumerate() {
            let square = position.landing(column);
            let lower = best.max(alpha);
            // Leaving a threat open loses in two, and nothing is worse than that.
            let value = if depth >= 2 && threatened & !square != 0 {
                i32::from(position.plies() + 2) - WIN
            } else {
                self.child(&position.with(square), depth, lower, beta, place == 0)?
            };
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        Ok(self.bounded(best, alpha, beta))
    }

    fn bounded(&self, value: i32, alpha: i32, beta: i32) -> i32 {
        self.variant.bounded(value, (alpha, beta))
    }
}

#[cfg(test)]
mod tests;
