//! The game written down.

use super::seats::Seats;
use crate::failure::Failure;
use kembara_engine::othello::{notation, record};
use kembara_engine::{Session, Side};
use std::fmt::Write;
use std::path::Path;

/// How the game ended, in words; `None` while it goes on.
pub fn ending(seats: &Seats, session: &dyn Session) -> Option<String> {
    let result = session.result()?;
    let who = match result.outcome.winner() {
        Some(side) => format!("{} wins", seats.side(side)),
        None => "a draw".to_owned(),
    };
    Some(session.score().map_or(who.clone(), |score| format!("{score}, {who}")))
}

/// What a game is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Who played, the result, the transcript.
    Text,
    /// Smart Game Format.
    Sgf,
    /// The format of Othello servers.
    Ggf,
}

impl Form {
    /// What a file of this name holds.
    pub fn of(path: &Path, seats: &Seats) -> Result<Self, Failure> {
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let form = match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("sgf") => Self::Sgf,
            Some("ggf") => Self::Ggf,
            _ => return Ok(Self::Text),
        };
        if seats.game.name() != "othello" {
            return Err(Failure::usage(format!(
                "{}: only games of othello are written as SGF and GGF; name a .txt file",
                path.display()
            )));
        }
        Ok(form)
    }

    /// Writes the game down.
    pub fn write(self, seats: &Seats, session: &dyn Session) -> Result<String, Failure> {
        Ok(match self {
            Self::Text => text(seats, session),
            Self::Sgf => record::sgf(&othello(seats, session)?),
            Self::Ggf => record::ggf(&othello(seats, session)?),
        })
    }
}

fn othello(seats: &Seats, session: &dyn Session) -> Result<record::Record, Failure> {
    let moves = session.moves().iter().filter_map(|action| notation::parse_action(action));
    let mut game = record::Record::new(record::Start::STANDARD, moves)
        .map_err(|error| Failure::failed(format!("the game's own record is wrong: {error}")))?;
    game.players = [Side::First, Side::Second].map(|side| seats.name(side));
    game.place = "Kembara".to_owned();
    Ok(game)
}

fn text(seats: &Seats, session: &dyn Session) -> String {
    let mut text = String::new();
    for side in [Side::First, Side::Second] {
        let _ = writeln!(text, "{}", seats.line(side));
    }
    let result = ending(seats, session).unwrap_or_else(|| "unfinished".to_owned());
    let _ = writeln!(text, "result  {result}");
    text + session.transcript().trim_end() + "\n"
}
