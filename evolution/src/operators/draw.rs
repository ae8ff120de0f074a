//! Drawing genes and whole chromosomes.

use crate::genes::Genes;
use kembara_engine::random::Stream;
use kembara_engine::{Chromosome, Domain, Gene};

/// A random chromosome: every gene from its initial range, frozen ones at their value.
pub(crate) fn random(genes: &Genes, stream: &mut Stream) -> Chromosome {
    // Frozen genes are drawn too, so freezing one leaves the others' draws alone.
    let drawn = genes.parameters().iter().map(|parameter| initial(&parameter.domain, stream)).collect();
    genes.hold(Chromosome(drawn))
}

/// A gene from its initial range.
pub(crate) fn initial(domain: &Domain, stream: &mut Stream) -> Gene {
    match *domain {
        Domain::Int { initial: (low, high), .. } => Gene::Int(stream.between(low, high)),
        Domain::Real { initial, .. } => Gene::Real(real(initial, stream)),
    }
}

/// A gene from its bounds, or from its initial range when it is free.
pub(crate) fn anywhere(domain: &Domain, stream: &mut Stream) -> Gene {
    match *domain {
        Domain::Int { bounds: (low, high), .. } => Gene::Int(stream.between(low, high)),
        Domain::Real { initial, bounds } => Gene::Real(real(bounds.unwrap_or(initial), stream)),
    }
}

/// Uniform in `[low, high)`; rounding may reach `high` but never passes it.
fn real((low, high): (f64, f64), stream: &mut Stream) -> f64 {
    let share = stream.unit();
    let width = high - low;
    // Ends so far apart that their distance is no number are weighed instead.
    let value = if width.is_finite() { low + share * width } else { low * (1.0 - share) + high * share };
    value.clamp(low, high)
}
