//! Everyone who played in a generation, best first.

use crate::individual::Individual;
use crate::spec::SelectBy;
use kembara_engine::random::Key;
use kembara_tournament::{Elo, Tally};
use std::cmp::Ordering;

/// One individual's generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// From 1; no rank is shared.
    pub rank: u32,
    /// The individual, its record and rating after this generation's games.
    pub individual: Individual,
    /// Slots it played on: more than one when it had clones.
    pub slots: u32,
    /// This generation's games, of all its slots.
    pub tally: Tally,
    /// Its rating before this generation's games.
    pub elo_before: Elo,
    /// The sum of [`SelectBy::Speed`] over this generation's games, in runs that select by it.
    pub speed: Option<i64>,
}

/// Sorts standings and fills in the ranks.
///
/// The better one took the larger share of the points of its own games in this generation, or has
/// the higher rating, whichever the spec selects by; the other of the two decides between equals,
/// and then the lower number. Of equally fast ones the one with the lower number is better: those
/// that stayed come first, then the others in the order in which they were made. Where nothing
/// decides, each individual draws its place from its own stream of `chance`. Shares instead of points, since clones play more games together; for
/// everyone else it is the same order.
pub(crate) fn rank(standings: &mut [Standing], select_by: SelectBy, chance: &Key) {
    let lot = |standing: &Standing| chance.stream(standing.individual.number).bits();
    standings.sort_by(|one, other| {
        let points = || share(&one.tally, &other.tally);
        let elo = || one.individual.elo.compare(other.individual.elo);
        let better = match select_by {
            SelectBy::Points => points().then_with(elo),
            SelectBy::Elo => elo().then_with(points),
            SelectBy::Speed { .. } => speed(one, other),
            SelectBy::Chance => lot(one).cmp(&lot(other)),
        };
        better.reverse().then(one.individual.number.cmp(&other.individual.number))
    });
    for (standing, rank) in standings.iter_mut().zip(1..) {
        standing.rank = rank;
    }
}

/// Compares half points a game, exactly: a/b with c/d by a·d with c·b.
fn share(one: &Tally, other: &Tally) -> Ordering {
    let times = |points: u64, games: u64| u128::from(points) * u128::from(games);
    times(one.half_points(), other.games()).cmp(&times(other.half_points(), one.games()))
}

/// Compares the mean speed of two standings, exactly.
fn speed(one: &Standing, other: &Standing) -> Ordering {
    let times = |speed: Option<i64>, games: u64| i128::from(speed.unwrap_or(0)) * i128::from(games);
    times(one.speed, other.tally.games()).cmp(&times(other.speed, one.tally.games()))
}
