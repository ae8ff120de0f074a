//! When a match may stop: the sequential probability ratio test of two Elo differences.
//!
//! Wald's test (1945, "Sequential tests of statistical hypotheses") with the generalised likelihood
//! ratio for scores whose distribution is not known (Van den Bergh, "A practical introduction to
//! the GSPRT"): the log likelihood ratio compares the likeliest distribution over the possible
//! scores whose mean is that of the one hypothesis with the likeliest one of the other.
//!
//! The unit of observation is a pair of games with five scores, or a single game with three.

use libm::{log, pow};

/// Two hypotheses about an Elo difference, and how often each may be accepted wrongly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    scores: [f64; 2],
    bounds: [f64; 2],
}

/// Why a test cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses.
    #[error(
        "the two Elo differences of the test must lie within -1000..=1000, the lower one first, at least 0.01 apart"
    )]
    Hypotheses,
    /// The probabilities of error.
    #[error("the probabilities of error must be at least 1e-9 and below 0.5")]
    Errors,
}

/// What a test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The lower difference is accepted.
    Lower,
    /// The higher difference is accepted.
    Higher,
}

/// What stands for a score that has not come up, in observations: with none at all, the likeliest
/// distribution of a hypothesis would be no distribution.
const HARDLY_EVER: f64 = 1e-3;

impl Sprt {
    /// Tests whether the (logistic) Elo difference is `elo0` or `elo1`. `alpha` is the probability of
    /// accepting `elo1` when `elo0` is true, `beta` that of accepting `elo0` when `elo1` is true.
    ///
    /// # Errors
    /// [`SprtError`] when the numbers make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let range = -1000.0..=1000.0;
        if !(range.contains(&elo0) && range.contains(&elo1) && elo1 - elo0 >= 0.01) {
            return Err(SprtError::Hypotheses);
        }
        if ![alpha, beta].iter().all(|error| (1e-9..0.5).contains(error)) {
            return Err(SprtError::Errors);
        }
        let score = |elo: f64| 1.0 / (1.0 + pow(10.0, -elo / 400.0));
        Ok(Self { scores: [score(elo0), score(elo1)], bounds: [log(beta / (1.0 - alpha)), log((1.0 - beta) / alpha)] })
    }

    /// The log likelihood ratios at or beyond which the lower and the higher difference are accepted.
    #[must_use]
    pub const fn bounds(&self) -> [f64; 2] {
        self.bounds
    }

    /// The log likelihood ratio of the higher difference to the lower one. `counts` says how often
    /// each score came up, evenly spaced from all lost to all won: five for pairs, three for games.
    ///
    /// # Panics
    /// With fewer than two scores, of which nothing can be told.
    #[must_use]
    pub fn ratio(&self, counts: &[u64]) -> f64 {
        assert!(counts.len() >= 2, "one score cannot tell players apart");
        let total: f64 = counts.iter().map(|&count| count as f64).sum();
        if total == 0.0 {
            return 0.0;
        }
        // Beyond that many observations the arithmetic could not tell the stand-in from nothing.
        let hardly_ever = HARDLY_EVER.max(total * 1e-12);
        let weights: Vec<f64> = counts.iter().map(|&count| (count as f64).max(hardly_ever)).collect();
        let last = (counts.len() - 1) as f64;
        let points: Vec<f64> = (0..counts.len()).map(|place| place as f64 / last).collect();
        let [tilt0, tilt1] = self.scores.map(|score| tilt(&weights, &points, score));
        // The likeliest distribution with mean s takes the share of each score divided by
        // 1 + tilt·(points - s).
        let [score0, score1] = self.scores;
        let terms = weights.iter().zip(&points).map(|(weight, points)| {
            weight * (log(1.0 + tilt0 * (points - score0)) - log(1.0 + tilt1 * (points - score1)))
        });
        terms.sum()
    }

    /// What these observations decide, if they do.
    #[must_use]
    pub fn decide(&self, counts: &[u64]) -> Option<Decision> {
        let ratio = self.ratio(counts);
        if ratio <= self.bounds[0] {
            Some(Decision::Lower)
        } else if ratio >= self.bounds[1] {
            Some(Decision::Higher)
        } else {
            None
        }
    }
}

/// The Lagrange multiplier of the mean: where the sum of `weight·(points - mean)/(1 + tilt·(points -
/// mean))` is zero. The sum falls as the tilt grows, between the two ends where a share turns
/// infinite, so halving the range finds it.
fn tilt(weights: &[f64], points: &[f64], mean: f64) -> f64 {
    // Points run from 0 to 1 and the mean lies between them.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Each step settles one bit, and a double has fewer than that.
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        let sum: f64 = (weights.iter().zip(points))
            .map(|(weight, points)| weight * (points - mean) / (1.0 + middle * (points - mean)))
            .sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
    }

    #[test]
    fn ratios_and_bounds_agree_with_the_published_ones() {
        let bounds = test(0.5, 2.5).bounds();
        assert!((bounds[0] + 2.94444).abs() < 5e-6 && (bounds[1] - 2.94444).abs() < 5e-6, "{bounds:?}");
        let ratio = test(0.5, 2.5).ratio(&[223, 9863, 21279, 10037, 246]);
        assert!((ratio + 3.07).abs() < 0.005, "{ratio}");
        let ratio = test(0.0, 2.0).ratio(&[871, 26175, 55983, 26678, 821]);
        assert!((ratio + 4.98).abs() < 0.005, "{ratio}");
    }

    #[test]
    fn a_coin_is_judged_by_the_binomial_likelihood() {
        // With two scores the distribution of each hypothesis is known, and the ratio with it.
        let sprt = test(0.0, 100.0);
        let share = 1.0 / (1.0 + pow(10.0, -0.25));
        let expected = 60.0 * log(share / 0.5) + 40.0 * log((1.0 - share) / 0.5);
        assert!((sprt.ratio(&[40, 60]) - expected).abs() < 1e-9);
    }

    #[test]
    fn turning_the_players_round_turns_the_ratio_round() {
        let forth = test(-3.0, 5.0).ratio(&[10, 20, 60, 30, 5]);
        let back = test(-5.0, 3.0).ratio(&[5, 30, 60, 20, 10]);
        assert!((forth + back).abs() < 1e-9, "{forth} {back}");
    }

    #[test]
    fn games_one_by_one_are_tested_as_pairs_are() {
        assert_eq!(test(0.0, 10.0).decide(&[100, 500, 400]), Some(Decision::Higher));
        assert_eq!(test(0.0, 10.0).decide(&[400, 500, 100]), Some(Decision::Lower));
        assert_eq!(test(0.0, 10.0).decide(&[40, 50, 41]), None);
    }

    #[test]
    fn counts_however_lopsided_give_finite_ratios() {
        let sprt = test(0.0, 10.0);
        assert_eq!(sprt.ratio(&[0; 5]), 0.0);
        for counts in
            [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 9, 0, 0], [u64::MAX, 0, 0, 0, 0], [0, 0, 0, 0, u64::MAX]]
        {
            assert!(sprt.ratio(&counts).is_finite(), "{counts:?}");
        }
        assert_eq!(sprt.decide(&[0, 0, 0, 0, 1000]), Some(Decision::Higher));
        assert_eq!(sprt.decide(&[1000, 0, 0, 0, 0]), Some(Decision::Lower));
    }

    #[test]
    fn numbers_that_make_no_test_are_refused() {
        for (elo0, elo1) in [(5.0, 0.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, 1001.0)] {
            assert_eq!(Sprt::new(elo0, elo1, 0.05, 0.05), Err(SprtError::Hypotheses));
        }
        for error in [0.0, 0.5, -1.0, f64::NAN] {
            assert_eq!(Sprt::new(0.0, 5.0, error, 0.05), Err(SprtError::Errors));
            assert_eq!(Sprt::new(0.0, 5.0, 0.05, error), Err(SprtError::Errors));
        }
    }
}
