//! The last ply: every move of a node is a leaf.

use super::{Choices, INFINITY, Searcher, finished};
use crate::othello::bitboard::Square;
use crate::othello::cpu::Cpu;
use crate::othello::evaluation::{Evaluation, Made};

impl Searcher {
    /// The best of the leaves below a node, for its side to move.
    ///
    /// Stops at the first leaf of `beta` or more; the value is then a lower bound.
    #[inline(always)]
    pub(super) fn frontier<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices, beta: i32) -> i32 {
        let mut best = -INFINITY;
        let leaves = Leaves::new(cpu, player, choices);
        for square in choices.moves {
            self.nodes += 1;
            best = best.max(leaves.value(square));
            if best >= beta {
                break;
            }
        }
        best
    }

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
    weights: &'p [i32; 7],
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
