//! What a run spec need not say.

use crate::spec::{Evolution, Inject, Rating, SelectBy};

/// Individuals a gene: the author's population has as many individuals as its chromosome has bits,
/// 32 a gene (Alander 1992, "On optimal population size of genetic algorithms").
pub const INDIVIDUALS_PER_GENE: u32 = 32;

/// The share of the population that mates.
pub const CROSSOVER: f64 = 0.35;

/// The probability that a gene mutates.
pub const MUTATION: f64 = 1.0 / 12.0;

/// The share of the population that `jgap` keeps before clones fill it up.
pub const SURVIVORS: f64 = 0.9;

/// The most that one game moves a rating.
pub const ELO_K: f64 = 10.0;

/// The rating of a newcomer.
pub const ELO_INITIAL: f64 = 1500.0;

/// The population for a genome of so many genes, at least 2.
#[must_use]
pub fn population(genes: usize) -> u32 {
    u32::try_from(genes).unwrap_or(u32::MAX).saturating_mul(INDIVIDUALS_PER_GENE).max(2)
}

/// The rating's parameters.
#[must_use]
pub const fn rating() -> Rating {
    Rating { k: ELO_K, initial: ELO_INITIAL }
}

/// The algorithm as GeneThello's author describes it.
#[must_use]
pub const fn genethello() -> Evolution {
    Evolution::Genethello { crossover: CROSSOVER, mutation: MUTATION }
}

/// The algorithm as the library he used means its defaults.
#[must_use]
pub const fn jgap() -> Evolution {
    Evolution::Jgap { crossover: CROSSOVER, mutation: MUTATION, survivors: SURVIVORS }
}

/// The Tablut genetic algorithm as its authors wrote it: of ten individuals one stays, four are
/// children of the best one, three are averages and two newcomers.
#[must_use]
pub const fn tablut() -> Evolution {
    Evolution::Tablut { partners: 2, best: 5, immigrants: 2, mutation: 0.6, reach: 1.0 }
}

/// The population of the Tablut genetic algorithm.
pub const TABLUT_POPULATION: u32 = 10;

/// The moves of a win that is worth nothing, in the Tablut genetic algorithm.
pub const SPEED_BASE: u16 = 30;

/// What new runs select by.
pub const SELECT_BY: SelectBy = SelectBy::Points;

/// Nothing is injected.
#[must_use]
pub const fn inject() -> Inject {
    Inject { count: 0, every: 1, hall: Vec::new() }
}
