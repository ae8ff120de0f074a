//! A population being made: one individual a slot, and the numbers given to newcomers.

use crate::genes::Genes;
use crate::individual::{Individual, Origin};
use kembara_engine::Chromosome;
use kembara_engine::random::Key;
use kembara_tournament::Elo;

/// One individual a slot; slots with the same number share one individual.
pub(crate) type Seats = Vec<Individual>;

/// What breeding a generation needs, and the count of individuals so far.
pub(crate) struct Breeding<'a> {
    /// The genome.
    pub genes: &'a Genes,
    /// Slots of the population (not of the pool that plays).
    pub population: u32,
    /// The run's seed.
    pub seed: u64,
    /// The generation being made.
    pub generation: u32,
    /// The rating of newcomers.
    pub initial: Elo,
    /// The number that the next newcomer gets.
    pub next_number: u64,
}

impl Breeding<'_> {
    /// The draws for one purpose.
    pub fn key(&self, purpose: &str) -> Key {
        Key::new(self.seed, self.generation, purpose)
    }

    /// A newcomer with the next number, no games and the initial rating.
    pub fn newcomer(&mut self, chromosome: Chromosome, origin: Origin, parents: Vec<u64>) -> Individual {
        let number = self.next_number;
        self.next_number += 1;
        Individual {
            number,
            chromosome,
            birth: self.generation,
            origin,
            parents,
            wins: 0,
            draws: 0,
            losses: 0,
            elo: self.initial,
        }
    }
}

/// The distinct individuals by ascending number, and the place of each slot's individual.
pub(crate) fn seated(seats: Seats) -> (Vec<Individual>, Vec<u32>) {
    let numbers: Vec<u64> = seats.iter().map(|individual| individual.number).collect();
    let mut individuals = seats;
    individuals.sort_by_key(|individual| individual.number);
    individuals.dedup_by_key(|individual| individual.number);
    // A place is below the number of slots, which fits u32 by the spec's check.
    let place = |number: &u64| individuals.partition_point(|individual| individual.number < *number) as u32;
    let slots = numbers.iter().map(place).collect();
    (individuals, slots)
}
