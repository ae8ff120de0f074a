//! The byte encoding below fingerprints, strategy state and stored generations.
//!
//! Numbers are little-endian and of fixed width, real numbers their IEEE bits; lists and byte
//! strings begin with their length as `u32`. There is one encoding for each value.

use crate::individual::{Individual, Origin};
use kembara_engine::{Chromosome, GameResult, Parameter};
use kembara_tournament::Elo;

/// Why bytes are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// They end too early.
    #[error("the bytes end too early, at byte {at}")]
    Truncated {
        /// Where more was expected.
        at: usize,
    },
    /// Something follows the end.
    #[error("{left} bytes follow the end")]
    Trailing {
        /// How many.
        left: usize,
    },
    /// A value that cannot stand there.
    #[error("{what} cannot be {given}")]
    Value {
        /// What was read.
        what: &'static str,
        /// What stood there.
        given: String,
    },
}

/// Collects the encoding.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    pub fn elo(&mut self, elo: Elo) {
        self.u64(elo.get().to_bits());
    }

    pub fn hash(&mut self, hash: &[u8; 32]) {
        self.0.extend_from_slice(hash);
    }

    pub fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).expect("no list of a run reaches 2^32 items"));
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    pub fn chromosome(&mut self, chromosome: &Chromosome) {
        self.bytes(&chromosome.to_bytes());
    }

    pub fn individual(&mut self, individual: &Individual) {
        self.u64(individual.number);
        self.chromosome(&individual.chromosome);
        self.u32(individual.birth);
        self.u8(individual.origin as u8);
        self.length(individual.parents.len());
        individual.parents.iter().for_each(|parent| self.u64(*parent));
        self.u64(individual.wins);
        self.u64(individual.draws);
        self.u64(individual.losses);
        self.elo(individual.elo);
    }

    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Five bytes of a game: outcome, margin, plies.
pub(crate) fn game(result: &GameResult) -> [u8; 5] {
    let ([m0, m1], [p0, p1]) = (result.margin.to_le_bytes(), result.plies.to_le_bytes());
    [result.outcome.half_points(), m0, m1, p0, p1]
}

/// Reads the encoding back, trusting nothing.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let taken = self.bytes[self.at..].get(..count).ok_or(Malformed::Truncated { at: self.bytes.len() })?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let taken = self.take(N)?;
        Ok(*taken.as_array().expect("exactly N bytes were taken"))
    }

    pub fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u32(&mut self) -> Result<u32, Malformed> {
        self.array().map(u32::from_le_bytes)
    }

    pub fn u64(&mut self) -> Result<u64, Malformed> {
        self.array().map(u64::from_le_bytes)
    }

    pub fn elo(&mut self) -> Result<Elo, Malformed> {
        let value = f64::from_bits(self.u64()?);
        Elo::new(value).map_err(|_| Malformed::Value { what: "a rating", given: value.to_string() })
    }

    pub fn hash(&mut self) -> Result<[u8; 32], Malformed> {
        self.array()
    }

    /// A list's length, refused when its items, of at least `smallest` bytes each, cannot follow:
    /// so a wrong length costs no memory.
    pub fn length(&mut self, smallest: usize) -> Result<usize, Malformed> {
        let length = self.u32()? as usize;
        if length.saturating_mul(smallest) > self.bytes.len() - self.at {
            return Err(Malformed::Truncated { at: self.bytes.len() });
        }
        Ok(length)
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.length(1)?;
        self.take(length)
    }

    pub fn chromosome(&mut self, parameters: &[Parameter]) -> Result<Chromosome, Malformed> {
        Chromosome::from_bytes(self.bytes()?, parameters)
            .map_err(|error| Malformed::Value { what: "a chromosome", given: error.to_string() })
    }

    pub fn individual(&mut self, parameters: &[Parameter]) -> Result<Individual, Malformed> {
        let number = self.u64()?;
        let chromosome = self.chromosome(parameters)?;
        let birth = self.u32()?;
        let code = self.u8()?;
        let origin =
            Origin::from_code(code).ok_or_else(|| Malformed::Value { what: "an origin", given: code.to_string() })?;
        let parents = (0..self.length(8)?).map(|_| self.u64()).collect::<Result<_, _>>()?;
        Ok(Individual {
            number,
            chromosome,
            birth,
            origin,
            parents,
            wins: self.u64()?,
            draws: self.u64()?,
            losses: self.u64()?,
            elo: self.elo()?,
        })
    }

    pub const fn end(&self) -> Result<(), Malformed> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(Malformed::Trailing { left }),
        }
    }
}
