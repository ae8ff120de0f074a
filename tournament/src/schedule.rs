//! Pairing `k` of a generation: its players, its opening and its game seed.
//!
//! Nothing is listed: each pairing is computed from `k` with a few divisions and permutations.

use crate::circle::Circle;
use crate::format::Format;
use crate::gauntlet::Gauntlet;
use kembara_engine::Meeting;
use kembara_engine::random::{Key, Permutation};

/// What decides every pairing of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScheduleSpec {
    /// Who meets whom.
    pub format: Format,
    /// Slots that take part, at least 2. The opponents of a gauntlet are not counted.
    pub participants: u32,
    /// Openings of the arena, at least 1.
    pub openings: u32,
    /// The run's seed.
    pub run_seed: u64,
    /// The generation's number.
    pub generation: u32,
}

/// Why there is no such tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScheduleError {
    /// Nobody to play against.
    #[error("a tournament needs at least 2 participants, not {given}")]
    Participants {
        /// Participants asked for.
        given: u32,
    },
    /// More opponents than there are others, or none.
    #[error("every participant can meet 1 to {highest} others, not {given}")]
    Opponents {
        /// Opponents asked for.
        given: u32,
        /// The number of others.
        highest: u32,
    },
    /// Seats cannot be joined so that everybody has this many neighbours.
    #[error("{participants} participants cannot each meet {opponents} others: one of the two numbers has to be even")]
    Odd {
        /// Opponents asked for.
        opponents: u32,
        /// Participants asked for.
        participants: u32,
    },
    /// A gauntlet without opponents or rounds, or with more players than can be numbered.
    #[error(
        "a gauntlet needs at least 1 opponent and 1 round, not {opponents} and {rounds}, and fewer than 2^32 players"
    )]
    Gauntlet {
        /// Opponents given.
        opponents: u32,
        /// Rounds asked for.
        rounds: u32,
    },
    /// Games have to begin somewhere.
    #[error("a tournament needs at least 1 opening, not 0")]
    Openings,
}

/// The pairings of one generation, in pairing order.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    pairings: u64,
    order: Permutation,
    openings: u64,
    opening_key: Key,
    game_key: Key,
}

/// Who meets whom, before the games are put in order.
#[derive(Clone, Copy, Debug)]
enum Plan {
    Circle(Circle),
    Gauntlet(Gauntlet),
}

impl Schedule {
    /// Prepares the pairings of a generation.
    ///
    /// # Errors
    /// [`ScheduleError`] when there is no such tournament.
    pub fn new(spec: &ScheduleSpec) -> Result<Self, ScheduleError> {
        spec.format.check(spec.participants)?;
        if spec.openings == 0 {
            return Err(ScheduleError::Openings);
        }
        let key = |purpose| Key::new(spec.run_seed, spec.generation, purpose);
        let plan = match spec.format {
            Format::DoubleRoundRobin => Plan::Circle(Circle::whole(spec.participants)),
            Format::Sample { opponents } => {
                Plan::Circle(Circle::sample(spec.participants, opponents, &key("circle"), &key("distance")))
            }
            Format::Gauntlet { opponents, side, .. } => {
                Plan::Gauntlet(Gauntlet { participants: spec.participants, opponents, side })
            }
        };
        let pairings = spec.format.games(spec.participants);
        Ok(Self {
            plan,
            pairings,
            order: Permutation::new(pairings, &key("pairing"), 0),
            openings: u64::from(spec.openings),
            opening_key: key("opening"),
            game_key: key("game"),
        })
    }

    /// How many games there are.
    #[must_use]
    pub const fn pairings(&self) -> u64 {
        self.pairings
    }

    /// Pairing `k`; its players are places: slots, and after them the opponents of a gauntlet.
    ///
    /// # Panics
    /// When `k` is not below [`Schedule::pairings`].
    #[must_use]
    pub fn pairing(&self, k: u64) -> Meeting {
        let game = self.order.at(k);
        let (first, second) = self.seats(game);
        let opening = match self.plan {
            // Both games of a meeting begin alike.
            Plan::Circle(_) => game / 2,
            Plan::Gauntlet(gauntlet) => gauntlet.round(game),
        };
        Meeting { first, second, opening: self.opening(opening), seed: self.game_key.stream(k).bits() }
    }

    /// The places of pairing `k`, first player first: all that standings need, without the cost of
    /// the opening and the seed.
    ///
    /// # Panics
    /// When `k` is not below [`Schedule::pairings`].
    #[must_use]
    pub fn players(&self, k: u64) -> (u32, u32) {
        self.seats(self.order.at(k))
    }

    fn seats(&self, game: u64) -> (u32, u32) {
        match self.plan {
            Plan::Circle(circle) => circle.seats(game),
            Plan::Gauntlet(gauntlet) => gauntlet.seats(game),
        }
    }

    /// Openings are dealt from a shuffled pack, which is shuffled anew when it is used up.
    fn opening(&self, deal: u64) -> u32 {
        if self.openings == 1 {
            return 0;
        }
        let pack = Permutation::new(self.openings, &self.opening_key, deal / self.openings);
        pack.at(deal % self.openings) as u32
    }
}
