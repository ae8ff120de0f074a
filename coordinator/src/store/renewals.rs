//! Heartbeats, and leases given back.

use super::{LeaseToken, Session, Store, StoreError};
use std::collections::HashSet;
use std::time::Duration;
use uuid::Uuid;

/// One worker's heartbeat.
#[derive(Clone, Debug)]
pub struct RenewCall {
    /// Who is alive.
    pub session: Session,
    /// What it holds, with the games finished so far.
    pub leases: Vec<(LeaseToken, u32)>,
    /// Games finished in this session.
    pub games: u64,
}

/// The answer to a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RenewAnswer {
    /// Heard; these tokens are no longer worth playing.
    Heard(Vec<LeaseToken>),
    /// The session is not known.
    NoSession,
}

/// Leases given back unplayed.
#[derive(Clone, Debug)]
pub struct ReleaseCall {
    /// Who gives them back.
    pub session: Session,
    /// Which; those of other sessions are left alone.
    pub tokens: Vec<LeaseToken>,
    /// Gives back everything the session holds and closes it.
    pub close: bool,
}

impl Store {
    /// Takes many heartbeats at once: live leases last `term` from now.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn renew(&self, calls: &[RenewCall], term: Duration) -> Result<Vec<RenewAnswer>, StoreError> {
        self.retry("renew", || self.renew_once(calls, term)).await
    }

    async fn renew_once(&self, calls: &[RenewCall], term: Duration) -> Result<Vec<RenewAnswer>, StoreError> {
        let mut transaction = self.pool.begin_with("BEGIN; SET LOCAL synchronous_commit = off").await?;
        let sessions: Vec<Uuid> = calls.iter().map(|call| call.session.0).collect();
        let games: Vec<i64> = calls.iter().map(|call| i64::try_from(call.games).unwrap_or(i64::MAX)).collect();
        // A row that is locked is being written by a lease or a report: nothing is missed by leaving
        // it to them, and a heartbeat waits for nobody.
        sqlx::query(
            "UPDATE workers w SET seen_at = now(), games_played = greatest(w.games_played, given.games)
             FROM unnest($1::uuid[], $2::bigint[]) AS given(session, games)
             WHERE w.session = given.session AND w.session IN (
                 SELECT session FROM workers WHERE session = ANY($1) AND closed_at IS NULL
                 FOR NO KEY UPDATE SKIP LOCKED)",
        )
        .bind(&sessions)
        .bind(&games)
        .execute(&mut *transaction)
        .await?;
        let all: Vec<_> = calls.iter().flat_map(|call| &call.leases).collect();
        let tokens: Vec<Uuid> = all.iter().map(|(token, _)| token.0).collect();
        let progress: Vec<i32> = all.iter().map(|(_, done)| i32::try_from(*done).unwrap_or(i32::MAX)).collect();
        sqlx::query(
            "UPDATE leases l SET expires_at = now() + make_interval(secs => $3),
                 progress = greatest(l.progress, given.done)
             FROM unnest($1::uuid[], $2::integer[]) AS given(token, done)
             WHERE l.token = given.token AND l.token IN (
                 SELECT token FROM leases WHERE token = ANY($1) AND state = 'live' FOR NO KEY UPDATE SKIP LOCKED)",
        )
        .bind(&tokens)
        .bind(&progress)
        .bind(term.as_secs_f64())
        .execute(&mut *transaction)
        .await?;
        // An expired lease is still worth playing while nobody else's result is there.
        let worth: Vec<LeaseToken> = sqlx::query_scalar(
            "SELECT l.token FROM leases l JOIN batches b ON b.id = l.batch_id
             WHERE l.token = ANY($1) AND l.state IN ('live', 'expired') AND b.state <> 'done'",
        )
        .bind(&tokens)
        .fetch_all(&mut *transaction)
        .await?;
        let known: Vec<Session> =
            sqlx::query_scalar("SELECT session FROM workers WHERE session = ANY($1) AND closed_at IS NULL")
                .bind(&sessions)
                .fetch_all(&mut *transaction)
                .await?;
        transaction.commit().await?;
        let worth: HashSet<LeaseToken> = worth.into_iter().collect();
        let answer = |call: &RenewCall| {
            if known.contains(&call.session) {
                let held = call.leases.iter().map(|(token, _)| *token);
                RenewAnswer::Heard(held.filter(|token| !worth.contains(token)).collect())
            } else {
                RenewAnswer::NoSession
            }
        };
        Ok(calls.iter().map(answer).collect())
    }

    /// Takes leases back; their ranges wait again unless somebody else holds them too.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn release(&self, call: &ReleaseCall) -> Result<(), StoreError> {
        self.retry("release", || self.release_once(call)).await
    }

    async fn release_once(&self, call: &ReleaseCall) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin().await?;
        let tokens: Vec<Uuid> = call.tokens.iter().map(|token| token.0).collect();
        if call.close {
            sqlx::query("UPDATE workers SET closed_at = now() WHERE session = $1 AND closed_at IS NULL")
                .bind(call.session)
                .execute(&mut *transaction)
                .await?;
        }
        let locked: Vec<i64> = sqlx::query_scalar(
            "SELECT id FROM batches WHERE id IN (
                 SELECT batch_id FROM leases
                 WHERE session = $1 AND ($3 OR token = ANY($2)) AND state IN ('live', 'expired'))
             ORDER BY id FOR UPDATE",
        )
        .bind(call.session)
        .bind(&tokens)
        .bind(call.close)
        .fetch_all(&mut *transaction)
        .await?;
        sqlx::query(
            "UPDATE leases SET state = 'released'
             WHERE batch_id = ANY($4) AND session = $1 AND ($3 OR token = ANY($2)) AND state IN ('live', 'expired')",
        )
        .bind(call.session)
        .bind(&tokens)
        .bind(call.close)
        .bind(&locked)
        .execute(&mut *transaction)
        .await?;
        super::sweep::wait_again(&mut transaction, &locked).await?;
        transaction.commit().await?;
        Ok(())
    }
}
