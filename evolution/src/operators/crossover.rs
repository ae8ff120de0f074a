//! One-point crossover.

use kembara_engine::Chromosome;
use kembara_engine::random::Stream;

/// Two children: the genes before a cut from one parent, the rest from the other. The cut is drawn
/// uniformly from 1..genes, so each child has genes of both; chromosomes of a single gene have no
/// cut and come back as they are, without a draw.
pub(crate) fn cross(one: &Chromosome, other: &Chromosome, stream: &mut Stream) -> (Chromosome, Chromosome) {
    let genes = one.0.len();
    let cut = if genes < 2 { genes } else { 1 + stream.below(genes as u64 - 1) as usize };
    let child = |front: &Chromosome, back: &Chromosome| Chromosome([&front.0[..cut], &back.0[cut..]].concat());
    (child(one, other), child(other, one))
}
