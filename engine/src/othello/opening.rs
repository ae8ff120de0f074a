//! Where games begin: the start, all positions of some plies up to symmetry, or given lines.

use super::bitboard::Square;
use super::cpu::{Cpu, Level, Task};
use super::notation::{self, Action};
use super::position::Position;
use super::symmetry::canonical;
use crate::arena::{ArenaError, Openings};
use crate::result::Side;
use std::collections::HashSet;
use std::sync::OnceLock;

/// The most plies of [`Openings::Plies`].
const MOST_PLIES: usize = 8;

/// A place to begin, and how it came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) position: Position,
    pub(super) to_move: Side,
    line: Line,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// The first squares of the list; nobody passes that early.
    Short([Square; MOST_PLIES]),
    Given(Vec<Action>),
}

impl Opening {
    const START: Self =
        Self { position: Position::START, to_move: Side::First, line: Line::Short([Square::A1; MOST_PLIES]) };

    /// The moves that lead here, passes included.
    pub(super) fn line(&self) -> Vec<Action> {
        match &self.line {
            Line::Short(squares) => {
                squares[..self.position.number() as usize].iter().copied().map(Action::Place).collect()
            }
            Line::Given(actions) => actions.clone(),
        }
    }
}

/// The openings of an arena.
pub(super) enum Set {
    Shared(&'static [Opening]),
    Own(Vec<Opening>),
}

impl Set {
    pub(super) fn new(openings: &Openings, level: Level) -> Result<Self, ArenaError> {
        match openings {
            Openings::Start => Ok(Self::Shared(&[Opening::START])),
            Openings::Plies(plies) => up_to_symmetry(usize::from(*plies), level).map(Self::Shared).ok_or_else(|| {
                ArenaError::Limit(format!("openings of {plies} plies: the number must be in 1..={MOST_PLIES}"))
            }),
            Openings::Lines(lines) if lines.is_empty() => {
                Err(ArenaError::Limit("the list of opening lines is empty; it needs at least one".to_owned()))
            }
            Openings::Lines(lines) => lines
                .iter()
                .enumerate()
                .map(|(place, line)| level.run(Played { line }).map_err(|reason| ArenaError::Opening { place, reason }))
                .collect::<Result<_, _>>()
                .map(Self::Own),
        }
    }

    pub(super) fn list(&self) -> &[Opening] {
        match self {
            Self::Shared(list) => list,
            Self::Own(list) => list,
        }
    }
}

/// Every position that this many plies reach, one of each class under the board's symmetry.
///
/// The order is that of the search which finds them, ply by ply: the openings of one ply less in
/// their order, and behind each its moves in the order a1 b1 … h8, where the class is new.
fn up_to_symmetry(plies: usize, level: Level) -> Option<&'static [Opening]> {
    static FOUND: [OnceLock<Vec<Opening>>; MOST_PLIES] = [const { OnceLock::new() }; MOST_PLIES];
    let cell = FOUND.get(plies.checked_sub(1)?)?;
    Some(cell.get_or_init(|| {
        let shorter = if plies == 1 { Some([Opening::START].as_slice()) } else { up_to_symmetry(plies - 1, level) };
        level.run(OnePlyMore { shorter: shorter.unwrap_or_default() })
    }))
}

struct OnePlyMore<'a> {
    shorter: &'a [Opening],
}

impl Task for OnePlyMore<'_> {
    type Output = Vec<Opening>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Vec<Opening> {
        // Only asked for membership: the order of the set never shows.
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for opening in self.shorter {
            for square in opening.position.moves(cpu) {
                let position = opening.position.after(square, opening.position.flips(cpu, square));
                if !seen.insert(canonical(position)) {
                    continue;
                }
                let mut line = opening.line.clone();
                if let Line::Short(squares) = &mut line {
                    squares[opening.position.number() as usize] = square;
                }
                found.push(Opening { position, to_move: opening.to_move.other(), line });
            }
        }
        found
    }
}

/// Plays a given line from the start. Forced passes may be named or left out.
struct Played<'a> {
    line: &'a str,
}

impl Task for Played<'_> {
    type Output = Result<Opening, String>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let mut opening = Opening { line: Line::Given(Vec::new()), ..Opening::START };
        let mut played = Vec::new();
        let Opening { position, to_move, .. } = &mut opening;
        for action in notation::parse_line(self.line)? {
            let mut moves = position.moves(cpu);
            let must_pass = moves.is_empty();
            if must_pass {
                *position = position.passed();
                moves = position.moves(cpu);
                if moves.is_empty() {
                    return Err(format!("the game is over before `{action}`"));
                }
                *to_move = to_move.other();
                played.push(Action::Pass);
            }
            match action {
                Action::Pass if must_pass => {}
                Action::Place(square) if moves.contains(square) => {
                    *position = position.after(square, position.flips(cpu, square));
                    *to_move = to_move.other();
                    played.push(action);
                }
                _ => return Err(format!("`{action}` cannot be played as move {}; legal: {moves}", played.len() + 1)),
            }
        }
        if position.moves(cpu).is_empty() && position.passed().moves(cpu).is_empty() {
            return Err("the game is over at its end; an opening must leave a move to play".to_owned());
        }
        opening.line = Line::Given(played);
        Ok(opening)
    }
}
