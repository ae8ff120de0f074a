//! The pieces, who moves, how they move and what they take: the Ashton rules.

use super::board::{self, CAMPS, DEEP_CAMPS, EDGE, Square, Squares, THRONE, beside_and_behind, neighbours};
use crate::result::Side;
use std::fmt;

/// A move of one piece.
///
/// The order is that of the moves as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// A board and the side to move; White is [`Side::First`].
///
/// What came before, on which draws depend, is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) white: u128,
    pub(super) black: u128,
    /// Where the king stands; the referee leaves him there when he is taken, and so do we.
    pub(super) king: Square,
    pub(super) to_move: Side,
    pub(super) king_taken: bool,
}

impl Position {
    /// The start position.
    pub const START: Self = Self {
        white: board::set("e3e4e6e7c5d5f5g5"),
        black: CAMPS,
        king: THRONE,
        to_move: Side::First,
        king_taken: false,
    };

    /// Whose turn it is; also where the game is over.
    #[must_use]
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// Who has won by the king's fate: White when he stands on the edge, Black when he is taken.
    #[must_use]
    pub const fn winner(&self) -> Option<Side> {
        if self.king_taken {
            Some(Side::Second)
        } else if EDGE & self.king.bit() != 0 {
            Some(Side::First)
        } else {
            None
        }
    }

    /// The legal moves in the order of their names; none once the king has escaped or is taken.
    pub fn moves(&self) -> impl Iterator<Item = Move> + use<> {
        let position = *self;
        position.movers().flat_map(move |from| Squares(position.targets(from)).map(move |to| Move { from, to }))
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        self.movers().map(|from| self.targets(from).count_ones()).sum()
    }

    /// Whether the side to move has a legal move: whether a piece has a free square beside it.
    #[must_use]
    pub fn can_move(&self) -> bool {
        let taken = self.occupied() | THRONE.bit();
        let own = self.own();
        self.winner().is_none()
            && (board::spread(own) & !(taken | CAMPS) != 0 || board::spread(own & CAMPS) & !taken != 0)
    }

    /// Whether a move is legal.
    #[must_use]
    pub fn allows(&self, action: Move) -> bool {
        self.winner().is_none() && self.own() & action.from.bit() != 0 && {
            self.targets(action.from) & action.to.bit() != 0
        }
    }

    /// The position after a legal move.
    ///
    /// # Panics
    /// In debug builds, when the move is not legal.
    #[must_use]
    pub fn after(&self, action: Move) -> Self {
        self.step(action).0
    }

    /// The legal move that leads to another position, if there is one.
    #[must_use]
    pub fn move_to(&self, next: &Self) -> Option<Move> {
        self.moves().find(|action| self.after(*action) == *next)
    }

    /// The position after a legal move, and how many pieces it takes, the king not counted.
    #[inline]
    pub(super) fn step(&self, action: Move) -> (Self, u32) {
        debug_assert!(self.allows(action), "{action} is not legal");
        let mut next = Self { to_move: self.to_move.other(), ..*self };
        let moved = action.from.bit() | action.to.bit();
        let before = self.white.count_ones() + self.black.count_ones();
        match self.to_move {
            Side::First => {
                if action.from == self.king {
                    next.king = action.to;
                } else {
                    next.white ^= moved;
                }
                let anvils = next.white | next.king.bit() | THRONE.bit() | (CAMPS & !DEEP_CAMPS);
                for (beside, behind) in beside_and_behind(action.to) {
                    if behind & anvils != 0 {
                        next.black &= !beside;
                    }
                }
            }
            Side::Second => {
                next.black ^= moved;
                let anvils = next.black | CAMPS | THRONE.bit();
                for (beside, behind) in beside_and_behind(action.to) {
                    if behind & anvils != 0 {
                        next.white &= !beside;
                    }
                    if beside & next.king.bit() != 0 {
                        next.king_taken = next.king_falls(behind);
                    }
                }
            }
        }
        (next, before - next.white.count_ones() - next.black.count_ones())
    }

    /// A number that tells most positions apart, whoever is to move.
    #[inline]
    pub(super) fn key(&self) -> u32 {
        // Odd constants without a pattern: the fractions of the golden ratio and of √2.
        let mix = |squares: u128, by: u64| ((squares >> 40) as u64 ^ (squares as u64).rotate_left(29)).wrapping_mul(by);
        let king = self.king.index() as u64;
        let mixed = mix(self.white, 0x9E37_79B9_7F4A_7C15) ^ mix(self.black, 0x6A09_E667_F3BC_C909);
        (mixed.wrapping_add(king.wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 32) as u32
    }

    /// Whether the king is taken by the black piece that has just come beside him, the square on
    /// his other side being `opposite`.
    fn king_falls(&self, opposite: u128) -> bool {
        let around = neighbours(self.king);
        if self.king == THRONE || around & THRONE.bit() != 0 {
            around & !THRONE.bit() & !self.black == 0
        } else {
            opposite & (self.black | CAMPS) != 0
        }
    }

    /// The pieces of the side to move, the king among White's; none when the game is over.
    fn movers(&self) -> Squares {
        Squares(if self.winner().is_none() { self.own() } else { 0 })
    }

    fn own(&self) -> u128 {
        match self.to_move {
            Side::First => self.white | self.king.bit(),
            Side::Second => self.black,
        }
    }

    pub(super) const fn occupied(&self) -> u128 {
        self.white | self.black | self.king.bit()
    }

    /// Where the piece on a square may go.
    #[inline]
    fn targets(&self, from: Square) -> u128 {
        let taken = self.occupied() | THRONE.bit();
        if CAMPS & from.bit() == 0 {
            board::sight(from, taken | CAMPS).0
        } else {
            board::sight(from, taken).0 & !(board::beyond_five(from) & CAMPS)
        }
    }
}
