//! Othello and GeneThello's players.
//!
//! The first player is black. Margins are raw discs; records that give the empty squares to the
//! winner are another convention and say so where they are written.
//!
//! A searched move's value is an evaluation, or beyond ±[`WON`] a finished game: a win is worth `WON`
//! plus its margin.
//!
//! ```
//! use kembara_engine::{Conditions, PlayerName, registry};
//!
//! let othello = registry::game("othello").unwrap();
//! let player = PlayerName::parse("oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3", othello).unwrap().player;
//! let mut session = othello.session();
//! session.play("D3").unwrap();
//! let choice = session.choose(&player, &Conditions::depth(3), 0).unwrap();
//! session.play(&choice.action).unwrap();
//! assert!(session.transcript().starts_with("1. d3 - "));
//! ```

mod arena;
mod bitboard;
mod clock;
mod cpu;
mod evaluation;
mod genome;
mod judge;
pub mod notation;
pub mod obf;
mod opening;
pub mod pattern;
mod perft;
mod player;
mod position;
pub mod record;
mod search;
mod session;
mod symmetry;

pub use bitboard::{Bitboard, NotASquare, Square, Squares};
pub use cpu::Level;
pub use genome::Feature;
pub use judge::{Judge, Judgement};
pub use position::Position;
pub use search::{Solved, Solver, WON};

use crate::arena::{Arena, ArenaError, ArenaSpec};
use crate::game::{Game, Genome};
use crate::player::{PlayerError, PlayerSpec};
use crate::session::Session;
use crate::variant::Search;

const OTHELLO_NAME: &str = "othello";

/// The game, as the registry lists it.
#[derive(Clone, Copy, Debug)]
pub struct Othello;

impl Othello {
    /// As [`Game::arena`], at a chosen CPU level: for tests and benchmarks, since all levels give
    /// the same games.
    ///
    /// # Errors
    /// As [`Game::arena`].
    pub fn arena_at(&self, spec: &ArenaSpec, level: Level) -> Result<Box<dyn Arena>, ArenaError> {
        Ok(Box::new(arena::OthelloArena::new(spec, level, search::DEFAULT)?))
    }
}

impl Game for Othello {
    fn name(&self) -> &'static str {
        OTHELLO_NAME
    }

    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    fn default_genome(&self) -> &'static str {
        "oe_fdmxcp"
    }

    fn genome(&self, name: &str) -> Result<Genome, PlayerError> {
        genome::Type::parse(name).map(|kind| kind.genome())
    }

    fn named_players(&self) -> &'static [&'static str] {
        &player::NAMED
    }

    fn arena(&self, spec: &ArenaSpec) -> Result<Box<dyn Arena>, ArenaError> {
        self.arena_at(spec, Level::best())
    }

    fn arena_with(&self, spec: &ArenaSpec, search: Search) -> Result<Box<dyn Arena>, ArenaError> {
        Ok(Box::new(arena::OthelloArena::new(spec, Level::best(), search)?))
    }

    fn session(&self) -> Box<dyn Session> {
        Box::new(session::OthelloSession::new(Level::best()))
    }

    fn check_player(&self, player: &PlayerSpec) -> Result<(), PlayerError> {
        player::Player::new(player).map(|_| ())
    }

    fn perft(&self, depth: u32, pass_is_free: bool) -> u64 {
        Level::best().run(perft::Perft { position: Position::START, depth, pass_is_free })
    }
}
