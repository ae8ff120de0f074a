//! What people ask for: read-only queries, one statement each.
//!
//! Nothing here is part of a run's progress; a view may be a moment old. Numbers come as the
//! database keeps them, never negative unless they are ratings. Times are RFC 3339 text in UTC.

mod generations;
mod hall;
mod individuals;
mod leaderboard;
mod runs;
mod workers;

pub use generations::{Counts, GenerationRow, RangeRow};
pub use hall::{Champion, Population};
pub use individuals::{IndividualRow, LifeRow};
pub use leaderboard::{Order, Sort, StandingRow};
pub use runs::{Pace, RunRow};
pub use workers::WorkerRow;

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// How many rows at most.
    pub limit: u32,
    /// How many rows are left out before them.
    pub offset: u64,
}

impl Page {
    fn limit(self) -> i64 {
        self.limit.into()
    }

    /// No list is longer than Postgres can count.
    fn offset(self) -> i64 {
        i64::try_from(self.offset).unwrap_or(i64::MAX)
    }
}

/// A column with a time, as text.
macro_rules! utc {
    ($column:literal) => {
        concat!("to_char(", $column, " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')")
    };
}
use utc;
