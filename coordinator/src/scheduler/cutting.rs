//! Cutting a generation into ranges. No result depends on a cut.

use crate::store::NewBatch;
use kembara_evolution::spec::SearchLimit;

/// Fewest and most ranges of a generation; fewer only when it has fewer games.
const RANGES: (f64, f64) = (32.0, 4096.0);
/// Core microseconds a range aims at: a sixteenth of each core's share, within these.
const RANGE_US: (f64, f64) = (5e3, 1e7);

/// Cuts `pairings` games of `game_us` core microseconds each into equal ranges for `cores` cores.
#[must_use]
pub fn cut(pairings: u64, game_us: f64, cores: u32) -> Vec<NewBatch> {
    let expected = pairings as f64 * game_us.max(1e-3);
    let aim = (expected / (16.0 * f64::from(cores.max(1)))).clamp(RANGE_US.0, RANGE_US.1);
    let ranges = ((expected / aim).clamp(RANGES.0, RANGES.1) as u64).clamp(1, pairings.max(1));
    // Boundaries at k·n/ranges: sizes differ by one at most.
    let boundary = |k: u64| (u128::from(pairings) * u128::from(k) / u128::from(ranges)) as u64;
    (0..ranges)
        .map(|k| (boundary(k), boundary(k + 1)))
        .filter(|(first, end)| first < end)
        .map(|(first, end)| NewBatch { first, count: u32::try_from(end - first).expect("at most 10^8 games, cut") })
        .collect()
}

/// A first guess of core microseconds a game, before any was measured: right within a factor of a
/// few for the games there are, which is enough for the first generation's cut.
#[must_use]
pub fn guess_game_us(limit: SearchLimit) -> f64 {
    match limit {
        SearchLimit::Depth(plies) => 20.0 * 6_f64.powi(i32::from(plies.min(12)) - 1),
        // Sixty moves at five million nodes a second.
        SearchLimit::Nodes(nodes) => 12.0 * nodes as f64,
    }
}

/// Blends what a generation measured into the running figure.
#[must_use]
pub fn blend(before: f64, measured: Option<f64>) -> f64 {
    match measured {
        // The first figures are guesses, so the newest counts most.
        Some(measured) if measured.is_finite() && measured > 0.0 => 0.3 * before + 0.7 * measured,
        _ => before,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairings: u64, game_us: f64, cores: u32) -> Vec<NewBatch> {
        let ranges = cut(pairings, game_us, cores);
        let mut next = 0;
        for range in &ranges {
            assert_eq!(range.first, next, "a gap or an overlap in the cut of {pairings}");
            next += u64::from(range.count);
        }
        assert_eq!(next, pairings);
        let sizes = ranges.iter().map(|range| range.count);
        assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
        ranges
    }

    #[test]
    fn every_cut_covers_every_pairing_once_in_nearly_equal_ranges() {
        for pairings in [1, 2, 31, 32, 33, 1000, 4097, 123_552, 100_000_000] {
            for game_us in [0.0, 1e-9, 16.0, 1e5, 1e12, f64::MAX] {
                for cores in [0, 1, 2, 100, u32::MAX] {
                    let ranges = check(pairings, game_us, cores).len() as u64;
                    assert!((32.min(pairings)..=4096).contains(&ranges), "{ranges} ranges");
                }
            }
        }
    }

    #[test]
    fn short_generations_are_cut_coarsely_and_long_ones_finely() {
        // 123,552 games of 16 µs on two cores: a sixteenth of a core's second each.
        assert_eq!(check(123_552, 16.0, 2).len(), 32);
        // A depth-6 generation of days: as fine as it gets.
        assert_eq!(check(123_552, 2e6, 40).len(), 4096);
        // A hundred cores and two seconds' work for each.
        assert_eq!(check(123_552, 1600.0, 100).len(), 1600);
    }

    #[test]
    fn nonsense_from_workers_leaves_the_figure_alone() {
        assert_eq!(blend(16.0, None), 16.0);
        assert_eq!(blend(16.0, Some(f64::NAN)), 16.0);
        assert_eq!(blend(16.0, Some(0.0)), 16.0);
        assert_eq!(blend(10.0, Some(20.0)), 17.0);
    }
}
