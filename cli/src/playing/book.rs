//! An opening book: lines of moves that a player follows as long as the game stays on them.

use crate::failure::Failure;
use crate::text_file;
use kembara_engine::random::Key;
use kembara_engine::{Game, Session, Side};
use std::collections::HashMap;
use std::path::Path;

/// What to play in the positions of the book's lines. Positions are told apart by what stands where
/// and who moves, so lines that meet help each other.
#[derive(Debug)]
pub struct Book {
    /// For each position the moves of the lines that pass it, in the file's order: a move that more
    /// lines play is drawn more often.
    moves: HashMap<(String, Side), Vec<String>>,
}

impl Book {
    /// Reads a file of opening lines, one a line, in the game's notation.
    pub fn read(path: &Path, game: &dyn Game) -> Result<Self, Failure> {
        let mut moves: HashMap<_, Vec<_>> = HashMap::new();
        for line in text_file::read(path, "opening lines")? {
            let wrong = |why: String| Failure::usage(format!("{}, line {}: {why}", path.display(), line.number));
            let mut played = game.session();
            played.play_line(&line.text).map_err(|error| wrong(error.to_string()))?;
            let mut session = game.session();
            for action in played.moves() {
                if let Some(place) = place(session.as_ref()) {
                    moves.entry(place).or_default().push(action.clone());
                }
                session.play(action).map_err(|error| wrong(error.to_string()))?;
            }
        }
        Ok(Self { moves })
    }

    /// A move of the book in this position, if it knows one; the seed decides between several.
    pub fn choose(&self, session: &dyn Session, seed: u64) -> Option<String> {
        let known = self.moves.get(&place(session)?)?;
        let ply = session.moves().len() as u64;
        let drawn = Key::new(seed, 0, "book move").stream(ply).below(known.len() as u64);
        usize::try_from(drawn).ok().and_then(|drawn| known.get(drawn)).cloned()
    }
}

fn place(session: &dyn Session) -> Option<(String, Side)> {
    Some((session.board(), session.to_move()?))
}
