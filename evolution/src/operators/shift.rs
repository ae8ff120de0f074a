//! JGAP's mutation: genes moved by a share of their range.

use super::draw::anywhere;
use crate::genes::Genes;
use kembara_engine::random::Stream;
use kembara_engine::{Chromosome, Domain, Gene};

/// A copy in which each free gene was, with probability `chance`, moved by U(−1, 1) times its
/// range: the width of its bounds, or of its initial range when it has none. Whole numbers are
/// rounded to the nearest, halves up. A gene that would leave its bounds is drawn uniformly from
/// them instead. `None` when no gene was chosen; a chosen gene may keep its value, as in JGAP.
///
/// JGAP never draws an integer's upper bound when it draws uniformly; this does, as promised
/// everywhere here.
pub(crate) fn shift(genes: &Genes, parent: &Chromosome, chance: f64, stream: &mut Stream) -> Option<Chromosome> {
    let mut copy = None;
    for (place, domain) in genes.free() {
        if stream.chance(chance) {
            let gene = &mut copy.get_or_insert_with(|| parent.clone()).0[place];
            *gene = moved(*gene, domain, stream);
        }
    }
    copy
}

fn moved(gene: Gene, domain: &Domain, stream: &mut Stream) -> Gene {
    let share = stream.uniform(-1.0, 1.0);
    match (gene, *domain) {
        (Gene::Int(value), Domain::Int { bounds: (low, high), .. }) => {
            let range = f64::from(high) - f64::from(low);
            let target = (f64::from(value) + share * range + 0.5).floor();
            if (f64::from(low)..=f64::from(high)).contains(&target) {
                Gene::Int(target as i32)
            } else {
                anywhere(domain, stream)
            }
        }
        (Gene::Real(value), Domain::Real { initial, bounds }) => {
            let (low, high) = bounds.unwrap_or(initial);
            let target = value + share * (high - low);
            let inside = target.is_finite() && bounds.is_none_or(|(low, high)| (low..=high).contains(&target));
            if inside { Gene::Real(target) } else { anywhere(domain, stream) }
        }
        // A gene of the other kind fits no chromosome of this genome; a fresh one does.
        _ => anywhere(domain, stream),
    }
}
