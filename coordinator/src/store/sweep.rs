//! What time alone brings about: leases that run out, rows nobody needs any more.

use super::{Store, StoreError};
use sqlx::PgConnection;
use std::time::Duration;

impl Store {
    /// Sends the ranges of expired leases back; returns how many wait again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn rescue(&self) -> Result<u64, StoreError> {
        self.retry("rescue", || async {
            let mut transaction = self.pool.begin().await?;
            let locked: Vec<i64> = sqlx::query_scalar(
                "SELECT id FROM batches WHERE id IN (
                     SELECT batch_id FROM leases WHERE state = 'live' AND expires_at < now())
                 ORDER BY id FOR UPDATE",
            )
            .fetch_all(&mut *transaction)
            .await?;
            if locked.is_empty() {
                return Ok(0);
            }
            sqlx::query(
                "UPDATE leases SET state = 'expired'
                 WHERE batch_id = ANY($1) AND state = 'live' AND expires_at < now()",
            )
            .bind(&locked)
            .execute(&mut *transaction)
            .await?;
            let waiting = wait_again(&mut transaction, &locked).await?;
            transaction.commit().await?;
            Ok(waiting)
        })
        .await
    }

    /// After an outage: nobody could renew, so leases that ran out or soon would get a grace in
    /// which their workers can be heard again.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn extend(&self, grace: Duration) -> Result<u64, StoreError> {
        self.retry("extend", || async {
            let done = sqlx::query(
                "UPDATE leases SET expires_at = now() + make_interval(secs => $1)
                 WHERE token IN (
                     SELECT token FROM leases
                     WHERE state = 'live' AND expires_at < now() + make_interval(secs => $1)
                     FOR NO KEY UPDATE SKIP LOCKED)",
            )
            .bind(grace.as_secs_f64())
            .execute(&self.pool)
            .await?;
            Ok(done.rows_affected())
        })
        .await
    }

    /// Deletes leases whose batch was recorded, or that were revoked, longer than `keep` ago, and
    /// sessions not heard of for `forget`.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn tidy(&self, keep: Duration, forget: Duration) -> Result<(), StoreError> {
        self.retry("tidy", || async {
            sqlx::query(
                "DELETE FROM leases WHERE token IN (
                     SELECT l.token FROM leases l JOIN batches b ON b.id = l.batch_id
                     WHERE (b.recorded_at < now() - make_interval(secs => $1))
                        OR (l.state IN ('void', 'released') AND l.expires_at < now() - make_interval(secs => $1))
                     FOR UPDATE OF l SKIP LOCKED)",
            )
            .bind(keep.as_secs_f64())
            .execute(&self.pool)
            .await?;
            sqlx::query("DELETE FROM workers WHERE seen_at < now() - make_interval(secs => $1)")
                .bind(forget.as_secs_f64())
                .execute(&self.pool)
                .await?;
            Ok(())
        })
        .await
    }
}

/// Lets locked batches wait again that nobody holds any more; returns how many.
pub(super) async fn wait_again(connection: &mut PgConnection, locked: &[i64]) -> Result<u64, StoreError> {
    let done = sqlx::query(
        "UPDATE batches b SET state = 'waiting'
         WHERE b.id = ANY($1) AND b.state = 'leased'
           AND NOT EXISTS (SELECT FROM leases l WHERE l.batch_id = b.id AND l.state = 'live')",
    )
    .bind(locked)
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}
