//! Who won, by how much, after how many plies.

/// One of the two players of a game: the one who moves first, or the other.
///
/// Games name their sides themselves (black and white, white and black); the core never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player who makes the first move of the game.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent of this side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a finished game ended. The discriminants are the wire and storage encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// The second player won.
    SecondWins = 0,
    /// Nobody won.
    Draw = 1,
    /// The first player won.
    FirstWins = 2,
}

impl Outcome {
    /// Half points of the first player: 0, 1 or 2.
    #[must_use]
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// The outcome with this encoding, or `None` above 2.
    #[must_use]
    pub const fn from_half_points(half_points: u8) -> Option<Self> {
        match half_points {
            0 => Some(Self::SecondWins),
            1 => Some(Self::Draw),
            2 => Some(Self::FirstWins),
            _ => None,
        }
    }

    /// The side that won, if one did.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::SecondWins => Some(Side::Second),
            Self::Draw => None,
            Self::FirstWins => Some(Side::First),
        }
    }
}

/// Everything a run keeps of a game. The moves can be had again by playing it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Who won.
    pub outcome: Outcome,
    /// The first player's margin in the unit of the game (Othello: raw discs, -64..=64;
    /// games without a natural margin: 0).
    pub margin: i16,
    /// Plies played after the start position, opening plies included, passes not counted.
    pub plies: u16,
}

impl GameResult {
    /// The result of a game that was broken off after so many plies, if it was: see
    /// [`ArenaSpec::max_plies`](crate::ArenaSpec::max_plies).
    #[must_use]
    pub const fn broken_off(plies: u16, max_plies: Option<u16>) -> Option<Self> {
        match max_plies {
            Some(most) if plies >= most => Some(Self { outcome: Outcome::Draw, margin: 0, plies }),
            _ => None,
        }
    }
}
