//! Second leases near the end of a generation: a slow or dead worker shall not hold up the others.

use super::leases::{OpenRun, Pick};
use super::{BatchId, LeaseCall, Session, StoreError};
use sqlx::PgConnection;
use std::time::Duration;

/// How long a range may be out before an idle worker gets it too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// In units of the time the range should take one core.
    pub times: f64,
    /// At least this.
    pub least: Duration,
}

/// Most live leases of a range.
const MOST_LIVE: i64 = 2;

/// Picks for each idle call the range that has been out longest with a single live lease, held by
/// another session. The rows are locked and counted again before the caller grants.
pub(super) async fn second_leases(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
    idle: &[usize],
    run: &OpenRun,
    run_place: usize,
    patience: Patience,
) -> Result<Vec<Pick>, StoreError> {
    if idle.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<(BatchId,)> = sqlx::query_as(
        "SELECT b.id FROM batches b JOIN leases l ON l.batch_id = b.id AND l.state = 'live'
         WHERE b.run_id = $1 AND b.generation = $2 AND b.state = 'leased'
           AND l.granted_at < now() - make_interval(secs => greatest($3, b.count * $4))
           AND l.session <> ALL($6)
           AND NOT EXISTS (SELECT FROM leases o
                           WHERE o.batch_id = b.id AND o.state = 'live' AND o.token <> l.token)
         ORDER BY l.granted_at LIMIT $5 FOR UPDATE OF b SKIP LOCKED",
    )
    .bind(run.id)
    .bind(run.generation)
    .bind(patience.least.as_secs_f64())
    .bind(run.game_us * 1e-6 * patience.times)
    // Some may turn out to be held by those who ask.
    .bind(4 * idle.len() as i64 + 64)
    .bind(if let [only] = idle { vec![calls[*only].session.0] } else { Vec::new() })
    .fetch_all(&mut *connection)
    .await?;
    let locked: Vec<i64> = rows.into_iter().map(|(id,)| id.0).collect();
    if locked.is_empty() {
        return Ok(Vec::new());
    }
    // A statement of its own sees what was committed before the rows were locked.
    let open: Vec<(BatchId, i64, i32, Session)> = sqlx::query_as(
        "SELECT b.id, b.first, b.count, (array_agg(l.session))[1]
         FROM batches b JOIN leases l ON l.batch_id = b.id AND l.state = 'live'
         WHERE b.id = ANY($1) AND b.state = 'leased'
         GROUP BY b.id HAVING count(*) < $2 ORDER BY min(l.granted_at)",
    )
    .bind(&locked)
    .bind(MOST_LIVE)
    .fetch_all(connection)
    .await?;
    let mut free = open;
    let mut picks = Vec::new();
    for &call in idle {
        if let Some(at) = free.iter().position(|(.., holder)| *holder != calls[call].session) {
            let (batch, first, count, _) = free.remove(at);
            picks.push(Pick { call, run: run_place, batch, first: first.cast_unsigned(), count: count.unsigned_abs() });
        }
    }
    Ok(picks)
}
