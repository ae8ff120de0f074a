//! Rules, evaluation, search, players and game records.
//!
//! This crate is pure: no async, no I/O, no database, no ambient randomness, and no clock but for
//! [`Limit::Time`], which no run may use. A game is a function of the two players, the opening, the
//! limits and the game seed, and nothing else.
//!
//! What the other crates see is small: a [`Game`] found by name in the [`registry`], an [`Arena`]
//! of prepared players that plays any meeting of two of them, and a [`Session`], one game played
//! move by move. Everything typed by a particular game stays inside that game's folder.

pub mod arena;
pub mod chromosome;
pub mod connect_four;
pub mod game;
pub mod limit;
pub mod othello;
pub mod parameter;
pub mod player;
pub mod random;
pub mod registry;
pub mod result;
pub mod session;
pub mod tablut;
pub mod variant;

pub use arena::{Arena, ArenaSpec, Meeting, Openings, Table};
pub use chromosome::{Chromosome, Gene};
pub use game::{Game, Genome};
pub use limit::{Conditions, Limit};
pub use parameter::{Domain, Parameter};
pub use player::{PlayerName, PlayerSpec};
pub use result::{GameResult, Outcome, Side};
pub use session::{Choice, MoveScore, Session};
pub use variant::{Bound, Method, Search, Variant};

/// Raised whenever the result of any game could differ from what an earlier build gave.
///
/// Runs pin it, workers announce it, golden tests guard it.
pub const SEMANTICS_VERSION: u32 = 1;
