//! Averages of two chromosomes.

use kembara_engine::{Chromosome, Gene};

/// The mean of two chromosomes, gene by gene. Whole numbers are rounded to the nearest, halves up.
/// A mean lies between the two, so it keeps to bounds and frozen values that both keep to.
pub(crate) fn average(one: &Chromosome, other: &Chromosome) -> Chromosome {
    Chromosome(one.0.iter().zip(&other.0).map(|(one, other)| mean(*one, *other)).collect())
}

fn mean(one: Gene, other: Gene) -> Gene {
    match (one, other) {
        // The mean of two i32 is one itself.
        (Gene::Int(one), Gene::Int(other)) => Gene::Int((i64::from(one) + i64::from(other) + 1).div_euclid(2) as i32),
        (Gene::Real(one), Gene::Real(other)) => {
            let sum = one + other;
            Gene::Real(if sum.is_finite() { sum / 2.0 } else { one / 2.0 + other / 2.0 })
        }
        // Genes of different kinds are in no two chromosomes of one genome.
        _ => one,
    }
}
