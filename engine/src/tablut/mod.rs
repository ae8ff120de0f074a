//! Tablut by the Ashton rules, as played in the competition of the University of Bologna.
//!
//! The first player is White, who wants the king on the edge; the second is Black, who wants him
//! taken. There is no margin: a result's margin is 0. Moves are written `e4-f4`. Players and
//! their evaluation are those of a genetic algorithm that was written for this competition.
//!
//! - The board is 9×9, columns a to i, rows 1 to 9, row 1 written first. White has the king on the
//!   throne e5 and eight soldiers, Black sixteen pieces on the camps.
//! - Pieces move like a rook and jump over nothing. Nobody enters or crosses the throne, not even the
//!   king once he has left it. From outside nobody enters or crosses a camp; a piece on a camp may
//!   move through and within camps, but not more than five squares from camp to camp.
//! - A move takes what it encloses, on up to four sides. White takes a black piece against a white
//!   one, the empty throne, or a camp other than a5, e1, i5 and e9. Black takes a soldier against a
//!   black piece, any camp, or the throne. The king on the throne is taken by four, beside it by
//!   three, elsewhere by two or by one against a camp.
//! - How games end, see [`Course::outcome`].
//!
//! ```
//! use kembara_engine::{Conditions, PlayerName, registry};
//!
//! let tablut = registry::game("tablut").unwrap();
//! let player = PlayerName::parse("tablut_1:1.25:4:0.5:2", tablut).unwrap().player;
//! let mut session = tablut.session();
//! session.play("from e3 to a3").unwrap();
//! let choice = session.choose(&player, &Conditions::depth(2), 0).unwrap();
//! session.play(&choice.action).unwrap();
//! assert!(session.transcript().starts_with("1. e3-a3 "));
//! ```

mod arena;
mod board;
mod cells;
mod course;
mod evaluation;
pub mod log;
mod notation;
mod openings;
mod player;
mod position;
mod search;
mod session;

pub use board::Square;
pub use cells::{BoardError, Cell, Turn};
pub use course::{Course, LONGEST_GAME};
pub use position::{Move, Position};
pub use search::WON;

use crate::arena::{Arena, ArenaError, ArenaSpec};
use crate::game::{Game, Genome};
use crate::player::{PlayerError, PlayerSpec};
use crate::session::Session;
use crate::variant::{Search, Variant};

const NAME: &str = "tablut";

/// The game's entry in the registry.
#[derive(Clone, Copy, Debug)]
pub struct Tablut;

impl Game for Tablut {
    fn name(&self) -> &'static str {
        NAME
    }

    fn sides(&self) -> [&'static str; 2] {
        ["white", "black"]
    }

    fn default_genome(&self) -> &'static str {
        evaluation::GENOME
    }

    fn genome(&self, name: &str) -> Result<Genome, PlayerError> {
        evaluation::genome(name)
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

    fn opening_plies(&self) -> u8 {
        openings::MOST_PLIES
    }

    fn usual_depth(&self) -> u8 {
        5
    }

    fn perft(&self, depth: u32, _pass_is_free: bool) -> u64 {
        perft(&Position::START, depth)
    }
}

/// Games that were over before count nothing, and repetition ends none, as in the referee's counts.
fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_moves()),
        _ => position.moves().map(|action| perft(&position.after(action), depth - 1)).sum(),
    }
}
