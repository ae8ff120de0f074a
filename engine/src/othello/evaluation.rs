//! The score of a move, for its mover: GeneThello's evaluation.
//!
//! wf·flips + wd·discs − wm·mobility − wx·xsquares − wy·openxsquares + wc·corners + wp·patterns + wr·parity, with
//! the weights of the stage that the move's number falls into: up to gene `o` the opening, up to
//! `e` the middle game, then the end game. [`Feature`] defines each term.

use super::bitboard::Bitboard;
use super::genome::{Feature, Type};
use super::position::Position;
use crate::chromosome::Chromosome;
use crate::player::PlayerError;

/// The features that `oe_fdmc` has not.
const RARE: [Feature; 4] = [Feature::XSquares, Feature::OpenXSquares, Feature::Patterns, Feature::Parity];

/// Signed weights of all features, in the order of [`Feature::ALL`].
pub(super) type Weights = [i32; Feature::ALL.len()];

/// A chromosome made ready for play.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    stages: [Weights; 3],
    /// The last move of the opening and of the middle game.
    ends: [u32; 2],
    /// Whether any of [`RARE`] is used: those cost more than the rest together.
    rare: bool,
    kind: Type,
}

/// A move after which the game goes on, as its mover sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    /// The position after it, the opponent to move.
    pub(super) after: Position,
    /// Discs it turned.
    pub(super) flips: u32,
    /// Legal moves of the opponent.
    pub(super) mobility: u32,
}

impl Evaluation {
    pub(super) fn new(genome: &str, chromosome: &Chromosome) -> Result<Self, PlayerError> {
        let kind = Type::parse(genome)?;
        let values = kind.values(chromosome)?;
        let mut stages = [Weights::default(); 3];
        for (stage, genes) in stages.iter_mut().zip(values[2..].chunks_exact(kind.features().len())) {
            for (feature, gene) in kind.features().iter().zip(genes) {
                stage[feature.index()] = feature.sign() * gene;
            }
        }
        Ok(Self {
            stages,
            // The bounds of both genes lie above 0.
            ends: [values[0].unsigned_abs(), values[1].unsigned_abs()],
            rare: kind.features().iter().any(|feature| RARE.contains(feature)),
            kind,
        })
    }

    /// The weights for a move of this number, from 1.
    #[inline(always)]
    pub(super) fn weights(&self, number: u32) -> &Weights {
        &self.stages[usize::from(number > self.ends[0]) + usize::from(number > self.ends[1])]
    }

    /// The score of a move under the weights of its number.
    #[inline(always)]
    pub(super) fn score(&self, weights: &Weights, number: u32, made: Made) -> i32 {
        let Position { own: opponent, other: mover } = made.after;
        let mut score = weights[Feature::Flips.index()] * made.flips as i32
            // The board holds `number + 4` discs.
            + weights[Feature::Discs.index()] * (2 * mover.count() as i32 - number as i32 - 4)
            + weights[Feature::Mobility.index()] * made.mobility as i32
            + weights[Feature::Corners.index()] * difference(mover, opponent, Bitboard::CORNERS);
        if self.rare {
            for feature in RARE {
                let weight = weights[feature.index()];
                if weight != 0 {
                    score += weight * self.value(feature, number, made);
                }
            }
        }
        score
    }

    /// Feature by feature, in the genome's order: the raw value and the signed weight.
    pub(super) fn features(&self, made: Made) -> Vec<(Feature, i32, i32)> {
        let number = made.after.number();
        let weights = self.weights(number);
        let row = |&feature: &Feature| (feature, self.value(feature, number, made), weights[feature.index()]);
        self.kind.features().iter().map(row).collect()
    }

    /// The raw value of one feature.
    #[inline(always)]
    fn value(&self, feature: Feature, number: u32, made: Made) -> i32 {
        let Position { own: opponent, other: mover } = made.after;
        match feature {
            Feature::Flips => made.flips as i32,
            Feature::Discs => difference(mover, opponent, !Bitboard::EMPTY),
            Feature::Mobility => made.mobility as i32,
            Feature::XSquares => difference(mover, opponent, Bitboard::X_SQUARES),
            Feature::OpenXSquares => difference(mover, opponent, beside_corners(made.after.empty())),
            Feature::Corners => difference(mover, opponent, Bitboard::CORNERS),
            Feature::Patterns => self.kind.patterns().map_or(0, |table| table.value(number, mover, opponent)),
            Feature::Parity => made.after.empty().regions().map(|region| 1 - 2 * (region.count() & 1) as i32).sum(),
        }
    }
}

/// The x-squares whose corner is in the set.
fn beside_corners(set: Bitboard) -> Bitboard {
    Bitboard((set & Bitboard::CORNERS).grown().0 & Bitboard::X_SQUARES.0)
}

#[inline(always)]
fn difference(mover: Bitboard, opponent: Bitboard, within: Bitboard) -> i32 {
    (mover & within).count() as i32 - (opponent & within).count() as i32
}
