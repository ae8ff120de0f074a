//! A table of pattern values, ready to be looked up.

use super::shape::{Configurations, Shape};
use super::{BANDS, UNITS, band, rounded};
use crate::othello::bitboard::Bitboard;
use std::fmt;

/// What a table is known by: the first 48 bits of its BLAKE3 hash, twelve digits in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub(super) [u8; 6]);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// One collection of games that a table was learned from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// BLAKE3 of the file.
    pub hash: [u8; 32],
    /// Its name, without folders and control characters.
    pub name: String,
    /// Games that were learned from.
    pub games: u32,
    /// Games left out: unfinished or damaged.
    pub left_out: u32,
}

/// What was seen of one shape in one band of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// How often configurations were counted, in all.
    pub seen: u64,
    /// k of the estimate s / (n + k).
    pub shrink: u32,
    /// Configurations with a value, images counted once.
    pub kept: u32,
    /// Configurations seen, but too rarely for a value.
    pub rare: u32,
}

/// Where a table comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Configurations seen less often are worth nothing.
    pub least: u32,
    /// What was learned from, in the order of the hashes.
    pub sources: Vec<Source>,
    /// By band and shape.
    pub groups: [[Group; 2]; BANDS],
}

impl About {
    /// Games that were learned from.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.sources.iter().map(|source| u64::from(source.games)).sum()
    }
}

/// A value for every configuration of each shape, in one band, in [`UNITS`] of a disc.
#[derive(Clone)]
pub(super) struct Values {
    pub(super) edges: Box<[i16]>,
    pub(super) corners: Box<[i16]>,
}

impl Values {
    pub(super) fn zero() -> Self {
        let zero = |shape: Shape| vec![0; shape.configurations()].into_boxed_slice();
        Self { edges: zero(Shape::Edge), corners: zero(Shape::Corner) }
    }

    /// Gives a configuration and its images their values.
    pub(super) fn set(&mut self, shape: Shape, configuration: usize, value: i16) {
        let values = match shape {
            Shape::Edge => &mut self.edges,
            Shape::Corner => &mut self.corners,
        };
        let swapped = shape.swapped(configuration);
        for (image, value) in [
            (configuration, value),
            (shape.mirror(configuration), value),
            (swapped, -value),
            (shape.mirror(swapped), -value),
        ] {
            values[image] = value;
        }
    }
}

/// A table of pattern values.
#[derive(Clone)]
pub struct Table {
    pub(super) id: Id,
    pub(super) about: About,
    pub(super) bands: [Values; BANDS],
}

impl Table {
    /// What it is known by.
    #[must_use]
    pub const fn id(&self) -> Id {
        self.id
    }

    /// Where it comes from.
    #[must_use]
    pub const fn about(&self) -> &About {
        &self.about
    }

    /// The feature `p` of a board after the move of this number: the mean of its eight patterns for
    /// the owner of `own`, in half discs.
    #[inline(always)]
    pub(in crate::othello) fn value(&self, number: u32, own: Bitboard, other: Bitboard) -> i32 {
        let values = &self.bands[band(number)];
        let read = Configurations::of(own, other);
        let edges: i32 = read.edges.into_iter().map(|index| i32::from(values.edges[index])).sum();
        let corners: i32 = read.corners.into_iter().map(|index| i32::from(values.corners[index])).sum();
        rounded(i64::from(edges + corners), 8 * UNITS / 2) as i32
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({})", self.id)
    }
}

/// Tables with the same content are the same.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Table {}
