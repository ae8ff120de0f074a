//! Turning a generation over, once, whoever does it.

use super::generations::{self, NewGeneration};
use super::{RunId, Store, StoreError};
use kembara_evolution::{Individual, Standing, StopReason};
use sqlx::PgConnection;

/// How the run goes on.
#[derive(Clone, Debug)]
pub enum Ending {
    /// With this generation; `newborn` are the numbers of its individuals that are new to the run,
    /// ascending.
    Next {
        /// The generation.
        generation: NewGeneration,
        /// Who is new.
        newborn: Vec<u64>,
    },
    /// Not at all.
    Finished(StopReason),
}

/// A computed turnover, to be written.
#[derive(Clone, Debug)]
pub struct TurnoverWrite {
    /// The run.
    pub run: RunId,
    /// The generation turned over.
    pub generation: u32,
    /// Its fingerprint.
    pub fingerprint: [u8; 32],
    /// Its best individual.
    pub best: u64,
    /// Its standings, best first.
    pub standings: Vec<Standing>,
    /// Numbers of those that do not go on.
    pub deaths: Vec<u64>,
    /// How the run goes on.
    pub ending: Ending,
    /// Core microseconds a game from now on; only for cutting.
    pub game_us: f64,
}

/// What became of writing a turnover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnedOver {
    /// It is written.
    Done,
    /// Somebody else was first, or the run was stopped meanwhile.
    Lost,
}

impl Store {
    /// Generations of runs that are not over in which nothing is open and that were not turned over.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn complete_generations(&self) -> Result<Vec<(RunId, u32)>, StoreError> {
        let rows: Vec<(RunId, i32)> = sqlx::query_as(
            "SELECT r.id, r.current_generation FROM runs r
             JOIN generations g ON g.run_id = r.id AND g.number = r.current_generation
             WHERE r.state IN ('running', 'paused') AND g.fingerprint IS NULL
               AND NOT EXISTS (SELECT FROM batches b WHERE b.run_id = r.id
                               AND b.generation = r.current_generation AND b.state <> 'done')
             ORDER BY r.id",
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|(run, number)| (run, number.cast_unsigned())).collect())
    }

    /// Core microseconds a game that a generation took, as its workers told.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn measured_game_us(&self, run: RunId, generation: u32) -> Result<Option<f64>, StoreError> {
        let measured = sqlx::query_scalar(
            "SELECT (sum(least(core_us, 1000000000000)) / sum(count))::float8 FROM batches
             WHERE run_id = $1 AND generation = $2 AND core_us > 0",
        )
        .bind(run)
        .bind(generation.cast_signed())
        .fetch_one(&self.pool)
        .await?;
        Ok(measured)
    }

    /// Writes a turnover unless the generation has been turned over already.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing is half done.
    pub async fn turn_over(&self, write: &TurnoverWrite) -> Result<TurnedOver, StoreError> {
        self.retry("turn over", || self.turn_over_once(write)).await
    }

    async fn turn_over_once(&self, write: &TurnoverWrite) -> Result<TurnedOver, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let number = write.generation.cast_signed();
        let guard: Option<i32> = sqlx::query_scalar(
            "SELECT id FROM runs WHERE id = $1 AND current_generation = $2 AND state IN ('running', 'paused')
             FOR NO KEY UPDATE",
        )
        .bind(write.run)
        .bind(number)
        .fetch_optional(&mut *transaction)
        .await?;
        if guard.is_none() {
            return Ok(TurnedOver::Lost);
        }
        let turned = sqlx::query(
            "UPDATE generations SET fingerprint = $3, best = $4, turned_over_at = now(), definition = NULL
             WHERE run_id = $1 AND number = $2 AND fingerprint IS NULL",
        )
        .bind(write.run)
        .bind(number)
        .bind(write.fingerprint.as_slice())
        .bind(write.best.cast_signed())
        .execute(&mut *transaction)
        .await?;
        if turned.rows_affected() != 1 {
            return Ok(TurnedOver::Lost);
        }
        write_standings(&mut transaction, write).await?;
        match &write.ending {
            Ending::Next { generation, newborn } => {
                let individuals = &generation.generation.individuals;
                let born: Vec<&Individual> =
                    individuals.iter().filter(|individual| newborn.binary_search(&individual.number).is_ok()).collect();
                generations::write(&mut transaction, write.run, generation, &born).await?;
                sqlx::query("UPDATE runs SET current_generation = $2, game_us = $3 WHERE id = $1")
                    .bind(write.run)
                    .bind(generation.generation.number.cast_signed())
                    .bind(write.game_us)
                    .execute(&mut *transaction)
                    .await?;
            }
            Ending::Finished(reason) => {
                sqlx::query("UPDATE runs SET state = 'finished', stop_reason = $2, ended_at = now() WHERE id = $1")
                    .bind(write.run)
                    .bind(reason.name())
                    .execute(&mut *transaction)
                    .await?;
            }
        }
        transaction.commit().await?;
        Ok(TurnedOver::Done)
    }
}

/// Writes the standings, and the records and deaths of the individuals they tell of.
async fn write_standings(connection: &mut PgConnection, write: &TurnoverWrite) -> Result<(), StoreError> {
    let integers = |value: fn(&Standing) -> u64| -> Vec<i64> {
        write.standings.iter().map(|standing| value(standing).cast_signed()).collect()
    };
    let small = |value: fn(&Standing) -> u32| -> Vec<i32> {
        write.standings.iter().map(|standing| value(standing).cast_signed()).collect()
    };
    let ratings = |value: fn(&Standing) -> f64| -> Vec<f64> { write.standings.iter().map(value).collect() };
    let numbers = integers(|standing| standing.individual.number);
    let after = ratings(|standing| standing.individual.elo.get());
    let margins: Vec<i64> = write.standings.iter().map(|standing| standing.tally.margin).collect();
    sqlx::query(
        "INSERT INTO standings (run_id, generation, rank, slots, number, wins, draws, losses, margin,
                                elo_before, elo_after)
         SELECT $1, $2, * FROM unnest($3::integer[], $4::integer[], $5::bigint[], $6::bigint[], $7::bigint[],
                                      $8::bigint[], $9::bigint[], $10::float8[], $11::float8[])",
    )
    .bind(write.run)
    .bind(write.generation.cast_signed())
    .bind(small(|standing| standing.rank))
    .bind(small(|standing| standing.slots))
    .bind(&numbers)
    .bind(integers(|standing| standing.tally.wins))
    .bind(integers(|standing| standing.tally.draws))
    .bind(integers(|standing| standing.tally.losses))
    .bind(&margins)
    .bind(ratings(|standing| standing.elo_before.get()))
    .bind(&after)
    .execute(&mut *connection)
    .await?;
    let deaths: Vec<bool> = write
        .standings
        .iter()
        .map(|standing| write.deaths.binary_search(&standing.individual.number).is_ok())
        .collect();
    sqlx::query(
        "UPDATE individuals i SET wins = life.wins, draws = life.draws, losses = life.losses, elo = life.elo,
             death = CASE WHEN life.dies THEN $2 ELSE i.death END
         FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::float8[], $8::boolean[])
             AS life(number, wins, draws, losses, elo, dies)
         WHERE i.run_id = $1 AND i.number = life.number",
    )
    .bind(write.run)
    .bind(write.generation.cast_signed())
    .bind(&numbers)
    .bind(integers(|standing| standing.individual.wins))
    .bind(integers(|standing| standing.individual.draws))
    .bind(integers(|standing| standing.individual.losses))
    .bind(&after)
    .bind(&deaths)
    .execute(connection)
    .await?;
    Ok(())
}
