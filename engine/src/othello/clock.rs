//! The only clock of the crate, for [`Limit::Time`](crate::Limit::Time): never part of a run.

use super::search::Stop;
use std::time::{Duration, Instant};

/// Says stop once this much time has passed from now.
pub(super) fn stop_after(time: Duration) -> Stop {
    let start = Instant::now();
    Box::new(move || start.elapsed() >= time)
}
