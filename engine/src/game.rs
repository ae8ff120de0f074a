//! What the rest of the system knows of a game.

use crate::arena::{Arena, ArenaSpec};
use crate::parameter::Parameter;
use crate::player::{PlayerError, PlayerSpec};
use crate::session::Session;

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

    /// A game from the start position, to be played move by move.
    fn session(&self) -> Box<dyn Session>;

    /// Checks that a player belongs to this game.
    ///
    /// # Errors
    /// [`PlayerError`] names what does not fit.
    fn check_player(&self, player: &PlayerSpec) -> Result<(), PlayerError>;

    /// Counts move sequences of `depth` plies from the start. A game that was over before is one
    /// leaf or none, as in the numbers published for the game (Othello: one, Connect Four: none).
    ///
    /// With `pass_is_free` a pass costs no depth (games without passes ignore it).
    fn perft(&self, depth: u32, pass_is_free: bool) -> u64;
}
