//! The genetic algorithm that was written for the Tablut competition.
//!
//! The N individuals play. The next population takes, in this order:
//!
//! 1. the best one, as it is;
//! 2. children: the best one with the second, then with the third, and so on for each partner, two
//!    children each, whose genes come from the two by turns;
//! 3. averages of two individuals, drawn with replacement from the best few, until there is just room
//!    for
//! 4. immigrants, drawn anew.
//!
//! Then each of them but the first mutates with the mutation probability: all of its genes move, by
//! amounts of their own. With N = 10, two partners and two immigrants these are 1 + 4 + 3 + 2; the
//! original's text says two immigrants, a comment in it three, and only two fit.

use super::Strategy;
use crate::individual::Origin;
use crate::operators::{alternate, average, drift, random};
use crate::ranking::Standing;
use crate::seats::{Breeding, Seats};
use kembara_engine::Chromosome;

/// The numbers fit the population, as the spec's check has seen.
pub(super) struct Tablut {
    pub partners: u32,
    pub best: u32,
    pub immigrants: u32,
    pub mutation: f64,
    pub reach: f64,
}

impl Strategy for Tablut {
    fn largest_pool(&self, population: u32) -> u32 {
        population
    }

    fn plays(&self, population: u32, individuals: usize, slots: usize) -> bool {
        individuals == population as usize && slots == individuals
    }

    fn parents(&self, _: u32) -> u32 {
        1
    }

    fn select(&self, _: &[u8], ranked: &[Standing], breeding: &mut Breeding) -> (Vec<u8>, Seats) {
        let mut made = self.children(ranked);
        let averages = breeding.population - 1 - 2 * self.partners - self.immigrants;
        made.extend(self.averages(averages, ranked, breeding));
        let key = breeding.key("immigrants");
        for slot in 0..self.immigrants {
            let drawn = random(breeding.genes, &mut key.stream(slot.into()));
            made.push((drawn, Origin::Random, Vec::new()));
        }

        let key = breeding.key("mutation");
        let mut next = vec![ranked[0].individual.clone()];
        for (chromosome, origin, parents) in made {
            let mut stream = key.stream(next.len() as u64);
            let chromosome = if stream.chance(self.mutation) {
                drift(breeding.genes, &chromosome, self.reach, &mut stream)
            } else {
                chromosome
            };
            next.push(breeding.newcomer(chromosome, origin, parents));
        }
        (Vec::new(), next)
    }

    fn pool(&self, population: Seats, _: &mut Breeding) -> Seats {
        population
    }
}

/// What a newcomer is made from: genes, origin and the numbers of its parents.
type Made = (Chromosome, Origin, Vec<u64>);

impl Tablut {
    fn children(&self, ranked: &[Standing]) -> Vec<Made> {
        let best = &ranked[0].individual;
        let mut children = Vec::new();
        for partner in ranked[1..].iter().take(self.partners as usize).map(|standing| &standing.individual) {
            let (first, second) = alternate(&best.chromosome, &partner.chromosome);
            children.push((first, Origin::Crossover, vec![best.number, partner.number]));
            children.push((second, Origin::Crossover, vec![partner.number, best.number]));
        }
        children
    }

    fn averages(&self, count: u32, ranked: &[Standing], breeding: &Breeding) -> Vec<Made> {
        let key = breeding.key("averages");
        let average = |slot: u32| {
            let mut stream = key.stream(slot.into());
            let mut parent = || &ranked[stream.below(self.best.into()) as usize].individual;
            let (one, other) = (parent(), parent());
            (average(&one.chromosome, &other.chromosome), Origin::Crossover, vec![one.number, other.number])
        };
        (0..count).map(average).collect()
    }
}
