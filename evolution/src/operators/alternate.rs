//! Crossover gene by gene.

use kembara_engine::Chromosome;

/// Two children whose genes come from the two parents by turns: the first child begins with a gene
/// of `one`, the second with one of `other`.
pub(crate) fn alternate(one: &Chromosome, other: &Chromosome) -> (Chromosome, Chromosome) {
    let child = |even: &Chromosome, odd: &Chromosome| {
        let by_turns = even.0.iter().zip(&odd.0).enumerate();
        Chromosome(by_turns.map(|(place, (even, odd))| if place.is_multiple_of(2) { *even } else { *odd }).collect())
    };
    (child(one, other), child(other, one))
}
