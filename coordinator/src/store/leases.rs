//! Granting leases: many workers' requests in one transaction.

use super::second::{Patience, second_leases};
use super::{BatchId, LeaseToken, RunId, Session, Store, StoreError, generations};
use sqlx::{PgConnection, Row};
use std::collections::HashMap;
use std::time::Duration;
use uuid::Uuid;

/// Most ranges in one answer.
const MOST_RANGES: u32 = 64;
/// Most games in one answer: their results fit one report of at most 1 MiB.
const MOST_GAMES: u32 = 150_000;
/// A lease is worth at most this much of each of the worker's threads.
const LONGEST_WORK: Duration = Duration::from_secs(1);

/// One worker's request for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseCall {
    /// Who asks.
    pub session: Session,
    /// Counts up from 1; a repeat gets the same leases.
    pub request: u64,
    /// Core time the worker would like to be given.
    pub wanted: Duration,
}

/// A granted range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// The right to report it.
    pub token: LeaseToken,
    /// The batch.
    pub batch: BatchId,
    /// Hash of the generation's definition.
    pub definition: [u8; 32],
    /// First pairing.
    pub first: u64,
    /// How many.
    pub count: u32,
    /// The run's name.
    pub run: String,
    /// The generation's number.
    pub generation: u32,
}

/// Why there is nothing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdleReason {
    /// No run is running or paused.
    NoRun,
    /// All are paused.
    Paused,
    /// Everything open is being played.
    AllLeased,
    /// What is open needs another engine semantics version or game; said in words.
    Version(String),
}

/// The answer to a [`LeaseCall`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseAnswer {
    /// At least one range.
    Granted(Vec<Granted>),
    /// None.
    Idle(IdleReason),
    /// The session is not known or was closed.
    NoSession,
}

/// A session as the lease transaction needs it.
struct Worker {
    last_request: u64,
    threads: u32,
    engine_semantics: i32,
    games: Vec<String>,
    open: bool,
}

/// A run that is not over, with what is left to grant of its current generation.
#[derive(Debug)]
pub(super) struct OpenRun {
    pub id: RunId,
    pub name: String,
    pub running: bool,
    pub game: String,
    pub engine_semantics: i32,
    pub generation: i32,
    pub definition: [u8; 32],
    /// Core microseconds a game, estimated or measured.
    pub game_us: f64,
    pub waiting_batches: u32,
    pub waiting_games: u64,
    /// Threads of the workers heard of recently.
    pub cores: u32,
}

impl OpenRun {
    fn suits(&self, worker: &Worker) -> bool {
        self.engine_semantics == worker.engine_semantics && worker.games.contains(&self.game)
    }

    /// How many batches a request is worth: min(1 s, remaining work / (2 × cores)) for each of the
    /// worker's threads, no more than it wants, at least one batch.
    fn share(&self, worker: &Worker, wanted: Duration) -> u32 {
        if self.waiting_batches == 0 {
            return 0;
        }
        let cores = f64::from(self.cores.max(worker.threads).max(1));
        let remaining = self.waiting_games as f64 * self.game_us;
        let each = (remaining / (2.0 * cores)).min(LONGEST_WORK.as_micros() as f64);
        let worth = (each * f64::from(worker.threads)).min(wanted.as_micros() as f64);
        let games = self.waiting_games as f64 / f64::from(self.waiting_batches);
        let most = MOST_RANGES.min((f64::from(MOST_GAMES) / games) as u32).max(1);
        // `as` saturates, and a batch without measurable work gives the most.
        ((worth / (games * self.game_us)) as u32).clamp(1, most).min(self.waiting_batches)
    }
}

/// A batch picked for a call.
pub(super) struct Pick {
    pub call: usize,
    pub run: usize,
    pub batch: BatchId,
    pub first: u64,
    pub count: u32,
}

impl Store {
    /// Answers many requests at once. `term` is how long the leases last, `recent` how long ago a
    /// worker that counts as a core was heard of; `turn` rotates which run is served first.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing was granted, or it will be found again by the same requests.
    pub async fn lease(
        &self,
        calls: &[LeaseCall],
        term: Duration,
        recent: Duration,
        turn: usize,
        patience: Patience,
    ) -> Result<Vec<LeaseAnswer>, StoreError> {
        self.retry("lease", || self.lease_once(calls, term, recent, turn, patience)).await
    }

    async fn lease_once(
        &self,
        calls: &[LeaseCall],
        term: Duration,
        recent: Duration,
        turn: usize,
        patience: Patience,
    ) -> Result<Vec<LeaseAnswer>, StoreError> {
        // A lease that a crash of the server forgets is answered VOID later and its range is still
        // waiting: nothing is lost but the work.
        let mut transaction = self.pool.begin_with("BEGIN; SET LOCAL synchronous_commit = off").await?;
        let workers = lock_workers(&mut transaction, calls).await?;
        let mut answers: Vec<Option<LeaseAnswer>> = vec![None; calls.len()];
        let mut repeats = Vec::new();
        let mut fresh = Vec::new();
        for (place, call) in calls.iter().enumerate() {
            match workers.get(&call.session) {
                Some(worker) if worker.open => {
                    if call.request <= worker.last_request {
                        repeats.push(place);
                    } else if let Some(&twin) =
                        fresh.iter().find(|&&other: &&usize| calls[other].session == call.session)
                    {
                        // Two requests of one session in one round: the later answers as the first.
                        answers[place] = Some(LeaseAnswer::Idle(IdleReason::AllLeased));
                        if calls[twin].request == call.request {
                            repeats.push(place);
                        }
                    } else {
                        fresh.push(place);
                    }
                }
                _ => answers[place] = Some(LeaseAnswer::NoSession),
            }
        }
        let mut runs = open_runs(&mut transaction, recent).await?;
        if !runs.is_empty() {
            let first = turn % runs.len();
            runs.rotate_left(first);
        }
        let mut picks = Vec::new();
        pick_waiting(&mut transaction, calls, &workers, &fresh, &mut runs, &mut picks).await?;
        let mut granted = grant(&mut transaction, calls, &runs, &picks, term).await?;
        let hungry: Vec<usize> = fresh.iter().copied().filter(|place| !granted.contains_key(place)).collect();
        if !hungry.is_empty() {
            let mut more = Vec::new();
            for (at, run) in runs.iter().enumerate().filter(|(_, run)| run.running) {
                let idle: Vec<usize> = hungry
                    .iter()
                    .copied()
                    .filter(|&place| {
                        run.suits(&workers[&calls[place].session]) && !more.iter().any(|pick: &Pick| pick.call == place)
                    })
                    .collect();
                more.extend(second_leases(&mut transaction, calls, &idle, run, at, patience).await?);
            }
            granted.extend(grant(&mut transaction, calls, &runs, &more, term).await?);
        }
        note_requests(&mut transaction, calls, &workers, &granted).await?;
        let repeated = find_again(&mut transaction, calls, &repeats).await?;
        transaction.commit().await?;
        for (place, ranges) in granted.into_iter().chain(repeated) {
            answers[place] = Some(LeaseAnswer::Granted(ranges));
        }
        Ok(answers
            .into_iter()
            .zip(calls)
            .map(|(answer, call)| {
                answer.unwrap_or_else(|| LeaseAnswer::Idle(idle_reason(&runs, &workers[&call.session])))
            })
            .collect())
    }
}

async fn lock_workers(
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
async fn open_runs(connection: &mut PgConnection, recent: Duration) -> Result<Vec<OpenRun>, StoreError> {
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

/// Takes waiting batches for the calls, each from the first run that suits its worker.
async fn pick_waiting(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
    workers: &HashMap<Session, Worker>,
    fresh: &[usize],
    runs: &mut [OpenRun],
    picks: &mut Vec<Pick>,
) -> Result<(), StoreError> {
    let mut served: Vec<usize> = Vec::new();
    for (at, run) in runs.iter_mut().enumerate().filter(|(_, run)| run.running) {
        let mut wishes = Vec::new();
        let mut total = 0;
        for &place in fresh.iter().filter(|place| !served.contains(place)) {
            let worker = &workers[&calls[place].session];
            if !run.suits(worker) {
                continue;
            }
            let share = run.share(worker, calls[place].wanted);
            if share > 0 {
                let games = run.waiting_games / u64::from(run.waiting_batches) * u64::from(share);
                run.waiting_batches -= share;
                run.waiting_games = run.waiting_games.saturating_sub(games);
                total += share;
                wishes.push((place, share));
            }
        }
        if total == 0 {
            continue;
        }
        let mut taken = take_waiting(connection, run, total).await?.into_iter();
        for (place, share) in wishes {
            for (batch, first, count) in taken.by_ref().take(share as usize) {
                picks.push(Pick { call: place, run: at, batch, first, count });
                served.push(place);
            }
        }
    }
    Ok(())
}

async fn take_waiting(
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
async fn grant(
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
async fn note_requests(
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

/// The leases that earlier answers to the same requests granted, as far as they are live.
async fn find_again(
    connection: &mut PgConnection,
    calls: &[LeaseCall],
    repeats: &[usize],
) -> Result<HashMap<usize, Vec<Granted>>, StoreError> {
    let mut found: HashMap<usize, Vec<Granted>> = HashMap::new();
    if repeats.is_empty() {
        return Ok(found);
    }
    let sessions: Vec<Uuid> = repeats.iter().map(|&place| calls[place].session.0).collect();
    let requests: Vec<i64> = repeats.iter().map(|&place| calls[place].request.cast_signed()).collect();
    let rows = sqlx::query(
        "SELECT l.session, l.request, l.token, b.id, b.first, b.count, b.generation, r.name, g.definition_hash
         FROM unnest($1::uuid[], $2::bigint[]) AS asked(session, request)
         JOIN leases l ON l.session = asked.session AND l.request = asked.request
         JOIN batches b ON b.id = l.batch_id
         JOIN runs r ON r.id = b.run_id
         JOIN generations g ON g.run_id = b.run_id AND g.number = b.generation
         WHERE l.state = 'live' ORDER BY b.first",
    )
    .bind(&sessions)
    .bind(&requests)
    .fetch_all(connection)
    .await?;
    for row in &rows {
        let (session, request) = (row.try_get::<Session, _>("session")?, row.try_get::<i64, _>("request")?);
        for &place in repeats {
            if calls[place].session == session && calls[place].request.cast_signed() == request {
                let ranges: &mut Vec<Granted> = found.entry(place).or_default();
                let token = row.try_get("token")?;
                if ranges.iter().all(|range| range.token != token) {
                    ranges.push(Granted {
                        token,
                        batch: row.try_get("id")?,
                        definition: generations::hash(row.try_get("definition_hash")?)?,
                        first: row.try_get::<i64, _>("first")?.cast_unsigned(),
                        count: row.try_get::<i32, _>("count")?.unsigned_abs(),
                        run: row.try_get("name")?,
                        generation: row.try_get::<i32, _>("generation")?.cast_unsigned(),
                    });
                }
            }
        }
    }
    Ok(found)
}

fn idle_reason(runs: &[OpenRun], worker: &Worker) -> IdleReason {
    if runs.is_empty() {
        return IdleReason::NoRun;
    }
    let mut running = runs.iter().filter(|run| run.running).peekable();
    let Some(&other) = running.peek() else { return IdleReason::Paused };
    if running.any(|run| run.suits(worker)) {
        return IdleReason::AllLeased;
    }
    IdleReason::Version(format!(
        "run {} needs the game {} at engine semantics {}; this worker plays {} at {}",
        other.name,
        other.game,
        other.engine_semantics,
        worker.games.join(", "),
        worker.engine_semantics
    ))
}
