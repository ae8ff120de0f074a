//! What the rest of the system knows of a game.

use crate::arena::{Arena, ArenaSpec};
use crate::parameter::Parameter;
use crate::player::{PlayerError, PlayerSpec};
use crate::session::Session;
use crate::variant::Search;

/// An evolvable evaluation of a game: its name and its genes.
#[derive(Clone, Debug, PartialEq)]
pub struct Genome {
    /// The chromosome's type, as in player names: `oe_fmc`.
    pub name: String,
    /// One per gene, in order.
    pub parameters: Vec<Parameter>,
}

/// A game of the registry. Object-safe: everything typed by the game stays behind it.
pub trait Game: Send + Sync {
    /// The name in specs and commands: `othello`.
    fn name(&self) -> &'static str;

    /// What the game calls its first and second player: `["black", "white"]`.
    fn sides(&self) -> [&'static str; 2];

    /// The genome new runs take when their spec names none.
    fn default_genome(&self) -> &'static str;

    /// The genome of this name.
    ///
    /// # Errors
    /// [`PlayerError::UnknownGenome`] says which names the game has.
    fn genome(&self, name: &str) -> Result<Genome, PlayerError>;

    /// The players that need no chromosome, such as `random`.
    fn named_players(&self) -> &'static [&'static str];

    /// Prepares players for play.
    ///
    /// # Errors
    /// [`ArenaError`](crate::arena::ArenaError) when a player, a limit or an opening does not fit the game.
    fn arena(&self, spec: &ArenaSpec) -> Result<Box<dyn Arena>, crate::arena::ArenaError>;

    /// As [`Game::arena`], with the players searching in a chosen way. A game that has one way only
    /// keeps to it.
    ///
    /// # Errors
    /// As [`Game::arena`].
    fn arena_with(&self, spec: &ArenaSpec, search: Search) -> Result<Box<dyn Arena>, crate::arena::ArenaError> {
        let _ = search;
        self.arena(spec)
    }

    /// A game from the start position, to be played move by move.
    fn session(&self) -> Box<dyn Session>;

    /// Checks that a player belongs to this game.
    ///
    /// # Errors
    /// [`PlayerError`] names what does not fit.
    fn check_player(&self, player: &PlayerSpec) -> Result<(), PlayerError>;

    /// The most plies of [`Openings::Plies`](crate::Openings::Plies), up to 8; also how many there are
    /// where nobody says how many.
    fn opening_plies(&self) -> u8 {
        8
    }

    /// The depth that a single game is played at where nobody says how deep.
    fn usual_depth(&self) -> u8 {
        9
    }

    /// Counts move sequences of `depth` plies from the start. A game that was over before is one
    /// leaf or none, as in the numbers published for the game (Othello: one, Connect Four: none).
    ///
    /// With `pass_is_free` a pass costs no depth (games without passes ignore it).
    fn perft(&self, depth: u32, pass_is_free: bool) -> u64;
}
