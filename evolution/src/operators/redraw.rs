//! GeneThello's mutation: genes drawn anew.

use super::draw::anywhere;
use crate::genes::Genes;
use kembara_engine::Chromosome;
use kembara_engine::random::Stream;

/// A copy in which each free gene was, with probability `chance`, drawn uniformly from its bounds;
/// `None` when it came out as it was, because no gene was chosen or each drew its own value again.
pub(crate) fn redraw(genes: &Genes, parent: &Chromosome, chance: f64, stream: &mut Stream) -> Option<Chromosome> {
    let mut copy = parent.clone();
    for (place, domain) in genes.free() {
        if stream.chance(chance) {
            copy.0[place] = anywhere(domain, stream);
        }
    }
    (copy != *parent).then_some(copy)
}
