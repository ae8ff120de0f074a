//! What an evolvable player thinks of a position, from its genes. The terms are in [`genome`](super::genome).

use super::genome::{Feature, Kind, STAGES};
use super::position::{BOARD, Column, ODD_ROWS, Position, completions, open_threes, open_twos};
use crate::Side;
use crate::chromosome::{Chromosome, Gene};
use crate::player::PlayerError;

const FEATURES: usize = Feature::ALL.len();

/// The genes of one player, ready for use.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Evaluation {
    opening_ends: u8,
    middle_ends: u8,
    /// By stage, then in the order of [`Feature::ALL`]; 0 for features the type leaves out.
    weights: [[i32; FEATURES]; STAGES.len()],
    /// The features the type weighs, in order.
    features: Vec<Feature>,
}

/// No sum of features reaches this: 60 squares and pairs of them at 7 weights of at most 10.
pub(super) const EVALUATION_BOUND: i32 = 100_000;

impl Evaluation {
    /// Checks a chromosome and takes it apart.
    pub(super) fn new(genome: &str, chromosome: &Chromosome) -> Result<Self, PlayerError> {
        let kind = Kind::parse(genome)?;
        chromosome
            .check(&kind.genome(genome).parameters)
            .map_err(|reason| PlayerError::Chromosome { genome: genome.to_owned(), reason })?;
        // The check has found whole numbers in the parameters' number and bounds.
        let genes: Vec<i32> = chromosome
            .0
            .iter()
            .filter_map(|gene| match gene {
                Gene::Int(value) => Some(*value),
                Gene::Real(_) => None,
            })
            .collect();
        let (limits, weighed) = genes.split_at(2);
        let mut weights = [[0; FEATURES]; STAGES.len()];
        for (stage, values) in weights.iter_mut().zip(weighed.chunks_exact(kind.features.len())) {
            for (feature, value) in kind.features.iter().zip(values) {
                stage[*feature as usize] = *value;
            }
        }
        Ok(Self { opening_ends: limits[0] as u8, middle_ends: limits[1] as u8, weights, features: kind.features })
    }

    fn weights_after(&self, plies: u8) -> &[i32; FEATURES] {
        let stage = usize::from(plies > self.opening_ends) + usize::from(plies > self.middle_ends);
        &self.weights[stage]
    }

    /// The score of the move that led here, for its mover.
    #[inline]
    pub(super) fn score(&self, position: &Position) -> i32 {
        let features = features(position);
        let weights = self.weights_after(position.plies());
        features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    }

    /// Name, value and weight of every feature of the move that led here.
    pub(super) fn explain(&self, position: &Position) -> Vec<(&'static str, f64, f64)> {
        let values = features(position);
        let weights = self.weights_after(position.plies());
        let row = |feature: &Feature| {
            let place = *feature as usize;
            (feature.name(), f64::from(values[place]), f64::from(weights[place]))
        };
        self.features.iter().map(row).collect()
    }
}

/// All features for the side that moved last, in the order of [`Feature::ALL`].
#[inline]
fn features(position: &Position) -> [i32; FEATURES] {
    let (mover, opponent) = (position.other(), position.own());
    let (empty, playable) = (position.empty(), position.playable());
    let threats = [completions(mover) & empty, completions(opponent) & empty];
    let difference =
        |count: fn(u64, u64) -> u32, squares| count(mover, squares) as i32 - count(opponent, squares) as i32;
    let threats_on =
        |squares: u64| (threats[0] & squares).count_ones() as i32 - (threats[1] & squares).count_ones() as i32;
    // The mover is the side that is not to move now.
    let (odd, even) = match position.to_move() {
        Side::Second => ((threats[0] & ODD_ROWS).count_ones() as i32, -((threats[1] & !ODD_ROWS).count_ones() as i32)),
        Side::First => (-((threats[1] & ODD_ROWS).count_ones() as i32), (threats[0] & !ODD_ROWS).count_ones() as i32),
    };
    [
        threats_on(BOARD),
        threats_on(playable),
        difference(open_threes, empty),
        difference(open_twos, empty),
        odd,
        even,
        centrality(mover) - centrality(opponent),
    ]
}

/// 3 for every stone in the middle column, less 1 for each column away.
const fn centrality(stones: u64) -> i32 {
    const WITHIN: [u64; 3] = {
        let mut sets = [0; 3];
        let mut place = 0;
        while place < Column::ALL.len() {
            let column = Column::ALL[place];
            let mut distance = column.distance() as usize;
            while distance < sets.len() {
                sets[distance] |= column.squares();
                distance += 1;
            }
            place += 1;
        }
        sets
    };
    ((stones & WITHIN[0]).count_ones() + (stones & WITHIN[1]).count_ones() + (stones & WITHIN[2]).count_ones()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect_four::naive::{Grid, random_lines};
    use crate::connect_four::notation;

    fn after(line: &str) -> [i32; FEATURES] {
        features(&notation::line(line).unwrap().1)
    }

    #[test]
    fn a_stone_counts_by_its_nearness_to_the_centre() {
        assert_eq!(after("4")[Feature::Centre as usize], 3);
        assert_eq!(after("43")[Feature::Centre as usize], 2 - 3);
        assert_eq!(after("1")[Feature::Centre as usize], 0);
    }

    #[test]
    fn three_on_the_floor_with_free_ends_are_an_open_three_with_two_threats() {
        // Yellow has 2, 3 and 4 of the bottom row, red 2 and 3 of the second.
        let features = after("33224");
        assert_eq!(features[Feature::Threats as usize], 2);
        assert_eq!(features[Feature::ThreatsNow as usize], 2);
        assert_eq!(features[Feature::OpenThrees as usize], 1);
        assert_eq!(features[Feature::OddThreats as usize], 2, "row 1 is odd and the mover began");
        assert_eq!(features[Feature::EvenThreats as usize], 0);
        // Each of yellow's pairs has a stone at one end; red's pair has both ends free.
        assert_eq!(features[Feature::OpenTwos as usize], -1);
        assert_eq!(features[Feature::Centre as usize], (3 + 2 + 1) - (2 + 1));
    }

    #[test]
    fn features_are_what_a_plain_grid_counts() {
        let mut met = [false; FEATURES];
        for line in random_lines(10, 3000).filter(|line| !line.is_empty()) {
            let position = line.iter().fold(Position::START, |position, column| position.after(*column));
            let counted = Grid::of(&line).features();
            assert_eq!(features(&position), counted, "{line:?}");
            assert_eq!(features(&position.mirrored()), counted, "{line:?}");
            for (met, feature) in met.iter_mut().zip(counted) {
                *met |= feature != 0;
            }
        }
        assert_eq!(met, [true; FEATURES]);
    }

    #[test]
    fn stages_follow_the_number_of_stones() {
        let kind = Kind::parse("c4_c").unwrap();
        let genome = kind.genome("c4_c");
        let chromosome = Chromosome::parse("2:29:1:2:3", &genome.parameters).unwrap();
        let evaluation = Evaluation::new("c4_c", &chromosome).unwrap();
        let weight = |plies| evaluation.weights_after(plies)[Feature::Centre as usize];
        assert_eq!([weight(1), weight(2), weight(3), weight(29), weight(30), weight(42)], [1, 1, 2, 2, 3, 3]);
    }
}
