//! Choosing a move by search.
//!
//! The exact mode: four variants of alpha-beta that return what plain minimax returns, move and
//! value, with GeneThello's rules. A pass costs no depth. A leaf is scored from its own last move, so a leaf's
//! value depends on how it was reached and must never come out of a table. A leaf after which the
//! opponent has to pass is scored as it stands, with mobility 0: played on to the pass, the game
//! that GeneThello's author published comes out differently near its end. Of equal moves the first
//! in the order a1 b1 … h8 is chosen.
//!
//! The fast mode, see [`fast`], returns the same sooner. [`endgame`] plays positions to their end, in discs.
//!
//! This file owns the limits: fixed depth, nodes, and a caller's stop. [`root`] chooses among the
//! moves of a position, [`alpha_beta`] values the positions below it, [`frontier`] the last ply.

mod alpha_beta;
mod endgame;
mod fast;
mod frontier;
mod last;
mod root;
mod solver;
mod table;
#[cfg(test)]
mod tests;

pub use solver::{Solved, Solver};

use super::bitboard::{Bitboard, Square};
use super::cpu::Cpu;
use super::evaluation::Evaluation;
use super::position::Position;
use super::record::Counting;
use crate::variant::{Bound, Method, Search, Variant};
use table::Table;

/// Above any value of a position.
const INFINITY: i32 = i32::MAX;

/// What a won game is worth to a search, before the margin in discs; a lost one is worth as much
/// below zero. No evaluation comes near.
pub const WON: i32 = 1 << 28;

/// The variant of everybody who was not told another: what budgets of nodes were measured with.
const USUAL: Variant = Variant { method: Method::AlphaBeta, bound: Bound::Soft };

/// The most pairs of entries that the fast mode uses, as a power of two: 16 MiB.
const FAST_PAIRS: u32 = 18;

/// How everybody searches who was not told otherwise.
pub(super) const DEFAULT: Search = Search::Plain(USUAL);

/// The value of a finished game for the side to move: who won, then by how many discs.
#[inline(always)]
fn finished(position: Position) -> i32 {
    let margin = position.margin();
    WON * margin.signum() + margin
}

/// What a search chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) square: Square,
    /// For the mover: an evaluation, or beyond ±[`WON`] a finished game.
    pub(super) value: i32,
    /// Plies searched in full.
    pub(super) depth: u8,
}

/// A position to be searched: its legal moves are known and there is at least one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    pub(super) position: Position,
    pub(super) moves: Bitboard,
}

/// A position below a node, waiting to be searched.
#[derive(Clone, Copy, Debug)]
struct Child {
    position: Position,
    /// The opponent's legal moves there.
    moves: Bitboard,
    /// The move that leads there.
    square: Square,
    /// The lowest is tried first: here how many moves the opponent has.
    rank: u32,
}

/// One thread's working memory. Nothing in it outlives a search but its capacity.
pub(super) struct Searcher {
    variant: Variant,
    /// Whether positions are remembered and ends of games solved: see [`fast`].
    fast: bool,
    /// How the exact end of a game is counted.
    counting: Counting,
    /// Used where positions are remembered.
    table: Table,
    /// The open nodes' children, node by node.
    children: Vec<Child>,
    /// The best leaf of the last frontier.
    good_leaf: Bitboard,
    /// Positions looked at in this search, leaves included.
    nodes: u64,
    /// The node count at which to look whether to stop.
    look_at: u64,
    /// The node count at which to stop.
    most_nodes: u64,
    /// Asked now and then whether to stop.
    stop: Option<Stop>,
    stopped: bool,
}

/// A caller's answer to whether the search should stop.
pub(super) type Stop = Box<dyn FnMut() -> bool>;

/// Nodes between two looks at the caller's stop: some tens of microseconds.
const NODES_BETWEEN_LOOKS: u64 = 2048;

impl Searcher {
    pub(super) fn new(search: Search) -> Self {
        // Enough for 60 plies with the 33 moves of the richest position known.
        Self {
            variant: search.variant(Variant::PLAY),
            fast: search == Search::Fast,
            counting: Counting::Discs,
            table: Table::new(),
            children: Vec::with_capacity(60 * 33),
            good_leaf: Bitboard::EMPTY,
            nodes: 0,
            look_at: u64::MAX,
            most_nodes: u64::MAX,
            stop: None,
            stopped: false,
        }
    }

    /// Positions looked at in the last search.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches exactly `depth` plies.
    #[inline(always)]
    pub(super) fn at_depth<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices, depth: u8) -> Found {
        // A small table is sooner made, and stays in the processor's cache.
        self.begin(u64::MAX, None, (2 * u32::from(depth)).min(FAST_PAIRS));
        if self.fast {
            self.feel(cpu, player, choices, depth);
        }
        self.root(cpu, player, choices, depth)
    }

    /// Deepens ply by ply until `nodes` were looked at or the game's end is seen from everywhere.
    ///
    /// The last ply that was searched in full decides; the first is always searched in full.
    pub(super) fn within_nodes<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices, nodes: u64) -> Found {
        self.begin(nodes, None, nodes.ilog2().saturating_sub(4).min(FAST_PAIRS));
        self.deepen(cpu, player, choices)
    }

    /// Deepens ply by ply until `stop` says so.
    pub(super) fn until<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices, stop: Stop) -> Found {
        self.begin(u64::MAX, Some(stop), FAST_PAIRS);
        let found = self.deepen(cpu, player, choices);
        self.stop = None;
        found
    }

    /// Forgets the last search. A table, where one is used, has 2 to the power of `pairs` pairs.
    fn begin(&mut self, most_nodes: u64, stop: Option<Stop>, pairs: u32) {
        self.children.clear();
        self.table.begin(if self.fast { pairs } else { 0 });
        self.good_leaf = Bitboard::EMPTY;
        self.nodes = 0;
        self.look_at = if stop.is_some() { NODES_BETWEEN_LOOKS } else { most_nodes };
        self.most_nodes = most_nodes;
        self.stop = stop;
        self.stopped = false;
    }

    fn deepen<C: Cpu>(&mut self, cpu: C, player: &Evaluation, choices: Choices) -> Found {
        let mut found = self.root(cpu, player, choices, 1);
        let deepest = choices.position.empty().count() as u8;
        for depth in 2..=deepest {
            self.look();
            if self.stopped {
                break;
            }
            let deeper = self.root(cpu, player, choices, depth);
            if self.stopped {
                break;
            }
            found = deeper;
        }
        found
    }

    /// Looks whether to stop. A stopped search unwinds with values that nobody uses.
    #[cold]
    fn look(&mut self) {
        self.stopped |= self.nodes >= self.most_nodes;
        if let Some(stop) = &mut self.stop {
            self.stopped |= stop();
            self.look_at = self.nodes + NODES_BETWEEN_LOOKS;
        }
    }
}
