//! What a player thinks of a move, beside the best one.

use super::bitboard::{Bitboard, Square};
use super::cpu::{Cpu, Level, Task};
use super::evaluation::Evaluation;
use super::player::{DEEPEST, Player};
use super::position::Position;
use super::search::{Choices, Found, Searcher};
use crate::player::{PlayerError, PlayerSpec};
use crate::variant::Search;

/// A move and the best one, both valued by the same search. Values are the mover's: an evaluation,
/// or beyond ±[`WON`](super::WON) a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The value of the move that was asked about.
    pub value: i32,
    /// The first of the best moves in the order a1 b1 … h8.
    pub best: Square,
    /// Its value.
    pub best_value: i32,
}

/// A player with an evaluation, who judges moves.
///
/// ```
/// use kembara_engine::othello::{Judge, Level, Position};
/// use kembara_engine::{PlayerName, registry};
///
/// let othello = registry::game("othello").unwrap();
/// let player = PlayerName::parse("oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3", othello).unwrap().player;
/// let mut judge = Judge::new(Level::best(), &player).unwrap();
/// let judgement = judge.judge(Position::START, "f5".parse().unwrap(), 5).unwrap();
/// // At the start all moves are mirror images of each other, and the first one is played.
/// assert_eq!((judgement.value, judgement.best.to_string()), (judgement.best_value, "d3".to_owned()));
/// ```
pub struct Judge {
    level: Level,
    evaluation: Evaluation,
    searcher: Searcher,
}

impl Judge {
    /// Makes a player ready.
    ///
    /// # Errors
    /// [`PlayerError`] when the player does not belong to the game or has no evaluation.
    pub fn new(level: Level, player: &PlayerSpec) -> Result<Self, PlayerError> {
        match Player::new(player)? {
            Player::Evolved(evaluation) => Ok(Self { level, evaluation, searcher: Searcher::new(Search::Fast) }),
            Player::Random | Player::Greedy => Err(PlayerError::NoEvaluation(player.to_string())),
        }
    }

    /// Values a move and the best one, `depth` plies deep (brought into 1..=60); `None` when the move
    /// is illegal.
    pub fn judge(&mut self, position: Position, square: Square, depth: u8) -> Option<Judgement> {
        let moves = self.level.run(Moves(position));
        if !moves.contains(square) {
            return None;
        }
        let best = self.found(Choices { position, moves }, depth);
        // With one move to choose from the search can only value that one.
        let value = match best.square == square {
            true => best.value,
            false => self.found(Choices { position, moves: square.bit() }, depth).value,
        };
        Some(Judgement { value, best: best.square, best_value: best.value })
    }

    fn found(&mut self, choices: Choices, depth: u8) -> Found {
        let depth = depth.clamp(1, DEEPEST);
        self.level.run(Find { searcher: &mut self.searcher, evaluation: &self.evaluation, choices, depth })
    }
}

struct Moves(Position);

impl Task for Moves {
    type Output = Bitboard;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Bitboard {
        self.0.moves(cpu)
    }
}

struct Find<'a> {
    searcher: &'a mut Searcher,
    evaluation: &'a Evaluation,
    choices: Choices,
    depth: u8,
}

impl Task for Find<'_> {
    type Output = Found;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Found {
        self.searcher.at_depth(cpu, self.evaluation, self.choices, self.depth)
    }
}
