//! A board as the side to move sees it, and the rules on it.
//!
//! Colours do not appear here: [`Position::own`] belongs to whoever is to move, and every move
//! swaps the two sets. Who that is, is told by the code that plays the game.

use super::bitboard::{Bitboard, Square};
use super::cpu::Cpu;
use crate::result::{GameResult, Outcome, Side};

/// The discs of the side to move and of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The discs of the side to move.
    pub own: Bitboard,
    /// The discs of the other side; no square is in both.
    pub other: Bitboard,
}

impl Position {
    /// The start: the first player (black) has e4 and d5, the second d4 and e5.
    pub const START: Self = Self { own: Bitboard(0x0000_0008_1000_0000), other: Bitboard(0x0000_0010_0800_0000) };

    /// Discs placed since the start: the number of the last move, passes not counted.
    #[must_use]
    pub const fn number(self) -> u32 {
        (self.own.0 | self.other.0).count_ones() - 4
    }

    /// The same board with the other side to move.
    #[must_use]
    pub const fn passed(self) -> Self {
        Self { own: self.other, other: self.own }
    }

    /// The empty squares.
    #[must_use]
    pub const fn empty(self) -> Bitboard {
        Bitboard(!(self.own.0 | self.other.0))
    }

    /// Discs of the side to move minus discs of the other.
    #[must_use]
    pub const fn margin(self) -> i32 {
        self.own.count() as i32 - self.other.count() as i32
    }

    #[inline(always)]
    pub(super) fn moves<C: Cpu>(self, cpu: C) -> Bitboard {
        cpu.moves(self.own, self.other)
    }

    #[inline(always)]
    pub(super) fn flips<C: Cpu>(self, cpu: C, square: Square) -> Bitboard {
        cpu.flips(square, self.own, self.other)
    }

    /// The position after a disc on `square` turned `flips`.
    #[inline(always)]
    pub(super) fn after(self, square: Square, flips: Bitboard) -> Self {
        Self { own: self.other ^ flips, other: self.own | square.bit() | flips }
    }

    /// The result of a game that ended here with `to_move` to move, in raw discs.
    pub(super) fn result(self, to_move: Side) -> GameResult {
        let margin = match to_move {
            Side::First => self.margin(),
            Side::Second => -self.margin(),
        };
        GameResult {
            outcome: match margin {
                ..0 => Outcome::SecondWins,
                0 => Outcome::Draw,
                1.. => Outcome::FirstWins,
            },
            margin: margin as i16,
            plies: self.number() as u16,
        }
    }
}
