//! Patterns: what the edges and corners are worth, learned from games.
//!
//! A [`Table`] tells for every configuration of an edge (with its two x-squares) and of a 3×3
//! corner by how many discs its owner won, on average, in games where it stood on the board in one
//! of six bands of ten moves. [`Learner`] makes a table from game records, [`Table::read`] reads
//! one, and a table is known by its [`Id`], the beginning of its content hash, which belongs to
//! the name of every genome that uses it: `oe_fdmxcp@0123456789ab`. So a player's name says
//! exactly how it plays, and whoever lacks the table refuses it. In names that people type the
//! shipped table needs no `@`.
//!
//! # What a pattern is worth
//! A configuration's value is an estimate of black's final margin in raw discs, the discs of the
//! configuration being black's (own) and white's: the mean over the games, shrunk towards zero. Let n be how often it was seen
//! and s the sum of the margins; its value is s / (n + k). This is the empirical Bayes estimate of
//! a group's mean, B. Efron and C. Morris, "Stein's estimation rule and its competitors" (Journal
//! of the American Statistical Association 68, 1973), unequal group sizes included: k is the
//! variance within groups over the variance between them, both by the method of moments, for every
//! shape and band by itself. It shrinks towards 0 because that is the mean of all: images under the mirror and the
//! change of colours are pooled, the latter with opposite signs. A configuration seen less often
//! than a table's limit is left out and worth 0. To value edges by the results of many games is M.
//! Buro's way ("Statistical feature combination for the evaluation of game positions", Journal of
//! Artificial Intelligence Research 3, 1995), here in its simplest form, a mean of margins instead of a fitted model.
//!
//! A configuration is counted when a move has changed it, and at the first move of a band: an edge
//! that nobody touches for many moves says nothing new.
//!
//! # The feature
//! The eight configurations of a board are eight opinions on the same margin. Feature `p` is their
//! mean in half discs, rounded half away from zero: typically within ±20 like discs and mobility,
//! a corner gained being worth some 4 to 8.

mod file;
mod known;
mod learn;
mod shape;
mod table;

pub use file::TableError;
pub use known::{add, shipped};
pub(super) use known::{find, names};
pub use learn::{LEAST, Learner, Unlearned};
pub use shape::Shape;
pub use table::{About, Group, Id, Source, Table};

/// Bands of move numbers: 1..=10, 11..=20, …, 51..=60.
pub const BANDS: usize = 6;
/// Moves of a band.
pub const BAND_MOVES: u32 = 10;
/// Table values in a disc.
pub const UNITS: i64 = 16;

/// The band of a move's number.
#[inline(always)]
const fn band(number: u32) -> usize {
    let band = number.saturating_sub(1) / BAND_MOVES;
    if band < BANDS as u32 { band as usize } else { BANDS - 1 }
}

/// The quotient, rounded half away from zero; the divisor is above 0.
#[inline(always)]
const fn rounded(dividend: i64, divisor: i64) -> i64 {
    let half = if dividend < 0 { -divisor } else { divisor };
    (2 * dividend + half) / (2 * divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_ten_moves_long() {
        assert_eq!([0, 1, 10, 11, 20, 50, 51, 60, 99].map(band), [0, 0, 0, 1, 1, 4, 5, 5, 5]);
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        let quotients =
            [(5, 2, 3), (-5, 2, -3), (4, 3, 1), (-4, 3, -1), (5, 3, 2), (-5, 3, -2), (0, 7, 0), (31, 64, 0)];
        for (dividend, divisor, quotient) in quotients {
            assert_eq!(rounded(dividend, divisor), quotient, "{dividend} / {divisor}");
        }
    }
}
