//! The root: which move, not only which value.

use super::table::Reach;
use super::{Choices, Found, INFINITY, Searcher};
use crate::othello::bitboard::Square;
use crate::othello::cpu::Cpu;
use crate::othello::evaluation::Evaluation;

impl Searcher {
    /// The first of the best moves in the order a1 b1 … h8, `depth` plies deep, and its value.
    ///
    /// Of a search that was stopped nothing may be used.
    #[inline(always)]
    pub(super) fn root<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices, depth: u8) -> Found {
        if depth == 1 {
            let (square, value) = self.best_leaf(cpu, player, choices);
            return Found { square, value, depth };
        }
        self.nodes += 1;
        let good = if self.fast { self.table.find(choices.position, Reach::plies(depth)).1 } else { None };
        let before = self.nodes;
        let start = self.expand(cpu, choices, good);
        let end = self.children.len();
        let mut found = Found { square: Square::A1, value: -INFINITY, depth };
        for place in start..end {
            let child = self.easiest(place, end);
            // Moves are not searched in the board's order. One that stands before the best so far
            // has to equal it, one behind has to beat it: the window lets exactly those through.
            let alpha = found.value - i32::from(child.square < found.square);
            let value = self.try_child(cpu, player, child, depth, (alpha, INFINITY), place == start);
            if self.stopped {
                break;
            }
            if value > alpha {
                found = Found { square: child.square, value, depth };
            }
        }
        self.children.truncate(start);
        if self.fast && !self.stopped {
            let window = (-INFINITY, INFINITY);
            let nodes = self.nodes - before;
            self.table.keep(choices.position, Reach::plies(depth), found.value, window, found.square, nodes);
        }
        found
    }
}
