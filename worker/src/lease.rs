//! What a coordinator lends: a range of pairings, and the token that gives the right to report it.

use crate::definition::DefinitionHash;
use kembara_proto::v1;
use kembara_tournament::packed;
use std::fmt;
use std::sync::Arc;

/// The most games of one range: their packed results always fit a message.
pub const MOST_GAMES_A_RANGE: u32 = 1 << 17;
const _: () = assert!(MOST_GAMES_A_RANGE as usize * packed::LONGEST_GAME + 4096 < kembara_proto::MAX_MESSAGE_BYTES);

/// A token is a UUID as text; anything longer is refused.
const LONGEST_TOKEN: usize = 64;

/// A run's name in messages is cut to this.
const LONGEST_RUN_NAME: usize = 64;

/// The right to report one range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeaseToken(Arc<str>);

impl LeaseToken {
    /// The token as it travels.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LeaseToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A range that this worker holds.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The right to report it.
    pub token: LeaseToken,
    /// What its games are made from.
    pub definition: DefinitionHash,
    /// Its first pairing.
    pub first: u64,
    /// Its games, 1..=[`MOST_GAMES_A_RANGE`].
    pub count: u32,
    /// The run's name, for logs.
    pub run: Arc<str>,
    /// The generation's number.
    pub generation: u32,
}

/// Why a leased range makes no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeaseError {
    /// No token, or one that is too long to be a UUID.
    #[error("a range came with a token of {0} bytes")]
    Token(usize),
    /// The definition's name is no BLAKE3 hash.
    #[error("a range names a definition of {0} bytes instead of 32")]
    Hash(usize),
    /// Too few or too many games.
    #[error("a range of {0} games; 1 to {MOST_GAMES_A_RANGE} were expected")]
    Count(u32),
    /// The range ends after the generation does.
    #[error("the range {first} + {count} lies beyond the generation's {pairings} games")]
    Beyond {
        /// Its first pairing.
        first: u64,
        /// Its games.
        count: u32,
        /// Games of the generation.
        pairings: u64,
    },
}

impl Lease {
    /// Checks what can be checked without the definition.
    ///
    /// # Errors
    /// [`LeaseError`] together with the token, when there is one to give back.
    pub fn read(range: &v1::LeasedRange) -> Result<Self, (Option<LeaseToken>, LeaseError)> {
        if range.token.is_empty() || range.token.len() > LONGEST_TOKEN {
            return Err((None, LeaseError::Token(range.token.len())));
        }
        let token = LeaseToken(range.token.as_str().into());
        let Ok(hash) = <[u8; 32]>::try_from(&range.definition[..]) else {
            return Err((Some(token), LeaseError::Hash(range.definition.len())));
        };
        if !(1..=MOST_GAMES_A_RANGE).contains(&range.count) {
            return Err((Some(token), LeaseError::Count(range.count)));
        }
        let run: String = range.run.chars().filter(|c| !c.is_control()).take(LONGEST_RUN_NAME).collect();
        Ok(Self {
            token,
            definition: DefinitionHash(hash),
            first: range.first,
            count: range.count,
            run: run.into(),
            generation: range.generation,
        })
    }

    /// Checks that the range lies within its generation.
    ///
    /// # Errors
    /// [`LeaseError::Beyond`].
    pub fn check(&self, pairings: u64) -> Result<(), LeaseError> {
        match self.first.checked_add(u64::from(self.count)) {
            Some(end) if end <= pairings => Ok(()),
            _ => Err(LeaseError::Beyond { first: self.first, count: self.count, pairings }),
        }
    }
}
