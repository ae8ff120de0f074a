//! The kinds of tournament, and for which numbers of participants each exists.

use crate::schedule::ScheduleError;
use serde::{Deserialize, Serialize};

/// Who meets whom. Every meeting is two games, one with each side moving first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Format {
    /// Everybody meets everybody: n·(n−1) games.
    DoubleRoundRobin,
    /// Everybody meets the same number of others: n·opponents games, for populations whose square
    /// is out of reach.
    Sample {
        /// Others each participant meets, 1..=n−1; an odd number needs an even n.
        opponents: u32,
    },
}

impl Format {
    /// Games of a tournament of this many participants, without asking whether there is one.
    #[must_use]
    pub const fn games(self, participants: u32) -> u64 {
        match self {
            Self::DoubleRoundRobin => participants as u64 * (participants as u64).saturating_sub(1),
            Self::Sample { opponents } => participants as u64 * opponents as u64,
        }
    }

    /// Says whether this many participants can play it.
    ///
    /// # Errors
    /// [`ScheduleError`] tells what is wrong with the numbers.
    pub const fn check(self, participants: u32) -> Result<(), ScheduleError> {
        if participants < 2 {
            return Err(ScheduleError::Participants { given: participants });
        }
        if let Self::Sample { opponents } = self {
            if opponents == 0 || opponents >= participants {
                return Err(ScheduleError::Opponents { given: opponents, highest: participants - 1 });
            }
            if opponents % 2 == 1 && participants % 2 == 1 {
                return Err(ScheduleError::Odd { opponents, participants });
            }
        }
        Ok(())
    }
}
