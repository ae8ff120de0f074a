//! Bringing the best ever back into a population.

use crate::individual::Origin;
use crate::ranking::Standing;
use crate::seats::{Breeding, Seats};
use crate::state::Champion;
use kembara_engine::Chromosome;

/// Best-ever individuals of its own that a run remembers for each one it injects at a time: more
/// than one, since those still alive are passed over.
pub(crate) const KEPT_FOR_EACH: usize = 4;

/// Lets up to `count` newcomers take the seats of the worst parents.
///
/// Candidates come by turn from the hall of fame and from the run's own best ever, both best
/// first, the hall beginning; a chromosome that the population has already is passed over. Own
/// champions come back as new individuals with the old one as their parent. The seats are those of
/// individuals that played, worst rank first; of several slots of one individual the last. The
/// spec's check keeps the best one's seat out of reach.
pub(crate) fn inject(
    seats: &mut Seats,
    count: u32,
    hall: &[Chromosome],
    own: &[Champion],
    ranked: &[Standing],
    breeding: &mut Breeding,
) {
    let mut candidates = Vec::with_capacity(hall.len() + own.len());
    for turn in 0..hall.len().max(own.len()) {
        candidates.extend(hall.get(turn).map(|chromosome| (chromosome, Vec::new())));
        candidates.extend(own.get(turn).map(|champion| (&champion.chromosome, vec![champion.number])));
    }
    let mut worst = worst_parents(seats, ranked).into_iter();
    let mut left = count;
    for (chromosome, parents) in candidates {
        if left == 0 {
            break;
        }
        if seats.iter().any(|individual| individual.chromosome == *chromosome) {
            continue;
        }
        let Some(seat) = worst.next() else { break };
        seats[seat] = breeding.newcomer(chromosome.clone(), Origin::Injected, parents);
        left -= 1;
    }
}

/// Seats of individuals that played, worst first.
fn worst_parents(seats: &Seats, ranked: &[Standing]) -> Vec<usize> {
    let mut ranks: Vec<(u64, u32)> =
        ranked.iter().map(|standing| (standing.individual.number, standing.rank)).collect();
    ranks.sort_unstable();
    let rank_of = |number: u64| ranks.binary_search_by_key(&number, |(number, _)| *number).ok().map(|at| ranks[at].1);
    let mut parents: Vec<(u32, usize)> =
        seats.iter().enumerate().filter_map(|(seat, individual)| Some((rank_of(individual.number)?, seat))).collect();
    parents.sort_unstable_by(|one, other| other.cmp(one));
    parents.into_iter().map(|(_, seat)| seat).collect()
}
