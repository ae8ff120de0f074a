//! Tournaments among the participants themselves.
//!
//! Participants sit on a circle of n places and meet whoever sits at one of some distances. A
//! distance below n/2 gives n meetings, one from every place; distance n/2 (n even) gives n/2. The
//! double round robin takes every distance. `sample(k)` takes k/2 distances below n/2, always 1 and
//! others drawn without replacement, and n/2 besides when k is odd; the seats are drawn too. With
//! distance 1 among them everybody is linked with everybody by a chain of meetings; only
//! `sample(1)` falls apart into n/2 duels.

use kembara_engine::random::{Key, Permutation};

/// Who meets whom, two games a meeting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    participants: u64,
    /// Distances below n/2 that are played.
    distances: u64,
    sample: Option<Sample>,
}

/// The draws that only `sample(k)` makes.
#[derive(Clone, Copy, Debug)]
struct Sample {
    circle: Permutation,
    /// Of the distances 2, 3, … below n/2.
    distances: Permutation,
}

impl Circle {
    /// The double round robin.
    pub fn whole(participants: u32) -> Self {
        Self { participants: participants.into(), distances: below_half(participants), sample: None }
    }

    /// A sample of this many opponents, seats and distances drawn from these keys.
    pub fn sample(participants: u32, opponents: u32, circle: &Key, distance: &Key) -> Self {
        let sample = Sample {
            circle: Permutation::new(participants.into(), circle, 0),
            distances: Permutation::new(below_half(participants).saturating_sub(1), distance, 0),
        };
        Self { participants: participants.into(), distances: u64::from(opponents / 2), sample: Some(sample) }
    }

    /// The players of a game, first player first.
    pub fn seats(&self, game: u64) -> (u32, u32) {
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
}

fn below_half(participants: u32) -> u64 {
    (u64::from(participants) - 1) / 2
}
