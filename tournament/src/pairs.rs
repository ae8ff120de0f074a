//! How sure a match is: the Elo difference of two players from pairs of games.
//!
//! A pair is one opening played with both colours, so its two games are not independent and the
//! pair's score is the unit of observation. Scores are halved to lie in 0..=1; with their mean `s`
//! and variance `v` over `n` pairs, Elo is `400·log10(s / (1 - s))` and its 95 % interval comes from
//! `s ± 1.96·sqrt(v/n)`, the bounds put through the same formula.

use libm::{erfc, log10, sqrt};

/// How often each score of a pair came up: 0, ½, 1, 1½ and 2 points of the player looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// An Elo difference and its 95 % interval. A bound is `None` where it is not finite or where the
/// pairs do not tell: everything won or lost, or all pairs scored alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The difference, positive when the player looked at is stronger.
    pub elo: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Difference {
    /// Half the width of the interval, when both ends are there.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

impl Pairs {
    /// Counts a pair by the half points (0..=4) that the player made in it.
    ///
    /// # Panics
    /// Above 4 half points, which two games cannot give.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points)] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score, 0..=1; `None` without pairs.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let half_points: u64 = self.0.iter().zip(0..).map(|(count, points)| count * points).sum();
        (self.count() > 0).then(|| half_points as f64 / (4 * self.count()) as f64)
    }

    /// The Elo difference with its 95 % interval.
    #[must_use]
    pub fn difference(&self) -> Difference {
        let Some(score) = self.score() else { return Difference { low: None, elo: None, high: None } };
        let spread = self.standard_error(score).map(|error| 1.96 * error);
        Difference {
            low: spread.and_then(|spread| elo(score - spread)),
            elo: elo(score),
            high: spread.and_then(|spread| elo(score + spread)),
        }
    }

    /// The likelihood, 0..=1, that the player looked at is the stronger one; `None` when all pairs
    /// scored alike.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        let score = self.score()?;
        let error = self.standard_error(score)?;
        Some(0.5 * erfc(-(score - 0.5) / error / std::f64::consts::SQRT_2))
    }

    /// The standard error of the mean score; `None` when the scores do not vary.
    fn standard_error(&self, score: f64) -> Option<f64> {
        let squares: f64 = (self.0.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]))
            .map(|(&count, points)| count as f64 * (points - score) * (points - score))
            .sum();
        (squares > 0.0).then(|| sqrt(squares) / self.count() as f64)
    }
}

/// Elo of a score; `None` where it is not finite.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * log10(score / (1.0 - score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: Option<f64>, expected: f64) {
        assert!((value.unwrap() - expected).abs() < 0.006, "{value:?} is not {expected}");
    }

    #[test]
    fn differences_agree_with_the_published_tables() {
        let pairs = Pairs([34, 54, 63, 64, 75]);
        close(pairs.difference().elo, 55.58);
        close(pairs.difference().margin(), 27.65);
        close(pairs.superiority().map(|share| 100.0 * share), 100.0);
        let pairs = Pairs([332, 433, 498, 333, 334]);
        close(pairs.difference().elo, -8.64);
        close(pairs.difference().margin(), 10.33);
        close(pairs.superiority().map(|share| 100.0 * share), 5.05);
    }

    #[test]
    fn what_the_pairs_do_not_tell_is_absent_and_never_infinite() {
        let nothing = Difference { low: None, elo: None, high: None };
        assert_eq!(Pairs::default().difference(), nothing);
        assert_eq!(Pairs([0, 0, 0, 0, 9]).difference(), nothing);
        assert_eq!(Pairs([9, 0, 0, 0, 0]).difference(), nothing);
        assert_eq!(Pairs([0, 0, 7, 0, 0]).difference(), Difference { elo: Some(0.0), ..nothing });
        assert_eq!(Pairs([0, 0, 7, 0, 0]).superiority(), None);
        let nearly_won = Pairs([0, 0, 0, 1, 3]).difference();
        assert!(nearly_won.elo.is_some() && nearly_won.low.is_some() && nearly_won.high.is_none());
    }
}
