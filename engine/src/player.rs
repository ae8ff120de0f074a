//! Naming players: `TYPE_BIRTH_CHROMOSOME` in the author's notation, or a player's own name.

use crate::chromosome::{Chromosome, ChromosomeError};
use crate::game::Game;
use std::fmt;

/// A player as the engine plays it.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerSpec {
    /// A player without a chromosome, such as `random`.
    Named(String),
    /// A chromosome of one of the game's genomes.
    Evolved {
        /// The genome's name.
        genome: String,
        /// Its genes.
        chromosome: Chromosome,
    },
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name),
            Self::Evolved { genome, chromosome } => write!(f, "{genome}_{chromosome}"),
        }
    }
}

/// A player as people write it: with the generation it was born in, when they say so.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerName {
    /// The generation it was born in.
    pub birth: Option<u32>,
    /// The player itself.
    pub player: PlayerSpec,
}

/// Why something is not a player of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// Neither a named player nor a genome of the game.
    #[error("{game} has no player or genome named `{given}`; it has {known}")]
    UnknownGenome {
        /// The game asked.
        game: &'static str,
        /// What was given (shortened).
        given: String,
        /// What there is.
        known: String,
    },
    /// The chromosome does not fit its genome.
    #[error("{genome}: {reason}")]
    Chromosome {
        /// The genome's name.
        genome: String,
        /// What does not fit.
        reason: ChromosomeError,
    },
    /// The text has not the shape of a player's name.
    #[error(
        "`{given}` is not a player's name; write TYPE_BIRTH_CHROMOSOME or TYPE_CHROMOSOME, as in oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3, or {known}"
    )]
    Shape {
        /// What was given (shortened).
        given: String,
        /// The named players of the game.
        known: String,
    },
    /// The player has no evaluation to look into.
    #[error("`{0}` has no evaluation to show; name a player with a chromosome")]
    NoEvaluation(String),
    /// A limit or probability the game cannot use.
    #[error("{0}")]
    Conditions(String),
}

/// Longest player text that is looked at, in bytes.
pub const LONGEST_NAME: usize = 1 << 20;

impl PlayerName {
    /// Reads a player of `game` in the author's notation, with or without the birth part.
    ///
    /// The parts are split from the right: the chromosome has no underscore, the birth is digits
    /// only, the rest is the genome's name.
    ///
    /// # Errors
    /// [`PlayerError`] says what does not fit.
    pub fn parse(text: &str, game: &dyn Game) -> Result<Self, PlayerError> {
        let text = text.trim();
        if game.named_players().contains(&text) {
            return Ok(Self { birth: None, player: PlayerSpec::Named(text.to_owned()) });
        }
        let shape = || PlayerError::Shape {
            given: shorten(text),
            known: game.named_players().iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        };
        if text.len() > LONGEST_NAME {
            return Err(shape());
        }
        let (front, genes) = text.rsplit_once('_').ok_or_else(shape)?;
        let (genome, birth) = match front.rsplit_once('_') {
            Some((genome, birth)) if !birth.is_empty() && birth.bytes().all(|byte| byte.is_ascii_digit()) => {
                (genome, Some(birth.parse().map_err(|_| shape())?))
            }
            _ => (front, None),
        };
        let known = game.genome(genome)?;
        let chromosome = Chromosome::parse(genes, &known.parameters)
            .map_err(|reason| PlayerError::Chromosome { genome: genome.to_owned(), reason })?;
        Ok(Self { birth, player: PlayerSpec::Evolved { genome: known.name, chromosome } })
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.player, self.birth) {
            (PlayerSpec::Evolved { genome, chromosome }, Some(birth)) => write!(f, "{genome}_{birth}_{chromosome}"),
            (player, _) => write!(f, "{player}"),
        }
    }
}

/// Cuts text from outside to a length fit for an error message.
#[must_use]
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}
