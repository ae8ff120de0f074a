//! The algorithm as GeneThello's author describes it.
//!
//! The N individuals play. The best p = ⌊crossover · N⌋ are the parents, at least one. The next
//! population takes, until it is full:
//!
//! 1. children: the parents are paired at random (of an odd number one stays alone), and each pair
//!    has two children by one-point crossover;
//! 2. the parents, best first;
//! 3. mutants: copies of the N that played, in the order of their ranks, with each gene redrawn
//!    with the mutation probability; copies that came out unchanged are dropped;
//! 4. should that not suffice, the best of the others.
//!
//! With N = 352 these are 122 children of 61 pairs, 123 parents and 107 mutants. Below six
//! individuals ⌊.35 · N⌋ makes no pair: the best alone stays and mutants fill up.

use super::{Strategy, floor_share};
use crate::individual::Origin;
use crate::operators::{cross, redraw};
use crate::ranking::Standing;
use crate::seats::{Breeding, Seats};

/// Both parameters are probabilities or shares, 0..=1, as the spec's check has seen.
pub(super) struct Genethello {
    pub crossover: f64,
    pub mutation: f64,
}

impl Strategy for Genethello {
    fn largest_pool(&self, population: u32) -> u32 {
        population
    }

    fn plays(&self, population: u32, individuals: usize, slots: usize) -> bool {
        individuals == population as usize && slots == individuals
    }

    fn parents(&self, population: u32) -> u32 {
        let parents = floor_share(self.crossover, population).max(1);
        // The children come first, so beyond one half they leave fewer places to their parents.
        parents.min(population - (parents / 2) * 2)
    }

    fn select(&self, _: &[u8], ranked: &[Standing], breeding: &mut Breeding) -> (Vec<u8>, Seats) {
        let size = breeding.population as usize;
        let chosen = floor_share(self.crossover, breeding.population).max(1) as usize;
        let (parents, others) = ranked.split_at(chosen);

        let mut next = children(parents, breeding);
        let stay = |standing: &Standing| standing.individual.clone();
        next.extend(parents.iter().take(size - next.len()).map(stay));
        let key = breeding.key("mutation");
        for (rank, standing) in ranked.iter().enumerate() {
            if next.len() == size {
                break;
            }
            let parent = &standing.individual;
            let mut stream = key.stream(rank as u64);
            if let Some(mutant) = redraw(breeding.genes, &parent.chromosome, self.mutation, &mut stream) {
                next.push(breeding.newcomer(mutant, Origin::Mutation, vec![parent.number]));
            }
        }
        next.extend(others.iter().take(size - next.len()).map(stay));
        (Vec::new(), next)
    }

    fn pool(&self, population: Seats, _: &mut Breeding) -> Seats {
        population
    }
}

fn children(parents: &[Standing], breeding: &mut Breeding) -> Seats {
    let mut mates: Vec<&Standing> = parents.iter().collect();
    breeding.key("mates").stream(0).shuffle(&mut mates);
    let key = breeding.key("crossover");
    let mut children = Vec::with_capacity(parents.len());
    for (pair, [one, other]) in mates.as_chunks::<2>().0.iter().enumerate() {
        let (one, other) = (&one.individual, &other.individual);
        let (first, second) = cross(&one.chromosome, &other.chromosome, &mut key.stream(pair as u64));
        children.push(breeding.newcomer(first, Origin::Crossover, vec![one.number, other.number]));
        children.push(breeding.newcomer(second, Origin::Crossover, vec![other.number, one.number]));
    }
    children
}
