//! One individual's life.

use kembara_engine::Chromosome;
use kembara_tournament::{Elo, Tally};
use serde::{Deserialize, Serialize};

/// A player of a run, with its record over all its generations.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// Unique in its run, from 1, in the order of creation.
    pub number: u64,
    /// Its genes.
    pub chromosome: Chromosome,
    /// The first generation it plays in.
    pub birth: u32,
    /// How it came about.
    pub origin: Origin,
    /// The numbers of those it was made from; none when it was drawn or came from outside.
    pub parents: Vec<u64>,
    /// Games won so far.
    pub wins: u64,
    /// Games drawn so far.
    pub draws: u64,
    /// Games lost so far.
    pub losses: u64,
    /// Its rating.
    pub elo: Elo,
}

impl Individual {
    /// The same after a generation's games.
    pub(crate) fn after(&self, tally: &Tally, elo: Elo) -> Self {
        Self {
            wins: self.wins + tally.wins,
            draws: self.draws + tally.draws,
            losses: self.losses + tally.losses,
            elo,
            ..self.clone()
        }
    }
}

/// How an individual came about. The discriminants are its encoding in fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Origin {
    /// Drawn at random.
    Random = 0,
    /// A child of two parents.
    Crossover = 1,
    /// A copy of one parent with changed genes.
    Mutation = 2,
    /// Given to the first population.
    Immigrant = 3,
    /// Brought in from the best ever.
    Injected = 4,
    /// A copy kept for its quality.
    Elite = 5,
}

impl Origin {
    const ALL: [Self; 6] =
        [Self::Random, Self::Crossover, Self::Mutation, Self::Immigrant, Self::Injected, Self::Elite];

    /// Its name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Crossover => "crossover",
            Self::Mutation => "mutation",
            Self::Immigrant => "immigrant",
            Self::Injected => "injected",
            Self::Elite => "elite",
        }
    }

    /// The origin of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.name() == name)
    }

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| *origin as u8 == code)
    }
}
