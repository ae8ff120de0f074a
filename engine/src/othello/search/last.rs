//! The last squares of a game, played out without memory.

use super::endgame::{ALL_DISCS, odd_quadrants};
use super::{Choices, Searcher};
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Task};
use crate::othello::position::Position;

/// Up to so many empty squares, ordering and remembering cost more than they save.
pub(super) const LAST_SQUARES: u32 = 6;

/// A position with few empty squares and a move, to be played to its end.
pub(super) struct Last<'t> {
    pub(super) searcher: &'t mut Searcher,
    pub(super) choices: Choices,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Task for Last<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { searcher, choices: Choices { position, moves }, alpha, beta } = self;
        searcher.nodes += 1;
        let odd = odd_quadrants(position.empty());
        let left = position.empty().count() - 1;
        let mut best = -ALL_DISCS;
        for part in [moves & odd, moves & !odd] {
            for square in part {
                let after = position.after(square, position.flips(cpu, square));
                let value = match (left, after.empty().first()) {
                    (1, Some(square)) => -searcher.last_square(cpu, after, square),
                    _ => -searcher.end(cpu, after, -beta, -alpha.max(best)),
                };
                best = best.max(value);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }
}

impl Searcher {
    /// The final margin of the side to move where one square is left.
    #[inline(always)]
    fn last_square<C: Cpu>(&mut self, cpu: C, position: Position, square: Square) -> i32 {
        self.nodes += 1;
        let turned = position.flips(cpu, square).count() as i32;
        if turned > 0 {
            return position.margin() + 1 + 2 * turned;
        }
        let turned = position.passed().flips(cpu, square).count() as i32;
        if turned > 0 { position.margin() - 1 - 2 * turned } else { self.final_margin(position) }
    }
}
