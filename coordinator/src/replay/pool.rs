//! A few cores' worth of playing again.

use super::game::{GenerationKey, Played, Prepared};
use kembara_evolution::ResolvedSpec;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Why a game was not played again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// Too many wait already.
    #[error("too many games are being played again; try again in a few seconds")]
    Busy,
    /// It is taking longer than anybody waits; it ends in the background.
    #[error("playing it again takes longer than {0} seconds; try again later")]
    Slow(
        /// How long was waited.
        u64,
    ),
    /// It would take too long.
    #[error(
        "a game of this run is expected to search {expected} nodes, and at most {} are searched for a visitor; `kembara run verify` plays any game again on your own machine",
        super::MOST_NODES
    )]
    TooDeep {
        /// Nodes it would take.
        expected: u64,
    },
    /// What is stored is not a game of this run.
    #[error("{0}")]
    Broken(String),
}

/// Plays games again, a few at a time. Cheap to clone.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    /// Permits of those that play or wait.
    places: Semaphore,
    /// Permits of those that play.
    threads: Semaphore,
    patience: Duration,
    /// The generations looked at last, the latest at the end.
    prepared: Mutex<Vec<(GenerationKey, Arc<Prepared>)>>,
}

/// Generations kept ready.
const KEPT: usize = 4;

impl Pool {
    /// A pool of `threads` games at a time and `waiting` more in line; nobody waits longer than
    /// `patience`.
    #[must_use]
    pub fn new(threads: usize, waiting: usize, patience: Duration) -> Self {
        Self(Arc::new(Shared {
            places: Semaphore::new(threads + waiting),
            threads: Semaphore::new(threads),
            patience,
            prepared: Mutex::default(),
        }))
    }

    /// A generation that is ready.
    #[must_use]
    pub fn ready(&self, key: GenerationKey) -> Option<Arc<Prepared>> {
        let mut kept = self.0.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(kept, _)| *kept == key)?;
        let found = kept.remove(place);
        let prepared = Arc::clone(&found.1);
        kept.push(found);
        Some(prepared)
    }

    /// Prepares a generation from what the database holds of it.
    ///
    /// # Errors
    /// [`ReplayError`]
    pub async fn prepare(
        &self,
        key: GenerationKey,
        spec: ResolvedSpec,
        population: Vec<u8>,
    ) -> Result<Arc<Prepared>, ReplayError> {
        let prepared = Arc::new(self.run(move || Prepared::new(spec, &population)).await??);
        let mut kept = self.0.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&prepared)));
        Ok(prepared)
    }

    /// Plays a game of a generation again.
    ///
    /// # Errors
    /// [`ReplayError`]
    ///
    /// When there is no such pairing the job breaks off: [`ReplayError::Broken`].
    pub async fn play(&self, prepared: Arc<Prepared>, pairing: u64) -> Result<Played, ReplayError> {
        self.run(move || prepared.play(pairing)).await
    }

    /// Runs a job on a thread of its own when a place is free.
    ///
    /// # Errors
    /// [`ReplayError::Busy`] at once when there is none, [`ReplayError::Slow`] after a while.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ReplayError> {
        let pool = self.clone();
        // The job keeps its place to its end, however long its visitor waits.
        let work = tokio::spawn(async move {
            let Ok(_place) = pool.0.places.try_acquire() else { return Err(ReplayError::Busy) };
            let Ok(_thread) = pool.0.threads.acquire().await else { return Err(ReplayError::Busy) };
            let done = spawn_blocking(job).await;
            done.map_err(|error| ReplayError::Broken(format!("playing again broke off: {error}")))
        });
        match tokio::time::timeout(self.0.patience, work).await {
            Ok(Ok(done)) => done,
            Ok(Err(error)) => Err(ReplayError::Broken(format!("playing again broke off: {error}"))),
            Err(_) => Err(ReplayError::Slow(self.0.patience.as_secs())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn whoever_finds_no_place_is_told_at_once_and_places_come_free_again() {
        let pool = Pool::new(1, 1, Duration::from_secs(60));
        let (free, wait) = mpsc::channel::<()>();
        let (started, playing) = mpsc::channel();
        let first = tokio::spawn({
            let pool = pool.clone();
            async move {
                pool.run(move || {
                    started.send(()).unwrap();
                    wait.recv().unwrap();
                    1
                })
                .await
            }
        });
        tokio::task::spawn_blocking(move || playing.recv().unwrap()).await.unwrap();
        let second = tokio::spawn({
            let pool = pool.clone();
            async move { pool.run(|| 2).await }
        });
        while pool.0.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(pool.run(|| 3).await, Err(ReplayError::Busy));
        free.send(()).unwrap();
        assert_eq!((first.await.unwrap(), second.await.unwrap()), (Ok(1), Ok(2)));
        assert_eq!(pool.run(|| 3).await, Ok(3));
    }

    #[tokio::test]
    async fn nobody_waits_for_ever_and_a_panic_is_an_answer() {
        let pool = Pool::new(1, 1, Duration::from_millis(50));
        let (free, wait) = mpsc::channel::<()>();
        assert_eq!(pool.run(move || wait.recv().unwrap()).await, Err(ReplayError::Slow(0)));
        // The job goes on and keeps its place.
        while pool.0.threads.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        free.send(()).unwrap();
        while pool.0.threads.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
        let pool = Pool::new(1, 1, Duration::from_secs(60));
        let broken: Result<(), _> = pool.run(|| panic!("as a test wants")).await;
        assert!(matches!(broken, Err(ReplayError::Broken(_))), "{broken:?}");
        assert_eq!(pool.run(|| 3).await, Ok(3));
    }
}
