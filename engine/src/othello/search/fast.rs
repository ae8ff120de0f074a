//! The fast mode: what the exact mode returns, sooner.
//!
//! Positions are remembered with the bounds found for them, by exactly the depth they were searched
//! to, and their best moves are tried first the next time, two plies deeper. Leaves and the nodes right
//! above them are never remembered, for a leaf's value is that of the move that led there. Where
//! the depth reaches the end of the game from everywhere below a node, no evaluation can come into
//! it, and the endgame solver takes over.

use super::table::Reach;
use super::{Choices, INFINITY, Searcher, WON};
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Task};
use crate::othello::evaluation::Evaluation;

/// As the exact mode's node.
pub(super) struct FastNode<'t, 'p> {
    pub(super) searcher: &'t mut Searcher,
    pub(super) player: &'p Evaluation,
    pub(super) choices: Choices,
    /// At least 2.
    pub(super) depth: u8,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Searcher {
    /// Looks less far first, to know which moves to begin with. Two plies at a time: a leaf is seen by
    /// who moved last, so an odd depth tells little of an even one.
    pub(super) fn feel<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices, depth: u8) {
        let empty = choices.position.empty().count() as u8;
        // Where the end is in sight, half as far is enough.
        let farthest = if depth < empty { depth } else { empty / 2 };
        for shallower in (2 + farthest % 2..farthest).step_by(2) {
            self.root(cpu, player, choices, shallower);
        }
    }
}

impl Task for FastNode<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { searcher, player, choices, depth, alpha, beta } = self;
        if u32::from(depth) >= choices.position.empty().count() {
            let (low, high) = (highest_margin_up_to(alpha), highest_margin_up_to(beta - 1) + 1);
            return value_of_margin(searcher.end_of(cpu, choices, low, high));
        }
        searcher.nodes += 1;
        if searcher.nodes >= searcher.look_at {
            searcher.look();
        }
        if searcher.stopped {
            return 0;
        }
        let reach = Reach::plies(depth);
        let (mut low, mut high) = (alpha, beta);
        let (known, good) = searcher.table.find(choices.position, reach);
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
        let start = searcher.expand(cpu, choices, good);
        let end = searcher.children.len();
        let (mut best, mut best_square) = (-INFINITY, Square::A1);
        for place in start..end {
            let child = searcher.easiest(place, end);
            let value = searcher.try_child(cpu, player, child, depth, (low.max(best), high), place == start);
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
            searcher.table.keep(choices.position, reach, best, (low, high), best_square, nodes);
        }
        best
    }
}

/// The value of a finished game with this margin.
#[inline(always)]
fn value_of_margin(margin: i32) -> i32 {
    WON * margin.signum() + margin
}

/// The highest margin, -65..=64, whose value is not above the given one.
#[inline(always)]
fn highest_margin_up_to(value: i32) -> i32 {
    let margin = match value {
        WON.. => value - WON,
        0.. => 0,
        // No margin lies between a draw and the closest loss.
        _ if value >= -WON => -1,
        _ => value + WON,
    };
    margin.clamp(-65, 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_values_are_windows_of_margins() {
        let edges = [0, 1, WON - 1, WON, WON + 1, WON + 5, WON + 63, WON + 64, WON + 65, INFINITY];
        for value in edges.into_iter().flat_map(|edge| [edge, -edge]) {
            let highest = highest_margin_up_to(value);
            for margin in -64..=64 {
                assert_eq!(value_of_margin(margin) <= value, margin <= highest, "{margin} against {value}");
            }
        }
    }
}
