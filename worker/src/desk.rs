//! The ranges in hand, shared between the threads that play and the tasks that lease and renew.
//!
//! Threads take small pieces of the oldest range, so that they finish it together and its report
//! leaves early. A lock is taken once a piece, which lasts milliseconds or one game.

use crate::definition::Prepared;
use crate::lease::{Lease, LeaseToken};
use crate::outbox::{Finished, Outbox};
use kembara_engine::{GameResult, Outcome};
use kembara_tournament::packed;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// How long a piece should last: long beside the lock, short beside a range.
const A_PIECE: Duration = Duration::from_millis(2);

/// Holds a game's place until it was played.
const UNPLAYED: GameResult = GameResult { outcome: Outcome::Draw, margin: 0, plies: 0 };

/// A range with all that is needed to play it.
#[derive(Debug)]
pub struct Job {
    lease: Lease,
    prepared: Arc<Prepared>,
    id: u64,
    claimed: u32,
    done: u32,
    core: Duration,
    results: Vec<GameResult>,
}

impl Job {
    /// A range nobody has begun; the lease was checked against the generation.
    #[must_use]
    pub const fn new(lease: Lease, prepared: Arc<Prepared>) -> Self {
        Self { lease, prepared, id: 0, claimed: 0, done: 0, core: Duration::ZERO, results: Vec::new() }
    }

    /// What it is made from.
    #[must_use]
    pub const fn prepared(&self) -> &Arc<Prepared> {
        &self.prepared
    }
}

/// Some games of a range, for one thread.
#[derive(Debug)]
pub struct Piece {
    /// What the games are made from.
    pub prepared: Arc<Prepared>,
    /// The first pairing.
    pub first: u64,
    /// How many pairings.
    pub count: u32,
    job: u64,
    offset: u32,
}

/// Whether threads still get work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Open,
    Stopped,
}

#[derive(Debug)]
struct State {
    jobs: VecDeque<Job>,
    mode: Mode,
    next_id: u64,
    /// The pace of the last piece played, for generations that were not tasted yet.
    usual: Duration,
    failures: u64,
}

/// The ranges in hand.
#[derive(Debug)]
pub struct Desk {
    threads: u32,
    state: Mutex<State>,
    work: Condvar,
    /// When less work than this is left, more should be fetched; nanoseconds.
    lead: AtomicU64,
    games: AtomicU64,
    hungry: Notify,
    ebb: Notify,
    changed: Notify,
    outbox: Arc<Outbox>,
}

impl Desk {
    /// An empty desk for so many threads; finished ranges go to the outbox.
    #[must_use]
    pub fn new(threads: u32, outbox: Arc<Outbox>) -> Self {
        let state = State {
            jobs: VecDeque::new(),
            mode: Mode::Open,
            next_id: 0,
            usual: Duration::from_micros(20),
            failures: 0,
        };
        Self {
            threads: threads.max(1),
            state: Mutex::new(state),
            work: Condvar::new(),
            lead: AtomicU64::new(20_000_000),
            games: AtomicU64::new(0),
            hungry: Notify::new(),
            ebb: Notify::new(),
            changed: Notify::new(),
            outbox,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that runs under the lock can panic half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes ranges in. A newer generation of a run tells that older ones are settled: what is left
    /// of them is put aside and its tokens returned. Ranges held already are ignored.
    #[must_use = "the tokens have to be given back"]
    pub fn put(&self, jobs: Vec<Job>) -> Vec<LeaseToken> {
        let mut state = self.lock();
        let mut settled = Vec::new();
        for mut job in jobs {
            if state.mode == Mode::Stopped {
                settled.push(job.lease.token);
                continue;
            }
            if state.jobs.iter().any(|held| held.lease.token == job.lease.token) {
                continue;
            }
            state.jobs.retain(|held| {
                let old = held.lease.run == job.lease.run && held.lease.generation < job.lease.generation;
                if old {
                    settled.push(held.lease.token.clone());
                }
                !old
            });
            job.id = state.next_id;
            state.next_id += 1;
            state.jobs.push_back(job);
        }
        drop(state);
        self.work.notify_all();
        settled
    }

    /// Waits for games to play; `None` when the thread should end.
    pub fn claim(&self) -> Option<Piece> {
        let mut state = self.lock();
        loop {
            if state.mode == Mode::Stopped {
                return None;
            }
            let threads = self.threads;
            if let Some(job) = state.jobs.iter_mut().find(|job| job.claimed < job.lease.count) {
                let piece = cut(job, threads);
                let low = ahead(&state, threads) < self.lead();
                drop(state);
                if low {
                    self.tell_low();
                }
                return Some(piece);
            }
            self.tell_low();
            state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes back a piece that was played. Results of ranges that were dropped meanwhile are dropped.
    pub fn settle(&self, piece: &Piece, results: &[GameResult], core: Duration) {
        piece.prepared.pace().note(piece.count, core);
        self.games.fetch_add(results.len() as u64, Ordering::Relaxed);
        let mut state = self.lock();
        state.usual = piece.prepared.pace().a_game().unwrap_or(state.usual);
        let Some(place) = state.jobs.iter().position(|job| job.id == piece.job) else { return };
        let job = &mut state.jobs[place];
        let from = piece.offset as usize;
        job.results[from..from + results.len()].copy_from_slice(results);
        job.done += piece.count;
        job.core += core;
        if job.done < job.lease.count {
            return;
        }
        let Some(job) = state.jobs.remove(place) else { return };
        state.failures = 0;
        // Into the outbox under the lock: a range is always in one of the two.
        self.outbox.finish(Finished {
            packed: packed::pack(&job.results).into(),
            games: job.lease.count,
            core: job.core,
            lease: job.lease,
        });
        drop(state);
        self.changed.notify_one();
    }

    /// Gives up the range of a piece that cannot be played.
    pub fn fail(&self, piece: &Piece, reason: &str) {
        let mut state = self.lock();
        state.failures += 1;
        let Some(place) = state.jobs.iter().position(|job| job.id == piece.job) else { return };
        let Some(job) = state.jobs.remove(place) else { return };
        drop(state);
        let Lease { token, run, generation, .. } = &job.lease;
        tracing::error!(%run, generation, batch = %token, first = piece.first, "a game failed, its range is given back: {reason}");
        self.outbox.give_back([job.lease.token]);
        self.changed.notify_one();
    }

    /// Ranges that failed since the last one that was finished.
    pub fn failures(&self) -> u64 {
        self.lock().failures
    }

    /// Forgets ranges that are no longer worth playing; how many there were.
    pub fn void(&self, tokens: &[String]) -> usize {
        let mut state = self.lock();
        let before = state.jobs.len();
        state.jobs.retain(|job| !tokens.iter().any(|token| token == job.lease.token.as_str()));
        let gone = before - state.jobs.len();
        drop(state);
        self.changed.notify_one();
        gone
    }

    /// Takes the ranges nobody has begun off the desk.
    #[must_use = "the tokens have to be given back"]
    pub fn take_unbegun(&self) -> Vec<LeaseToken> {
        self.take(|job| job.claimed == 0)
    }

    /// Takes everything off the desk and lets the threads end after the game they are in.
    #[must_use = "the tokens have to be given back"]
    pub fn stop(&self) -> Vec<LeaseToken> {
        self.lock().mode = Mode::Stopped;
        self.work.notify_all();
        self.take(|_| true)
    }

    fn take(&self, which: impl Fn(&Job) -> bool) -> Vec<LeaseToken> {
        let mut state = self.lock();
        let mut tokens = Vec::new();
        state.jobs.retain(|job| {
            let taken = which(job);
            if taken {
                tokens.push(job.lease.token.clone());
            }
            !taken
        });
        drop(state);
        self.changed.notify_one();
        tokens
    }

    /// Tokens in hand with the games done of each.
    pub fn progress(&self) -> Vec<(LeaseToken, u32)> {
        self.lock().jobs.iter().map(|job| (job.lease.token.clone(), job.done)).collect()
    }

    /// How many ranges are in hand.
    pub fn ranges(&self) -> usize {
        self.lock().jobs.len()
    }

    /// Games played since the start.
    pub fn games(&self) -> u64 {
        self.games.load(Ordering::Relaxed)
    }

    /// How much work should be left when more is fetched.
    pub fn set_lead(&self, lead: Duration) {
        self.lead.store(u64::try_from(lead.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn lead(&self) -> Duration {
        Duration::from_nanos(self.lead.load(Ordering::Relaxed))
    }

    fn tell_low(&self) {
        self.hungry.notify_one();
        self.ebb.notify_waiters();
    }

    fn is_low(&self) -> bool {
        ahead(&self.lock(), self.threads) < self.lead()
    }

    /// Waits until so little work is left that more should be fetched. Only one task may wait here.
    pub async fn until_hungry(&self) {
        while !self.is_low() {
            self.hungry.notified().await;
        }
    }

    /// Waits until little work is left, at most so long. Any task may wait here.
    pub async fn until_low(&self, longest: Duration) {
        let low = async {
            loop {
                let ebb = self.ebb.notified();
                tokio::pin!(ebb);
                ebb.as_mut().enable();
                if self.is_low() {
                    return;
                }
                ebb.await;
            }
        };
        let _ = tokio::time::timeout(longest, low).await;
    }

    /// Waits until no range is in hand.
    pub async fn until_empty(&self) {
        while self.ranges() > 0 {
            self.changed.notified().await;
        }
    }
}

/// Takes the next piece of a range: [`A_PIECE`] long, and small at the range's end, where threads
/// should not wait for each other. A generation whose pace is unknown is tasted with one game.
fn cut(job: &mut Job, threads: u32) -> Piece {
    if job.results.is_empty() {
        job.results = vec![UNPLAYED; job.lease.count as usize];
    }
    let left = job.lease.count - job.claimed;
    let wished = job.prepared.pace().a_game().map_or(1, |game| A_PIECE.as_nanos() / game.as_nanos().max(1));
    let wished = u32::try_from(wished).unwrap_or(u32::MAX);
    let count = wished.min(left.div_ceil(2 * threads)).max(1);
    let offset = job.claimed;
    job.claimed += count;
    Piece {
        prepared: Arc::clone(&job.prepared),
        first: job.lease.first + u64::from(offset),
        count,
        job: job.id,
        offset,
    }
}

/// How long the threads are busy with what nobody has taken yet.
fn ahead(state: &State, threads: u32) -> Duration {
    let work: Duration = state
        .jobs
        .iter()
        .map(|job| {
            let game = job.prepared.pace().a_game().unwrap_or(state.usual);
            game.saturating_mul(job.lease.count - job.claimed)
        })
        .fold(Duration::ZERO, Duration::saturating_add);
    work / threads
}
