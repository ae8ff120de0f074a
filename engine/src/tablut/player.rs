//! The players: those with a name, and those with a chromosome.
//!
//! - `random` draws uniformly from the legal moves.
//! - `greedy` looks one ply ahead: it wins if it can, else takes as many pieces as it can. Of equal
//!   moves it plays the first in the order of their names.
//! - `classic` is the reference player: it searches with the means of the genes' initial ranges,
//!   `1:1:5:1:1.5`. It is who the original's genetic algorithm plays against here.
//! - A chromosome plays by its [`evaluation`](super::evaluation) and [`search`](super::search).

use super::course::Course;
use super::evaluation::Evaluation;
use super::position::Move;
use super::search::{self, DEEPEST};
use crate::limit::{Conditions, Limit};
use crate::player::{PlayerError, PlayerSpec};
use crate::random;
use crate::variant::Variant;

/// Names of the players without a chromosome.
pub(super) const NAMES: &[&str] = &["random", "greedy", "classic"];

/// The genes of `classic`.
const CLASSIC: [f64; 5] = [1.0, 1.0, 5.0, 1.0, 1.5];

/// A player ready to move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Player {
    Random,
    Greedy,
    Searching(Evaluation),
}

/// A chosen move, and what the search says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chosen {
    pub(super) action: Move,
    /// For the mover, when it was searched.
    pub(super) value: Option<f64>,
    pub(super) nodes: u64,
    pub(super) depth: u8,
}

impl Chosen {
    const fn unsearched(action: Move) -> Self {
        Self { action, value: None, nodes: 0, depth: 0 }
    }
}

impl Player {
    pub(super) fn new(spec: &PlayerSpec) -> Result<Self, PlayerError> {
        match spec {
            PlayerSpec::Named(name) => match name.as_str() {
                "random" => Ok(Self::Random),
                "greedy" => Ok(Self::Greedy),
                "classic" => Ok(Self::Searching(Evaluation::of(CLASSIC))),
                _ => Err(super::evaluation::unknown(name)),
            },
            PlayerSpec::Evolved { genome, chromosome } => Evaluation::new(genome, chromosome).map(Self::Searching),
        }
    }

    /// Lets a player choose. Every draw comes from the game's seed, the side and the ply. The course
    /// is the same again afterwards.
    ///
    /// # Panics
    /// When the game is over.
    pub(super) fn choose(&self, course: &mut Course, conditions: &Conditions, seed: u64, variant: Variant) -> Chosen {
        let mut chance = random::in_game(seed, course.position().to_move(), course.plies());
        if conditions.epsilon > 0.0 && chance.chance(conditions.epsilon) {
            return Chosen::unsearched(any(course, &mut chance));
        }
        match self {
            Self::Random => Chosen::unsearched(any(course, &mut chance)),
            Self::Greedy => Chosen::unsearched(greedy(course)),
            Self::Searching(evaluation) => {
                let found = search::best(evaluation, course, conditions.limit, variant);
                Chosen { action: found.action, value: Some(found.value), nodes: found.nodes, depth: found.depth }
            }
        }
    }
}

/// Whether players can keep to these conditions.
pub(super) fn check_conditions(conditions: &Conditions) -> Result<(), String> {
    match conditions.limit {
        Limit::Depth(1..=DEEPEST) | Limit::Nodes(1..) | Limit::Time(_) => {}
        Limit::Depth(depth) => return Err(format!("depth {depth} is not in 1..={DEEPEST}")),
        Limit::Nodes(_) => return Err("a search needs at least 1 node".to_owned()),
    }
    if (0.0..=1.0).contains(&conditions.epsilon) {
        Ok(())
    } else {
        Err(format!("epsilon {} is not in 0..=1", conditions.epsilon))
    }
}

fn any(course: &Course, chance: &mut random::Stream) -> Move {
    let position = course.position();
    let place = chance.below(u64::from(position.count_moves())) as usize;
    position.moves().nth(place).expect("the place is below the number of moves")
}

fn greedy(course: &mut Course) -> Move {
    let side = course.position().to_move();
    let mut best: Option<(Move, u32)> = None;
    for action in course.position().moves() {
        let taken = course.play(action);
        let won = course.outcome().is_some_and(|outcome| outcome.winner() == Some(side));
        course.undo();
        if won {
            return action;
        }
        if best.is_none_or(|(_, most)| taken > most) {
            best = Some((action, taken));
        }
    }
    best.expect("a game that is not over has a move").0
}
