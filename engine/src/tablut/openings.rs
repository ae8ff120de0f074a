//! Where games begin: the start position, every position of so many plies, or given lines.
//!
//! Positions of so many plies count up to the eight turns and mirrors of the board. Each comes with
//! the line of moves that is first, in the order of the moves' names, among all lines to it and to
//! its images, and the list is in the order of these lines. Games already over are left out: there
//! are none so early.

use super::board::{Square, Squares, image};
use super::course::Course;
use super::notation;
use super::position::{Move, Position};
use crate::Openings;
use crate::arena::ArenaError;
use std::collections::HashSet;
use std::sync::OnceLock;

/// The deepest list of openings: 3 plies have tens of thousands, 4 would have some hundred thousand.
pub(super) const MOST_PLIES: u8 = 3;

/// An opening: the moves to it and the game at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) moves: Box<[Move]>,
    pub(super) course: Course,
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
    let moves = notation::line(text)?;
    if moves.is_empty() {
        return Err("the line has no moves; write them as in e3-a3 a4-b4".to_owned());
    }
    let mut course = Course::new();
    for (ply, action) in (1..).zip(&moves) {
        let fault = |reason: String| format!("move {ply} `{action}`: {reason}");
        if course.outcome().is_some() {
            return Err(fault("the game is over before it".to_owned()));
        }
        if !course.position().allows(*action) {
            return Err(fault(notation::why_illegal(course.position(), *action)));
        }
        course.play(*action);
    }
    if course.outcome().is_some() {
        return Err("the game is over at the end of the line".to_owned());
    }
    Ok(Opening { moves: moves.into(), course })
}

fn of_plies(plies: u8) -> &'static [Opening] {
    static LISTS: [OnceLock<Vec<Opening>>; MOST_PLIES as usize + 1] = [const { OnceLock::new() }; _];
    LISTS[usize::from(plies)].get_or_init(|| list(plies))
}

/// Extends the openings of one ply less, in order, by every move, in order, and keeps the first line
/// to each position. The first line to a position extends the first line to the position before it,
/// or a line with that prefix would come earlier.
fn list(plies: u8) -> Vec<Opening> {
    if plies == 0 {
        return vec![Opening { moves: Box::default(), course: Course::new() }];
    }
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    for shorter in of_plies(plies - 1) {
        for action in shorter.course.position().moves() {
            let mut course = shorter.course.clone();
            course.play(action);
            if course.outcome().is_none() && seen.insert(canonical(course.position())) {
                let moves = shorter.moves.iter().copied().chain([action]).collect();
                openings.push(Opening { moves, course });
            }
        }
    }
    openings
}

/// The same for all images of a position with the same side to move, and for no other.
fn canonical(position: &Position) -> (u128, u128, Square) {
    let images = |symmetry: u8| {
        let all = |squares| Squares(squares).fold(0, |set, square| set | image(square, symmetry).bit());
        (all(position.white), all(position.black), image(position.king, symmetry))
    };
    (0..8).map(images).min().expect("there are eight images")
}

#[cfg(test)]
mod tests;
