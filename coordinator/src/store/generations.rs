//! Writing a generation with its batches, and reading it back.

use super::{RunId, Store, StoreError};
use bytes::Bytes;
use kembara_evolution::{Generation, Individual};
use sqlx::{PgConnection, Row};
use std::sync::Arc;

/// A range of pairings to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewBatch {
    /// Its first pairing.
    pub first: u64,
    /// How many pairings.
    pub count: u32,
}

/// A generation to be written.
#[derive(Clone, Debug)]
pub struct NewGeneration {
    /// The generation itself.
    pub generation: Arc<Generation>,
    /// Its canonical bytes.
    pub population: Vec<u8>,
    /// What workers need of it: the bytes of a `GenerationDefinition`.
    pub definition: Vec<u8>,
    /// BLAKE3 of the definition.
    pub definition_hash: [u8; 32],
    /// Games it takes.
    pub pairings: u64,
    /// The cut; covers every pairing once.
    pub batches: Vec<NewBatch>,
}

/// The recorded results of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResults {
    /// Its first pairing.
    pub first: u64,
    /// How many.
    pub count: u32,
    /// Their results, packed.
    pub packed: Bytes,
}

/// A generation as it is stored.
#[derive(Clone, Debug)]
pub struct StoredGeneration {
    /// Games it takes.
    pub pairings: u64,
    /// Its canonical bytes.
    pub population: Vec<u8>,
    /// Set when it was turned over.
    pub fingerprint: Option<[u8; 32]>,
    /// The best individual's number, likewise.
    pub best: Option<u64>,
}

impl Store {
    /// The definition of an open generation, by its hash.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn definition(&self, hash: &[u8; 32]) -> Result<Option<Vec<u8>>, StoreError> {
        self.retry("definition", || async {
            let found = sqlx::query_scalar(
                "SELECT definition FROM generations
                 WHERE definition_hash = $1 AND fingerprint IS NULL AND definition IS NOT NULL LIMIT 1",
            )
            .bind(hash.as_slice())
            .fetch_optional(&self.pool)
            .await?;
            Ok(found)
        })
        .await
    }

    /// A generation of a run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn generation(&self, run: RunId, number: u32) -> Result<Option<StoredGeneration>, StoreError> {
        let row = sqlx::query(
            "SELECT pairings, population, fingerprint, best FROM generations WHERE run_id = $1 AND number = $2",
        )
        .bind(run)
        .bind(number.cast_signed())
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let fingerprint: Option<Vec<u8>> = row.try_get("fingerprint")?;
        Ok(Some(StoredGeneration {
            pairings: row.try_get::<i64, _>("pairings")?.cast_unsigned(),
            population: row.try_get("population")?,
            fingerprint: fingerprint.as_deref().map(hash).transpose()?,
            best: row.try_get::<Option<i64>, _>("best")?.map(i64::cast_unsigned),
        }))
    }

    /// The packed results of a generation in pairing order, from the pairing `from` on, as far as
    /// they are recorded.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn results(&self, run: RunId, number: u32, from: u64) -> Result<Vec<StoredResults>, StoreError> {
        self.retry("results", || async {
            let rows: Vec<(i64, i32, Vec<u8>)> = sqlx::query_as(
                "SELECT first, count, results FROM batches
                 WHERE run_id = $1 AND generation = $2 AND state = 'done' AND first >= $3 ORDER BY first",
            )
            .bind(run)
            .bind(number.cast_signed())
            .bind(from.cast_signed())
            .fetch_all(&self.pool)
            .await?;
            let read = |(first, count, packed): (i64, i32, Vec<u8>)| StoredResults {
                first: first.cast_unsigned(),
                count: count.unsigned_abs(),
                packed: packed.into(),
            };
            Ok(rows.into_iter().map(read).collect())
        })
        .await
    }
}

/// A stored hash.
pub(super) fn hash(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Logic(format!("a hash of {} bytes instead of 32", bytes.len())))
}

/// Writes a generation, its batches and those of its individuals who are new.
pub(super) async fn write(
    connection: &mut PgConnection,
    run: RunId,
    new: &NewGeneration,
    newborn: &[&Individual],
) -> Result<(), StoreError> {
    let number = new.generation.number.cast_signed();
    sqlx::query(
        "INSERT INTO generations
             (run_id, number, slots, individuals, pairings, definition_hash, definition, population)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(run)
    .bind(number)
    .bind(i32::try_from(new.generation.slots.len()).unwrap_or(i32::MAX))
    .bind(i32::try_from(new.generation.individuals.len()).unwrap_or(i32::MAX))
    .bind(new.pairings.cast_signed())
    .bind(new.definition_hash.as_slice())
    .bind(&new.definition)
    .bind(&new.population)
    .execute(&mut *connection)
    .await?;
    let firsts: Vec<i64> = new.batches.iter().map(|batch| batch.first.cast_signed()).collect();
    let counts: Vec<i32> = new.batches.iter().map(|batch| batch.count.cast_signed()).collect();
    sqlx::query(
        "INSERT INTO batches (run_id, generation, first, count)
         SELECT $1, $2, first, count FROM unnest($3::bigint[], $4::integer[]) AS cut(first, count)",
    )
    .bind(run)
    .bind(number)
    .bind(&firsts)
    .bind(&counts)
    .execute(&mut *connection)
    .await?;
    write_individuals(connection, run, newborn).await
}

/// Writes individuals who are new to the run.
async fn write_individuals(
    connection: &mut PgConnection,
    run: RunId,
    newborn: &[&Individual],
) -> Result<(), StoreError> {
    let column = |value: fn(&Individual) -> u64| -> Vec<i64> {
        newborn.iter().map(|individual| value(individual).cast_signed()).collect()
    };
    let births: Vec<i32> = newborn.iter().map(|individual| individual.birth.cast_signed()).collect();
    let origins: Vec<&str> = newborn.iter().map(|individual| individual.origin.name()).collect();
    // Arrays of arrays have to be rectangular in Postgres, so each list travels in its text form.
    let parents: Vec<String> = newborn
        .iter()
        .map(|individual| {
            let list: Vec<String> = individual.parents.iter().map(u64::to_string).collect();
            format!("{{{}}}", list.join(","))
        })
        .collect();
    let chromosomes: Vec<Vec<u8>> = newborn.iter().map(|individual| individual.chromosome.to_bytes()).collect();
    let elo: Vec<f64> = newborn.iter().map(|individual| individual.elo.get()).collect();
    sqlx::query(
        "INSERT INTO individuals
             (run_id, number, birth, origin, parents, chromosome, wins, draws, losses, elo)
         SELECT $1, number, birth, origin, parents::bigint[], chromosome, wins, draws, losses, elo
         FROM unnest($2::bigint[], $3::integer[], $4::text[], $5::text[], $6::bytea[],
                     $7::bigint[], $8::bigint[], $9::bigint[], $10::float8[])
             AS born(number, birth, origin, parents, chromosome, wins, draws, losses, elo)",
    )
    .bind(run)
    .bind(column(|individual| individual.number))
    .bind(&births)
    .bind(&origins)
    .bind(&parents)
    .bind(&chromosomes)
    .bind(column(|individual| individual.wins))
    .bind(column(|individual| individual.draws))
    .bind(column(|individual| individual.losses))
    .bind(&elo)
    .execute(connection)
    .await?;
    Ok(())
}
