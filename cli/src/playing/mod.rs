//! What playing at a terminal and playing through a protocol share: a machine that chooses moves,
//! its opening book, and reading lines from whoever is at the other end.

mod book;
mod input;
mod machine;

pub use book::Book;
pub use input::{Heard, Input};
pub use machine::Machine;

use kembara_engine::{Game, Search, Session};

/// A game from the start in which our players search as fast as they can.
pub fn session(game: &dyn Game) -> Box<dyn Session> {
    let mut session = game.session();
    session.search_with(Search::Fast);
    session
}

/// Text from outside as one line without control characters, cut to a length fit for an answer.
pub fn plain(text: &str) -> String {
    const LONGEST: usize = 200;
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}
