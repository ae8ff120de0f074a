//! Granting leases: many workers' requests in one transaction.

use super::grants::{find_again, grant, lock_workers, note_requests, open_runs, take_waiting};
use super::second::{Patience, second_leases};
use super::{BatchId, LeaseToken, RunId, Session, Store, StoreError};
use sqlx::PgConnection;
use std::collections::HashMap;
use std::time::Duration;

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

impl LeaseCall {
    fn same_as(&self, other: &Self) -> bool {
        self.session == other.session && self.request == other.request
    }
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
pub(super) struct Worker {
    pub last_request: u64,
    pub threads: u32,
    pub engine_semantics: i32,
    pub games: Vec<String>,
    pub open: bool,
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
        let mut repeated = find_again(&mut transaction, calls).await?;
        let mut fresh: Vec<usize> = Vec::new();
        for (place, call) in calls.iter().enumerate() {
            let Some(worker) = workers.get(&call.session).filter(|worker| worker.open) else { continue };
            // A request older than the last one is a straggler that nobody waits for. The last one
            // again, when its leases are gone, asks for new ones.
            let asks = call.request >= worker.last_request && !repeated.contains_key(&place);
            if asks && !fresh.iter().any(|&other| calls[other].session == call.session) {
                fresh.push(place);
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
        transaction.commit().await?;
        // Of two copies of a request in one round the second gets what the first got.
        for (place, call) in calls.iter().enumerate() {
            let twin = granted.iter().find(|(other, _)| calls[**other].same_as(call)).map(|(_, ranges)| ranges.clone());
            if let Some(ranges) = twin {
                repeated.entry(place).or_insert(ranges);
            }
        }
        let answer = |(place, call): (usize, &LeaseCall)| match workers.get(&call.session) {
            Some(worker) if worker.open => match granted.remove(&place).or_else(|| repeated.remove(&place)) {
                Some(ranges) => LeaseAnswer::Granted(ranges),
                None => LeaseAnswer::Idle(idle_reason(&runs, worker)),
            },
            _ => LeaseAnswer::NoSession,
        };
        Ok(calls.iter().enumerate().map(answer).collect())
    }
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
