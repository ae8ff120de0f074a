//! Everything that decides a run's results, as literal values.
//!
//! A run spec as people write it has defaults, draws and references; at launch they are resolved
//! into this and frozen. Two runs with equal resolved specs give the same bits.

mod check;
mod compare;
mod tournament;

pub use check::{FieldError, SpecError};
pub use compare::Difference;
pub use tournament::Tournament;

use kembara_engine::{Conditions, Limit, Openings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most individuals a population may have.
pub const LARGEST_POPULATION: u32 = 100_000;

/// The most games a generation may have.
pub const MOST_GAMES: u64 = 100_000_000;

/// The resolved spec. Its fields stand in the order of its canonical JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedSpec {
    /// The versions of the code that the results belong to.
    pub semantics: Semantics,
    /// The game's name in the engine's registry.
    pub game: String,
    /// The name of one of the game's genomes.
    pub genome: String,
    /// Genes held at a value in every individual, by name.
    pub freeze: BTreeMap<String, f64>,
    /// Feeds every random draw.
    pub seed: u64,
    /// Individuals of a population, 2..=[`LARGEST_POPULATION`].
    pub population: u32,
    /// The first population.
    pub start: Start,
    /// How games are played.
    pub play: Play,
    /// Who plays whom.
    pub tournament: Tournament,
    /// How games move ratings.
    pub rating: Rating,
    /// How the next population comes about.
    pub evolution: Evolution,
    /// What makes a player better than another.
    pub select_by: SelectBy,
    /// Champions brought in from outside.
    pub inject: Inject,
    /// When the run ends.
    pub stop: Stop,
}

/// The versions of the code that can change a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Semantics {
    /// [`kembara_engine::SEMANTICS_VERSION`].
    pub engine: u32,
    /// [`crate::SEMANTICS_VERSION`].
    pub evolution: u32,
}

impl Semantics {
    /// The versions of this program.
    pub const CURRENT: Self = Self { engine: kembara_engine::SEMANTICS_VERSION, evolution: crate::SEMANTICS_VERSION };
}

/// Where the first population comes from: `"random"` or `{"players": […]}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Every gene drawn from its initial range.
    Random,
    /// These chromosomes, at most as many as the population has; the rest is drawn.
    Players(Vec<String>),
}

/// How every game of the run is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The bound on each move's search.
    pub limit: SearchLimit,
    /// Probability, 0..=1, that a move is replaced by a random one.
    pub epsilon: f64,
    /// Where games begin.
    pub openings: OpeningSet,
    /// A game that is not over after so many plies, at least 1, is a draw; `None`, which is not
    /// written, lets every game end by its rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u16>,
}

impl Play {
    /// The engine's form of the conditions, the same for both sides.
    #[must_use]
    pub fn conditions(&self) -> [Conditions; 2] {
        let limit = match self.limit {
            SearchLimit::Depth(plies) => Limit::Depth(plies),
            SearchLimit::Nodes(nodes) => Limit::Nodes(nodes),
        };
        [Conditions { limit, epsilon: self.epsilon }; 2]
    }

    /// The engine's form of the openings.
    #[must_use]
    pub fn openings(&self) -> Openings {
        match &self.openings {
            OpeningSet::Start => Openings::Start,
            OpeningSet::Plies(plies) => Openings::Plies(*plies),
            OpeningSet::Lines(lines) => Openings::Lines(lines.clone()),
        }
    }
}

/// The bound on a move's search: `{"depth": 2}` or `{"nodes": 1000}`. Never time, which would not
/// come out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchLimit {
    /// Plies, 1..=60.
    Depth(u8),
    /// Nodes, at least 1.
    Nodes(u64),
}

/// Where games begin: `"start"`, `{"plies": 8}` or `{"lines": […]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSet {
    /// At the start position.
    Start,
    /// At the positions reachable by so many plies, 1..=8, one of each class of symmetry.
    Plies(u8),
    /// At the ends of given lines in the game's notation.
    Lines(Vec<String>),
}

/// How games move ratings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// The most that one game moves a rating, above 0 and at most 1000.
    pub k: f64,
    /// The rating of a newcomer, −1,000,000..=1,000,000.
    pub initial: f64,
}

/// How the next population comes about; tagged by `strategy`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "strategy", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evolution {
    /// As GeneThello's author describes it.
    Genethello {
        /// The share of the population that mates and stays, 0..=1.
        crossover: f64,
        /// The probability that a gene is drawn anew, 0..=1.
        mutation: f64,
    },
    /// As the library he used means its defaults.
    Jgap {
        /// Crossings an individual, 0..=1.
        crossover: f64,
        /// The probability that a gene moves, 0..=1.
        mutation: f64,
        /// The share that survives before clones fill up, above 0 and at most 1.
        survivors: f64,
    },
    /// As the Tablut genetic algorithm does it.
    Tablut {
        /// Individuals that the best one is crossed with: those of the next ranks.
        partners: u32,
        /// The parents of averages are drawn from so many of the best, at least 1.
        best: u32,
        /// Newcomers drawn at random in every generation.
        immigrants: u32,
        /// The probability that an individual other than the best mutates, 0..=1.
        mutation: f64,
        /// How far each of its genes moves then at most, above 0 and at most 1,000,000.
        reach: f64,
    },
}

/// What makes a player better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelectBy {
    /// The share of this generation's points that it took.
    Points,
    /// The rating after this generation's games.
    Elo,
    /// How fast it won its games: for each win `base` less the winner's own moves, for everything
    /// else, and for wins that took more moves than `base`, −1; the mean over its games.
    ///
    /// A move is a ply of one's own: of a game of n plies the first player made half, rounded up,
    /// the second player the other half. Plies of the opening count, passes do not.
    Speed {
        /// The moves of a win that is worth nothing, at least 1.
        base: u16,
    },
    /// Nothing: a new random order in every generation. Selection is switched off then, to see what
    /// a run owes to it.
    Chance,
}

/// Champions brought into the population after an evolution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inject {
    /// How many at a time; 0 for none.
    pub count: u32,
    /// After every so many generations, at least 1.
    pub every: u32,
    /// Chromosomes of the hall of fame at launch, best first.
    pub hall: Vec<String>,
}

/// When the run ends: at the first of these. At least one is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// After so many generations, at least 1.
    pub generations: Option<u32>,
    /// At the end of the generation in which the run's games reach this number, at least 1.
    pub games: Option<u64>,
    /// When so many generations in a row, at least 2, had the same chromosome at their top.
    pub unchanged: Option<u32>,
}
