//! Games written down, and the file they are saved to.

use super::Contest;
use crate::failure::{Done, Failure};
use kembara_engine::{GameResult, Side};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A game as people read it.
pub struct Written {
    /// Moves the author's way, a line for each pair of moves.
    pub transcript: String,
    /// The score in the game's words, where it has one.
    pub score: Option<String>,
}

/// Writes the moves of a game.
pub fn write(played: &Contest, moves: &[String]) -> Result<Written, Failure> {
    let mut session = played.game.session();
    for action in moves {
        session.play(action).map_err(|error| Failure::failed(format!("the game's own record is wrong: {error}")))?;
    }
    Ok(Written { transcript: session.transcript(), score: session.score() })
}

/// How a game ended, in words: `24-40, white wins`.
pub fn ending(played: &Contest, written: &Written, result: &GameResult) -> String {
    let who = match result.outcome.winner() {
        Some(side) => format!("{} wins", played.game.sides()[side.index()]),
        None => "a draw".to_owned(),
    };
    match &written.score {
        Some(score) => format!("{score}, {who}"),
        None => who,
    }
}

/// The whole record of one game, headed by who played.
pub fn block(
    played: &Contest,
    number: u64,
    first: usize,
    moves: &[String],
    result: &GameResult,
) -> Result<String, Failure> {
    let written = write(played, moves)?;
    let mut text = format!("Game {number}\n");
    for side in [Side::First, Side::Second] {
        let player = first ^ side.index();
        let _ = writeln!(text, "{}", player_line(played, side, player));
    }
    let _ = writeln!(text, "result  {}", ending(played, &written, result));
    Ok(text + &written.transcript + "\n")
}

/// `black   oe_fmc_1_14:49:…  depth 9`
pub fn player_line(played: &Contest, side: Side, player: usize) -> String {
    let name = played.game.sides()[side.index()];
    format!("{name:<6}  {}  {}", played.players[player], played.search(player))
}

/// A file that appears when it is complete.
pub struct Save {
    path: PathBuf,
    file: NamedTempFile,
}

impl Save {
    /// Prepares to write; finds out at once when the place cannot be written to.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let unwritable =
            |error: &dyn std::fmt::Display| Failure::failed(format!("cannot write {}: {error}", path.display()));
        // The file takes the place of what is there. A link stays, and a device or a pipe does too.
        let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match std::fs::metadata(path) {
            Ok(about) if about.is_dir() => return Err(unwritable(&"it is a folder; name a file")),
            Ok(about) if !about.is_file() => return Err(unwritable(&"it is not a plain file; name a file")),
            _ => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).map_err(|error| unwritable(&error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Adds text, or bytes.
    pub fn add(&mut self, text: impl AsRef<[u8]>) -> Done {
        self.file.write_all(text.as_ref()).map_err(|error| self.failed(&error))
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Done {
        use std::os::unix::fs::PermissionsExt;
        let place = || -> std::io::Result<()> {
            // Temporary files are private; a saved game is an ordinary file.
            self.file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
            Ok(())
        };
        place().map_err(|error| self.failed(&error))?;
        let path = self.path;
        match self.file.persist(&path) {
            Ok(_) => Ok(()),
            Err(error) => Err(Failure::failed(format!("cannot write {}: {}", path.display(), error.error))),
        }
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        Failure::failed(format!("cannot write {}: {error}", self.path.display()))
    }
}
