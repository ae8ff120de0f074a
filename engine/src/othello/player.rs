//! Players made ready for play, and how each chooses its move.

use super::OTHELLO_NAME;
use super::bitboard::Square;
use super::clock;
use super::cpu::Cpu;
use super::evaluation::Evaluation;
use super::search::{Choices, Searcher};
use crate::limit::{Conditions, Limit};
use crate::player::{PlayerError, PlayerSpec, shorten};
use crate::random;
use crate::result::Side;

/// The players without a chromosome.
pub(super) const NAMED: [&str; 2] = ["random", "greedy"];

/// The deepest search that can be asked for: the board has 60 empty squares.
pub(super) const DEEPEST: u8 = 60;

/// A player made ready for play.
#[derive(Clone, Debug)]
pub(super) enum Player {
    /// `random`: every legal move is equally likely.
    Random,
    /// `greedy`: turns the most discs it can; of equal moves the first in the order a1 b1 … h8.
    Greedy,
    /// Searches with a chromosome's evaluation.
    Evolved(Evaluation),
}

impl Player {
    pub(super) fn new(spec: &PlayerSpec) -> Result<Self, PlayerError> {
        match spec {
            PlayerSpec::Named(name) => match name.as_str() {
                "random" => Ok(Self::Random),
                "greedy" => Ok(Self::Greedy),
                _ => Err(PlayerError::UnknownGenome {
                    game: OTHELLO_NAME,
                    given: shorten(name),
                    known: NAMED.map(|name| format!("`{name}`")).join(", "),
                }),
            },
            PlayerSpec::Evolved { genome, chromosome } => Evaluation::new(genome, chromosome).map(Self::Evolved),
        }
    }
}

/// Checks the conditions of one side.
pub(super) fn check_conditions(conditions: &Conditions) -> Result<(), String> {
    match conditions.limit {
        Limit::Depth(depth) if !(1..=DEEPEST).contains(&depth) => Err(format!("depth {depth} is not in 1..={DEEPEST}")),
        Limit::Nodes(0) => Err("a search needs at least 1 node".to_owned()),
        _ if !(0.0..=1.0).contains(&conditions.epsilon) => {
            Err(format!("epsilon {} is not in 0..=1", conditions.epsilon))
        }
        _ => Ok(()),
    }
}

/// A move, and what is known of the search behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) square: Square,
    /// For the mover, when it was searched.
    pub(super) value: Option<i32>,
    pub(super) nodes: u64,
    pub(super) depth: u8,
}

/// Everything one side plays by.
#[derive(Clone, Copy)]
pub(super) struct Seat<'a> {
    pub(super) player: &'a Player,
    pub(super) conditions: &'a Conditions,
    pub(super) side: Side,
    pub(super) seed: u64,
}

impl Seat<'_> {
    /// Chooses among the moves of a position.
    ///
    /// Chance comes from one stream a side and ply: first whether the move is replaced (drawn only
    /// where epsilon is above 0), then which legal move it is.
    #[inline(always)]
    pub(super) fn choose<C: Cpu>(&self, cpu: C, searcher: &mut Searcher, choices: Choices) -> Chosen {
        let epsilon = self.conditions.epsilon;
        if epsilon > 0.0 || matches!(self.player, Player::Random) {
            let mut stream = random::in_game(self.seed, self.side, choices.position.number() as u16);
            if (epsilon > 0.0 && stream.chance(epsilon)) || matches!(self.player, Player::Random) {
                return Chosen::unsearched(drawn(&mut stream, choices));
            }
        }
        let Player::Evolved(evaluation) = self.player else {
            return Chosen::unsearched(greediest(cpu, choices));
        };
        let found = match self.conditions.limit {
            Limit::Depth(depth) => searcher.at_depth(cpu, evaluation, choices, depth),
            Limit::Nodes(nodes) => searcher.within_nodes(cpu, evaluation, choices, nodes),
            // Nobody waits for a forced move.
            Limit::Time(_) if choices.moves.without_first().is_empty() => {
                searcher.at_depth(cpu, evaluation, choices, 1)
            }
            Limit::Time(time) => searcher.until(cpu, evaluation, choices, clock::stop_after(time)),
        };
        Chosen { square: found.square, value: Some(found.value), nodes: searcher.nodes(), depth: found.depth }
    }
}

impl Chosen {
    fn unsearched(square: Square) -> Self {
        Self { square, value: None, nodes: 0, depth: 0 }
    }
}

#[cold]
fn drawn(stream: &mut random::Stream, choices: Choices) -> Square {
    let place = stream.below(u64::from(choices.moves.count())) as u32;
    choices.moves.nth(place).unwrap_or(Square::A1)
}

fn greediest<C: Cpu>(cpu: C, choices: Choices) -> Square {
    let mut best = (Square::A1, 0);
    for square in choices.moves {
        let flips = choices.position.flips(cpu, square).count();
        if flips > best.1 {
            best = (square, flips);
        }
    }
    best.0
}
