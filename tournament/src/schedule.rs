//! Pairing `k` of a generation: its players, its opening and its game seed.
//!
//! Participants sit on a circle of n places and meet whoever sits at one of some distances. A
//! distance below n/2 gives n meetings, one from every place; distance n/2 (n even) gives n/2. The
//! double round robin takes every distance. `sample(k)` takes k/2 distances below n/2, always 1 and
//! others drawn without replacement, and n/2 besides when k is odd; the seats are drawn too. With
//! distance 1 among them everybody is linked with everybody by a chain of meetings; only
//! `sample(1)` falls apart into n/2 duels.
//!
//! Nothing is listed: each pairing is computed from `k` with a few divisions and permutations.

use crate::format::Format;
use kembara_engine::Meeting;
use kembara_engine::random::{Key, Permutation};

/// What decides every pairing of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScheduleSpec {
    /// Who meets whom.
    pub format: Format,
    /// Slots that play, at least 2.
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
    /// Games have to begin somewhere.
    #[error("a tournament needs at least 1 opening, not 0")]
    Openings,
}

/// The pairings of one generation, in pairing order.
#[derive(Clone, Debug)]
pub struct Schedule {
    participants: u64,
    /// Distances below n/2 that are played.
    distances: u64,
    pairings: u64,
    order: Permutation,
    sample: Option<Sample>,
    openings: u64,
    opening_key: Key,
    game_key: Key,
}

/// The draws that only `sample(k)` makes.
#[derive(Clone, Copy, Debug)]
struct Sample {
    circle: Permutation,
    /// Of the distances 2, 3, … below n/2.
    distances: Permutation,
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
        let participants = u64::from(spec.participants);
        let below_half = (participants - 1) / 2;
        let (distances, sample) = match spec.format {
            Format::DoubleRoundRobin => (below_half, None),
            Format::Sample { opponents } => {
                let circle = Permutation::new(participants, &key("circle"), 0);
                let distances = Permutation::new(below_half.saturating_sub(1), &key("distance"), 0);
                (u64::from(opponents / 2), Some(Sample { circle, distances }))
            }
        };
        let pairings = spec.format.games(spec.participants);
        Ok(Self {
            participants,
            distances,
            pairings,
            order: Permutation::new(pairings, &key("pairing"), 0),
            sample,
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

    /// Pairing `k`; its players are slots.
    ///
    /// # Panics
    /// When `k` is not below [`Schedule::pairings`].
    #[must_use]
    pub fn pairing(&self, k: u64) -> Meeting {
        let game = self.order.at(k);
        let (first, second) = self.seats(game);
        Meeting { first, second, opening: self.opening(game / 2), seed: self.game_key.stream(k).bits() }
    }

    /// The slots of pairing `k`, first player first: all that standings need, without the cost of
    /// the opening and the seed.
    ///
    /// # Panics
    /// When `k` is not below [`Schedule::pairings`].
    #[must_use]
    pub fn players(&self, k: u64) -> (u32, u32) {
        self.seats(self.order.at(k))
    }

    fn seats(&self, game: u64) -> (u32, u32) {
        let meeting = game / 2;
        let (row, place) = (meeting / self.participants, meeting % self.participants);
        let distance = if row < self.distances { self.distance(row) } else { self.participants / 2 };
        let mut across = place + distance;
        if across >= self.participants {
            across -= self.participants;
        }
        let (one, other) = (self.slot(place), self.slot(across));
        if game.is_multiple_of(2) { (one, other) } else { (other, one) }
    }

    fn distance(&self, row: u64) -> u64 {
        match self.sample {
            Some(sample) if row > 0 => sample.distances.at(row - 1) + 2,
            _ => row + 1,
        }
    }

    fn slot(&self, place: u64) -> u32 {
        // A place is below the number of participants, which came in as u32.
        self.sample.map_or(place, |sample| sample.circle.at(place)) as u32
    }

    /// Both games of a meeting begin alike. Openings are dealt from a shuffled pack, which is
    /// shuffled anew when it is used up.
    fn opening(&self, meeting: u64) -> u32 {
        if self.openings == 1 {
            return 0;
        }
        let pack = Permutation::new(self.openings, &self.opening_key, meeting / self.openings);
        pack.at(meeting % self.openings) as u32
    }
}
