//! Worker sessions.

use super::{Recorded, Session, Store, StoreError};
use std::time::Duration;
use uuid::Uuid;

/// A worker that opens a session.
#[derive(Clone, Debug)]
pub struct NewWorker {
    /// Chosen by the worker for its lifetime.
    pub instance: Uuid,
    /// For people.
    pub name: String,
    /// Threads that play.
    pub threads: u16,
    /// The program's version, for people.
    pub version: String,
    /// The engine semantics it plays with.
    pub engine_semantics: u32,
    /// Games it knows.
    pub games: Vec<String>,
}

impl Store {
    /// Opens a session, or finds the one this instance has already.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn register(&self, worker: &NewWorker) -> Result<Session, StoreError> {
        let fresh = Uuid::new_v4();
        self.retry("register", || async {
            let session = sqlx::query_scalar(
                "INSERT INTO workers (session, instance, name, threads, version, engine_semantics, games)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                 ON CONFLICT (instance) DO UPDATE SET name = excluded.name, threads = excluded.threads,
                     version = excluded.version, engine_semantics = excluded.engine_semantics,
                     games = excluded.games, seen_at = now(), closed_at = NULL
                 RETURNING session",
            )
            .bind(fresh)
            .bind(worker.instance)
            .bind(&worker.name)
            .bind(i32::from(worker.threads))
            .bind(&worker.version)
            .bind(worker.engine_semantics.cast_signed())
            .bind(&worker.games)
            .fetch_one(&self.pool)
            .await?;
            Ok(session)
        })
        .await
    }

    /// Threads of all workers that were heard of within `recent`.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn cores_seen(&self, recent: Duration) -> Result<u32, StoreError> {
        let cores: i64 = sqlx::query_scalar(
            "SELECT coalesce(sum(threads), 0)::bigint FROM workers
             WHERE closed_at IS NULL AND seen_at > now() - make_interval(secs => $1)",
        )
        .bind(recent.as_secs_f64())
        .fetch_one(&self.pool)
        .await?;
        Ok(u32::try_from(cores).unwrap_or(u32::MAX))
    }

    /// Counts games that were recorded for sessions. A statistic: lost when the coordinator dies
    /// just then.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn count_recorded(&self, recorded: &[Recorded]) -> Result<(), StoreError> {
        let sessions: Vec<Uuid> = recorded.iter().map(|batch| batch.session.0).collect();
        let games: Vec<i64> = recorded.iter().map(|batch| i64::from(batch.count)).collect();
        let mut transaction = self.pool.begin_with("BEGIN; SET LOCAL synchronous_commit = off").await?;
        sqlx::query(
            "UPDATE workers w SET games_recorded = w.games_recorded + given.games
             FROM (SELECT session, sum(games) AS games
                   FROM unnest($1::uuid[], $2::bigint[]) AS each(session, games) GROUP BY session) AS given
             WHERE w.session = given.session AND w.session IN (
                 SELECT session FROM workers WHERE session = ANY($1) ORDER BY session FOR NO KEY UPDATE)",
        )
        .bind(&sessions)
        .bind(&games)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
