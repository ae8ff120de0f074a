//! Playing a written list of moves by the rules.

use super::start::Start;
use crate::othello::bitboard::Bitboard;
use crate::othello::cpu::{Cpu, Level, Task};
use crate::othello::notation::Action;
use crate::othello::position::Position;
use crate::result::Side;
use std::fmt;

/// The most entries of a list: a game has 60 moves, and a pass needs a move before it.
pub(super) const MAX_PLIES: usize = 200;

/// A move as it was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    pub(super) action: Action,
    /// Whose it is said to be, where the format says so.
    pub(super) colour: Option<Side>,
    /// Where it was written.
    pub(super) at: usize,
}

/// A legal game: all moves, passes named, and the last board.
pub(super) struct Played {
    pub(super) moves: Vec<Action>,
    pub(super) end: Start,
}

/// A move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// Its place in the game, passes counted, from 1.
    pub ply: usize,
    /// The move.
    pub action: Action,
    /// The board it was to be played on.
    pub board: Start,
    /// Which rule it breaks.
    pub reason: Reason,
}

/// The rule that a move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The game is over.
    Over,
    /// It is the other side's turn.
    OthersTurn,
    /// It turns no disc, or its square is taken.
    NoMove,
}

impl std::error::Error for Illegal {}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [mover, other] = match self.board.to_move() {
            Side::First => ["black", "white"],
            Side::Second => ["white", "black"],
        };
        let moves = self.board.moves();
        let Self { ply, action, board, .. } = self;
        match self.reason {
            Reason::Over => write!(f, "ply {ply}: `{action}` comes after the end of the game")?,
            Reason::OthersTurn => write!(f, "ply {ply}: {other} plays `{action}`, but it is {mover}'s turn")?,
            Reason::NoMove => {
                write!(f, "ply {ply}: {mover} cannot play `{action}`; the legal moves are {moves}")?;
            }
        }
        write!(f, "; board {board}")
    }
}

/// Plays the list; on trouble tells which entry it was.
pub(super) fn play(start: Start, plies: &[Ply]) -> Result<Played, (usize, Illegal)> {
    Level::best().run(Play { start, plies })
}

struct Play<'a> {
    start: Start,
    plies: &'a [Ply],
}

impl Task for Play<'_> {
    type Output = Result<Played, (usize, Illegal)>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let mut position = self.start.position();
        let mut side = self.start.to_move();
        let mut moves = Vec::with_capacity(self.plies.len());
        for (entry, ply) in self.plies.iter().enumerate() {
            let mut legal = position.moves(cpu);
            let mut over = false;
            if legal.is_empty() {
                let passed = position.passed();
                legal = passed.moves(cpu);
                over = legal.is_empty();
                if over && ply.action == Action::Pass {
                    // Some programs write that neither side could go on.
                    continue;
                }
                if !over {
                    moves.push(Action::Pass);
                    if ply.action == Action::Pass && ply.colour.is_none_or(|colour| colour == side) {
                        (position, side) = (passed, side.other());
                        continue;
                    }
                    (position, side) = (passed, side.other());
                }
            }
            let placed = match ply.action {
                Action::Place(square) if legal.contains(square) => Some(square),
                _ => None,
            };
            let reason = match placed {
                _ if over => Reason::Over,
                _ if ply.colour.is_some_and(|colour| colour != side) => Reason::OthersTurn,
                None => Reason::NoMove,
                Some(square) => {
                    position = position.after(square, position.flips(cpu, square));
                    side = side.other();
                    moves.push(ply.action);
                    continue;
                }
            };
            let board = Start::seen_by(side, position);
            return Err((entry, Illegal { ply: moves.len() + 1, action: ply.action, board, reason }));
        }
        Ok(Played { moves, end: Start::seen_by(side, position) })
    }
}

/// The boards of a legal game, the start first.
pub(super) fn boards(start: Start, moves: &[Action]) -> Vec<Start> {
    Level::best().run(Boards { start, moves })
}

struct Boards<'a> {
    start: Start,
    moves: &'a [Action],
}

impl Task for Boards<'_> {
    type Output = Vec<Start>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Vec<Start> {
        let mut position = self.start.position();
        let mut side = self.start.to_move();
        let mut boards = vec![self.start];
        for action in self.moves {
            position = next(cpu, position, *action);
            side = side.other();
            boards.push(Start::seen_by(side, position));
        }
        boards
    }
}

#[inline(always)]
fn next<C: Cpu>(cpu: C, position: Position, action: Action) -> Position {
    match action {
        Action::Pass => position.passed(),
        Action::Place(square) => {
            let flips: Bitboard = position.flips(cpu, square);
            position.after(square, flips)
        }
    }
}
