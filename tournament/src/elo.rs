//! Elo's rating: what a game was expected to give, and how its result moves both players.
//!
//! A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), with the logistic curve that
//! is in common use: E(a, b) = 1 / (1 + 10^((b − a) / 400)).

use serde::{Deserialize, Serialize};

/// A rating: finite, and within ±[`Elo::LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Elo(f64);

/// A number that is no rating.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{0} is not a rating: it has to be a number in -1e9..=1e9")]
pub struct NoRating(
    /// The number given.
    pub f64,
);

impl Elo {
    /// Ratings stay within ± this: far beyond any play, far from where f64 loses halves.
    pub const LIMIT: f64 = 1e9;

    /// A rating of this value.
    ///
    /// # Errors
    /// [`NoRating`] when it is not a number or beyond ±[`Elo::LIMIT`].
    pub fn new(value: f64) -> Result<Self, NoRating> {
        if value.abs() <= Self::LIMIT { Ok(Self(value)) } else { Err(NoRating(value)) }
    }

    /// Its value.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The order of ratings; total, since none is NaN.
    #[must_use]
    pub fn compare(self, other: Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl TryFrom<f64> for Elo {
    type Error = NoRating;

    fn try_from(value: f64) -> Result<Self, NoRating> {
        Self::new(value)
    }
}

impl From<Elo> for f64 {
    fn from(elo: Elo) -> Self {
        elo.0
    }
}

impl std::fmt::Display for Elo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Points, 0..=1, that a player rated `own` is expected to take from a game against `other`.
#[must_use]
pub fn expected(own: Elo, other: Elo) -> f64 {
    // 10^x written as e^(x·ln 10): the exponential costs a third of a power. It comes from a
    // library in pure Rust, since the system's differs between machines.
    const SCALE: f64 = std::f64::consts::LN_10 / 400.0;
    1.0 / (1.0 + libm::exp((other.0 - own.0) * SCALE))
}

/// Both ratings after a game. `half_points` (0, 1, 2) are those of the player rated `first`; what
/// one wins the other loses.
#[must_use]
pub fn update(first: Elo, second: Elo, half_points: u8, k: f64) -> (Elo, Elo) {
    let gain = k * (f64::from(half_points) * 0.5 - expected(first, second));
    let moved = |value: f64| Elo(value.clamp(-Elo::LIMIT, Elo::LIMIT));
    (moved(first.0 + gain), moved(second.0 - gain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elo(value: f64) -> Elo {
        Elo::new(value).unwrap()
    }

    #[test]
    fn the_expectation_agrees_with_values_worked_out_by_hand() {
        // 1/2; 1/(1 + 10^-1) = 10/11; 1/(1 + 10^1) = 1/11; 1/(1 + √10).
        assert_eq!(expected(elo(1500.0), elo(1500.0)), 0.5);
        assert!((expected(elo(1900.0), elo(1500.0)) - 10.0 / 11.0).abs() < 1e-15);
        assert!((expected(elo(1500.0), elo(1900.0)) - 1.0 / 11.0).abs() < 1e-15);
        assert!((expected(elo(1500.0), elo(1700.0)) - 0.240_253_073_352_041_65).abs() < 1e-15);
    }

    #[test]
    fn a_game_moves_both_ratings_by_the_same_amount() {
        let (winner, loser) = update(elo(1500.0), elo(1500.0), 2, 10.0);
        assert_eq!((winner.get(), loser.get()), (1505.0, 1495.0));
        // The favourite of 400 points draws: 10·(1/2 − 10/11) = −45/11.
        let (favourite, other) = update(elo(1900.0), elo(1500.0), 1, 10.0);
        assert!((favourite.get() - (1900.0 - 45.0 / 11.0)).abs() < 1e-12);
        assert!((other.get() - (1500.0 + 45.0 / 11.0)).abs() < 1e-12);
        let (same, alike) = update(elo(1600.0), elo(1600.0), 1, 32.0);
        assert_eq!((same.get(), alike.get()), (1600.0, 1600.0));
    }

    #[test]
    fn ratings_are_pinned_to_the_bit() {
        let (first, second) = update(elo(1523.25), elo(1781.0), 2, 10.0);
        // 1531.40135053… and 1772.84864946…
        assert_eq!(first.get().to_bits(), 4_654_449_989_813_169_204);
        assert_eq!(second.get().to_bits(), 4_655_511_886_263_849_932);
    }

    #[test]
    fn no_rating_is_ever_nan_or_infinite() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.1e9, -1.1e9] {
            assert!(Elo::new(value).is_err(), "{value} was taken");
        }
        let (high, low) = update(elo(1e9), elo(-1e9), 2, 1e300);
        assert_eq!((high.get(), low.get()), (1e9, -1e9));
        let (down, up) = update(elo(1e9), elo(-1e9), 0, f64::MAX);
        assert_eq!((down.get(), up.get()), (-1e9, 1e9));
        assert!(serde_json::from_str::<Elo>("1e10").is_err());
        assert_eq!(serde_json::to_string(&elo(1500.0)).unwrap(), "1500.0");
    }
}
