//! The names and genes of GeneThello's chromosome types, in general form.
//!
//! `oe_` followed by the letters of its features, in the order of [`Feature::ALL`]: the game has
//! three stages, parted by the genes `o` and `e`, and every feature has a weight for each stage.
//! Weights are 0..=10; with the prefix `oes_` they are signed, -10..=10, since weights from 0 up
//! cannot say that few discs are good early in the game.
//!
//! A type with patterns says which table it means: `oe_fdmxcp@0123456789ab`. Read without, it means
//! the table that ships with the program, and is named with it from then on.
//!
//! Genes stand in the author's order: `o:e:` and then stage by stage, in `oe_fmc`
//! `o:e:wf1:wm1:wc1:wf2:wm2:wc2:wf3:wm3:wc3`.

use super::OTHELLO_NAME;
use super::pattern::{self, Table};
use crate::chromosome::{Chromosome, Gene};
use crate::game::Genome;
use crate::parameter::{Domain, Parameter};
use crate::player::{PlayerError, shorten};
use std::sync::Arc;

/// What a weight multiplies. Every feature is taken from the mover's side, after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `f`: discs turned by the move.
    Flips,
    /// `d`: own discs minus the opponent's.
    Discs,
    /// `m`: legal moves of the opponent. Its weight counts negative.
    Mobility,
    /// `x`: b2, b7, g2 and g7, own minus the opponent's. Its weight counts negative.
    XSquares,
    /// `y`: as `x`, but each counts only while its corner is empty, which is when it is a danger.
    /// Not one of the author's letters; his note on x-squares asks for it.
    OpenXSquares,
    /// `c`: corners, own minus the opponent's.
    Corners,
    /// `p`: the mean of what the table says of edges and corners, in half discs; see
    /// [`pattern`].
    Patterns,
    /// `r`: for each 8-connected region of empty squares +1 when its size is even, -1 when odd.
    Parity,
}

impl Feature {
    /// All features, in the order of their letters in a genome's name.
    pub const ALL: [Self; 8] = [
        Self::Flips,
        Self::Discs,
        Self::Mobility,
        Self::XSquares,
        Self::OpenXSquares,
        Self::Corners,
        Self::Patterns,
        Self::Parity,
    ];

    /// Its letter in the names of genomes and genes.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Flips => 'f',
            Self::Discs => 'd',
            Self::Mobility => 'm',
            Self::XSquares => 'x',
            Self::OpenXSquares => 'y',
            Self::Corners => 'c',
            Self::Patterns => 'p',
            Self::Parity => 'r',
        }
    }

    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flips => "flips",
            Self::Discs => "discs",
            Self::Mobility => "mobility",
            Self::XSquares => "x-squares",
            Self::OpenXSquares => "open x-squares",
            Self::Corners => "corners",
            Self::Patterns => "patterns",
            Self::Parity => "parity",
        }
    }

    /// +1 where more is better by the author's formula, -1 where its weight counts negative.
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Self::Mobility | Self::XSquares | Self::OpenXSquares => -1,
            Self::Flips | Self::Discs | Self::Corners | Self::Patterns | Self::Parity => 1,
        }
    }

    /// Its place in [`Feature::ALL`].
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

/// A chromosome type of Othello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    /// Whether weights may be negative.
    signed: bool,
    /// Its features, in the order of their letters.
    features: Vec<Feature>,
    /// What patterns are worth, where they are among the features.
    patterns: Option<Arc<Table>>,
}

impl Type {
    /// Reads a genome's name.
    pub(super) fn parse(name: &str) -> Result<Self, PlayerError> {
        let unknown = |known: String| PlayerError::UnknownGenome { game: OTHELLO_NAME, given: shorten(name), known };
        let (letters, table) = match name.split_once('@') {
            Some((letters, id)) => (letters, Some(id)),
            None => (name, None),
        };
        let (signed, letters) = match (letters.strip_prefix("oe_"), letters.strip_prefix("oes_")) {
            (Some(letters), _) => (false, letters),
            (_, Some(letters)) => (true, letters),
            _ => return Err(unknown(known())),
        };
        let mut left = letters.chars().peekable();
        let features: Vec<_> =
            Feature::ALL.into_iter().filter(|feature| left.next_if_eq(&feature.letter()).is_some()).collect();
        if left.next().is_some() || features.is_empty() {
            return Err(unknown(known()));
        }
        let patterns = match (features.contains(&Feature::Patterns), table) {
            (true, None) => Some(pattern::shipped().clone()),
            (true, Some(id)) => Some(pattern::find(id).ok_or_else(|| {
                let tables = pattern::names();
                unknown(format!("the pattern tables {tables}, and others where `--patterns FILE` gives their file"))
            })?),
            (false, None) => None,
            (false, Some(_)) => return Err(unknown(format!("no table for types without `p`, but {}", known()))),
        };
        Ok(Self { signed, features, patterns })
    }

    /// The features, in the order of their genes.
    pub(super) fn features(&self) -> &[Feature] {
        &self.features
    }

    /// What patterns are worth, where they are among the features.
    pub(super) fn patterns(&self) -> Option<&Table> {
        self.patterns.as_deref()
    }

    /// Its name and genes, as the rest of the system knows them.
    pub(super) fn genome(&self) -> Genome {
        let letters: String = self.features.iter().map(|feature| feature.letter()).collect();
        let int = |low, high| Domain::Int { initial: (low, high), bounds: (low, high) };
        let mut parameters = vec![
            Parameter { name: "o".to_owned(), meaning: "last move of the opening".to_owned(), domain: int(1, 20) },
            Parameter { name: "e".to_owned(), meaning: "last move of the middle game".to_owned(), domain: int(41, 60) },
        ];
        for (stage, stage_name) in [(1, "opening"), (2, "middle game"), (3, "end game")] {
            parameters.extend(self.features.iter().map(|feature| Parameter {
                name: format!("w{}{stage}", feature.letter()),
                meaning: format!("weight of {} in the {stage_name}", feature.name()),
                domain: int(if self.signed { -10 } else { 0 }, 10),
            }));
        }
        let mut name = format!("{}{letters}", if self.signed { "oes_" } else { "oe_" });
        if let Some(table) = &self.patterns {
            name += &format!("@{}", table.id());
        }
        Genome { name, parameters }
    }

    /// The genes as whole numbers.
    pub(super) fn values(&self, chromosome: &Chromosome) -> Result<Vec<i32>, PlayerError> {
        let genome = self.genome();
        chromosome
            .check(&genome.parameters)
            .map_err(|reason| PlayerError::Chromosome { genome: genome.name, reason })?;
        // The check has refused real genes: every parameter is a whole number.
        Ok(chromosome
            .0
            .iter()
            .filter_map(|gene| match *gene {
                Gene::Int(value) => Some(value),
                Gene::Real(_) => None,
            })
            .collect())
    }
}

fn known() -> String {
    let letters: String = Feature::ALL.iter().flat_map(|feature| [' ', feature.letter()]).collect();
    format!(
        "`random`, `greedy`, and genomes named `oe_` (or `oes_` for weights of -10..=10) with one or more of{letters} \
         in this order, as in oe_fmc"
    )
}
