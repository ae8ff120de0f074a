//! Recording results: each range once, under any token that was issued for it and not revoked.

use super::{BatchId, LeaseToken, RunId, Session, Store, StoreError};
use bytes::Bytes;
use kembara_tournament::packed;
use sqlx::{PgConnection, Row};
use std::collections::HashMap;
use uuid::Uuid;

/// One reported range.
#[derive(Clone, Debug)]
pub struct ReportCall {
    /// Who reports.
    pub session: Session,
    /// The right to do so.
    pub token: LeaseToken,
    /// The games in pairing order, packed.
    pub packed: Bytes,
    /// Core time spent, microseconds.
    pub core_us: u64,
}

/// What became of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportAnswer {
    /// Stored, now or by an earlier call with the same content.
    Recorded,
    /// Another token's result came first.
    AlreadyRecorded,
    /// The token is unknown or revoked, or its run is stopped.
    Void,
    /// The bytes are not results of the range; said why. The range stays open.
    Malformed(String),
    /// The token has reported other content before.
    Contradicts,
}

/// A range that a call recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its run.
    pub run: RunId,
    /// Its generation.
    pub generation: u32,
    /// The batch.
    pub batch: BatchId,
    /// The session whose result it is.
    pub session: Session,
    /// Its first pairing.
    pub first: u64,
    /// Its games.
    pub count: u32,
    /// Their results, packed.
    pub packed: Bytes,
}

/// The answers, and what was recorded for the first time.
#[derive(Clone, Debug)]
pub struct Reported {
    /// One per call, in order.
    pub answers: Vec<ReportAnswer>,
    /// Newly recorded ranges.
    pub recorded: Vec<Recorded>,
    /// Generations with nothing open any more.
    pub complete: Vec<(RunId, u32)>,
}

/// A token's lease and batch, as locked.
struct Held {
    batch: BatchId,
    run: RunId,
    generation: i32,
    first: u64,
    count: u32,
    lease_state: String,
    report_hash: Option<Vec<u8>>,
}

/// A batch, as locked and as changed by this round.
struct Locked {
    done: bool,
    results_hash: Option<Vec<u8>>,
}

/// What a round writes, column by column.
#[derive(Default)]
struct Writes {
    batches: Vec<i64>,
    sessions: Vec<Uuid>,
    core_us: Vec<i64>,
    results: Vec<Bytes>,
    hashes: Vec<Vec<u8>>,
    tokens: Vec<Uuid>,
    superseded: Vec<Uuid>,
    contradictions: Vec<Contradiction>,
}

struct Contradiction {
    run: RunId,
    generation: i32,
    batch: BatchId,
    token: LeaseToken,
    session: Session,
    recorded: Option<Vec<u8>>,
    reported: Vec<u8>,
}

impl Store {
    /// Records many reports at once. The answers hold once this returns: the results are on disk.
    ///
    /// # Errors
    /// [`StoreError`]; then repeating the call gives the answers that were lost.
    pub async fn report(&self, calls: &[ReportCall]) -> Result<Reported, StoreError> {
        let mut reported = self.retry("report", || self.report_once(calls)).await?;
        // Asked after the commit, so of two coordinators the one that commits last sees nothing open.
        let mut generations: Vec<_> = reported.recorded.iter().map(|batch| (batch.run, batch.generation)).collect();
        generations.sort_unstable();
        generations.dedup();
        for (run, generation) in generations {
            if self.is_complete(run, generation).await? {
                reported.complete.push((run, generation));
            }
        }
        Ok(reported)
    }

    /// Whether a generation has nothing open.
    async fn is_complete(&self, run: RunId, generation: u32) -> Result<bool, StoreError> {
        let complete = sqlx::query_scalar(
            "SELECT NOT EXISTS (SELECT FROM batches WHERE run_id = $1 AND generation = $2 AND state <> 'done')",
        )
        .bind(run)
        .bind(generation.cast_signed())
        .fetch_one(&self.pool)
        .await?;
        Ok(complete)
    }

    async fn report_once(&self, calls: &[ReportCall]) -> Result<Reported, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let tokens: Vec<Uuid> = calls.iter().map(|call| call.token.0).collect();
        let running = lock_runs(&mut transaction, &tokens).await?;
        let mut batches = lock_batches(&mut transaction, &tokens).await?;
        let held = read_leases(&mut transaction, &tokens).await?;
        let mut writes = Writes::default();
        let mut answers = Vec::with_capacity(calls.len());
        let mut recorded = Vec::new();
        // What this round itself has reported, since a round may hold a report and its repeat.
        let mut said: HashMap<LeaseToken, Vec<u8>> = HashMap::new();
        for call in calls {
            let held = held.get(&call.token).filter(|lease| running.get(&lease.run) == Some(&true));
            let Some((lease, batch)) = held.and_then(|lease| Some((lease, batches.get_mut(&lease.batch)?))) else {
                answers.push(ReportAnswer::Void);
                continue;
            };
            let hash = blake3::hash(&call.packed).as_bytes().to_vec();
            let contradiction = |recorded: Option<Vec<u8>>| Contradiction {
                run: lease.run,
                generation: lease.generation,
                batch: lease.batch,
                token: call.token,
                session: call.session,
                recorded,
                reported: hash.clone(),
            };
            let before = said.get(&call.token).or(lease.report_hash.as_ref());
            let answer = if let Some(before) = before {
                if *before == hash {
                    ReportAnswer::Recorded
                } else {
                    writes.contradictions.push(contradiction(Some(before.clone())));
                    ReportAnswer::Contradicts
                }
            } else if matches!(lease.lease_state.as_str(), "void" | "released") {
                ReportAnswer::Void
            } else if let Err(reason) = packed::unpack(&call.packed, lease.count) {
                ReportAnswer::Malformed(reason.to_string())
            } else if batch.done {
                // The same games have one result: a different one is a fault somewhere.
                if batch.results_hash.as_ref() != Some(&hash) {
                    writes.contradictions.push(contradiction(batch.results_hash.clone()));
                }
                writes.superseded.push(call.token.0);
                ReportAnswer::AlreadyRecorded
            } else {
                batch.done = true;
                batch.results_hash = Some(hash.clone());
                said.insert(call.token, hash.clone());
                writes.batches.push(lease.batch.0);
                writes.sessions.push(call.session.0);
                writes.core_us.push(i64::try_from(call.core_us).unwrap_or(i64::MAX));
                writes.results.push(call.packed.clone());
                writes.hashes.push(hash);
                writes.tokens.push(call.token.0);
                recorded.push(Recorded {
                    run: lease.run,
                    generation: lease.generation.cast_unsigned(),
                    batch: lease.batch,
                    session: call.session,
                    first: lease.first,
                    count: lease.count,
                    packed: call.packed.clone(),
                });
                ReportAnswer::Recorded
            };
            answers.push(answer);
        }
        write(&mut transaction, &writes).await?;
        transaction.commit().await?;
        Ok(Reported { answers, recorded, complete: Vec::new() })
    }
}

/// Locks the runs of the tokens against stopping; true for those that take results.
async fn lock_runs(connection: &mut PgConnection, tokens: &[Uuid]) -> Result<HashMap<RunId, bool>, StoreError> {
    let rows: Vec<(RunId, bool)> = sqlx::query_as(
        "SELECT id, state <> 'stopped' FROM runs
         WHERE id IN (SELECT b.run_id FROM leases l JOIN batches b ON b.id = l.batch_id WHERE l.token = ANY($1))
         ORDER BY id FOR SHARE",
    )
    .bind(tokens)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().collect())
}

async fn lock_batches(connection: &mut PgConnection, tokens: &[Uuid]) -> Result<HashMap<BatchId, Locked>, StoreError> {
    let rows: Vec<(BatchId, bool, Option<Vec<u8>>)> = sqlx::query_as(
        "SELECT id, state = 'done', results_hash FROM batches
         WHERE id IN (SELECT batch_id FROM leases WHERE token = ANY($1)) ORDER BY id FOR UPDATE",
    )
    .bind(tokens)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id, done, results_hash)| (id, Locked { done, results_hash })).collect())
}

/// Reads the leases in a statement after the batches were locked: nobody changes them meanwhile.
async fn read_leases(connection: &mut PgConnection, tokens: &[Uuid]) -> Result<HashMap<LeaseToken, Held>, StoreError> {
    let rows = sqlx::query(
        "SELECT l.token, l.state, l.report_hash, b.id, b.run_id, b.generation, b.first, b.count
         FROM leases l JOIN batches b ON b.id = l.batch_id WHERE l.token = ANY($1)",
    )
    .bind(tokens)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let held = Held {
                batch: row.try_get("id")?,
                run: row.try_get("run_id")?,
                generation: row.try_get("generation")?,
                first: row.try_get::<i64, _>("first")?.cast_unsigned(),
                count: row.try_get::<i32, _>("count")?.unsigned_abs(),
                lease_state: row.try_get("state")?,
                report_hash: row.try_get("report_hash")?,
            };
            Ok((row.try_get("token")?, held))
        })
        .collect()
}

async fn write(connection: &mut PgConnection, writes: &Writes) -> Result<(), StoreError> {
    if !writes.batches.is_empty() {
        sqlx::query(
            "UPDATE batches b SET state = 'done', results = given.results, results_hash = given.hash,
                 recorded_at = now(), recorded_by = given.session, core_us = given.core_us
             FROM unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::bytea[], $5::bytea[])
                 AS given(id, session, core_us, results, hash)
             WHERE b.id = given.id",
        )
        .bind(&writes.batches)
        .bind(&writes.sessions)
        .bind(&writes.core_us)
        .bind(writes.results.iter().map(|packed| &packed[..]).collect::<Vec<_>>())
        .bind(&writes.hashes)
        .execute(&mut *connection)
        .await?;
        sqlx::query(
            "UPDATE leases l SET
                 state = CASE WHEN l.token = given.token THEN 'reported' ELSE 'superseded' END,
                 report_hash = CASE WHEN l.token = given.token THEN given.hash ELSE l.report_hash END
             FROM unnest($1::bigint[], $2::uuid[], $3::bytea[]) AS given(batch, token, hash)
             WHERE l.batch_id = given.batch AND (l.token = given.token OR l.state IN ('live', 'expired'))",
        )
        .bind(&writes.batches)
        .bind(&writes.tokens)
        .bind(&writes.hashes)
        .execute(&mut *connection)
        .await?;
    }
    if !writes.superseded.is_empty() {
        sqlx::query("UPDATE leases SET state = 'superseded' WHERE token = ANY($1) AND state IN ('live', 'expired')")
            .bind(&writes.superseded)
            .execute(&mut *connection)
            .await?;
    }
    for found in &writes.contradictions {
        tracing::warn!(
            run = %found.run, generation = found.generation, batch = %found.batch, worker = %found.session,
            "a report contradicts what is recorded for its range"
        );
        sqlx::query(
            "INSERT INTO contradictions (run_id, generation, batch_id, token, session, recorded_hash, reported_hash)
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT contradictions_once DO NOTHING",
        )
        .bind(found.run)
        .bind(found.generation)
        .bind(found.batch)
        .bind(found.token)
        .bind(found.session)
        .bind(found.recorded.as_deref())
        .bind(found.reported.as_slice())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
