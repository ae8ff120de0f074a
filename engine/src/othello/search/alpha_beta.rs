//! The four variants: the value of a position inside a window, and a bound of it outside.
//!
//! Moves that leave the opponent the fewest replies come first: they cut most often and their
//! subtrees are the smallest. The order cannot change a value inside the window.

use super::fast::FastNode;
use super::frontier::Frontier;
use super::{Child, Choices, INFINITY, Searcher, finished};
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Task};
use crate::othello::evaluation::Evaluation;
use std::convert::Infallible;

/// A position to be valued `depth` plies deep, for its side to move.
pub(super) struct Node<'t, 'p> {
    pub(super) searcher: &'t mut Searcher,
    pub(super) player: &'p Evaluation,
    pub(super) choices: Choices,
    /// At least 2.
    pub(super) depth: u8,
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Task for Node<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> i32 {
        let Self { searcher, player, choices, depth, alpha, beta } = self;
        searcher.nodes += 1;
        if searcher.nodes >= searcher.look_at {
            searcher.look();
        }
        if searcher.stopped {
            return 0;
        }
        let start = searcher.expand(cpu, choices, None);
        let end = searcher.children.len();
        let mut best = -INFINITY;
        for place in start..end {
            let child = searcher.easiest(place, end);
            let window = (alpha.max(best), beta);
            best = best.max(searcher.try_child(cpu, player, child, depth, window, place == start));
            if best >= beta || searcher.stopped {
                break;
            }
        }
        searcher.children.truncate(start);
        best
    }
}

impl Searcher {
    /// Puts the children of a node on the stack and says where they start. A move that is known to be
    /// good comes first, then those that leave the opponent few.
    #[inline(always)]
    pub(super) fn expand<C: Cpu>(&mut self, cpu: C, choices: Choices, good: Option<Square>) -> usize {
        let start = self.children.len();
        for square in choices.moves {
            let position = choices.position.after(square, choices.position.flips(cpu, square));
            let moves = position.moves(cpu);
            let rank = if good == Some(square) { 0 } else { 1 + moves.count() };
            self.children.push(Child { position, moves, square, rank });
        }
        start
    }

    /// Brings the first child with the lowest rank of `place..end` to `place` and returns it.
    #[inline(always)]
    pub(super) fn easiest(&mut self, place: usize, end: usize) -> Child {
        let open = &mut self.children[place..end];
        let mut easiest = 0;
        for other in 1..open.len() {
            if open[other].rank < open[easiest].rank {
                easiest = other;
            }
        }
        open.swap(0, easiest);
        open[0]
    }

    /// The value of a child for the side that moves there, tried in its parent's window as the
    /// variant does.
    ///
    /// The parent is `depth` plies deep, at least 2.
    #[inline(always)]
    pub(super) fn try_child<C: Cpu>(
        &mut self,
        cpu: C,
        player: &Evaluation,
        child: Child,
        depth: u8,
        window: (i32, i32),
        first: bool,
    ) -> i32 {
        let variant = self.variant;
        let below = |window| Ok::<_, Infallible>(self.value_below(cpu, player, child, depth, window));
        let Ok(value) = variant.try_move(first, window, below);
        value
    }

    #[inline(always)]
    fn value_below<C: Cpu>(
        &mut self,
        cpu: C,
        player: &Evaluation,
        child: Child,
        depth: u8,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let Child { position, moves, .. } = child;
        if !moves.is_empty() {
            let choices = Choices { position, moves };
            return -self.value(cpu, player, choices, depth - 1, -beta, -alpha);
        }
        // The opponent passes, which costs no depth: the same side moves again.
        let position = position.passed();
        let moves = position.moves(cpu);
        if moves.is_empty() {
            self.nodes += 1;
            return self.variant.bounded(finished(position), (alpha, beta));
        }
        self.value(cpu, player, Choices { position, moves }, depth - 1, alpha, beta)
    }

    /// The value of a position `depth` plies deep, at least 1, for its side to move.
    #[inline(always)]
    pub(super) fn value<C: Cpu>(
        &mut self,
        cpu: C,
        player: &Evaluation,
        choices: Choices,
        depth: u8,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let variant = self.variant;
        let value = if depth == 1 {
            cpu.enter(Frontier { searcher: self, player, choices, beta })
        } else if self.fast {
            cpu.enter(FastNode { searcher: self, player, choices, depth, alpha, beta })
        } else {
            cpu.enter(Node { searcher: self, player, choices, depth, alpha, beta })
        };
        variant.bounded(value, (alpha, beta))
    }
}
