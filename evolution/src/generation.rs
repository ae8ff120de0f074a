//! One generation: who plays, on which slots, and what the run carries along.

use crate::canonical::{Malformed, Reader, Writer};
use crate::individual::Individual;
use kembara_engine::Parameter;

/// Everything needed to play a generation and to turn it over, given the run's spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// From 1.
    pub number: u32,
    /// Who plays, each once, by ascending number, with the record before this generation's games.
    pub individuals: Vec<Individual>,
    /// Slot of the tournament → place in `individuals`. Several slots may share an individual.
    pub slots: Vec<u32>,
    /// What the run carries from generation to generation, in canonical bytes.
    pub state: Vec<u8>,
    /// The fingerprint of the generation before, or the spec's hash in generation 1.
    pub previous: [u8; 32],
}

/// Why something is not a generation of a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerationError {
    /// Its bytes are not a generation.
    #[error("not a generation of this run: {0}")]
    Malformed(
        /// What is wrong with them.
        #[from]
        Malformed,
    ),
    /// Its parts contradict each other or the spec.
    #[error("not a generation of this run: {0}")]
    Inconsistent(
        /// What contradicts what.
        &'static str,
    ),
}

/// The first byte of a stored generation.
const ENCODING: u8 = 1;

/// No counter of a run comes near this: it leaves room to add without a thought of overflow.
pub(crate) const HIGHEST_COUNT: u64 = 1 << 62;

impl Generation {
    /// The canonical bytes: for storing, and the first part of what the fingerprint covers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u8(ENCODING);
        writer.hash(&self.previous);
        writer.u32(self.number);
        writer.length(self.individuals.len());
        self.individuals.iter().for_each(|individual| writer.individual(individual));
        writer.length(self.slots.len());
        self.slots.iter().for_each(|place| writer.u32(*place));
        writer.bytes(&self.state);
        writer.finish()
    }

    /// Reads what [`Generation::to_bytes`] wrote.
    pub(crate) fn from_bytes(bytes: &[u8], parameters: &[Parameter]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let encoding = reader.u8()?;
        if encoding != ENCODING {
            return Err(Malformed::Value { what: "the encoding", given: encoding.to_string() });
        }
        let previous = reader.hash()?;
        let number = reader.u32()?;
        // The fixed parts of an individual alone take 57 bytes.
        let individuals =
            (0..reader.length(57)?).map(|_| reader.individual(parameters)).collect::<Result<Vec<_>, _>>()?;
        let slots = (0..reader.length(4)?).map(|_| reader.u32()).collect::<Result<Vec<_>, _>>()?;
        let state = reader.bytes()?.to_vec();
        reader.end()?;
        Ok(Self { number, individuals, slots, state, previous })
    }

    /// Whether the parts fit each other.
    pub(crate) fn consistent(&self) -> Result<(), GenerationError> {
        let wrong = GenerationError::Inconsistent;
        if self.number == 0 || self.number == u32::MAX {
            return Err(wrong("the number is not one of a generation"));
        }
        let counters = |one: &Individual| one.number.max(one.wins).max(one.draws).max(one.losses);
        if self.individuals.iter().any(|individual| counters(individual) > HIGHEST_COUNT) {
            return Err(wrong("a counter is beyond anything that can be played"));
        }
        if !self.individuals.is_sorted_by(|one, next| one.number < next.number) {
            return Err(wrong("the individuals do not stand by ascending number"));
        }
        let mut seated = vec![false; self.individuals.len()];
        for place in &self.slots {
            *seated.get_mut(*place as usize).ok_or(wrong("a slot names an individual that is not there"))? = true;
        }
        if seated.contains(&false) {
            return Err(wrong("an individual has no slot"));
        }
        Ok(())
    }
}
