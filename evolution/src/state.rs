//! What a run carries from generation to generation beyond its individuals.

use crate::canonical::{Malformed, Reader, Writer};
use crate::ranking::Standing;
use kembara_engine::{Chromosome, Parameter};
use kembara_tournament::Elo;

/// Counters, the run's best ever, and the strategy's own state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// The number of the next newcomer.
    pub next_number: u64,
    /// Games of the generations before this one.
    pub games: u64,
    /// How many generations in a row had the same chromosome at their top.
    pub unchanged: u32,
    /// BLAKE3 of that chromosome's bytes; zeros before the first turnover.
    pub top: [u8; 32],
    /// The best ever, best first, no chromosome twice.
    pub best_ever: Vec<Champion>,
    /// The strategy's own.
    pub strategy: Vec<u8>,
}

/// A generation's best.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Champion {
    /// Its number.
    pub number: u64,
    /// The highest rating it had at the end of a generation that it won.
    pub elo: Elo,
    /// Its genes.
    pub chromosome: Chromosome,
}

impl State {
    /// The state before anyone was born.
    pub const fn new(strategy: Vec<u8>) -> Self {
        Self { next_number: 1, games: 0, unchanged: 0, top: [0; 32], best_ever: Vec::new(), strategy }
    }

    /// Counts a finished generation of so many games with this best individual; keeps at most
    /// `kept` champions, those with the highest ratings.
    pub fn count(&mut self, games: u64, best: &Standing, kept: usize) {
        self.games += games;
        let best = &best.individual;
        let top = *blake3::hash(&best.chromosome.to_bytes()).as_bytes();
        self.unchanged = if top == self.top { self.unchanged.saturating_add(1) } else { 1 };
        self.top = top;

        self.best_ever.push(Champion { number: best.number, elo: best.elo, chromosome: best.chromosome.clone() });
        self.best_ever.sort_by(|one, other| other.elo.compare(one.elo).then(one.number.cmp(&other.number)));
        let mut seen: Vec<Chromosome> = Vec::new();
        self.best_ever.retain(|champion| {
            let fresh = !seen.contains(&champion.chromosome);
            seen.push(champion.chromosome.clone());
            fresh
        });
        self.best_ever.truncate(kept);
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.u64(self.next_number);
        writer.u64(self.games);
        writer.u32(self.unchanged);
        writer.hash(&self.top);
        writer.length(self.best_ever.len());
        for champion in &self.best_ever {
            writer.u64(champion.number);
            writer.elo(champion.elo);
            writer.chromosome(&champion.chromosome);
        }
        writer.bytes(&self.strategy);
        writer.finish()
    }

    pub fn from_bytes(bytes: &[u8], parameters: &[Parameter]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let next_number = reader.u64()?;
        let games = reader.u64()?;
        let unchanged = reader.u32()?;
        let top = reader.hash()?;
        let champion = |reader: &mut Reader| -> Result<Champion, Malformed> {
            Ok(Champion { number: reader.u64()?, elo: reader.elo()?, chromosome: reader.chromosome(parameters)? })
        };
        let best_ever = (0..reader.length(20)?).map(|_| champion(&mut reader)).collect::<Result<_, _>>()?;
        let strategy = reader.bytes()?.to_vec();
        reader.end()?;
        Ok(Self { next_number, games, unchanged, top, best_ever, strategy })
    }
}
