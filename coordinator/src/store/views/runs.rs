//! Runs as people list them, and how fast they go.

use super::{Page, utc};
use crate::store::{RunId, Store, StoreError};
use std::time::Duration;

/// A run without its spec, and the best individual of its last finished generation.
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
    /// Its rule for ending, the JSON of the resolved spec's `stop`.
    pub stop: String,
    /// Why it ended by itself.
    pub stop_reason: Option<String>,
    /// The generation being played, or the last one.
    pub generation: i32,
    /// Games of that generation.
    pub scheduled: i64,
    /// Those recorded.
    pub done: i64,
    /// Games of all generations before it.
    pub games_before: i64,
    /// When it was launched.
    pub created_at: String,
    /// When it ended.
    pub ended_at: Option<String>,
    /// Seconds from launch to end, or to now.
    pub seconds: f64,
    /// The last generation that was turned over.
    pub best_generation: Option<i32>,
    /// Its best individual.
    pub best: Option<i64>,
    /// That one's rating after it.
    pub best_elo: Option<f64>,
    /// Its birth.
    pub best_birth: Option<i32>,
    /// Its genes.
    pub best_chromosome: Option<Vec<u8>>,
}

/// How much of a run was played in its last moments.
#[derive(Clone, Copy, Debug, PartialEq, sqlx::FromRow)]
pub struct Pace {
    /// Games recorded in them.
    pub games: i64,
    /// Seconds that they lasted.
    pub seconds: f64,
}

macro_rules! run_rows {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, r.state, r.game, r.genome, (r.spec::json -> 'stop')::text AS stop, r.stop_reason,
                    r.current_generation AS generation, g.pairings AS scheduled,
                    (SELECT coalesce(sum(b.count), 0) FROM batches b
                     WHERE b.run_id = r.id AND b.generation = r.current_generation AND b.state = 'done')::bigint AS done,
                    (SELECT coalesce(sum(p.pairings), 0) FROM generations p
                     WHERE p.run_id = r.id AND p.number < r.current_generation)::bigint AS games_before, ",
            utc!("r.created_at"),
            " AS created_at, ",
            utc!("r.ended_at"),
            " AS ended_at, extract(epoch FROM coalesce(r.ended_at, now()) - r.created_at)::float8 AS seconds,
                    best.generation AS best_generation, best.number AS best, best.elo_after AS best_elo,
                    best.birth AS best_birth, best.chromosome AS best_chromosome
             FROM runs r
             JOIN generations g ON g.run_id = r.id AND g.number = r.current_generation
             LEFT JOIN LATERAL (
                 SELECT s.generation, s.number, s.elo_after, i.birth, i.chromosome
                 FROM standings s JOIN individuals i ON i.run_id = s.run_id AND i.number = s.number
                 WHERE s.run_id = r.id AND s.rank = 1 AND s.generation BETWEEN r.current_generation - 1 AND r.current_generation
                 ORDER BY s.generation DESC LIMIT 1) AS best ON true ",
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

    /// What a run did in the last `window`, or since its launch when that is shorter ago.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_pace(&self, run: RunId, window: Duration) -> Result<Pace, StoreError> {
        // A generation takes a turnover, so no more than 200 lie within a window of seconds.
        let pace = sqlx::query_as(
            "SELECT (SELECT coalesce(sum(b.count), 0) FROM batches b
                     WHERE b.run_id = r.id AND b.generation > r.current_generation - 200
                       AND b.recorded_at > now() - make_interval(secs => $2))::bigint AS games,
                    extract(epoch FROM least(make_interval(secs => $2), now() - r.created_at))::float8 AS seconds
             FROM runs r WHERE r.id = $1",
        )
        .bind(run)
        .bind(window.as_secs_f64())
        .fetch_one(self.pool())
        .await?;
        Ok(pace)
    }
}
