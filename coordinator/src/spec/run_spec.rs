//! A spec that is valid by itself, and what it still needs from outside to be resolved.

use super::error::{FieldError, SpecErrors};
use super::name::RunName;
use super::reader::capped;
use kembara_evolution::ResolvedSpec;
use kembara_evolution::spec::Start;
use uuid::Uuid;

/// The largest seed: the largest whole number that every JSON reader keeps exactly.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

/// A spec as people write it, with every default filled in. What it takes from the database is
/// still named, not known.
#[derive(Clone, Debug, PartialEq)]
pub struct RunSpec {
    /// The run's name; made up at launch when not given.
    pub name: Option<RunName>,
    /// 0..=2^53-1; drawn at launch when not given.
    pub seed: Option<u64>,
    /// The run and its generation, from 1, whose population is the first one.
    pub start: Option<(RunName, u32)>,
    /// Everything else. Seed, hall of fame and a start from a run are not filled in yet.
    pub(super) literal: ResolvedSpec,
}

/// What a spec takes from outside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// The seed, if the spec gives none.
    pub seed: u64,
    /// Chromosomes of the run's generation to start from, best first.
    pub start: Vec<String>,
    /// Chromosomes of the hall of fame, best first.
    pub hall: Vec<String>,
}

impl RunSpec {
    /// The game's name.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.literal.game
    }

    /// The genome's name.
    #[must_use]
    pub fn genome(&self) -> &str {
        &self.literal.genome
    }

    /// Individuals of a population.
    #[must_use]
    pub const fn population(&self) -> u32 {
        self.literal.population
    }

    /// How many of the hall of fame are wanted; 0 for none.
    #[must_use]
    pub const fn injected(&self) -> u32 {
        self.literal.inject.count
    }

    /// The spec as literal values.
    ///
    /// # Errors
    /// What does not fit, such as a start of another genome.
    pub fn resolve(&self, outside: Outside) -> Result<ResolvedSpec, SpecErrors> {
        let mut literal = self.literal.clone();
        literal.seed = self.seed.unwrap_or(outside.seed);
        literal.inject.hall = outside.hall;
        if self.start.is_some() {
            literal.start = Start::Players(outside.start);
        }
        let errors: Vec<_> = literal.check().iter().map(told).collect();
        if errors.is_empty() { Ok(literal) } else { Err(capped(errors)) }
    }
}

/// A seed, or anything else drawn by chance at launch: 53 bits of the system's randomness.
#[must_use]
pub fn draw() -> u64 {
    // The low 62 bits of such an identifier are random.
    Uuid::new_v4().as_u64_pair().1 & LARGEST_SEED
}

/// An error of a resolved spec in the words of specs.
pub(super) fn told(error: &kembara_evolution::FieldError) -> FieldError {
    let message = format!("is {}; allowed: {}", error.value, error.allowed);
    FieldError::new(written(&error.field), Some(error.value.clone()), message)
}

/// The path in a spec of a field of the resolved spec.
#[must_use]
pub fn written(resolved: &str) -> String {
    const MOVED: [(&str, &str); 6] = [
        ("play.limit", "play"),
        ("play.openings", "tournament.openings"),
        ("population", "population.size"),
        ("start", "population.start"),
        ("select_by.speed.base", "evolution.speed_base"),
        ("select_by", "evolution.select_by"),
    ];
    let moved = MOVED.iter().find_map(|(from, to)| {
        let rest = resolved.strip_prefix(from)?;
        (rest.is_empty() || rest.starts_with('.')).then(|| format!("{to}{rest}"))
    });
    let path = moved.unwrap_or_else(|| resolved.to_owned());
    // List places: `players.3` is written `players[3]`.
    path.split('.').fold(String::new(), |path, part| match part.parse::<u32>() {
        Ok(place) if !path.is_empty() => format!("{path}[{place}]"),
        _ if path.is_empty() => part.to_owned(),
        _ => format!("{path}.{part}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_resolved_spec_are_told_as_they_are_written() {
        assert_eq!(written("play.limit.depth"), "play.depth");
        assert_eq!(written("play.openings.lines.4"), "tournament.openings.lines[4]");
        assert_eq!(written("population"), "population.size");
        assert_eq!(written("start.players.0"), "population.start.players[0]");
        assert_eq!(written("stop.generations"), "stop.generations");
        assert_eq!(written("populations"), "populations");
    }

    #[test]
    fn drawn_seeds_are_seeds_and_differ() {
        let seeds: std::collections::BTreeSet<_> = (0..100).map(|_| draw()).collect();
        assert_eq!(seeds.len(), 100);
        assert!(seeds.iter().all(|seed| *seed <= LARGEST_SEED));
        assert!(seeds.iter().any(|seed| *seed > LARGEST_SEED / 2), "the high bits are drawn too");
    }
}
