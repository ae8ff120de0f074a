//! The chromosome types of Connect Four and what their genes mean.
//!
//! `c4_` is followed by the letters of the features a type weighs, any of them, in the order
//! t n h w o e c. The genes are the two stage limits o and e, then one weight a letter for each of
//! the three stages: `c4_tc` is o:e:wt1:wc1:wt2:wc2:wt3:wc3. Weights are whole numbers 0..=10, in
//! the signed types, `c4s_`, −10..=10.
//!
//! The move number is the number of stones after the move: up to o the opening's weights count, up
//! to e the middle's, then the end's. The score of a move, for its mover, is the sum of weights
//! times features after the move, each own minus the opponent's:
//! - t threats: empty squares that would complete four, whether a stone can reach them yet or not;
//! - n threats now: those among them that a stone can be thrown to at once;
//! - h open threes: three side by side on a row or diagonal with an empty square at both ends;
//! - w open twos: two side by side on a row or diagonal with an empty square at both ends;
//! - o odd threats: threats of yellow, who began, on the rows 1, 3 and 5: when nobody wants to
//!   move below them, yellow gets the odd rows (Allis 1988, "A knowledge-based approach of
//!   Connect-Four"); for red the same number counts negative;
//! - e even threats: threats of red on the rows 2, 4 and 6; for yellow the same number counts
//!   negative;
//! - c centre: every stone counts 3 in the middle column, 2 beside it, 1 in the next, 0 outside.

use crate::game::Genome;
use crate::parameter::{Domain, Parameter};
use crate::player::{PlayerError, shorten};

/// The prefixes of the genome types and the bounds of their weights.
const FAMILIES: [(&str, (i32, i32)); 2] = [("c4_", (0, 10)), ("c4s_", (-10, 10))];

/// Where the opening may end, in move numbers: within the first third of the game.
const OPENING_ENDS: (i32, i32) = (1, 14);

/// Where the middle may end: within the last third.
const MIDDLE_ENDS: (i32, i32) = (29, 42);

pub(super) const STAGES: [&str; 3] = ["opening", "middle", "end"];

/// A feature of a position after a move. The order is that of the letters in a type's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Threats,
    ThreatsNow,
    OpenThrees,
    OpenTwos,
    OddThreats,
    EvenThreats,
    Centre,
}

impl Feature {
    pub(super) const ALL: [Self; 7] = [
        Self::Threats,
        Self::ThreatsNow,
        Self::OpenThrees,
        Self::OpenTwos,
        Self::OddThreats,
        Self::EvenThreats,
        Self::Centre,
    ];

    const fn letter(self) -> char {
        match self {
            Self::Threats => 't',
            Self::ThreatsNow => 'n',
            Self::OpenThrees => 'h',
            Self::OpenTwos => 'w',
            Self::OddThreats => 'o',
            Self::EvenThreats => 'e',
            Self::Centre => 'c',
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Threats => "threats",
            Self::ThreatsNow => "threats now",
            Self::OpenThrees => "open threes",
            Self::OpenTwos => "open twos",
            Self::OddThreats => "odd threats",
            Self::EvenThreats => "even threats",
            Self::Centre => "centre",
        }
    }
}

/// A chromosome type, taken apart.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kind {
    /// In the order of [`Feature::ALL`], at least one.
    pub(super) features: Vec<Feature>,
    weights: (i32, i32),
}

impl Kind {
    /// Takes a type's name apart.
    pub(super) fn parse(name: &str) -> Result<Self, PlayerError> {
        let known = FAMILIES.into_iter().find_map(|(prefix, weights)| {
            let letters = name.strip_prefix(prefix)?;
            let features: Vec<_> =
                Feature::ALL.into_iter().filter(|feature| letters.contains(feature.letter())).collect();
            let in_order: String = features.iter().map(|feature| feature.letter()).collect();
            (!letters.is_empty() && letters == in_order).then_some(Self { features, weights })
        });
        known.ok_or_else(|| PlayerError::UnknownGenome {
            game: super::NAME,
            given: shorten(name),
            known: format!(
                "{}, and c4_ or c4s_ followed by letters of tnhwoec in that order, as in {}",
                super::player::NAMES.join(", "),
                super::DEFAULT_GENOME
            ),
        })
    }

    /// The genes of this type.
    pub(super) fn genome(&self, name: &str) -> Genome {
        let int = |name: String, meaning: String, range| Parameter {
            name,
            meaning,
            domain: Domain::Int { initial: range, bounds: range },
        };
        let mut parameters = vec![
            int("o".into(), "last move number of the opening".into(), OPENING_ENDS),
            int("e".into(), "last move number of the middle".into(), MIDDLE_ENDS),
        ];
        for (number, stage) in (1..).zip(STAGES) {
            parameters.extend(self.features.iter().map(|feature| {
                let meaning = format!("weight of {} in the {stage}", feature.name());
                int(format!("w{}{number}", feature.letter()), meaning, self.weights)
            }));
        }
        Genome { name: name.to_owned(), parameters }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::chromosome::Chromosome;
    use crate::connect_four::ConnectFour;

    fn names(genome: &str) -> Vec<String> {
        ConnectFour.genome(genome).unwrap().parameters.into_iter().map(|parameter| parameter.name).collect()
    }

    #[test]
    fn genes_stand_stage_by_stage_in_the_order_of_the_letters() {
        assert_eq!(names("c4_tc"), ["o", "e", "wt1", "wc1", "wt2", "wc2", "wt3", "wc3"]);
        assert_eq!(names("c4_tnhwoec").len(), 23);
    }

    #[test]
    fn weights_of_signed_types_go_below_zero_and_others_do_not() {
        let bounds = |name: &str| match ConnectFour.genome(name).unwrap().parameters[2].domain {
            Domain::Int { bounds, .. } => bounds,
            Domain::Real { .. } => unreachable!("all genes are whole numbers"),
        };
        assert_eq!((bounds("c4_t"), bounds("c4s_t")), ((0, 10), (-10, 10)));
        let parameters = ConnectFour.genome("c4_t").unwrap().parameters;
        assert!(Chromosome::parse("14:29:0:10:5", &parameters).is_ok());
        for wrong in
            ["0:29:0:0:0", "15:29:0:0:0", "1:28:0:0:0", "1:43:0:0:0", "1:29:-1:0:0", "1:29:0:0:11", "1:29:0:0", ""]
        {
            assert!(Chromosome::parse(wrong, &parameters).is_err(), "{wrong}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["c4", "c4_", "c4s_", "c4_ct", "c4_tt", "c4_x", "c4_T", "oe_fmc", "C4_t", "", "c4_t c", "c4_\u{0}"]
        {
            let error = ConnectFour.genome(name).unwrap_err().to_string();
            assert!(error.contains("tnhwoec") && error.contains("forza4"), "{name}: {error}");
        }
    }
}
