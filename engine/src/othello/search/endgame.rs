//! The exact end of the game, in discs.
//!
//! Values are the final margins of the side to move, both sides playing their best, fail-soft.
//! With many squares left, positions are remembered and moves that leave the opponent little come
//! first; [`last`] plays the last squares, where neither pays.

use super::last::{LAST_SQUARES, Last};
use super::table::Reach;
use super::{Child, Choices, Searcher};
use crate::othello::bitboard::{Bitboard, Square};
use crate::othello::cpu::{Cpu, Task};
use crate::othello::position::Position;
use crate::othello::record::Counting;

/// Above any margin.
pub(super) const ALL_DISCS: i32 = 65;

/// A position to be played to its end.
struct Ending<'t> {
    searcher: &'t mut Searcher,
    choices: Choices,
    alpha: i32,
    beta: i32,
}

impl Searcher {
    /// The margin of a finished game for the side to move.
    #[inline(always)]
    pub(super) fn final_margin(&self, position: Position) -> i32 {
        let margin = position.margin();
        match self.counting {
            Counting::Discs => margin,
            Counting::EmptiesToWinner => margin + margin.signum() * position.empty().count() as i32,
        }
    }

    /// The final margin of the side to move, when within `alpha..beta`, else a bound.
    #[inline(always)]
    pub(super) fn end<C: Cpu>(&mut self, cpu: C, position: Position, alpha: i32, beta: i32) -> i32 {
        let moves = position.moves(cpu);
        if !moves.is_empty() {
            return self.end_of(cpu, Choices { position, moves }, alpha, beta);
        }
        let position = position.passed();
        let moves = position.moves(cpu);
        if moves.is_empty() {
            self.nodes += 1;
            return -self.final_margin(position);
        }
        -self.end_of(cpu, Choices { position, moves }, -beta, -alpha)
    }

    /// As [`Searcher::end`], of a position with a move.
    #[inline(always)]
    pub(super) fn end_of<C: Cpu>(&mut self, cpu: C, choices: Choices, alpha: i32, beta: i32) -> i32 {
        if choices.position.empty().count() <= LAST_SQUARES {
            cpu.enter(Last { searcher: self, choices, alpha, beta })
        } else {
            cpu.enter(Ending { searcher: self, choices, alpha, beta })
        }
    }

    /// Puts the children of a node on the stack, those to be tried early with the lowest rank.
    #[inline(always)]
    pub(super) fn expand_end<C: Cpu>(&mut self, cpu: C, choices: Choices, good: Option<Square>) -> usize {
        let start = self.children.len();
        let odd = odd_quadrants(choices.position.empty());
        for square in choices.moves {
            let position = choices.position.after(square, choices.position.flips(cpu, square));
            let moves = position.moves(cpu);
            let rank = if good == Some(square) { 0 } else { rank(square, position, moves, odd) };
            self.children.push(Child { position, moves, square, rank });
        }
        start
    }
}

/// How late a move is to be tried. The opponent's moves count, corners twice, and so do the empty
/// squares that it may reach later; a corner and the last square of a region are good to have.
#[inline(always)]
fn rank(square: Square, position: Position, moves: Bitboard, odd: Bitboard) -> u32 {
    let reachable = (position.other.grown() & position.empty()).count();
    let mobility = 16 * (moves.count() + (moves & Bitboard::CORNERS).count());
    let corner = 24 * u32::from(Bitboard::CORNERS.contains(square));
    let parity = 8 * u32::from(odd.contains(square));
    (64 + mobility + 4 * reachable).saturating_sub(corner + parity).max(1)
}

/// The quarters of the board with an odd number of empty squares: who plays there first has the
/// last move there too.
#[inline(always)]
pub(super) fn odd_quadrants(empty: Bitboard) -> Bitboard {
    const QUARTERS: [u64; 4] =
        [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];
    let mut odd = 0;
    for quarter in QUARTERS {
        odd |= quarter & u64::from((empty.0 & quarter).count_ones() & 1).wrapping_neg();
    }
    Bitboard(odd)
}

impl Task for Ending<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { searcher, choices, alpha, beta } = self;
        searcher.nodes += 1;
        if searcher.nodes >= searcher.look_at {
            searcher.look();
        }
        if searcher.stopped {
            return 0;
        }
        let (mut low, mut high) = (alpha, beta);
        let (known, good) = searcher.table.find(choices.position, Reach::END);
        if let Some(entry) = known {
            if entry.lower >= beta || entry.lower == entry.upper {
                return entry.lower;
            }
            if entry.upper <= alpha {
                return entry.upper;
            }
            (low, high) = (low.max(entry.lower), high.min(entry.upper));
        }
        let before = searcher.nodes;
        let start = searcher.expand_end(cpu, choices, good);
        let end = searcher.children.len();
        let (mut best, mut best_square) = (-ALL_DISCS, Square::A1);
        for place in start..end {
            let child = searcher.easiest(place, end);
            let value = searcher.try_end(cpu, child, (low.max(best), high), place == start);
            if value > best {
                (best, best_square) = (value, child.square);
                if best >= high {
                    break;
                }
            }
        }
        searcher.children.truncate(start);
        if !searcher.stopped {
            let nodes = searcher.nodes - before;
            searcher.table.keep(choices.position, Reach::END, best, (low, high), best_square, nodes);
        }
        best
    }
}

impl Searcher {
    /// The final margin after a move, for its mover, tried in a null window first.
    #[inline(always)]
    pub(super) fn try_end<C: Cpu>(&mut self, cpu: C, child: Child, (alpha, beta): (i32, i32), first: bool) -> i32 {
        let mut low = if first { beta } else { alpha + 1 };
        loop {
            let value = self.end_after(cpu, child, alpha, low);
            if low == beta || value <= alpha || value >= beta {
                return value;
            }
            low = beta;
        }
    }

    #[inline(always)]
    fn end_after<C: Cpu>(&mut self, cpu: C, child: Child, alpha: i32, beta: i32) -> i32 {
        let Child { position, moves, .. } = child;
        if moves.is_empty() {
            -self.end(cpu, position, -beta, -alpha)
        } else {
            -self.end_of(cpu, Choices { position, moves }, -beta, -alpha)
        }
    }
}
