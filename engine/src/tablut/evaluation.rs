//! The evaluation of both sides, and the five genes it is made of.
//!
//! After the genetic algorithm this player comes from, a side scores a position by its own formula,
//! whoever is to move:
//! - White: −alpha·blacks + beta·whites + gamma·distance − theta·beside + epsilon·paths
//! - Black: alpha·blacks − beta·whites + gamma·around + theta·sighted
//!
//! Where that text leaves a choice, this was chosen:
//! - whites are the soldiers, the king not counted;
//! - distance is the king's from the throne, in columns plus rows, 0..=8;
//! - beside are the black pieces next to the king along rows and columns, 0..=4;
//! - paths is the square table: in how many of the four directions the edge could be reached from
//!   the king's square on an empty board, camps and throne being in the way, 0..=4;
//! - around are the black pieces on the eight squares about the king;
//! - sighted are the black pieces on the king's lines with neither a piece nor the throne between,
//!   0..=4; camps do not hide anybody.

use super::board::{self, THRONE, neighbours};
use super::position::Position;
use crate::chromosome::{Chromosome, Gene};
use crate::game::Genome;
use crate::parameter::{Domain, Parameter};
use crate::player::{PlayerError, shorten};
use crate::result::Side;

/// The name of the genome.
pub(super) const GENOME: &str = "tablut";

/// Name, meaning and initial range of every gene; like the original's they have no bounds.
const GENES: [(&str, &str, (f64, f64)); 5] = [
    ("alpha", "weight of the black pieces", (0.0, 2.0)),
    ("beta", "weight of the white soldiers", (0.0, 2.0)),
    ("gamma", "White: of the king's distance from the throne; Black: of black pieces around him", (0.0, 10.0)),
    ("theta", "White: of black pieces beside the king; Black: of those with a clear line to him", (0.0, 2.0)),
    ("epsilon", "White: of the king's paths to the edge; Black: unused", (0.0, 3.0)),
];

/// Genes beyond ± this play as ± this, so that every sum is finite and below [`BOUND`].
const LARGEST: f64 = 1e9;

/// No evaluation is beyond ± this.
pub(super) const BOUND: f64 = 1e12;

const _: () = assert!(LARGEST * (16.0 + 8.0 + 8.0 + 4.0 + 4.0) < BOUND);

/// The names of the features, by side, in the order of the genes.
const FEATURES: [&[&str]; 2] =
    [&["blacks", "whites", "distance", "beside", "paths"], &["blacks", "whites", "around", "sighted"]];

/// The weights of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evaluation {
    /// By side, the signed weight of each feature.
    weights: [[f64; 5]; 2],
}

/// The genome of the game.
pub(super) fn genome(name: &str) -> Result<Genome, PlayerError> {
    if name != GENOME {
        return Err(unknown(name));
    }
    let parameter = |(name, meaning, initial): (&str, &str, _)| Parameter {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        domain: Domain::Real { initial, bounds: None },
    };
    Ok(Genome { name: GENOME.to_owned(), parameters: GENES.map(parameter).to_vec() })
}

/// There is neither a player nor a genome of this name.
pub(super) fn unknown(name: &str) -> PlayerError {
    let known = format!("{} and the genome {GENOME}", super::player::NAMES.join(", "));
    PlayerError::UnknownGenome { game: super::NAME, given: shorten(name), known }
}

impl Evaluation {
    /// The player with these genes.
    pub(super) fn new(name: &str, chromosome: &Chromosome) -> Result<Self, PlayerError> {
        let Genome { name, parameters } = genome(name)?;
        chromosome.check(&parameters).map_err(|reason| PlayerError::Chromosome { genome: name, reason })?;
        let mut genes = [0.0; 5];
        for (weight, gene) in genes.iter_mut().zip(&chromosome.0) {
            *weight = match *gene {
                Gene::Real(value) => value,
                Gene::Int(value) => f64::from(value),
            };
        }
        Ok(Self::of(genes))
    }

    /// The player with these values of alpha, beta, gamma, theta and epsilon, all finite.
    pub(super) fn of(genes: [f64; 5]) -> Self {
        let [alpha, beta, gamma, theta, epsilon] = genes.map(|gene| gene.clamp(-LARGEST, LARGEST));
        Self { weights: [[-alpha, beta, gamma, -theta, epsilon], [alpha, -beta, gamma, theta, 0.0]] }
    }

    /// What a side thinks of a position: the weighted features, added from the first to the last.
    #[inline]
    pub(super) fn score(&self, position: &Position, side: Side) -> f64 {
        let mut sum = 0.0;
        for (weight, feature) in self.weights[side.index()].iter().zip(features(position, side)) {
            sum += weight * f64::from(feature);
        }
        sum
    }

    /// Name, value and signed weight of every feature of a side.
    pub(super) fn explain(&self, position: &Position, side: Side) -> Vec<(&'static str, f64, f64)> {
        let values = features(position, side).map(f64::from);
        let weights = self.weights[side.index()];
        FEATURES[side.index()]
            .iter()
            .zip(values)
            .zip(weights)
            .map(|((name, value), weight)| (*name, value, weight))
            .collect()
    }
}

/// The features of a side's formula in the order of the genes; Black's last one is always 0.
#[inline]
pub(super) fn features(position: &Position, side: Side) -> [u32; 5] {
    let Position { white, black, king, .. } = *position;
    let (blacks, whites) = (black.count_ones(), white.count_ones());
    match side {
        Side::First => {
            let distance = king.column().abs_diff(THRONE.column()) + king.row().abs_diff(THRONE.row());
            let beside = (black & neighbours(king)).count_ones();
            [blacks, whites, distance.into(), beside, board::paths(king)]
        }
        Side::Second => {
            let around = black & board::around(king);
            let (_, seen) = board::sight(king, position.occupied() | THRONE.bit());
            [blacks, whites, around.count_ones(), (seen & black).count_ones(), 0]
        }
    }
}

#[cfg(test)]
mod tests;
