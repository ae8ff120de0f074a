//! Games as the competition's referee logs them.
//!
//! A log is lines of a Java logger: every second one begins with a level such as `FINE:`. It says who
//! plays, then the state at the start and after every move (nine rows, a line `-`, whose turn it
//! is), and before each state the move. A player who answers nothing moves `from null to null`:
//! that forfeits the game, and no state follows.

use super::cells::{Cell, Turn};
use super::course::Course;
use super::notation;
use super::position::{Move, Position};
use crate::player::shorten;
use crate::result::{Outcome, Side};

/// Longest log that is looked at, in bytes: the longest game has about half.
pub const LONGEST_LOG: usize = 1 << 20;

/// A game read from a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The names of White and Black.
    pub players: [String; 2],
    /// The moves.
    pub moves: Vec<Move>,
    /// How it ended.
    pub ending: Ending,
}

/// How a logged game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Finished(Outcome),
    /// This side gave no move: the other one wins.
    Forfeit(Side),
    /// The log stops while the game goes on.
    Unfinished,
}

/// Why text is not a log of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

/// Reads a log and plays it again: every move must be legal, and every state it shows must come out.
///
/// # Errors
/// [`LogError`] names the first line that does not fit.
pub fn read(text: &str) -> Result<Log, LogError> {
    if text.len() > LONGEST_LOG {
        return Err(LogError { line: 1, reason: format!("the log is longer than {LONGEST_LOG} bytes") });
    }
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let mut reader = Reader { players: None, course: Course::new(), moves: Vec::new(), forfeit: None };
    let mut rest = lines.as_slice();
    while !rest.is_empty() {
        let before = lines.len() - rest.len();
        let used = reader.take(rest).map_err(|(after, reason)| LogError { line: before + after + 1, reason })?;
        rest = &rest[used..];
    }
    reader.finish().map_err(|reason| LogError { line: lines.len().max(1), reason })
}

struct Reader {
    players: Option<[String; 2]>,
    course: Course,
    moves: Vec<Move>,
    forfeit: Option<Side>,
}

/// The offset of the offending line, and what is wrong with it.
type Fault = (usize, String);

impl Reader {
    /// Takes in what begins at the first of these lines; returns how many it used.
    fn take(&mut self, lines: &[&str]) -> Result<usize, Fault> {
        let here = |reason: String| (0, reason);
        // Other lines say when and where the next one was logged.
        let Some((_, said)) = lines[0].split_once(": ").filter(|(level, _)| is_level(level)) else { return Ok(1) };
        if said == "Stato:" {
            return self.state(&lines[1..]).map_err(|(after, reason)| (after + 1, reason)).map(|used| used + 1);
        }
        if let Some(names) = said.strip_prefix("Players:") {
            let (white, black) =
                names.split_once("\tvs\t").ok_or_else(|| here("expected the names of two players".to_owned()))?;
            self.players = Some([white, black].map(|name| name.trim().to_owned()));
        } else if let Some(turn) = said.strip_prefix("Turn: ") {
            self.turn(turn).map_err(here)?;
        }
        Ok(1)
    }

    fn turn(&mut self, said: &str) -> Result<(), String> {
        let (letters, what) = said.split_once(" Pawn ").ok_or("expected whose turn it is and a move")?;
        let side = Turn::from_letters(letters).and_then(Turn::to_move).ok_or("expected the turn of W or B")?;
        let position = self.course.position();
        if side != position.to_move() || self.course.outcome().is_some() || self.forfeit.is_some() {
            return Err(format!("{letters} is not to move here"));
        }
        if what == "from null to null" {
            self.forfeit = Some(side);
            return Ok(());
        }
        let action = notation::action(what)?;
        if !position.allows(action) {
            return Err(notation::why_illegal(position, action));
        }
        self.course.play(action);
        self.moves.push(action);
        Ok(())
    }

    /// Compares a written state with the one that comes out here.
    fn state(&self, lines: &[&str]) -> Result<usize, Fault> {
        const ROWS: usize = 9;
        let Some(written) = lines.get(..ROWS + 2) else {
            return Err((lines.len(), "the log ends within a state".to_owned()));
        };
        let rows = written[..ROWS]
            .iter()
            .zip(0..)
            .map(|(row, place)| {
                let cells: Option<Vec<_>> = row.chars().take(ROWS + 1).map(Cell::from_letter).collect();
                cells.ok_or_else(|| (place, format!("`{}` is not a row of a board", shorten(row))))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let turn = Turn::from_letters(written[ROWS + 1])
            .ok_or_else(|| (ROWS + 1, format!("`{}` is nobody's turn", shorten(written[ROWS + 1]))))?;
        let position = self.course.position();
        let shown = Position::from_cells(&rows, position.to_move()).map_err(|error| (0, error.to_string()))?;
        if shown.to_cells() != position.to_cells() {
            return Err((0, format!("the board should be\n{}", notation::board(position))));
        }
        let expected = Turn::new(position.to_move(), self.course.outcome());
        if turn != expected {
            return Err((ROWS + 1, format!("the turn should be {}, not {}", expected.letters(), turn.letters())));
        }
        Ok(ROWS + 2)
    }

    fn finish(self) -> Result<Log, String> {
        let players = self.players.ok_or("the log does not say who plays")?;
        let ending = match (self.forfeit, self.course.outcome()) {
            (Some(side), _) => Ending::Forfeit(side),
            (None, Some(outcome)) => Ending::Finished(outcome),
            (None, None) => Ending::Unfinished,
        };
        Ok(Log { players, moves: self.moves, ending })
    }
}

/// Whether a word is a level of the logger.
fn is_level(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
