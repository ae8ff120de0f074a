//! Mutation of all genes by small amounts.

use crate::genes::Genes;
use kembara_engine::random::Stream;
use kembara_engine::{Chromosome, Domain, Gene};

/// A copy in which every free gene was moved by U(−reach, reach), each by a draw of its own. Whole
/// numbers are rounded to the nearest, halves up. A gene that would leave its bounds stops at the
/// bound; one without bounds goes wherever it likes among the finite numbers.
pub(crate) fn drift(genes: &Genes, parent: &Chromosome, reach: f64, stream: &mut Stream) -> Chromosome {
    let mut copy = parent.clone();
    for (place, domain) in genes.free() {
        let by = stream.uniform(-reach, reach);
        let gene = &mut copy.0[place];
        *gene = match (*gene, *domain) {
            // Within the bounds, which are i32.
            (Gene::Int(value), Domain::Int { bounds: (low, high), .. }) => {
                Gene::Int((f64::from(value) + by + 0.5).floor().clamp(low.into(), high.into()) as i32)
            }
            (Gene::Real(value), Domain::Real { bounds, .. }) => {
                let (low, high) = bounds.unwrap_or((f64::MIN, f64::MAX));
                Gene::Real((value + by).clamp(low, high))
            }
            // A gene of the other kind fits no chromosome of this genome.
            (gene, _) => gene,
        };
    }
    copy
}
