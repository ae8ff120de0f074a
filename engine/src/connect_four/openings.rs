//! Where games begin: the empty board, every position of so many plies, or given lines.
//!
//! Positions of so many plies count up to the mirror image, games already over are left out. Each
//! comes with the line of moves that is first in the order of the digits among all lines to it and
//! to its mirror image, and the list is in the order of these lines. So plies 1 has four openings,
//! 1 2 3 4, and later lists extend earlier ones.

use super::notation;
use super::position::{Column, Position};
use crate::Openings;
use crate::arena::ArenaError;
use std::collections::HashSet;
use std::sync::OnceLock;

/// The deepest list of openings.
pub(super) const MOST_PLIES: u8 = 8;

/// An opening: the moves to it and the position there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) moves: Box<[Column]>,
    pub(super) position: Position,
}

/// The openings of an arena.
pub(super) enum Book {
    /// Shared by all arenas: made once.
    Listed(&'static [Opening]),
    /// Of one arena.
    Given(Vec<Opening>),
}

impl Book {
    pub(super) fn new(openings: &Openings) -> Result<Self, ArenaError> {
        match openings {
            Openings::Start => Ok(Self::Listed(of_plies(0))),
            Openings::Plies(plies @ 1..=MOST_PLIES) => Ok(Self::Listed(of_plies(*plies))),
            Openings::Plies(plies) => {
                Err(ArenaError::Limit(format!("openings of {plies} plies: the number must be in 1..={MOST_PLIES}")))
            }
            Openings::Lines(lines) if lines.is_empty() => {
                Err(ArenaError::Limit("the list of opening lines is empty; it needs at least one".to_owned()))
            }
            Openings::Lines(lines) => lines
                .iter()
                .enumerate()
                .map(|(place, text)| given(text).map_err(|reason| ArenaError::Opening { place, reason }))
                .collect::<Result<_, _>>()
                .map(Self::Given),
        }
    }

    pub(super) fn openings(&self) -> &[Opening] {
        match self {
            Self::Listed(openings) => openings,
            Self::Given(openings) => openings,
        }
    }
}

fn given(text: &str) -> Result<Opening, String> {
    let (moves, position) = notation::line(text)?;
    if moves.is_empty() {
        return Err("the line has no moves; write columns as in 4453".to_owned());
    }
    if position.result().is_some() {
        return Err("the game is over at the end of the line".to_owned());
    }
    Ok(Opening { moves: moves.into(), position })
}

fn of_plies(plies: u8) -> &'static [Opening] {
    static LISTS: [OnceLock<Vec<Opening>>; MOST_PLIES as usize + 1] = [const { OnceLock::new() }; _];
    LISTS[usize::from(plies)].get_or_init(|| list(plies))
}

/// Extends the openings of one ply less, in order, by every column, in order, and keeps the first
/// line to each position. The first line to a position extends the first line to the position
/// before it, or a line with that prefix would come earlier.
fn list(plies: u8) -> Vec<Opening> {
    if plies == 0 {
        return vec![Opening { moves: Box::default(), position: Position::START }];
    }
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for shorter in of_plies(plies - 1) {
        for column in shorter.position.columns() {
            let position = shorter.position.after(column);
            if position.result().is_none() && seen.insert(position.symmetric_key()) {
                let moves = shorter.moves.iter().copied().chain([column]).collect();
                openings.push(Opening { moves, position });
            }
        }
    }
    openings
}

#[cfg(test)]
mod tests;
