//! What rounds of a benchmark say together.

use serde::Serialize;

/// One round: the same games both ways, one after the other.
#[derive(Clone, Debug, Serialize)]
pub struct Round {
    /// Generations turned over.
    pub generations: u32,
    /// Their games.
    pub games: u64,
    /// Seconds the cluster took, from the first generation's beginning to the last turnover.
    pub cluster_seconds: f64,
    /// Seconds the bare loop took for the games alone.
    pub bare_seconds: f64,
}

impl Round {
    /// Games a second of the cluster.
    pub fn cluster(&self) -> f64 {
        self.games as f64 / self.cluster_seconds
    }

    /// Games a second of the bare loop.
    pub fn bare(&self) -> f64 {
        self.games as f64 / self.bare_seconds
    }

    /// The cluster's speed as a share of the bare loop's.
    pub fn ratio(&self) -> f64 {
        self.bare_seconds / self.cluster_seconds
    }
}

/// The middle of some measurements, and their ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Half lie below, half above.
    pub median: f64,
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Spread {
    /// Of at least one measurement; `None` of none.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (low, high) = (*values.first()?, *values.last()?);
        let (before, after) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
        Some(Self { median: f64::midpoint(before, after), low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        let spread = Spread::of(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!(spread, Some(Spread { median: 2.5, low: 1.0, high: 4.0 }));
        assert_eq!(Spread::of(vec![7.0]), Some(Spread { median: 7.0, low: 7.0, high: 7.0 }));
        assert_eq!(Spread::of(Vec::new()), None);
    }

    #[test]
    fn a_cluster_that_takes_twice_as_long_has_half_the_speed() {
        let round = Round { generations: 1, games: 100, cluster_seconds: 4.0, bare_seconds: 2.0 };
        assert_eq!((round.cluster(), round.bare(), round.ratio()), (25.0, 50.0, 0.5));
    }
}
