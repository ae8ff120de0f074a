//! The search of everybody with an evaluation: four kinds of alpha-beta, all with the move and value of
//! plain minimax.
//!
//! Whoever searches scores the leaves by its own side's formula, also where the other side is to
//! move, and takes the opponent to be after the opposite. Draws, by repetition too, are worth 0; a
//! won or lost game lies beyond every evaluation, a win being worth more the sooner it comes, a loss
//! the later it comes. Of equal moves the first in the order of their names is played. Nothing is
//! kept from one move to the next.

use super::course::{Course, LONGEST_GAME};
use super::evaluation::{BOUND, Evaluation};
use super::position::Move;
use crate::limit::Limit;
use crate::result::{Outcome, Side};
use crate::variant::Variant;
use std::time::Instant;

/// A game won after the given number of plies is worth this less that number.
pub const WON: f64 = 2.0 * BOUND;

/// The deepest search that can be asked for.
pub(super) const DEEPEST: u8 = 60;

/// Below and above every value.
const BEYOND: f64 = f64::INFINITY;

const _: () = assert!(WON - LONGEST_GAME as f64 > BOUND);

/// A chosen move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) action: Move,
    /// For the mover.
    pub(super) value: f64,
    /// Positions reached, all depths together.
    pub(super) nodes: u64,
    /// Plies searched in full.
    pub(super) depth: u8,
}

/// The values between which the exact one is wanted, both ends excluded.
type Window = (f64, f64);

/// The bound was reached in the middle of a search.
#[derive(Debug)]
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
    course: &'a mut Course,
    /// Whose formula counts.
    side: Side,
    variant: Variant,
    nodes: u64,
    budget: Budget,
    /// By ply from the root, the move that last was too good for the side before it: it often is
    /// again, and is tried first.
    refutations: [Option<Move>; DEEPEST as usize],
}

/// What a finished game is worth to a side.
pub(super) fn worth(outcome: Outcome, plies: u16, side: Side) -> f64 {
    match outcome.winner() {
        None => 0.0,
        Some(winner) if winner == side => WON - f64::from(plies),
        Some(_) => f64::from(plies) - WON,
    }
}

/// Finds the best move. The course is the same again afterwards.
///
/// By nodes and by time the search deepens one ply at a time, the first ply in full whatever the
/// limit, and the last depth that was finished counts.
///
/// # Panics
/// When the game is over.
pub(super) fn best(evaluation: &Evaluation, course: &mut Course, limit: Limit, variant: Variant) -> Found {
    let side = course.position().to_move();
    let refutations = [None; DEEPEST as usize];
    let budget = match limit {
        Limit::Depth(_) => Budget::Endless,
        Limit::Nodes(nodes) => Budget::Nodes(nodes),
        Limit::Time(time) => Instant::now().checked_add(time).map_or(Budget::Endless, Budget::Until),
    };
    let mut search = Search { evaluation, course, side, variant, nodes: 0, budget: Budget::Endless, refutations };
    let ranked = search.ranked();
    let (action, value) = ranked[0];
    let mut found = Found { action, value, nodes: search.nodes, depth: 1 };
    if let Limit::Depth(depth) = limit {
        return if depth <= 1 { found } else { search.deeper(&ranked, depth).unwrap_or(found) };
    }
    search.budget = budget;
    for depth in 2..=DEEPEST {
        // A forced end is not seen better by looking deeper.
        if found.value.abs() > BOUND {
            break;
        }
        match search.deeper(&ranked, depth) {
            Ok(at_depth) => found = at_depth,
            Err(Spent) => break,
        }
    }
    Found { nodes: search.nodes, ..found }
}

impl Search<'_> {
    fn is_spent(&self) -> bool {
        match self.budget {
            Budget::Endless => false,
            Budget::Nodes(nodes) => self.nodes >= nodes,
            // The clock costs more than a node: it is read now and then.
            Budget::Until(end) => self.nodes.is_multiple_of(64) && Instant::now() >= end,
        }
    }

    /// The moves with their values one ply deep, the best first, equal ones in the order of their names.
    fn ranked(&mut self) -> Vec<(Move, f64)> {
        let mut ranked: Vec<_> = self.course.position().moves().map(|action| (action, self.at_once(action))).collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked
    }

    /// The value of a move one ply deep. No negative zero leaves, so equal values have equal bits.
    fn at_once(&mut self, action: Move) -> f64 {
        self.nodes += 1;
        self.course.play(action);
        let value = match self.course.outcome() {
            Some(outcome) => worth(outcome, self.course.plies(), self.side),
            None => self.evaluation.score(self.course.position(), self.side),
        };
        self.course.undo();
        value + 0.0
    }

    /// Finds the best move at a depth of at least 2, trying what looked best at once first.
    fn deeper(&mut self, ranked: &[(Move, f64)], depth: u8) -> Result<Found, Spent> {
        let (first, _) = ranked[0];
        let mut best = (first, self.child(first, depth, 1, (-BEYOND, BEYOND), true)?);
        for (action, _) in &ranked[1..] {
            // An equal value is enough for a move whose name comes before.
            let alpha = if *action < best.0 { best.1.next_down() } else { best.1 };
            let value = self.child(*action, depth, 1, (alpha, BEYOND), false)?;
            if value > alpha {
                best = (*action, value);
            }
        }
        Ok(Found { action: best.0, value: best.1 + 0.0, nodes: self.nodes, depth })
    }

    /// The value of a move for its mover when within the window, else a bound.
    ///
    /// `ply` is that of the position after it, counted from the root.
    fn child(&mut self, action: Move, depth: u8, ply: usize, window: Window, first: bool) -> Result<f64, Spent> {
        // A leaf has the same value in any window.
        self.variant.try_move(first || depth == 1, window, |window| self.visit(action, depth, ply, window))
    }

    fn visit(&mut self, action: Move, depth: u8, ply: usize, (alpha, beta): Window) -> Result<f64, Spent> {
        if self.is_spent() {
            return Err(Spent);
        }
        self.nodes += 1;
        self.course.play(action);
        let value = self.value(depth - 1, ply, (-beta, -alpha));
        self.course.undo();
        Ok(-value?)
    }

    /// The value of a position for the side to move when within the window, else a bound.
    fn value(&mut self, depth: u8, ply: usize, window: Window) -> Result<f64, Spent> {
        let (alpha, beta) = window;
        let position = *self.course.position();
        let mover = position.to_move();
        if let Some(outcome) = self.course.outcome() {
            return Ok(self.bounded(worth(outcome, self.course.plies(), mover), window));
        }
        if depth == 0 {
            let score = self.evaluation.score(&position, self.side);
            return Ok(self.bounded(if mover == self.side { score } else { -score }, window));
        }
        let refutation = self.refutations[ply].filter(|action| position.allows(*action));
        let others = position.moves().filter(|action| Some(*action) != refutation);
        let mut best = -BEYOND;
        for (place, action) in refutation.into_iter().chain(others).enumerate() {
            let value = self.child(action, depth, ply + 1, (best.max(alpha), beta), place == 0)?;
            best = best.max(value);
            if best >= beta {
                self.refutations[ply] = Some(action);
                break;
            }
        }
        Ok(self.bounded(best, window))
    }

    fn bounded(&self, value: f64, window: Window) -> f64 {
        self.variant.bounded(value, window)
    }
}

#[cfg(test)]
mod tests;
