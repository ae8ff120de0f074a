//! The kinds of tournament, and for which numbers of participants each exists.

use crate::schedule::ScheduleError;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Everybody meets everybody, once with each side: n·(n−1) games.
    DoubleRoundRobin,
    /// Everybody meets the same number of others, once with each side: n·opponents games, for
    /// populations whose square is out of reach.
    Sample {
        /// Others each participant meets, 1..=n−1; an odd number needs an even n.
        opponents: u32,
    },
    /// Everybody meets the same given opponents and nobody else. The opponents sit on the places
    /// after the participants' and are no participants themselves.
    Gauntlet {
        /// How many given opponents there are, at least 1.
        opponents: u32,
        /// Openings from which a participant meets each opponent, at least 1. Within a round all
        /// meetings begin at the same one, so that nobody has the easier task.
        rounds: u32,
        /// The side that participants play on.
        side: GauntletSide,
    },
}

/// The side that the participants of a gauntlet play on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GauntletSide {
    /// They move first: one game a meeting.
    First,
    /// They move second: one game a meeting.
    Second,
    /// One game with each side.
    Both,
}

impl GauntletSide {
    /// Games of one meeting.
    #[must_use]
    pub const fn games(self) -> u32 {
        match self {
            Self::First | Self::Second => 1,
            Self::Both => 2,
        }
    }
}

impl Format {
    /// Games of a tournament of this many participants, without asking whether there is one; at most
    /// [`u64::MAX`].
    #[must_use]
    pub const fn games(self, participants: u32) -> u64 {
        let participants = participants as u64;
        match self {
            Self::DoubleRoundRobin => participants * participants.saturating_sub(1),
            Self::Sample { opponents } => participants * opponents as u64,
            Self::Gauntlet { opponents, rounds, side } => {
                let games = opponents as u64 * rounds as u64;
                participants.saturating_mul(games).saturating_mul(side.games() as u64)
            }
        }
    }

    /// Players beyond the participants, who sit on the places after theirs.
    #[must_use]
    pub const fn opponents(self) -> u32 {
        match self {
            Self::DoubleRoundRobin | Self::Sample { .. } => 0,
            Self::Gauntlet { opponents, .. } => opponents,
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
        match self {
            Self::DoubleRoundRobin => {}
            Self::Sample { opponents } => {
                if opponents == 0 || opponents >= participants {
                    return Err(ScheduleError::Opponents { given: opponents, highest: participants - 1 });
                }
                if opponents % 2 == 1 && participants % 2 == 1 {
                    return Err(ScheduleError::Odd { opponents, participants });
                }
            }
            Self::Gauntlet { opponents, rounds, .. } => {
                if opponents == 0 || opponents > u32::MAX - participants || rounds == 0 {
                    return Err(ScheduleError::Gauntlet { opponents, rounds });
                }
            }
        }
        Ok(())
    }
}
