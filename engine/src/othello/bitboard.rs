//! Squares of the board and sets of them.
//!
//! A set is one 64-bit word: a1 is bit 0, b1 bit 1, …, h1 bit 7, a2 bit 8, …, h8 bit 63. The order
//! of the bits is the order in which GeneThello looks at moves, so walking a set from its lowest
//! bit settles ties the way its author's program did.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use std::str::FromStr;

/// One of the 64 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

/// Text that names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is a letter a..h and a digit 1..8, as in d3")]
pub struct NotASquare;

impl Square {
    /// The first square in the order of moves.
    pub const A1: Self = Self(0);

    /// The square of this place in the order a1 b1 … h8, or `None` from 64 on.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// Its place in the order a1 b1 … h8, below 64.
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what `new` guarantees, so tables of 64 need no bounds check.
        (self.0 & 63) as usize
    }

    /// The set of this square alone.
    #[must_use]
    pub const fn bit(self) -> Bitboard {
        Bitboard(1 << (self.0 & 63))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 % 8), char::from(b'1' + self.0 / 8))
    }
}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Self, NotASquare> {
        match *text.as_bytes() {
            [column, row @ b'1'..=b'8'] if (b'a'..=b'h').contains(&column.to_ascii_lowercase()) => {
                Ok(Self((row - b'1') * 8 + (column.to_ascii_lowercase() - b'a')))
            }
            _ => Err(NotASquare),
        }
    }
}

/// A set of squares.
///
/// ```
/// use kembara_engine::othello::{Bitboard, Square};
///
/// let d3: Square = "d3".parse().unwrap();
/// let set = Bitboard::CORNERS | d3.bit();
/// assert_eq!(set.count(), 5);
/// assert_eq!(set.to_string(), "a1 h1 d3 a8 h8");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// a1, h1, a8 and h8.
    pub const CORNERS: Self = Self(0x8100_0000_0000_0081);
    /// b2, g2, b7 and g7: the diagonal neighbours of the corners.
    pub const X_SQUARES: Self = Self(0x0042_0000_0000_4200);
    /// The a file.
    pub const FILE_A: Self = Self(0x0101_0101_0101_0101);
    /// The h file.
    pub const FILE_H: Self = Self(0x8080_8080_8080_8080);

    /// Whether the set has no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares it has, 0..=64.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the square belongs to it.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit().0 != 0
    }

    /// Its first square in the order a1 b1 … h8.
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The set without its first square.
    #[must_use]
    pub const fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// The square with `place` others of the set before it.
    #[must_use]
    pub fn nth(self, place: u32) -> Option<Square> {
        self.into_iter().nth(place as usize)
    }

    /// The set and all squares that touch it, by side or corner.
    #[must_use]
    pub const fn grown(self) -> Self {
        let sideways = self.0 | ((self.0 & !Self::FILE_H.0) << 1) | ((self.0 & !Self::FILE_A.0) >> 1);
        Self(sideways | (sideways << 8) | (sideways >> 8))
    }

    /// The 8-connected parts of the set, each a set of its own, in the order of their first squares.
    pub fn regions(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            let mut region = left.first()?.bit();
            loop {
                let grown = region.grown() & left;
                if grown == region {
                    break;
                }
                region = grown;
            }
            left ^= region;
            Some(region)
        })
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a set, in the order a1 b1 … h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0 = self.0.without_first();
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

/// The names of the squares, separated by blanks.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, square) in self.into_iter().enumerate() {
            if place > 0 {
                f.write_str(" ")?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back_from_its_name_in_either_case() {
        for index in 0..64 {
            let square = Square::new(index).unwrap();
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse(), Ok(square));
        }
        assert_eq!("h8".parse::<Square>().unwrap().index(), 63);
        assert_eq!("b1".parse::<Square>().unwrap().index(), 1);
    }

    #[test]
    fn odd_text_is_no_square() {
        for text in ["", "a", "a0", "a9", "i1", "3d", "d33", " d3", "ä3", "\0\0", "d３"] {
            assert_eq!(text.parse::<Square>(), Err(NotASquare), "{text:?}");
        }
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn regions_touch_by_corners_but_not_around_the_edge() {
        let set = |names: &str| {
            names.split(' ').fold(Bitboard::EMPTY, |set, name| set | name.parse::<Square>().unwrap().bit())
        };
        let regions: Vec<_> = set("a1 b2 h1 h2 a3 h8").regions().collect();
        assert_eq!(regions, [set("a1 b2 a3"), set("h1 h2"), set("h8")]);
        assert_eq!(Bitboard::EMPTY.regions().count(), 0);
        assert_eq!((!Bitboard::EMPTY).regions().collect::<Vec<_>>(), [!Bitboard::EMPTY]);
    }
}
