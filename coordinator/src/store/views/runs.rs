//! Runs as people list them, and how fast they go.

use super::{Page, utc};
use crate::store::{RunId, Store, StoreError};
use std::time::Duration;

/// A run without its spec.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct RunRow {
    /// Its row.
    pub id: RunId,
    /// Its name.
    pub name: String,
    /// How far it is: running, paused, stopped, finished.
    pub state: String,
    /// Its game.
    pub game: String,
    /// Its genome.
    pub genome: String,
    /// The generation being played, or the last one.
    pub generation: i32,
    /// Games of that generation.
    pub scheduled: i64,
    /// Those played.
    pub done: i64,
    /// Why it ended.
    pub stop_reason: Option<String>,
    /// When it was launched.
    pub created_at: String,
    /// When it ended.
    pub ended_at: Option<String>,
    /// Seconds from launch to end, or to now.
    pub seconds: f64,
}

/// How fast a run goes and how much it has behind it.
#[derive(Clone, Copy, Debug, PartialEq, sqlx::FromRow)]
pub struct Pace {
    /// Generations turned over.
    pub generations: i64,
    /// Games recorded in all generations.
    pub games: i64,
    /// Games recorded in the last moments.
    pub recent_games: i64,
    /// Seconds that these moments lasted.
    pub recent_seconds: f64,
}

macro_rules! run_rows {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.state, r.game, r.genome, r.current_generation AS generation, g.pairings AS scheduled,
                    (SELECT coalesce(sum(b.count), 0)::bigint FROM batches b
                     WHERE b.run_id = r.id AND b.generation = r.current_generation AND b.state = 'done') AS done,
                    r.stop_reason, ",
            utc!("r.created_at"),
            " AS created_at, ",
            utc!("r.ended_at"),
            " AS ended_at, extract(epoch FROM coalesce(r.ended_at, now()) - r.created_at)::float8 AS seconds
             FROM runs r JOIN generations g ON g.run_id = r.id AND g.number = r.current_generation ",
            $rest
        )
    };
}

impl Store {
    /// A page of runs, the latest first, and how many there are.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_runs(&self, page: Page) -> Result<(Vec<RunRow>, i64), StoreError> {
        let rows = sqlx::query_as(run_rows!("ORDER BY r.id DESC LIMIT $1 OFFSET $2"))
            .bind(page.limit())
            .bind(page.offset())
            .fetch_all(self.pool())
            .await?;
        let total = sqlx::query_scalar("SELECT count(*) FROM runs").fetch_one(self.pool()).await?;
        Ok((rows, total))
    }

    /// The run of this name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_run(&self, name: &str) -> Result<Option<RunRow>, StoreError> {
        Ok(sqlx::query_as(run_rows!("WHERE r.name = $1")).bind(name).fetch_optional(self.pool()).await?)
    }

    /// What a run has behind it, and how much of that came in the last `window`.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_pace(&self, run: RunId, window: Duration) -> Result<Pace, StoreError> {
        let pace = sqlx::query_as(
            "SELECT (SELECT count(*) FROM generations g WHERE g.run_id = r.id AND g.fingerprint IS NOT NULL) AS generations,
                    (SELECT coalesce(sum(g.pairings), 0) FROM generations g
                     WHERE g.run_id = r.id AND g.fingerprint IS NOT NULL AND g.number < r.current_generation)::bigint
                    + (SELECT coalesce(sum(b.count), 0) FROM batches b
                       WHERE b.run_id = r.id AND b.generation = r.current_generation AND b.state = 'done')::bigint AS games,
                    -- Generations over within the window are few: a generation takes a turnover.
                    (SELECT coalesce(sum(b.count), 0) FROM batches b
                     WHERE b.run_id = r.id AND b.generation > r.current_generation - 200
                       AND b.recorded_at > now() - make_interval(secs => $2))::bigint AS recent_games,
                    extract(epoch FROM least(make_interval(secs => $2), now() - r.created_at))::float8 AS recent_seconds
             FROM runs r WHERE r.id = $1",
        )
        .bind(run)
        .bind(window.as_secs_f64())
        .fetch_one(self.pool())
        .await?;
        Ok(pace)
    }
}
