//! The games there are: one line each.

use crate::game::Game;

/// Every game, in the order in which they are listed to people.
#[must_use]
pub fn games() -> &'static [&'static dyn Game] {
    &[&crate::othello::Othello, &crate::connect_four::ConnectFour, &crate::tablut::Tablut]
}

/// The game of this name.
#[must_use]
pub fn game(name: &str) -> Option<&'static dyn Game> {
    games().iter().copied().find(|game| game.name() == name)
}

/// The names of all games, for error messages.
#[must_use]
pub fn names() -> String {
    games().iter().map(|game| game.name()).collect::<Vec<_>>().join(", ")
}
