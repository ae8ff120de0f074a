//! Who plays whom, with the opponents that a gauntlet names.

use kembara_tournament::{Format, GauntletSide};
use serde::{Deserialize, Serialize};

/// The tournament of every generation; tagged by `format`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Tournament {
    /// Everybody meets everybody, once with each side.
    DoubleRoundRobin,
    /// Everybody meets the same number of others, once with each side.
    Sample {
        /// Others each participant meets.
        opponents: u32,
    },
    /// Everybody meets the same given opponents and nobody else.
    Gauntlet {
        /// Players in the author's notation or by name, at least one.
        opponents: Vec<String>,
        /// Openings from which everybody meets each of them, at least 1.
        rounds: u32,
        /// The side that the population plays on.
        side: GauntletSide,
    },
}

impl Tournament {
    /// The tournament's form without names.
    #[must_use]
    pub fn format(&self) -> Format {
        match self {
            Self::DoubleRoundRobin => Format::DoubleRoundRobin,
            Self::Sample { opponents } => Format::Sample { opponents: *opponents },
            Self::Gauntlet { opponents, rounds, side } => Format::Gauntlet {
                opponents: u32::try_from(opponents.len()).unwrap_or(u32::MAX),
                rounds: *rounds,
                side: *side,
            },
        }
    }

    /// The given opponents; none but in a gauntlet.
    #[must_use]
    pub fn opponents(&self) -> &[String] {
        match self {
            Self::DoubleRoundRobin | Self::Sample { .. } => &[],
            Self::Gauntlet { opponents, .. } => opponents,
        }
    }
}
