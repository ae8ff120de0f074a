//! Connect Four: seven columns, six rows, four in a line win.
//!
//! Yellow moves first (the rules leave the colours open), red second. There is no margin: a
//! result's margin is 0. Plies are stones. Moves are column numbers, see [`notation`]; players are
//! listed in [`player`], chromosome types in [`genome`].

mod arena;
mod evaluation;
pub mod forza4;
pub mod genome;
#[cfg(test)]
mod naive;
pub mod notation;
mod openings;
pub mod perfect;
pub mod player;
mod position;
mod search;
mod session;
#[cfg(test)]
mod tests;

pub use crate::variant::{Bound, Method, Variant};
pub use perfect::{Solution, Solver};

use crate::arena::{Arena, ArenaError, ArenaSpec};
use crate::game::{Game, Genome};
use crate::player::{PlayerError, PlayerSpec};
use crate::session::Session;
use crate::variant::Search;
use position::Position;

const NAME: &str = "connect-four";
const DEFAULT_GENOME: &str = "c4_tnhwoec";

/// The game's entry in the registry.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFour;

impl Game for ConnectFour {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sides(&self) -> [&'static str; 2] {
        ["yellow", "red"]
    }

    fn default_genome(&self) -> &'static str {
        DEFAULT_GENOME
    }

    fn genome(&self, name: &str) -> Result<Genome, PlayerError> {
        genome::Kind::parse(name).map(|kind| kind.genome(name))
    }

    fn named_players(&self) -> &'static [&'static str] {
        player::NAMES
    }

    fn arena(&self, spec: &ArenaSpec) -> Result<Box<dyn Arena>, ArenaError> {
        Ok(Box::new(arena::Hall::new(spec, Variant::PLAY)?))
    }

    fn arena_with(&self, spec: &ArenaSpec, search: Search) -> Result<Box<dyn Arena>, ArenaError> {
        Ok(Box::new(arena::Hall::new(spec, search.variant(Variant::PLAY))?))
    }

    fn session(&self) -> Box<dyn Session> {
        Box::new(session::Round::new())
    }

    fn check_player(&self, player: &PlayerSpec) -> Result<(), PlayerError> {
        player::Player::new(player).map(|_| ())
    }

    fn perft(&self, depth: u32, _pass_is_free: bool) -> u64 {
        perft(&Position::START, depth)
    }
}

/// Games that were over before count nothing: the counted numbers are of move sequences of exactly
/// this many plies.
fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        1
    } else if position.result().is_some() {
        0
    } else if depth == 1 {
        position.columns().count() as u64
    } else {
        position.columns().map(|column| perft(&position.after(column), depth - 1)).sum()
    }
}
