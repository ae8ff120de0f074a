//! Workers as people list them.

use super::{Page, utc};
use crate::store::{Store, StoreError};
use std::time::Duration;

/// A worker's session.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct WorkerRow {
    /// The name it gave itself; need not be unique.
    pub name: String,
    /// Threads that play.
    pub threads: i32,
    /// Its program's version.
    pub version: String,
    /// Its engine's semantics version.
    pub engine_semantics: i32,
    /// Games it knows.
    pub games: Vec<String>,
    /// Games it played, by its own count.
    pub games_played: i64,
    /// Games of it that were recorded.
    pub games_recorded: i64,
    /// Ranges it holds now.
    pub leases: i64,
    /// When it came.
    pub registered_at: String,
    /// When it was last heard of.
    pub seen_at: String,
    /// Seconds since.
    pub silent_seconds: f64,
    /// Whether it is there: heard of lately, and it did not say goodbye.
    pub connected: bool,
}

impl Store {
    /// A page of sessions, the last heard of first, and how many there are. Sessions heard of within
    /// `recent` count as connected.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_workers(&self, recent: Duration, page: Page) -> Result<(Vec<WorkerRow>, i64), StoreError> {
        let rows = sqlx::query_as(concat!(
            "SELECT w.name, w.threads, w.version, w.engine_semantics, w.games, w.games_played, w.games_recorded,
                    (SELECT count(*) FROM leases l WHERE l.session = w.session AND l.state = 'live') AS leases, ",
            utc!("w.registered_at"),
            " AS registered_at, ",
            utc!("w.seen_at"),
            " AS seen_at, extract(epoch FROM greatest(now() - w.seen_at, interval '0'))::float8 AS silent_seconds,
             w.closed_at IS NULL AND w.seen_at > now() - make_interval(secs => $1) AS connected
             FROM workers w ORDER BY connected DESC, w.seen_at DESC, w.session LIMIT $2 OFFSET $3"
        ))
        .bind(recent.as_secs_f64())
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all(self.pool())
        .await?;
        let total = sqlx::query_scalar("SELECT count(*) FROM workers").fetch_one(self.pool()).await?;
        Ok((rows, total))
    }

    /// How many workers are there, and their threads together.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_workforce(&self, recent: Duration) -> Result<(i64, i64), StoreError> {
        let counts = sqlx::query_as(
            "SELECT count(*), coalesce(sum(threads), 0)::bigint FROM workers
             WHERE closed_at IS NULL AND seen_at > now() - make_interval(secs => $1)",
        )
        .bind(recent.as_secs_f64())
        .fetch_one(self.pool())
        .await?;
        Ok(counts)
    }
}
