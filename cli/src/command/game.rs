//! Reading a game and its players from the command line.

use super::players;
use crate::failure::Failure;
use kembara_engine::player::shorten;
use kembara_engine::{Game, PlayerName, registry};

/// The game of this name.
pub fn find(name: &str) -> Result<&'static dyn Game, Failure> {
    registry::game(name).ok_or_else(|| {
        Failure::usage(format!("there is no game `{}`; there are: {}", shorten(name), registry::names()))
    })
}

/// A player of a game: by its name, or by its place in a players file as in `champions.txt#12` and
/// `champions.txt#last`.
pub fn player(text: &str, game: &dyn Game) -> Result<PlayerName, Failure> {
    if let Some((file, which)) = text.trim().rsplit_once('#') {
        return players::of_file(file, which, game);
    }
    PlayerName::parse(text, game).map_err(|error| Failure::usage(format!("not a player of {}: {error}", game.name())))
}

/// A seed as people write it.
pub fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a whole number from 0 to {}", u64::MAX))
}
