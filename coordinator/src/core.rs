//! The coordinator's heart: database, dispatch, scheduler and sweeps, started and ended together.
//!
//! Any number of these may run over one database.

use crate::dispatch::{Dispatch, Wake};
use crate::scheduler::{self, Scheduler};
use crate::store::{Changed, Launched, NewRun, RunState, Store, StoreError};
use kembara_evolution::{ResolvedSpec, Run, SpecError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;

/// How long things last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timings {
    /// How long a lease lasts without a heartbeat.
    pub lease: Duration,
    /// How often workers send one.
    pub renew_every: Duration,
    /// How often expired leases and complete generations are looked for.
    pub sweep: Duration,
}

impl Default for Timings {
    fn default() -> Self {
        Self { lease: Duration::from_secs(60), renew_every: Duration::from_secs(15), sweep: Duration::from_secs(1) }
    }
}

impl Timings {
    /// A worker heard of within this counts as there: two heartbeats may get lost.
    pub(crate) fn recent(&self) -> Duration {
        self.renew_every * 3
    }

    /// How long workers have to be heard again after an outage.
    fn grace(&self) -> Duration {
        (self.renew_every * 2).min(self.lease)
    }

    /// How long recorded leases are kept for late and repeated reports.
    fn keep(&self) -> Duration {
        self.lease * 2
    }
}

/// Sessions not heard of for this long are forgotten.
const FORGET: Duration = Duration::from_hours(24);

/// Sweeps between two tidyings.
const TIDY_EVERY: u32 = 10;

/// Why a run could not be launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The name is empty or too long.
    #[error("a run's name has 1 to 64 characters, not {0}")]
    Name(
        /// How many it has.
        usize,
    ),
    /// The spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The database did not take it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A running coordinator, without its servers.
pub struct Core {
    /// The database.
    pub store: Store,
    /// What workers talk to.
    pub dispatch: Dispatch,
    timings: Timings,
    wake: Wake,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Core {
    /// Starts the scheduler and the sweeps; they end when `shutdown` is cancelled.
    #[must_use]
    pub fn start(store: Store, timings: Timings, shutdown: CancellationToken) -> Self {
        let wake = Wake::default();
        let (hint, hints) = mpsc::unbounded_channel();
        let dispatch = Dispatch::start(store.clone(), timings, wake.clone(), hint, shutdown.clone());
        let scheduler = Scheduler::new(store.clone(), wake.clone(), timings, hints);
        let tasks = Mutex::new(vec![
            tokio::spawn(scheduler.work(shutdown.clone())),
            tokio::spawn(sweep(store.clone(), timings, wake.clone(), shutdown)),
        ]);
        Self { store, dispatch, timings, wake, tasks }
    }

    /// How long things last here.
    #[must_use]
    pub const fn timings(&self) -> Timings {
        self.timings
    }

    /// Waits for the scheduler and the sweeps to end after a shutdown.
    pub async fn ended(&self) {
        let tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        for task in tasks {
            if let Err(error) = task.await {
                tracing::error!(%error, "a task of the coordinator broke off");
            }
        }
    }

    /// Launches a run, or finds it: repeating a launch is harmless.
    ///
    /// # Errors
    /// [`LaunchError`]; then nothing is half done.
    pub async fn launch(&self, name: &str, spec: ResolvedSpec) -> Result<Launched, LaunchError> {
        let length = name.chars().count();
        if !(1..=64).contains(&length) {
            return Err(LaunchError::Name(length));
        }
        let cores = self.store.cores_seen(self.timings.recent()).await?;
        let game_us = scheduler::guess_game_us(spec.play.limit);
        let prepared = spawn_blocking(move || {
            let run = Run::new(spec)?;
            let first = scheduler::prepare(&run, Arc::new(run.first()), game_us, cores);
            Ok::<_, SpecError>((run, first))
        });
        let (run, first) =
            prepared.await.map_err(|error| StoreError::Logic(format!("preparing run {name} broke off: {error}")))??;
        let launched = self.store.launch(&NewRun { name, spec: run.spec(), first: &first, game_us }).await?;
        tracing::info!(run = name, outcome = ?launched, "launched");
        self.wake.all();
        Ok(launched)
    }

    /// Pauses a run: no new leases; what is out comes in, and turnovers go on.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn pause(&self, name: &str) -> Result<Changed, StoreError> {
        self.change(name, RunState::Paused).await
    }

    /// Lets a paused run go on.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn resume(&self, name: &str) -> Result<Changed, StoreError> {
        self.change(name, RunState::Running).await
    }

    /// Stops a run for good; its open leases are void.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn stop(&self, name: &str) -> Result<Changed, StoreError> {
        self.change(name, RunState::Stopped).await
    }

    async fn change(&self, name: &str, to: RunState) -> Result<Changed, StoreError> {
        let changed = self.store.change(name, to).await?;
        tracing::info!(run = name, to = to.name(), outcome = ?changed, "state of a run");
        self.wake.all();
        Ok(changed)
    }
}

/// Sends expired leases back, each sweep. The first sweep after an outage, the coordinator's own
/// start included, first gives workers the time to be heard again.
async fn sweep(store: Store, timings: Timings, wake: Wake, shutdown: CancellationToken) {
    let mut ticks = tokio::time::interval(timings.sweep);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut outage = true;
    let mut round = 0_u32;
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            _ = ticks.tick() => {}
        }
        let swept = async {
            if outage {
                store.extend(timings.grace()).await?;
            }
            let rescued = store.rescue().await?;
            if round.is_multiple_of(TIDY_EVERY) {
                store.tidy(timings.keep(), FORGET).await?;
            }
            Ok::<_, StoreError>(rescued)
        };
        match swept.await {
            Ok(rescued) => {
                if rescued > 0 {
                    tracing::info!(ranges = rescued, "leases ran out; their ranges wait again");
                    wake.all();
                }
                outage = false;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot sweep");
                outage = true;
            }
        }
        round = round.wrapping_add(1);
    }
}
