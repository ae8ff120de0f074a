//! The whole check of a resolved spec: every error at once, before anything is done.

use super::{
    Evolution, LARGEST_POPULATION, MOST_GAMES, OpeningSet, Play, Rating, ResolvedSpec, SearchLimit, SelectBy,
    Semantics, Start, Tournament,
};
use crate::genes::Genes;
use crate::setting::Setting;
use crate::strategy;
use kembara_engine::Chromosome;
use kembara_engine::player::shorten;
use kembara_tournament::ScheduleError;
use std::fmt::Display;

/// One field with a value it may not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}; allowed: {allowed}")]
pub struct FieldError {
    /// Its dotted path, as in `play.limit.depth`.
    pub field: String,
    /// The value given, shortened.
    pub value: String,
    /// What may stand there.
    pub allowed: String,
}

impl FieldError {
    /// Says that a field has a value it may not have.
    pub fn new(field: &str, value: impl Display, allowed: impl Into<String>) -> Self {
        Self { field: field.to_owned(), value: shorten(&value.to_string()), allowed: allowed.into() }
    }
}

/// Everything that is wrong with a spec; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct SpecError(
    /// One for each field at fault.
    pub Vec<FieldError>,
);

impl ResolvedSpec {
    /// Everything that is wrong with the spec; empty when it can be run.
    #[must_use]
    pub fn check(&self) -> Vec<FieldError> {
        match Setting::of(self) {
            Ok(setting) => self.check_in(&setting),
            Err(mut errors) => {
                errors.extend(self.numbers());
                errors
            }
        }
    }

    /// The same in surroundings made by hand.
    #[must_use]
    pub fn check_in(&self, setting: &Setting) -> Vec<FieldError> {
        let mut errors = self.numbers();
        if self.tournament.opponents().len() != setting.opponents.len() {
            let given = format!("{} players", setting.opponents.len());
            errors.push(FieldError::new("tournament.opponents", given, "as many as the spec names"));
        }
        match (setting.flaw(), Genes::new(&setting.genome, &self.freeze)) {
            (Some(flaw), _) => errors.push(flaw),
            (None, Err(frozen)) => errors.extend(frozen),
            (None, Ok(_)) => {}
        }
        let players = match &self.start {
            Start::Random => &[][..],
            Start::Players(players) => players,
        };
        for (field, list) in [("start.players", players), ("inject.hall", &self.inject.hall)] {
            for (place, text) in list.iter().enumerate() {
                if let Err(error) = Chromosome::parse(text, &setting.genome.parameters) {
                    let allowed = format!("a chromosome of {}: {error}", setting.genome.name);
                    errors.push(FieldError::new(&format!("{field}.{place}"), text, allowed));
                }
            }
        }
        errors
    }

    /// What can be said without knowing the game.
    fn numbers(&self) -> Vec<FieldError> {
        let mut errors = Errors(Vec::new());
        let current = Semantics::CURRENT;
        errors.unless(self.semantics.engine == current.engine, "semantics.engine", self.semantics.engine, || {
            format!("{}, the version of this program", current.engine)
        });
        let evolution = self.semantics.evolution;
        errors.unless(evolution == current.evolution, "semantics.evolution", evolution, || {
            format!("{}, the version of this program", current.evolution)
        });
        self.check_play(&mut errors);
        let Rating { k, initial } = self.rating;
        errors.unless(k > 0.0 && k <= 1000.0, "rating.k", k, || "a number above 0, at most 1000".into());
        errors.unless(initial.abs() <= 1e6, "rating.initial", initial, || "a number in -1000000..=1000000".into());
        self.check_evolution(&mut errors);
        self.check_size(&mut errors);
        self.check_stop(&mut errors);
        errors.0
    }

    fn check_play(&self, errors: &mut Errors) {
        let Play { limit, epsilon, openings, max_plies } = &self.play;
        match limit {
            SearchLimit::Depth(plies) => {
                errors.unless(limit.in_range(), "play.limit.depth", plies, || "1..=60".into());
            }
            SearchLimit::Nodes(nodes) => {
                errors.unless(limit.in_range(), "play.limit.nodes", nodes, || "1 or more".into());
            }
        }
        errors.unless(is_share(*epsilon), "play.epsilon", epsilon, || "a number in 0..=1".into());
        match openings {
            OpeningSet::Start => {}
            OpeningSet::Plies(plies) => {
                errors.unless(openings.in_range(), "play.openings.plies", plies, || "1..=8".into());
            }
            OpeningSet::Lines(_) => {
                errors.unless(openings.in_range(), "play.openings.lines", "empty", || "at least one line".into());
            }
        }
        errors.unless(*max_plies != Some(0), "play.max_plies", 0, || "1 or more".into());
        if let SelectBy::Speed { base } = self.select_by {
            errors.unless(base >= 1, "select_by.speed.base", base, || "1 or more".into());
        }
    }

    fn check_evolution(&self, errors: &mut Errors) {
        let (crossover, mutation) = match self.evolution {
            Evolution::Genethello { crossover, mutation } => (crossover, mutation),
            Evolution::Tablut { reach, mutation, .. } => {
                let fits = reach > 0.0 && reach <= 1e6;
                errors.unless(fits, "evolution.reach", reach, || "a number above 0, at most 1000000".into());
                errors.unless(is_share(mutation), "evolution.mutation", mutation, || "a number in 0..=1".into());
                return;
            }
            Evolution::Jgap { crossover, mutation, survivors } => {
                let fits = survivors > 0.0 && survivors <= 1.0;
                errors.unless(fits, "evolution.survivors", survivors, || "a number above 0, at most 1".into());
                (crossover, mutation)
            }
        };
        errors.unless(is_share(crossover), "evolution.crossover", crossover, || "a number in 0..=1".into());
        errors.unless(is_share(mutation), "evolution.mutation", mutation, || "a number in 0..=1".into());
    }

    /// The population, what depends on it, and the number of games.
    fn check_size(&self, errors: &mut Errors) {
        let population = self.population;
        if !(2..=LARGEST_POPULATION).contains(&population) {
            errors.unless(false, "population", population, || format!("2..={LARGEST_POPULATION}"));
            return;
        }
        if let Start::Players(players) = &self.start {
            let fits = players.len() <= population as usize;
            errors.unless(fits, "start.players", format!("{} players", players.len()), || {
                format!("at most {population}, the population")
            });
        }
        if let Evolution::Tablut { partners, best, immigrants, .. } = self.evolution {
            let fits = (1..=population).contains(&best);
            errors.unless(fits, "evolution.best", best, || format!("1..={population}, the population"));
            let taken = 1 + 2 * u64::from(partners) + u64::from(immigrants);
            let fits = taken <= u64::from(population);
            errors.unless(fits, "population", population, || {
                format!(
                    "at least {taken}: the best, two children with each of {partners} partners, {immigrants} immigrants"
                )
            });
            if !fits {
                return;
            }
        }
        let strategy = strategy::of(&self.evolution);
        let most = strategy.parents(population).saturating_sub(1);
        errors.unless(self.inject.count <= most, "inject.count", self.inject.count, || {
            format!("0..={most}: fewer than the parents that stay, so that the best is never replaced")
        });
        errors.unless(self.inject.every >= 1, "inject.every", self.inject.every, || "1 or more".into());

        let pool = strategy.largest_pool(population);
        let format = self.tournament.format();
        match format.check(population) {
            Err(ScheduleError::Gauntlet { opponents, rounds }) => {
                let given = opponents >= 1;
                errors.unless(given, "tournament.opponents", "empty", || "at least one player".into());
                errors.unless(rounds >= 1, "tournament.rounds", rounds, || "1 or more".into());
                return;
            }
            Err(ScheduleError::Opponents { given, highest }) => {
                errors.unless(false, "tournament.opponents", given, || format!("1..={highest}"));
                return;
            }
            Err(ScheduleError::Odd { opponents, participants }) => {
                errors.unless(false, "tournament.opponents", opponents, || {
                    format!("an even number, since the population of {participants} is odd")
                });
                return;
            }
            _ => {}
        }
        if let Tournament::Sample { opponents } = self.tournament {
            let steady = pool == population || opponents.is_multiple_of(2);
            errors.unless(steady, "tournament.opponents", opponents, || {
                "an even number, since the number of players changes with every generation".into()
            });
        }
        let games = format.games(pool);
        errors.unless(games <= MOST_GAMES, "population", population, || {
            format!("a population whose generations have at most {MOST_GAMES} games, not {games}")
        });
    }

    fn check_stop(&self, errors: &mut Errors) {
        let stop = self.stop;
        let given = stop.generations.is_some() || stop.games.is_some() || stop.unchanged.is_some();
        errors.unless(given, "stop", "empty", || "at least one of generations, games, unchanged".into());
        let generations = stop.generations.unwrap_or(1);
        errors.unless(generations >= 1, "stop.generations", generations, || "1 or more".into());
        let games = stop.games.unwrap_or(1);
        errors.unless(games >= 1, "stop.games", games, || "1 or more".into());
        let unchanged = stop.unchanged.unwrap_or(2);
        errors.unless(unchanged >= 2, "stop.unchanged", unchanged, || "2 or more".into());
    }
}

impl SearchLimit {
    pub(crate) fn in_range(self) -> bool {
        match self {
            Self::Depth(plies) => (1..=60).contains(&plies),
            Self::Nodes(nodes) => nodes >= 1,
        }
    }
}

impl OpeningSet {
    pub(crate) fn in_range(&self) -> bool {
        match self {
            Self::Start => true,
            Self::Plies(plies) => (1..=8).contains(plies),
            Self::Lines(lines) => !lines.is_empty(),
        }
    }
}

struct Errors(Vec<FieldError>);

impl Errors {
    fn unless(&mut self, fits: bool, field: &str, value: impl Display, allowed: impl FnOnce() -> String) {
        if !fits {
            self.0.push(FieldError::new(field, value, allowed()));
        }
    }
}

fn is_share(value: f64) -> bool {
    (0.0..=1.0).contains(&value)
}
