//! The resolved spec, variation and selection of genomes, stopping, turnover and fingerprints.
//!
//! Pure: a [`Run`] is made from a [`ResolvedSpec`] and reads nothing else. [`Run::first`] gives the
//! first [`Generation`]; the results of its games, in pairing order, give its [`Turnover`] with the
//! standings and the next generation. Playing the games, storing and handing out are others' work.

mod canonical;
pub mod defaults;
mod generation;
mod genes;
mod individual;
mod injection;
mod operators;
mod ranking;
mod run;
mod seats;
mod setting;
pub mod spec;
mod speed;
mod state;
mod strategy;
mod turnover;

pub use canonical::Malformed;
pub use generation::{Generation, GenerationError};
pub use individual::{Individual, Origin};
pub use ranking::Standing;
pub use run::Run;
pub use setting::Setting;
pub use spec::{Difference, FieldError, ResolvedSpec, SpecError};
pub use turnover::{Next, StopReason, Turnover, TurnoverInProgress};

/// Raised whenever any population, rating or fingerprint could differ from what an earlier build
/// gave. Runs pin it, golden tests guard it.
pub const SEMANTICS_VERSION: u32 = 1;
