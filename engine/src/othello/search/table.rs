//! What is known of positions: bounds of their value, and the move that was best.
//!
//! An entry holds for one position at one depth, or for its exact end. Leaves are never kept: their
//! value is that of the move that led there. Nothing of one search is found by the next, so a
//! search depends on nothing before it.

use crate::othello::bitboard::Square;
use crate::othello::position::Position;

/// How far an entry looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach(u8);

impl Reach {
    /// To the end of the game, with values in discs.
    pub(super) const END: Self = Self(u8::MAX);

    /// This many plies, with values of the evaluation.
    #[inline(always)]
    pub(super) const fn plies(depth: u8) -> Self {
        Self(depth)
    }
}

/// What a search found out about a position, for the side to move.
#[derive(Clone, Copy, Debug)]
struct Entry {
    position: Position,
    lower: i32,
    upper: i32,
    /// The search that wrote it.
    search: u32,
    reach: Reach,
    /// The best move, or the one that proved the lower bound.
    best: Square,
    /// The base 2 logarithm of the nodes it cost.
    cost: u8,
}

/// The value of a position lies between them, both included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

/// Two entries of positions that fall together: one line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Pair([Entry; 2]);

const _: () = assert!(size_of::<Pair>() == 64);

/// Entries by position, two places for each.
pub(super) struct Table {
    pairs: Vec<Pair>,
    /// How many of them this search uses: a power of two.
    used: usize,
    search: u32,
}

impl Table {
    /// A table without a place for anything until [`Table::begin`] makes one.
    pub(super) const fn new() -> Self {
        Self { pairs: Vec::new(), used: 0, search: 0 }
    }

    /// Forgets everything and uses 2 to the power of `log2` pairs of 64 bytes from now on. What was
    /// larger stays so and is left alone: what a search finds does not depend on those before it.
    pub(super) fn begin(&mut self, log2: u32) {
        self.used = 1 << log2;
        self.search = self.search.wrapping_add(1);
        if self.pairs.len() < self.used || self.search == 0 {
            let nothing = Entry {
                position: Position::START,
                lower: 0,
                upper: 0,
                search: 0,
                reach: Reach(0),
                best: Square::A1,
                cost: 0,
            };
            self.pairs = vec![Pair([nothing; 2]); self.used.max(self.pairs.len())];
            self.search = 1;
        }
    }

    #[inline(always)]
    fn place(&self, position: Position) -> usize {
        const ODD: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
        let mixed = position.own.0.wrapping_mul(ODD[0]) ^ position.other.0.rotate_left(29).wrapping_mul(ODD[1]);
        ((mixed ^ (mixed >> 32)).wrapping_mul(ODD[1]) >> 24) as usize & (self.used - 1)
    }

    /// What is known of a position: bounds only of exactly this reach, and a good move.
    #[inline(always)]
    pub(super) fn find(&self, position: Position, reach: Reach) -> (Option<Bounds>, Option<Square>) {
        for entry in &self.pairs[self.place(position)].0 {
            if entry.position == position && entry.search == self.search {
                let bounds = Bounds { lower: entry.lower, upper: entry.upper };
                return ((entry.reach == reach).then_some(bounds), Some(entry.best));
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
        let search = self.search;
        let is_here = |entry: &Entry| entry.position == position && entry.search == search;
        let worth = |entry: &Entry| if entry.search == search { 1 + u32::from(entry.cost) } else { 0 };
        let place = self.place(position);
        let [one, other] = &mut self.pairs[place].0;
        let old = if is_here(one) || (!is_here(other) && worth(one) <= worth(other)) { one } else { other };
        if is_here(old) && old.reach == reach {
            // Both searches are right: the value lies within both their bounds.
            entry.lower = entry.lower.max(old.lower);
            entry.upper = entry.upper.min(old.upper);
        }
        *old = entry;
    }
}
