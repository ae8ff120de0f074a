//! Counting move sequences, the classic check of a move generator.

use super::cpu::{Cpu, Task};
use super::position::Position;

/// Counts the sequences of `depth` plies from a position; a game that is over is one leaf.
#[derive(Clone, Copy)]
pub(super) struct Perft {
    pub(super) position: Position,
    pub(super) depth: u32,
    /// Whether a pass costs no depth.
    pub(super) pass_is_free: bool,
}

impl Task for Perft {
    type Output = u64;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let Self { position, depth, pass_is_free } = self;
        if depth == 0 {
            return 1;
        }
        let moves = position.moves(cpu);
        if moves.is_empty() {
            let passed = position.passed();
            if passed.moves(cpu).is_empty() {
                return 1;
            }
            let depth = if pass_is_free { depth } else { depth - 1 };
            return cpu.enter(Self { position: passed, depth, pass_is_free });
        }
        if depth == 1 {
            return moves.count().into();
        }
        moves
            .into_iter()
            .map(|square| position.after(square, position.flips(cpu, square)))
            .map(|position| cpu.enter(Self { position, depth: depth - 1, pass_is_free }))
            .sum()
    }
}
