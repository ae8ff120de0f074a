//! Who plays whom, packed results, standings and Elo.
//!
//! Pure: pairing `k` of a generation is a function of its [`ScheduleSpec`] and `k`, standings are a
//! function of the results in pairing order. Playing the games is the engine's work, ranking and
//! breeding are evolution's.

mod circle;
pub mod elo;
pub mod format;
mod gauntlet;
pub mod packed;
pub mod pairs;
pub mod schedule;
pub mod sprt;
pub mod standing;

pub use elo::Elo;
pub use format::{Format, GauntletSide};
pub use packed::PackedError;
pub use pairs::{Difference, Pairs};
pub use schedule::{Schedule, ScheduleError, ScheduleSpec};
pub use sprt::{Decision, Sprt, SprtError};
pub use standing::{Standing, Standings, Tally};
