//! Generations as people list them, how much of one is played, and the range a game lies in.

use super::{Page, utc};
use crate::store::{RunId, Store, StoreError};

/// A generation and its best individual.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct GenerationRow {
    /// From 1.
    pub number: i32,
    /// Seats of its tournament.
    pub slots: i32,
    /// Individuals on them.
    pub individuals: i32,
    /// Games it takes.
    pub games: i64,
    /// Set once it was turned over.
    pub fingerprint: Option<Vec<u8>>,
    /// When it was written.
    pub created_at: String,
    /// When it was turned over.
    pub turned_over_at: Option<String>,
    /// Seconds from the one to the other, or to now.
    pub seconds: f64,
    /// The number of its best individual, once turned over.
    pub best: Option<i64>,
    /// The best one's rating after the generation.
    pub best_elo: Option<f64>,
    /// Its birth.
    pub best_birth: Option<i32>,
    /// Its genes.
    pub best_chromosome: Option<Vec<u8>>,
}

/// Where a generation's games are. They add up to `scheduled`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// Games it takes.
    pub scheduled: i64,
    /// Games recorded.
    pub done: i64,
    /// Games at a worker.
    pub leased: i64,
    /// Games nobody has.
    pub waiting: i64,
}

/// A range of games with its packed results, if it was played.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct RangeRow {
    /// Its first pairing.
    pub first: i64,
    /// How many pairings.
    pub count: i32,
    /// Its packed results.
    pub results: Option<Vec<u8>>,
}

macro_rules! generation_rows {
    ($rest:literal) => {
        concat!(
            "SELECT g.number, g.slots, g.individuals, g.pairings AS games, g.fingerprint, ",
            utc!("g.created_at"),
            " AS created_at, ",
            utc!("g.turned_over_at"),
            " AS turned_over_at, extract(epoch FROM coalesce(g.turned_over_at, now()) - g.created_at)::float8 AS seconds,
             g.best, s.elo_after AS best_elo, i.birth AS best_birth, i.chromosome AS best_chromosome
             FROM generations g
             LEFT JOIN standings s ON s.run_id = g.run_id AND s.generation = g.number AND s.rank = 1
             LEFT JOIN individuals i ON i.run_id = g.run_id AND i.number = g.best ",
            $rest
        )
    };
}

impl Store {
    /// A page of a run's generations, and how many there are.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_generations(
        &self,
        run: RunId,
        latest_first: bool,
        page: Page,
    ) -> Result<(Vec<GenerationRow>, i64), StoreError> {
        let rows = sqlx::query_as(generation_rows!(
            "WHERE g.run_id = $1 ORDER BY CASE WHEN $2 THEN -g.number ELSE g.number END LIMIT $3 OFFSET $4"
        ))
        .bind(run)
        .bind(latest_first)
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all(self.pool())
        .await?;
        let total = sqlx::query_scalar("SELECT count(*) FROM generations WHERE run_id = $1")
            .bind(run)
            .fetch_one(self.pool())
            .await?;
        Ok((rows, total))
    }

    /// One generation of a run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_generation(&self, run: RunId, number: u32) -> Result<Option<GenerationRow>, StoreError> {
        let row = sqlx::query_as(generation_rows!("WHERE g.run_id = $1 AND g.number = $2"))
            .bind(run)
            .bind(number.cast_signed())
            .fetch_optional(self.pool())
            .await?;
        Ok(row)
    }

    /// The last generation of a run that was turned over.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_latest_generation(&self, run: RunId) -> Result<Option<GenerationRow>, StoreError> {
        let row = sqlx::query_as(generation_rows!(
            "WHERE g.run_id = $1 AND g.fingerprint IS NOT NULL ORDER BY g.number DESC LIMIT 1"
        ))
        .bind(run)
        .fetch_optional(self.pool())
        .await?;
        Ok(row)
    }

    /// Where a generation's games are.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_counts(&self, run: RunId, generation: u32) -> Result<Option<Counts>, StoreError> {
        let counts = sqlx::query_as(
            "SELECT g.pairings AS scheduled,
                    coalesce(sum(b.count) FILTER (WHERE b.state = 'done'), 0)::bigint AS done,
                    coalesce(sum(b.count) FILTER (WHERE b.state = 'leased'), 0)::bigint AS leased,
                    coalesce(sum(b.count) FILTER (WHERE b.state = 'waiting'), 0)::bigint AS waiting
             FROM generations g LEFT JOIN batches b ON b.run_id = g.run_id AND b.generation = g.number
             WHERE g.run_id = $1 AND g.number = $2 GROUP BY g.pairings",
        )
        .bind(run)
        .bind(generation.cast_signed())
        .fetch_optional(self.pool())
        .await?;
        Ok(counts)
    }

    /// The range in which a pairing lies.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_range(&self, run: RunId, generation: u32, pairing: u64) -> Result<Option<RangeRow>, StoreError> {
        let row = sqlx::query_as(
            "SELECT first, count, results FROM batches
             WHERE run_id = $1 AND generation = $2 AND first <= $3 ORDER BY first DESC LIMIT 1",
        )
        .bind(run)
        .bind(generation.cast_signed())
        .bind(i64::try_from(pairing).unwrap_or(i64::MAX))
        .fetch_optional(self.pool())
        .await?;
        Ok(row)
    }
}
