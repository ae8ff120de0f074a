//! Reading rows back as they stand, for verification.

use super::{RunId, Store, StoreError};
use sqlx::Row;

/// A row of the standings. Ratings compare by their bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StandingRow {
    /// From 1.
    pub rank: u32,
    /// Seats it played on.
    pub slots: u32,
    /// The individual's number.
    pub number: u64,
    /// Wins, draws and losses of the generation.
    pub tally: [u64; 3],
    /// Sum of its margins.
    pub margin: i64,
    /// Rating before and after.
    pub elo: [f64; 2],
}

/// A row of the individuals.
#[derive(Clone, Debug, PartialEq)]
pub struct IndividualRow {
    /// Unique in the run.
    pub number: u64,
    /// First generation.
    pub birth: u32,
    /// Last generation, when it is over.
    pub death: Option<u32>,
    /// How it came about, by name.
    pub origin: String,
    /// Whose child it is.
    pub parents: Vec<u64>,
    /// Eight bytes a gene.
    pub chromosome: Vec<u8>,
    /// Wins, draws and losses of its life.
    pub tally: [u64; 3],
    /// Its rating.
    pub elo: f64,
}

impl Store {
    /// All standings of a generation, by rank.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn standing_rows(&self, run: RunId, generation: u32) -> Result<Vec<StandingRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT rank, slots, number, wins, draws, losses, margin, elo_before, elo_after FROM standings
             WHERE run_id = $1 AND generation = $2 ORDER BY rank",
        )
        .bind(run)
        .bind(generation.cast_signed())
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(StandingRow {
                    rank: row.try_get::<i32, _>("rank")?.cast_unsigned(),
                    slots: row.try_get::<i32, _>("slots")?.cast_unsigned(),
                    number: row.try_get::<i64, _>("number")?.cast_unsigned(),
                    tally: tally(row)?,
                    margin: row.try_get("margin")?,
                    elo: [row.try_get("elo_before")?, row.try_get("elo_after")?],
                })
            })
            .collect()
    }

    /// All individuals of a run, by number.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn individual_rows(&self, run: RunId) -> Result<Vec<IndividualRow>, StoreError> {
        let rows = sqlx::query(
            "SELECT number, birth, death, origin, parents, chromosome, wins, draws, losses, elo FROM individuals
             WHERE run_id = $1 ORDER BY number",
        )
        .bind(run)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                Ok(IndividualRow {
                    number: row.try_get::<i64, _>("number")?.cast_unsigned(),
                    birth: row.try_get::<i32, _>("birth")?.cast_unsigned(),
                    death: row.try_get::<Option<i32>, _>("death")?.map(i32::cast_unsigned),
                    origin: row.try_get("origin")?,
                    parents: row.try_get::<Vec<i64>, _>("parents")?.into_iter().map(i64::cast_unsigned).collect(),
                    chromosome: row.try_get("chromosome")?,
                    tally: tally(row)?,
                    elo: row.try_get("elo")?,
                })
            })
            .collect()
    }
}

fn tally(row: &sqlx::postgres::PgRow) -> Result<[u64; 3], StoreError> {
    let count = |name| Ok::<_, StoreError>(row.try_get::<i64, _>(name)?.cast_unsigned());
    Ok([count("wins")?, count("draws")?, count("losses")?])
}
