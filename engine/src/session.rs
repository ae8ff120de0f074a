//! One game played move by move: for people, protocols, replays and analysis.

use crate::limit::Conditions;
use crate::player::{PlayerError, PlayerSpec};
use crate::result::{GameResult, Side};
use crate::variant::Search;

/// A move that a player chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// In the game's notation.
    pub action: String,
    /// The value the search gave it, for its mover; `None` for players that do not search.
    pub value: Option<f64>,
    /// Nodes visited.
    pub nodes: u64,
    /// Plies searched in full.
    pub depth: u8,
}

/// The one-ply score of a legal move, feature by feature.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveScore {
    /// In the game's notation.
    pub action: String,
    /// The sum, for the mover.
    pub score: f64,
    /// Name, raw value and signed weight of every feature, in the genome's order.
    pub features: Vec<(&'static str, f64, f64)>,
}

/// A move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` cannot be played at ply {ply}: {reason}")]
pub struct IllegalMove {
    /// What was given (shortened).
    pub given: String,
    /// The ply at which it was given, from 1.
    pub ply: usize,
    /// Why not, with the legal moves.
    pub reason: String,
}

/// One game in progress.
pub trait Session: Send {
    /// Who is to move, or `None` when the game is over.
    fn to_move(&self) -> Option<Side>;

    /// The result, once the game is over.
    fn result(&self) -> Option<GameResult>;

    /// Legal moves in the game's canonical order; a forced pass is a move of its own.
    fn legal(&self) -> Vec<String>;

    /// Plays a move given in any notation the game reads.
    ///
    /// # Errors
    /// [`IllegalMove`]; the position is unchanged.
    fn play(&mut self, action: &str) -> Result<(), IllegalMove>;

    /// Takes the last move back; false at the start.
    fn undo(&mut self) -> bool;

    /// The moves so far, in the game's notation, passes named.
    fn moves(&self) -> &[String];

    /// The board as text, several lines, with coordinates.
    fn board(&self) -> String;

    /// Has players search in this way from now on.
    fn search_with(&mut self, search: Search);

    /// Lets a player choose a move in this position.
    ///
    /// # Errors
    /// [`PlayerError`] when the player does not belong to the game.
    ///
    /// # Panics
    /// When the game is over.
    fn choose(&self, player: &PlayerSpec, conditions: &Conditions, seed: u64) -> Result<Choice, PlayerError>;

    /// Scores every legal move one ply deep, feature by feature.
    ///
    /// # Errors
    /// [`PlayerError`] when the player does not belong to the game or has no evaluation.
    fn evaluate(&self, player: &PlayerSpec) -> Result<Vec<MoveScore>, PlayerError>;

    /// Plays a line of moves written in any way the game reads: a list, run together, or a
    /// transcript with its numbers.
    ///
    /// # Errors
    /// [`IllegalMove`]; the moves before it stay played.
    fn play_line(&mut self, line: &str) -> Result<(), IllegalMove>;

    /// The score the way the game's people write it, the first player's before the second's
    /// (Othello: raw discs, `24-40`); `None` for games without one.
    fn score(&self) -> Option<String>;

    /// The transcript the way the game's people write it.
    fn transcript(&self) -> String;
}
