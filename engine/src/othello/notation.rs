//! Moves and games as text.
//!
//! A move is a square, `d3`, in either case when read; a forced pass is named `pass`. A transcript
//! is written the way GeneThello's author did, a line for each pair of moves: `1. d3 - c3`.

use super::bitboard::Square;
use crate::player::shorten;

/// What a forced pass is called.
pub const PASS: &str = "pass";

/// One entry of a game's list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A disc on this square.
    Place(Square),
    /// No legal move: the other side goes on.
    Pass,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Place(square) => write!(f, "{square}"),
            Self::Pass => f.write_str(PASS),
        }
    }
}

/// Reads one move.
#[must_use]
pub fn parse_action(text: &str) -> Option<Action> {
    if text.eq_ignore_ascii_case(PASS) { Some(Action::Pass) } else { text.parse().ok().map(Action::Place) }
}

/// Reads a list of moves: `d3c3c4`, `d3 c3 c4` or a transcript with numbers and dashes.
///
/// # Errors
/// Says which part is no move.
pub fn parse_line(text: &str) -> Result<Vec<Action>, String> {
    let mut actions = Vec::new();
    for word in text.split(|letter: char| letter.is_whitespace() || matches!(letter, '-' | ',')) {
        let mut rest = word;
        // Move numbers, with or without a blank behind the dot.
        if let Some((number, behind)) = rest.split_once('.')
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            rest = behind;
        }
        while !rest.is_empty() {
            let (action, behind) = read_action(rest)
                .ok_or_else(|| format!("`{}` is not a move; write squares as in d3, or {PASS}", shorten(rest)))?;
            actions.push(action);
            rest = behind;
        }
    }
    Ok(actions)
}

/// The move a word begins with, and the rest of the word.
fn read_action(word: &str) -> Option<(Action, &str)> {
    for length in [2, PASS.len()] {
        if let Some((front, rest)) = word.split_at_checked(length)
            && let Some(action) = parse_action(front)
        {
            return Some((action, rest));
        }
    }
    None
}

/// The transcript of a game: a line for each pair of moves, the last without a partner alone.
#[must_use]
pub fn transcript(moves: &[String]) -> String {
    let mut text = String::new();
    for (place, pair) in moves.chunks(2).enumerate() {
        text.push_str(&format!("{}. {}\n", place + 1, pair.join(" - ")));
    }
    text
}
