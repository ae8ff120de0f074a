//! Leases, reports and renewals, gathered into few statements.
//!
//! [`Dispatch`] is what the gRPC face talks to, with no message types in it. Calls that come within
//! a few milliseconds share one transaction and are answered after its commit. A worker that finds
//! nothing waits here until something changes.

mod definitions;
mod gather;
mod wake;

pub use wake::Wake;

use crate::core::Timings;
use crate::store::{
    LeaseAnswer, LeaseCall, NewWorker, Patience, Recorded, ReleaseCall, RenewAnswer, RenewCall, ReportAnswer,
    ReportCall, RunId, Session, Store, StoreError,
};
use bytes::Bytes;
use definitions::Definitions;
use gather::Gather;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The longest a worker is kept waiting for work.
pub const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// How often somebody who waits looks at the database all the same: other coordinators' work, and
/// ranges that are out for too long, wake nobody here.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// When an idle worker gets a range that somebody else holds. A lease is worth up to a second, and
/// its last range begins when the others are done: sooner, healthy workers would play each other's
/// ranges at the end of every generation. It comes well before the lease ends.
fn patience(timings: Timings) -> Patience {
    Patience { times: 2.0, least: Duration::from_millis(1500).min(timings.lease / 4) }
}

/// What a report tells the scheduler. The database knows it too; this is only sooner.
#[derive(Clone, Debug)]
pub(crate) enum Hint {
    /// A range was recorded.
    Recorded(Recorded),
    /// A generation has nothing open.
    Complete(RunId, u32),
}

/// Why a call could not be answered; shared by all calls of its round.
pub type DispatchError = Arc<StoreError>;

/// Answers workers. Cheap to clone.
#[derive(Clone)]
pub struct Dispatch(Arc<Inner>);

struct Inner {
    store: Store,
    timings: Timings,
    wake: Wake,
    definitions: Definitions,
    leases: Gather<LeaseCall, LeaseAnswer>,
    reports: Gather<Vec<ReportCall>, Vec<ReportAnswer>>,
    renewals: Gather<RenewCall, RenewAnswer>,
    shutdown: CancellationToken,
}

impl Dispatch {
    /// Starts the rounds. `hints` gets what the scheduler should know at once.
    pub(crate) fn start(
        store: Store,
        timings: Timings,
        wake: Wake,
        hints: mpsc::UnboundedSender<Hint>,
        shutdown: CancellationToken,
    ) -> Self {
        let turn = Arc::new(AtomicUsize::new(0));
        let leasing = store.clone();
        let leases = Gather::start(move |calls: Vec<LeaseCall>| {
            let (store, turn) = (leasing.clone(), turn.fetch_add(1, Ordering::Relaxed));
            async move { store.lease(&calls, timings.lease, timings.recent(), turn, patience(timings)).await }
        });
        let reporting = store.clone();
        let reports = Gather::start(move |calls: Vec<Vec<ReportCall>>| {
            let (store, hints) = (reporting.clone(), hints.clone());
            async move { record(&store, &hints, calls).await }
        });
        let renewing = store.clone();
        let renewals = Gather::start(move |calls: Vec<RenewCall>| {
            let store = renewing.clone();
            async move { store.renew(&calls, timings.lease).await }
        });
        let definitions = Definitions::default();
        Self(Arc::new(Inner { store, timings, wake, definitions, leases, reports, renewals, shutdown }))
    }

    /// How long leases last and how often to renew.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.0.timings
    }

    /// Opens a session, or finds the one this instance has.
    ///
    /// # Errors
    /// [`DispatchError`] when the database does not answer.
    pub async fn register(&self, worker: &NewWorker) -> Result<Session, DispatchError> {
        Ok(self.0.store.register(worker).await?)
    }

    /// Leases ranges, waiting up to `wait` for some.
    ///
    /// # Errors
    /// [`DispatchError`] when the database does not answer.
    pub async fn lease(&self, call: LeaseCall, wait: Duration) -> Result<LeaseAnswer, DispatchError> {
        let deadline = Instant::now() + wait.min(LONGEST_WAIT);
        let mut changes = self.0.wake.listen();
        loop {
            changes.reset();
            let answer = self.0.leases.call(call).await?;
            if !matches!(answer, LeaseAnswer::Idle(_)) || Instant::now() >= deadline {
                return Ok(answer);
            }
            tokio::select! {
                () = changes.changed() => {}
                () = tokio::time::sleep_until(deadline.min(Instant::now() + LOOK_AGAIN)) => {}
                () = self.0.shutdown.cancelled() => return Ok(answer),
            }
        }
    }

    /// Records reports; one answer each, in order.
    ///
    /// # Errors
    /// [`DispatchError`] when the database does not answer; repeating the call is harmless.
    pub async fn report(&self, calls: Vec<ReportCall>) -> Result<Vec<ReportAnswer>, DispatchError> {
        if calls.is_empty() { Ok(Vec::new()) } else { self.0.reports.call(calls).await }
    }

    /// Takes a heartbeat.
    ///
    /// # Errors
    /// [`DispatchError`] when the database does not answer.
    pub async fn renew(&self, call: RenewCall) -> Result<RenewAnswer, DispatchError> {
        self.0.renewals.call(call).await
    }

    /// Takes leases back and lets others have them at once.
    ///
    /// # Errors
    /// [`DispatchError`] when the database does not answer; repeating the call is harmless.
    pub async fn release(&self, call: &ReleaseCall) -> Result<(), DispatchError> {
        self.0.store.release(call).await?;
        self.0.wake.all();
        Ok(())
    }

    /// The definition of an open generation; `None` when there is none of this hash.
    ///
    /// # Errors
    /// [`DispatchError`] when the database does not answer.
    pub async fn definition(&self, hash: &[u8; 32]) -> Result<Option<Bytes>, DispatchError> {
        if let Some(found) = self.0.definitions.get(hash) {
            return Ok(Some(found));
        }
        let Some(bytes) = self.0.store.definition(hash).await? else { return Ok(None) };
        let bytes = Bytes::from(bytes);
        self.0.definitions.put(*hash, bytes.clone());
        Ok(Some(bytes))
    }
}

/// Records all reports of a round and tells the scheduler what came in.
async fn record(
    store: &Store,
    hints: &mpsc::UnboundedSender<Hint>,
    calls: Vec<Vec<ReportCall>>,
) -> Result<Vec<Vec<ReportAnswer>>, StoreError> {
    let lengths: Vec<usize> = calls.iter().map(Vec::len).collect();
    let all: Vec<ReportCall> = calls.into_iter().flatten().collect();
    let reported = store.report(&all).await?;
    if !reported.recorded.is_empty() {
        let (store, recorded) = (store.clone(), reported.recorded.clone());
        tokio::spawn(async move {
            if let Err(error) = store.count_recorded(&recorded).await {
                tracing::debug!(%error, "the workers' counts miss some games");
            }
        });
    }
    for batch in reported.recorded {
        tracing::debug!(
            run = %batch.run, generation = batch.generation, batch = %batch.batch, worker = %batch.session,
            games = batch.count, "recorded"
        );
        // Nobody listens any more while shutting down; the next coordinator reads the database.
        let _ = hints.send(Hint::Recorded(batch));
    }
    for (run, generation) in reported.complete {
        let _ = hints.send(Hint::Complete(run, generation));
    }
    let mut answers = reported.answers.into_iter();
    Ok(lengths.into_iter().map(|length| answers.by_ref().take(length).collect()).collect())
}
