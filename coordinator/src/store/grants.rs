//! The statements of the lease transaction.

use super::leases::{Granted, LeaseCall, OpenRun, Pick, Worker};
use super::{BatchId, LeaseToken, Session, StoreError, generations};
use sqlx::{PgConnection, Row};
use std::collections::HashMap;
use std::time::Duration;
use uuid::Uuid;

/// Locks the sessions of the calls.
pub(super) async fn lock_workers(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
) -> Result<HashMap<Session, Worker>, StoreError> {
    let sessions: Vec<Uuid> = calls.iter().map(|call| call.session.0).collect();
    let rows = sqlx::query(
        "SELECT session, last_request, threads, engine_semantics, games, closed_at IS NULL AS open
         FROM workers WHERE session = ANY($1) ORDER BY session FOR NO KEY UPDATE",
    )
    .bind(&sessions)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let worker = Worker {
                last_request: row.try_get::<i64, _>("last_request")?.cast_unsigned(),
                threads: row.try_get::<i32, _>("threads")?.unsigned_abs(),
                engine_semantics: row.try_get("engine_semantics")?,
                games: row.try_get("games")?,
                open: row.try_get("open")?,
            };
            Ok((row.try_get("session")?, worker))
        })
        .collect()
}

/// Locks the runs that are not over against pausing, stopping and turning over until the leases are
/// committed.
pub(super) async fn open_runs(connection: &mut PgConnection, recent: Duration) -> Result<Vec<OpenRun>, StoreError> {
    let locked: Vec<i32> =
        sqlx::query_scalar("SELECT id FROM runs WHERE state IN ('running', 'paused') ORDER BY id FOR SHARE")
            .fetch_all(&mut *connection)
            .await?;
    // A statement of its own: the one that locks may have waited for a turnover, whose generation
    // its snapshot does not show.
    let rows = sqlx::query(
        "SELECT r.id, r.name, r.state, r.game, r.engine_semantics, r.current_generation, r.game_us,
                g.definition_hash, waiting.batches, waiting.games,
                (SELECT coalesce(sum(threads), 0) FROM workers
                 WHERE closed_at IS NULL AND seen_at > now() - make_interval(secs => $1)) AS cores
         FROM runs r
         JOIN generations g ON g.run_id = r.id AND g.number = r.current_generation
         CROSS JOIN LATERAL (
             SELECT count(*) AS batches, coalesce(sum(b.count), 0)::bigint AS games FROM batches b
             WHERE b.run_id = r.id AND b.generation = r.current_generation AND b.state = 'waiting'
         ) AS waiting
         WHERE r.id = ANY($2)
         ORDER BY r.id",
    )
    .bind(recent.as_secs_f64())
    .bind(&locked)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(OpenRun {
                id: row.try_get("id")?,
                name: row.try_get("name")?,
                running: row.try_get::<&str, _>("state")? == "running",
                game: row.try_get("game")?,
                engine_semantics: row.try_get("engine_semantics")?,
                generation: row.try_get("current_generation")?,
                definition: generations::hash(row.try_get("definition_hash")?)?,
                game_us: row.try_get("game_us")?,
                waiting_batches: u32::try_from(row.try_get::<i64, _>("batches")?).unwrap_or(u32::MAX),
                waiting_games: row.try_get::<i64, _>("games")?.cast_unsigned(),
                cores: u32::try_from(row.try_get::<i64, _>("cores")?).unwrap_or(u32::MAX),
            })
        })
        .collect()
}

/// Takes up to `total` waiting batches of a run's current generation, in pairing order.
pub(super) async fn take_waiting(
    connection: &mut PgConnection,
    run: &OpenRun,
    total: u32,
) -> Result<Vec<(BatchId, u64, u32)>, StoreError> {
    let rows: Vec<(BatchId, i64, i32)> = sqlx::query_as(
        "WITH picked AS MATERIALIZED (
             SELECT id, first, count FROM batches
             WHERE run_id = $1 AND generation = $2 AND state = 'waiting'
             ORDER BY first LIMIT $3 FOR UPDATE SKIP LOCKED
         ), taken AS (
             UPDATE batches b SET state = 'leased' FROM picked WHERE b.id = picked.id
         )
         SELECT id, first, count FROM picked ORDER BY first",
    )
    .bind(run.id)
    .bind(run.generation)
    .bind(i64::from(total))
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id, first, count)| (id, first.cast_unsigned(), count.unsigned_abs())).collect())
}

/// Writes the leases of what was picked.
pub(super) async fn grant(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
    runs: &[OpenRun],
    picks: &[Pick],
    term: Duration,
) -> Result<HashMap<usize, Vec<Granted>>, StoreError> {
    let mut granted: HashMap<usize, Vec<Granted>> = HashMap::new();
    if picks.is_empty() {
        return Ok(granted);
    }
    let tokens: Vec<LeaseToken> = picks.iter().map(|_| LeaseToken::random()).collect();
    let column = |value: &dyn Fn(&Pick) -> i64| -> Vec<i64> { picks.iter().map(value).collect() };
    let sessions: Vec<Uuid> = picks.iter().map(|pick| calls[pick.call].session.0).collect();
    sqlx::query(
        "INSERT INTO leases (token, batch_id, session, request, expires_at)
         SELECT token, batch, session, request, now() + make_interval(secs => $5)
         FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::bigint[]) AS given(token, batch, session, request)",
    )
    .bind(tokens.iter().map(|token| token.0).collect::<Vec<_>>())
    .bind(column(&|pick| pick.batch.0))
    .bind(&sessions)
    .bind(column(&|pick| calls[pick.call].request.cast_signed()))
    .bind(term.as_secs_f64())
    .execute(connection)
    .await?;
    for (pick, token) in picks.iter().zip(tokens) {
        let run = &runs[pick.run];
        granted.entry(pick.call).or_default().push(Granted {
            token,
            batch: pick.batch,
            definition: run.definition,
            first: pick.first,
            count: pick.count,
            run: run.name.clone(),
            generation: run.generation.cast_unsigned(),
        });
    }
    Ok(granted)
}

/// Remembers the requests that were granted something, and that the workers were heard of; rows
/// that would hardly change are left alone.
pub(super) async fn note_requests(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
    workers: &HashMap<Session, Worker>,
    granted: &HashMap<usize, Vec<Granted>>,
) -> Result<(), StoreError> {
    let mut sessions = Vec::new();
    let mut requests = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        let Some(worker) = workers.get(&call.session) else { continue };
        if sessions.contains(&call.session.0) && !granted.contains_key(&place) {
            continue;
        }
        let request = if granted.contains_key(&place) { call.request } else { worker.last_request };
        sessions.push(call.session.0);
        requests.push(request.cast_signed());
    }
    sqlx::query(
        "UPDATE workers w SET last_request = greatest(w.last_request, given.request), seen_at = now()
         FROM (SELECT session, max(request) AS request
               FROM unnest($1::uuid[], $2::bigint[]) AS each(session, request) GROUP BY session) AS given
         WHERE w.session = given.session
           AND (w.last_request < given.request OR w.seen_at < now() - interval '1 second')",
    )
    .bind(&sessions)
    .bind(&requests)
    .execute(connection)
    .await?;
    Ok(())
}

/// The leases that earlier answers to the same requests granted, as far as they are live, by call.
pub(super) async fn find_again(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
) -> Result<HashMap<usize, Vec<Granted>>, StoreError> {
    let places: Vec<i64> = (0..calls.len() as i64).collect();
    let sessions: Vec<Uuid> = calls.iter().map(|call| call.session.0).collect();
    let requests: Vec<i64> = calls.iter().map(|call| call.request.cast_signed()).collect();
    let rows = sqlx::query(
        "SELECT asked.place, l.token, b.id, b.first, b.count, b.generation, r.name, g.definition_hash
         FROM unnest($1::bigint[], $2::uuid[], $3::bigint[]) AS asked(place, session, request)
         JOIN leases l ON l.session = asked.session AND l.request = asked.request
         JOIN batches b ON b.id = l.batch_id
         JOIN runs r ON r.id = b.run_id
         JOIN generations g ON g.run_id = b.run_id AND g.number = b.generation
         WHERE l.state = 'live' ORDER BY asked.place, b.first",
    )
    .bind(&places)
    .bind(&sessions)
    .bind(&requests)
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<usize, Vec<Granted>> = HashMap::new();
    for row in &rows {
        let place = usize::try_from(row.try_get::<i64, _>("place")?).unwrap_or(usize::MAX);
        found.entry(place).or_default().push(Granted {
            token: row.try_get("token")?,
            batch: row.try_get("id")?,
            definition: generations::hash(row.try_get("definition_hash")?)?,
            first: row.try_get::<i64, _>("first")?.cast_unsigned(),
            count: row.try_get::<i32, _>("count")?.unsigned_abs(),
            run: row.try_get("name")?,
            generation: row.try_get::<i32, _>("generation")?.cast_unsigned(),
        });
    }
    Ok(found)
}
