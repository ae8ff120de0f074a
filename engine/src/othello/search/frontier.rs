//! The last ply: every move of a node is a leaf.

use super::{Choices, INFINITY, Searcher, finished};
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Task};
use crate::othello::evaluation::{Evaluation, Made, Weights};

/// The best of the leaves below a node, for its side to move.
///
/// Stops once a leaf has reached `beta`; the value is then a lower bound. The best leaf of the last
/// frontier is tried first, since what was good one move ago mostly still is.
pub(super) struct Frontier<'t, 'p> {
    pub(super) searcher: &'t mut Searcher,
    pub(super) player: &'p Evaluation,
    pub(super) choices: Choices,
    pub(super) beta: i32,
}

impl Task for Frontier<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { searcher, player, choices, beta } = self;
        let leaves = Leaves::new(cpu, player, choices);
        let (mut best, mut best_value) = (Square::A1, -INFINITY);
        let mut left = choices.moves;
        let mut next = (left & searcher.good_leaf).first().or(left.first());
        // Two leaves at a time: a lone leaf is one long chain of dependent steps, and two chains
        // side by side take hardly longer. An odd last leaf is valued twice.
        while let Some(one) = next {
            left ^= one.bit();
            let other = left.first().unwrap_or(one);
            searcher.nodes += 1 + u64::from(!left.is_empty());
            left = left.without_first();
            for (square, value) in [(one, leaves.value(one)), (other, leaves.value(other))] {
                if value > best_value {
                    (best, best_value) = (square, value);
                }
            }
            if best_value >= beta {
                break;
            }
            next = left.first();
        }
        searcher.good_leaf = best.bit();
        best_value
    }
}

impl Searcher {
    /// The first of the best leaves, and its value.
    #[inline(always)]
    pub(super) fn best_leaf<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices) -> (Square, i32) {
        let leaves = Leaves::new(cpu, player, choices);
        let mut best = (Square::A1, -INFINITY);
        for square in choices.moves {
            let value = leaves.value(square);
            if value > best.1 {
                best = (square, value);
            }
        }
        self.nodes += u64::from(choices.moves.count());
        best
    }
}

/// The leaves below one node: what they share is worked out once.
struct Leaves<'p, C> {
    cpu: C,
    player: &'p Evaluation,
    choices: Choices,
    number: u32,
    weights: &'p Weights,
}

impl<'p, C: Cpu> Leaves<'p, C> {
    #[inline(always)]
    fn new(cpu: C, player: &'p Evaluation, choices: Choices) -> Self {
        let number = choices.position.number() + 1;
        Self { cpu, player, choices, number, weights: player.weights(number) }
    }

    /// What the leaf behind a move is worth for its mover.
    #[inline(always)]
    fn value(&self, square: Square) -> i32 {
        let flips = self.choices.position.flips(self.cpu, square);
        let after = self.choices.position.after(square, flips);
        let replies = after.moves(self.cpu);
        if replies.is_empty() && after.passed().moves(self.cpu).is_empty() {
            return finished(after.passed());
        }
        let made = Made { after, flips: flips.count(), mobility: replies.count() };
        self.player.score(self.weights, self.number, made)
    }
}
