//! Results of a range of games as bytes, for reports and the database.
//!
//! Each game is two numbers, each in as few bytes as it needs (seven bits a byte, lowest first, the
//! high bit set on all but the last byte):
//!
//! 1. 3 · z + o, with o the outcome (0, 1, 2: half points of the first player) and z the first
//!    player's margin folded as 0, −1, 1, −2, 2, … → 0, 1, 2, 3, 4, …;
//! 2. the plies.
//!
//! An Othello game takes two bytes, or three when the margin is above 20 or so. Every list of
//! results has exactly one encoding, so equal bytes and equal results are the same thing.

use kembara_engine::{GameResult, Outcome};

/// The fewest bytes a game takes.
pub const SHORTEST_GAME: usize = 2;
/// The most bytes a game takes.
pub const LONGEST_GAME: usize = 6;

/// Why bytes are not the packed results of so many games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackedError {
    /// Too few or too many bytes for the number of games, whatever their content.
    #[error("{bytes} bytes cannot hold the results of {games} games, which take 2 to 6 bytes each")]
    Size {
        /// Bytes given.
        bytes: usize,
        /// Games expected.
        games: u32,
    },
    /// The bytes end within a game.
    #[error("the bytes end within game {game} of {games}")]
    Truncated {
        /// The game's place, from 0.
        game: u32,
        /// Games expected.
        games: u32,
    },
    /// Bytes are left after the last game.
    #[error("{left} bytes are left after the last of {games} games")]
    Trailing {
        /// Bytes left.
        left: usize,
        /// Games expected.
        games: u32,
    },
    /// A number takes more bytes than it needs.
    #[error("game {game} holds a number that takes more bytes than it needs")]
    NotShortest {
        /// The game's place, from 0.
        game: u32,
    },
    /// A number beyond what a margin or a number of plies can be.
    #[error("game {game} holds a number beyond {highest}")]
    TooLarge {
        /// The game's place, from 0.
        game: u32,
        /// The highest number possible there.
        highest: u32,
    },
}

/// Packs results, in their order.
#[must_use]
pub fn pack(results: &[GameResult]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(results.len() * 3);
    for result in results {
        let margin = i32::from(result.margin);
        let folded = ((margin << 1) ^ (margin >> 31)) as u32;
        push(&mut bytes, folded * 3 + u32::from(result.outcome.half_points()));
        push(&mut bytes, u32::from(result.plies));
    }
    bytes
}

/// Reads what [`pack`] wrote for `count` games. Takes no memory before the number of bytes fits the
/// number of games, then eight bytes a game at most.
///
/// # Errors
/// [`PackedError`] for everything that [`pack`] does not write.
pub fn unpack(bytes: &[u8], count: u32) -> Result<Vec<GameResult>, PackedError> {
    let games = count as usize;
    if bytes.len() < games.saturating_mul(SHORTEST_GAME) || bytes.len() > games.saturating_mul(LONGEST_GAME) {
        return Err(PackedError::Size { bytes: bytes.len(), games: count });
    }
    let mut reader = Reader { bytes, games: count };
    let mut results = Vec::with_capacity(games);
    for game in 0..count {
        let head = reader.number(game, u32::from(u16::MAX) * 3 + 2)?;
        let plies = reader.number(game, u32::from(u16::MAX))?;
        let folded = head / 3;
        results.push(GameResult {
            outcome: match head % 3 {
                0 => Outcome::SecondWins,
                1 => Outcome::Draw,
                _ => Outcome::FirstWins,
            },
            margin: ((folded >> 1) as i32 ^ -((folded & 1) as i32)) as i16,
            plies: plies as u16,
        });
    }
    if reader.bytes.is_empty() {
        Ok(results)
    } else {
        Err(PackedError::Trailing { left: reader.bytes.len(), games: count })
    }
}

fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

struct Reader<'a> {
    bytes: &'a [u8],
    games: u32,
}

impl Reader<'_> {
    fn number(&mut self, game: u32, highest: u32) -> Result<u32, PackedError> {
        let mut number = 0;
        // Three bytes hold 21 bits, more than any number here has.
        for shift in [0, 7, 14] {
            let Some((&byte, rest)) = self.bytes.split_first() else {
                return Err(PackedError::Truncated { game, games: self.games });
            };
            self.bytes = rest;
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                if byte == 0 && shift > 0 {
                    return Err(PackedError::NotShortest { game });
                }
                return if number <= highest { Ok(number) } else { Err(PackedError::TooLarge { game, highest }) };
            }
        }
        Err(PackedError::TooLarge { game, highest })
    }
}
