//! The algorithm as JGAP, the library GeneThello's author used, means its defaults.
//!
//! The pool plays: the N slots of the population, then the children, then the mutants. The pool is
//! ranked together, slot by slot. The best survivors · N slots (to the nearest whole number,
//! halves up, at least one) make the next population, and clones of the best, one each in the
//! order of their ranks, fill it to N. A clone is a further slot of the same individual, so both
//! share one record and, since they rank alike, both may survive and be cloned again.
//!
//! - children: ⌊crossover · N⌋ times two parents are drawn uniformly and independently from the
//!   population's slots, and both children of their one-point crossover join the pool. A parent
//!   may meet itself. JGAP also cuts before the first gene, which exchanges whole chromosomes; the
//!   cut here always lies between two genes.
//! - mutants: a copy of each slot's individual with its genes moved, when any was chosen.
//!
//! JGAP never draws an integer's upper bound; ours does.

use super::{Strategy, floor_share, round_share};
use crate::individual::{Individual, Origin};
use crate::operators::{cross, shift};
use crate::ranking::Standing;
use crate::seats::{Breeding, Seats};

/// All parameters are probabilities or shares, 0..=1, as the spec's check has seen.
pub(super) struct Jgap {
    pub crossover: f64,
    pub mutation: f64,
    pub survivors: f64,
}

impl Jgap {
    fn survivors(&self, population: u32) -> u32 {
        round_share(self.survivors, population).clamp(1, population)
    }
}

impl Strategy for Jgap {
    fn largest_pool(&self, population: u32) -> u32 {
        2 * population + 2 * floor_share(self.crossover, population)
    }

    fn plays(&self, population: u32, individuals: usize, slots: usize) -> bool {
        (population as usize..=self.largest_pool(population) as usize).contains(&slots) && individuals <= slots
    }

    fn parents(&self, population: u32) -> u32 {
        self.survivors(population)
    }

    fn select(&self, _: &[u8], ranked: &[Standing], breeding: &mut Breeding) -> (Vec<u8>, Seats) {
        let slots = ranked.iter().flat_map(|standing| (0..standing.slots).map(|_| &standing.individual));
        let best: Vec<&Individual> = slots.take(self.survivors(breeding.population) as usize).collect();
        let next = best.iter().cycle().take(breeding.population as usize);
        (Vec::new(), next.map(|individual| (*individual).clone()).collect())
    }

    fn pool(&self, population: Seats, breeding: &mut Breeding) -> Seats {
        let mut pool = population;
        let size = breeding.population as usize;
        let key = breeding.key("crossover");
        for crossing in 0..floor_share(self.crossover, breeding.population) {
            let mut stream = key.stream(u64::from(crossing));
            let mut parent = || &pool[stream.below(size as u64) as usize];
            let (one, other) = (parent(), parent());
            let lineage = [one.number, other.number];
            let (first, second) = cross(&one.chromosome, &other.chromosome, &mut stream);
            pool.push(breeding.newcomer(first, Origin::Crossover, lineage.to_vec()));
            pool.push(breeding.newcomer(second, Origin::Crossover, vec![lineage[1], lineage[0]]));
        }
        let key = breeding.key("mutation");
        for slot in 0..size {
            let mut stream = key.stream(slot as u64);
            if let Some(mutant) = shift(breeding.genes, &pool[slot].chromosome, self.mutation, &mut stream) {
                let parent = pool[slot].number;
                pool.push(breeding.newcomer(mutant, Origin::Mutation, vec![parent]));
            }
        }
        pool
    }
}
