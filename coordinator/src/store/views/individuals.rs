//! One individual: its life, its parents and its children.

use super::Page;
use crate::store::{RunId, Store, StoreError};

/// An individual with its record up to the last turnover.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct IndividualRow {
    /// Its number in the run.
    pub number: i64,
    /// The first generation it took part in.
    pub birth: i32,
    /// The last one; `None` while it lives.
    pub death: Option<i32>,
    /// How it came about.
    pub origin: String,
    /// The numbers of those it was made from.
    pub parents: Vec<i64>,
    /// Its genes.
    pub chromosome: Vec<u8>,
    /// Games won.
    pub wins: i64,
    /// Games drawn.
    pub draws: i64,
    /// Games lost.
    pub losses: i64,
    /// Its rating.
    pub elo: f64,
}

/// One generation of an individual's life.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct LifeRow {
    /// The generation.
    pub generation: i32,
    /// Its rank in it.
    pub rank: i32,
    /// Games won in it.
    pub wins: i64,
    /// Games drawn.
    pub draws: i64,
    /// Games lost.
    pub losses: i64,
    /// Its rating before.
    pub elo_before: f64,
    /// Its rating after.
    pub elo: f64,
}

impl Store {
    /// An individual of a run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_individual(&self, run: RunId, number: u64) -> Result<Option<IndividualRow>, StoreError> {
        let Ok(number) = i64::try_from(number) else { return Ok(None) };
        let row = sqlx::query_as(
            "SELECT number, birth, death, origin, parents, chromosome, wins, draws, losses, elo
             FROM individuals WHERE run_id = $1 AND number = $2",
        )
        .bind(run)
        .bind(number)
        .fetch_optional(self.pool())
        .await?;
        Ok(row)
    }

    /// The generations an individual played in, and how many they are.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_life(&self, run: RunId, number: i64, page: Page) -> Result<(Vec<LifeRow>, i64), StoreError> {
        let rows = sqlx::query_as(
            "SELECT generation, rank, wins, draws, losses, elo_before, elo_after AS elo FROM standings
             WHERE run_id = $1 AND number = $2 ORDER BY generation LIMIT $3 OFFSET $4",
        )
        .bind(run)
        .bind(number)
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all(self.pool())
        .await?;
        let total = sqlx::query_scalar("SELECT count(*) FROM standings WHERE run_id = $1 AND number = $2")
            .bind(run)
            .bind(number)
            .fetch_one(self.pool())
            .await?;
        Ok((rows, total))
    }

    /// The first `most` of those made from an individual, by number.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_children(&self, run: RunId, number: i64, most: u32) -> Result<Vec<i64>, StoreError> {
        let children = sqlx::query_scalar(
            "SELECT number FROM individuals WHERE run_id = $1 AND number > $2 AND $2 = ANY(parents)
             ORDER BY number LIMIT $3",
        )
        .bind(run)
        .bind(number)
        .bind(i64::from(most))
        .fetch_all(self.pool())
        .await?;
        Ok(children)
    }
}
