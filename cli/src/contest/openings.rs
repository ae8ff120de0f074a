//! Openings that people choose.

use crate::failure::Failure;
use crate::text_file;
use kembara_engine::{Game, Openings};
use std::path::Path;

/// Reads a file of opening lines, one a line, in the game's notation.
pub fn read(path: &Path, game: &dyn Game) -> Result<Openings, Failure> {
    let lines = text_file::read(path, "opening lines")?;
    let played = lines.into_iter().map(|line| {
        let wrong = |why: String| Failure::usage(format!("{}, line {}: {why}", path.display(), line.number));
        let mut session = game.session();
        session.play_line(&line.text).map_err(|error| wrong(error.to_string()))?;
        if session.to_move().is_none() {
            return Err(wrong("the game is over at its end; an opening must leave a move to play".to_owned()));
        }
        Ok(session.moves().join(" "))
    });
    Ok(Openings::Lines(played.collect::<Result<_, _>>()?))
}
