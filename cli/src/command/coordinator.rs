//! `kembara coordinator`: one coordinator, as a service runs it.

use crate::failure::Done;
use kembara_coordinator::config::CoordinatorArgs;

/// Serves until told to end.
pub fn run(arguments: &CoordinatorArgs) -> Done {
    kembara_coordinator::run(arguments).map_err(Into::into)
}
