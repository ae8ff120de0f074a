//! What is known of positions: bounds of their value, and the move that was best.
//!
//! An entry holds for one position at one depth, or for its exact end. Leaves are never kept: their
//! value is that of the move that led there. Nothing of one search is found by the next, so a
//! search depends on nothing before it.

use crate::othello::bitboard::Square;
use crate::othello::position::Position;

/// How far an entry looks: this many plies, or to the end of the game, with values in discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    Plies(u8),
    End,
}

/// What a search found out about a position, for the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    position: Position,
    reach: Reach,
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// The best move, or the one that proved the lower bound.
    pub(super) best: Square,
    /// The search that wrote it.
    search: u32,
    /// The base 2 logarithm of the nodes it cost.
    cost: u8,
}

/// Entries by position, two places for each.
pub(super) struct Table {
    /// A power of two of them, at least two.
    entries: Vec<Entry>,
    search: u32,
}

impl Table {
    /// A table of 2 to the power of `log2` entries (40 bytes each).
    pub(super) fn new(log2: u32) -> Self {
        let nothing = Entry {
            position: Position::START,
            reach: Reach::Plies(0),
            lower: 0,
            upper: 0,
            best: Square::A1,
            search: 0,
            cost: 0,
        };
        Self { entries: vec![nothing; 1 << log2.max(1)], search: 0 }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.entries.iter_mut().for_each(|entry| entry.search = 0);
            self.search = 1;
        }
    }

    #[inline(always)]
    fn places(&self, position: Position) -> [usize; 2] {
        let mixed = (position.own.0 ^ position.other.0.rotate_left(29).wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let place = ((mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 24) as usize;
        let place = place & (self.entries.len() - 1);
        [place, place ^ 1]
    }

    /// What is known of a position: bounds only of exactly this reach, and a good move.
    #[inline(always)]
    pub(super) fn find(&self, position: Position, reach: Reach) -> (Option<Entry>, Option<Square>) {
        for place in self.places(position) {
            let entry = self.entries[place];
            if entry.position == position && entry.search == self.search {
                return ((entry.reach == reach).then_some(entry), Some(entry.best));
            }
        }
        (None, None)
    }

    /// Keeps the outcome of a search in the window `alpha..beta` that cost so many nodes.
    #[inline(always)]
    pub(super) fn keep(
        &mut self,
        position: Position,
        reach: Reach,
        value: i32,
        (alpha, beta): (i32, i32),
        best: Square,
        nodes: u64,
    ) {
        let lower = if value > alpha { value } else { i32::MIN };
        let upper = if value < beta { value } else { i32::MAX };
        let mut entry = Entry { position, reach, lower, upper, best, search: self.search, cost: 0 };
        entry.cost = nodes.checked_ilog2().unwrap_or(0) as u8;
        let [one, other] = self.places(position);
        let is_here = |entry: &Entry| entry.position == position && entry.search == self.search;
        let worth = |entry: &Entry| if entry.search == self.search { 1 + u32::from(entry.cost) } else { 0 };
        let place = if is_here(&self.entries[one]) {
            one
        } else if is_here(&self.entries[other]) || worth(&self.entries[other]) < worth(&self.entries[one]) {
            other
        } else {
            one
        };
        let old = &self.entries[place];
        if is_here(old) && old.reach == reach {
            // Both searches are right: the value lies within both their bounds.
            entry.lower = entry.lower.max(old.lower);
            entry.upper = entry.upper.min(old.upper);
        }
        self.entries[place] = entry;
    }
}
