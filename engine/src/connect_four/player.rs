//! The players: those with a name, and those with a chromosome.
//!
//! - `random` draws uniformly from the legal moves.
//! - `greedy` looks one ply ahead: it wins if it can; else it plays where the opponent would win at
//!   once, if it must; else the column nearest the centre. Of equal moves it takes the first in the
//!   order 4 3 5 2 6 1 7. It does not see that its move may give the opponent a win above it.
//! - `forza4` is the original program's procedure, see [its module](super::forza4). The limit bounds its
//!   searches.
//! - `perfect` plays an exact best move, see [its module](super::perfect): one with the highest score, so the
//!   fastest win or the slowest loss, the first in the order 4 3 5 2 6 1 7. It ignores the limit.
//! - A chromosome plays the move that its evaluation, see [its genes](super::genome), and alpha-beta to
//!   the limit find best; of equal moves it takes the first in the order 4 3 5 2 6 1 7.

use super::evaluation::Evaluation;
use super::forza4;
use super::perfect::Solver;
use super::position::{Column, Position};
use super::search;
use crate::limit::{Conditions, Limit};
use crate::player::{PlayerError, PlayerSpec, shorten};
use crate::random;
use crate::variant::Variant;

/// Names of the players without a chromosome.
pub(super) const NAMES: &[&str] = &["random", "greedy", "forza4", "perfect"];

/// A player ready to move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Player {
    Random,
    Greedy,
    Forza4,
    Perfect,
    Evolved(Evaluation),
}

/// A chosen move, and what the search says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) column: Column,
    pub(super) value: Option<i32>,
    pub(super) nodes: u64,
    pub(super) depth: u8,
}

impl Chosen {
    const fn unsearched(column: Column) -> Self {
        Self { column, value: None, nodes: 0, depth: 0 }
    }
}

impl Player {
    pub(super) fn new(spec: &PlayerSpec) -> Result<Self, PlayerError> {
        match spec {
            PlayerSpec::Named(name) => match name.as_str() {
                "random" => Ok(Self::Random),
                "greedy" => Ok(Self::Greedy),
                "forza4" => Ok(Self::Forza4),
                "perfect" => Ok(Self::Perfect),
                _ => Err(PlayerError::UnknownGenome {
                    game: super::NAME,
                    given: shorten(name),
                    known: format!("{} and chromosomes such as {}", NAMES.join(", "), super::DEFAULT_GENOME),
                }),
            },
            PlayerSpec::Evolved { genome, chromosome } => Evaluation::new(genome, chromosome).map(Self::Evolved),
        }
    }
}

/// Whether players can keep to these conditions.
pub(super) fn check_conditions(conditions: &Conditions) -> Result<(), String> {
    match conditions.limit {
        Limit::Depth(1..=60) | Limit::Nodes(1..) | Limit::Time(_) => {}
        Limit::Depth(depth) => return Err(format!("depth {depth}; it must be in 1..=60")),
        Limit::Nodes(nodes) => return Err(format!("{nodes} nodes; it must be at least 1")),
    }
    if (0.0..=1.0).contains(&conditions.epsilon) {
        Ok(())
    } else {
        Err(format!("epsilon {}; it must be in 0..=1", conditions.epsilon))
    }
}

/// The working memory of whoever moves.
pub(super) struct Thinker {
    /// How evolved players search.
    variant: Variant,
    /// Made when a perfect player first moves. What it remembers are facts of the game, so no game
    /// depends on those played before it.
    solver: Option<Solver>,
}

impl Thinker {
    pub(super) const fn new(variant: Variant) -> Self {
        Self { variant, solver: None }
    }

    /// Lets a player choose. Every draw comes from the game's seed, the side and the ply.
    ///
    /// # Panics
    /// When the game is over.
    pub(super) fn choose(
        &mut self,
        player: &Player,
        position: &Position,
        conditions: &Conditions,
        seed: u64,
    ) -> Chosen {
        let mut chance = random::in_game(seed, position.to_move(), u16::from(position.plies()));
        if conditions.epsilon > 0.0 && chance.chance(conditions.epsilon) {
            return Chosen::unsearched(any(position, &mut chance));
        }
        match player {
            Player::Random => Chosen::unsearched(any(position, &mut chance)),
            Player::Greedy => Chosen::unsearched(greedy(position)),
            Player::Forza4 => {
                let (column, nodes, depth) = forza4::choose(position, conditions.limit, &mut chance);
                Chosen { column, value: None, nodes, depth }
            }
            Player::Perfect => {
                let solver = self.solver.get_or_insert_default();
                let before = solver.nodes();
                let (column, score) = solver.best(position);
                let depth = super::position::SQUARES - position.plies();
                Chosen { column, value: Some(score), nodes: solver.nodes() - before, depth }
            }
            Player::Evolved(evaluation) => {
                let found = search::best(evaluation, position, conditions.limit, self.variant);
                Chosen { column: found.column, value: Some(found.value), nodes: found.nodes, depth: found.depth }
            }
        }
    }
}

fn any(position: &Position, chance: &mut random::Stream) -> Column {
    let count = position.playable().count_ones();
    let place = chance.below(u64::from(count)) as usize;
    position.columns().nth(place).expect("the place is below the number of moves")
}

fn greedy(position: &Position) -> Column {
    let wins = position.wins();
    let threatened = position.threatened();
    let from = [wins, threatened, position.playable()].into_iter().find(|squares| *squares != 0).unwrap_or(0);
    position
        .columns_centre_first()
        .find(|column| column.squares() & from != 0)
        .expect("a game that is not over has a move")
}
