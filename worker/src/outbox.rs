//! Finished ranges that wait to be delivered, and leases that wait to be given back.

use crate::lease::{Lease, LeaseToken};
use prost::bytes::Bytes;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// Finished results kept while the coordinator is away, bytes. When there are more, no further work
/// is taken.
pub const MOST_BYTES: usize = 16 << 20;

/// Finished ranges kept while the coordinator is away.
pub const MOST_RANGES: usize = 4096;

/// A range whose games were all played.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What was lent.
    pub lease: Lease,
    /// Its results, packed.
    pub packed: Bytes,
    /// Its games.
    pub games: u32,
    /// Core time spent.
    pub core: Duration,
}

#[derive(Debug, Default)]
struct State {
    finished: VecDeque<Finished>,
    bytes: usize,
    back: VecDeque<LeaseToken>,
}

/// What waits to be sent. One task delivers; what it looks at stays here until it says that it was
/// sent, so nothing is lost when a call is given up.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    filled: Notify,
    emptied: Notify,
}

/// What one call delivers.
#[derive(Debug)]
pub enum Parcel {
    /// Results, oldest first; at least one.
    Results(Vec<Finished>),
    /// Leases that were not played; at least one.
    Returns(Vec<LeaseToken>),
}

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that runs under the lock can panic half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts in a finished range.
    pub fn finish(&self, finished: Finished) {
        let mut state = self.lock();
        state.bytes += finished.packed.len();
        state.finished.push_back(finished);
        drop(state);
        self.filled.notify_one();
    }

    /// Puts in leases that will not be played.
    pub fn give_back(&self, tokens: impl IntoIterator<Item = LeaseToken>) {
        let mut state = self.lock();
        state.back.extend(tokens);
        let any = !state.back.is_empty();
        drop(state);
        if any {
            self.filled.notify_one();
        }
    }

    /// Waits for something to send.
    pub async fn until_filled(&self) {
        while self.is_empty() {
            self.filled.notified().await;
        }
    }

    /// Waits for something to send and shows as much of it as fits into `most_bytes` and
    /// `most_ranges`, at least one range. Results go first.
    pub async fn look(&self, most_bytes: usize, most_ranges: usize) -> Parcel {
        loop {
            if let Some(parcel) = self.front(most_bytes, most_ranges) {
                return parcel;
            }
            self.filled.notified().await;
        }
    }

    /// As [`Outbox::look`], when there is something now.
    pub fn front(&self, most_bytes: usize, most_ranges: usize) -> Option<Parcel> {
        /// Token, core time and the framing of a result.
        const AROUND_A_RESULT: usize = 96;
        let state = self.lock();
        let mut bytes = 0;
        let results: Vec<_> = state
            .finished
            .iter()
            .take(most_ranges)
            .enumerate()
            .take_while(|(place, finished)| {
                bytes += finished.packed.len() + AROUND_A_RESULT;
                *place == 0 || bytes <= most_bytes
            })
            .map(|(_, finished)| finished.clone())
            .collect();
        if !results.is_empty() {
            return Some(Parcel::Results(results));
        }
        let tokens: Vec<_> = state.back.iter().take(most_ranges).cloned().collect();
        (!tokens.is_empty()).then_some(Parcel::Returns(tokens))
    }

    /// The parcel arrived, or can never arrive: its content is forgotten.
    pub fn sent(&self, parcel: &Parcel) {
        let mut state = self.lock();
        match parcel {
            Parcel::Results(results) => {
                state.finished.drain(..results.len());
                state.bytes -= results.iter().map(|finished| finished.packed.len()).sum::<usize>();
            }
            Parcel::Returns(tokens) => drop(state.back.drain(..tokens.len())),
        }
        drop(state);
        self.emptied.notify_waiters();
    }

    /// Tokens of finished ranges that were not delivered yet, with their games.
    pub fn undelivered(&self) -> Vec<(LeaseToken, u32)> {
        self.lock().finished.iter().map(|finished| (finished.lease.token.clone(), finished.games)).collect()
    }

    /// Games that wait for delivery.
    pub fn backlog(&self) -> u64 {
        self.lock().finished.iter().map(|finished| u64::from(finished.games)).sum()
    }

    fn has_room(&self) -> bool {
        let state = self.lock();
        state.bytes < MOST_BYTES && state.finished.len() < MOST_RANGES
    }

    fn is_empty(&self) -> bool {
        let state = self.lock();
        state.finished.is_empty() && state.back.is_empty()
    }

    /// Waits until there is room for further results.
    pub async fn until_room(&self) {
        self.until(Self::has_room).await;
    }

    /// Waits until everything was delivered.
    pub async fn until_empty(&self) {
        self.until(Self::is_empty).await;
    }

    async fn until(&self, condition: impl Fn(&Self) -> bool) {
        loop {
            let emptied = self.emptied.notified();
            tokio::pin!(emptied);
            emptied.as_mut().enable();
            if condition(self) {
                return;
            }
            emptied.await;
        }
    }
}

impl Parcel {
    /// Ranges in it.
    #[must_use]
    pub const fn ranges(&self) -> usize {
        match self {
            Self::Results(results) => results.len(),
            Self::Returns(tokens) => tokens.len(),
        }
    }
}

impl fmt::Display for Parcel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Results(results) => write!(f, "the results of {} ranges", results.len()),
            Self::Returns(tokens) => write!(f, "the return of {} ranges", tokens.len()),
        }
    }
}
