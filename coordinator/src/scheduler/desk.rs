//! The runs and generations in work, kept in memory so that a turnover need not read them again,
//! and the turnover itself, begun while results come in. Only a cache: the database has it all.

use crate::store::{RunId, StoreError, StoredResults, StoredRun};
use kembara_evolution::{Generation, Run, TurnoverInProgress};
use kembara_tournament::packed;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs kept at most; beyond that all are forgotten, since every one can be read again.
const MOST: usize = 64;

/// A run and the generation being played.
#[derive(Debug)]
pub(super) struct OnDesk {
    pub name: String,
    pub run: Run,
    pub generation: Arc<Generation>,
    /// Core microseconds a game; only for cutting.
    pub game_us: f64,
    progress: Mutex<Option<Progress>>,
}

/// A turnover that has taken the results up to some pairing.
#[derive(Debug)]
struct Progress {
    turnover: TurnoverInProgress,
    /// Results that came before those that precede them, by first pairing.
    early: BTreeMap<u64, StoredResults>,
}

impl OnDesk {
    pub fn new(name: String, run: Run, generation: Arc<Generation>, game_us: f64) -> Self {
        let progress = Progress { turnover: run.begin(&generation), early: BTreeMap::new() };
        Self { name, run, generation, game_us, progress: Mutex::new(Some(progress)) }
    }

    /// Prepares what the database holds.
    pub fn read(stored: StoredRun, population: &[u8]) -> Result<Self, StoreError> {
        let wrong = |reason: &dyn std::fmt::Display| StoreError::Logic(format!("run {}: {reason}", stored.name));
        let run = Run::new(stored.spec.clone()).map_err(|error| wrong(&error))?;
        let generation = run.read_generation(population).map_err(|error| wrong(&error))?;
        Ok(Self::new(stored.name, run, Arc::new(generation), stored.game_us))
    }

    /// Takes recorded results; once those before them are there, they enter the turnover.
    pub fn offer(&self, results: StoredResults) {
        let mut progress = self.progress();
        let Some(Progress { turnover, early }) = progress.as_mut() else { return };
        early.insert(results.first, results);
        while let Some(next) = early.remove(&turnover.fed()) {
            // Whoever recorded them has read them already; if that failed the database decides.
            let Ok(games) = packed::unpack(&next.packed, next.count) else { return };
            turnover.feed(&games);
        }
    }

    /// How many results the turnover has taken: the rest has to be read.
    pub fn fed(&self) -> u64 {
        self.progress().as_ref().map_or(0, |progress| progress.turnover.fed())
    }

    /// Hands the turnover over, to be finished; begins anew if that was done before.
    pub fn take(&self) -> TurnoverInProgress {
        let taken = self.progress().take();
        taken.map_or_else(|| self.run.begin(&self.generation), |progress| progress.turnover)
    }

    fn progress(&self) -> MutexGuard<'_, Option<Progress>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is on the desk, by run.
#[derive(Clone, Debug, Default)]
pub(super) struct Desk(Arc<Mutex<HashMap<RunId, Arc<OnDesk>>>>);

impl Desk {
    pub fn get(&self, run: RunId, generation: u32) -> Option<Arc<OnDesk>> {
        let desk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        desk.get(&run).filter(|found| found.generation.number == generation).cloned()
    }

    pub fn put(&self, run: RunId, current: OnDesk) -> Arc<OnDesk> {
        let mut desk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if desk.len() >= MOST {
            desk.clear();
        }
        let current = Arc::new(current);
        desk.insert(run, Arc::clone(&current));
        current
    }

    pub fn clear(&self, run: RunId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&run);
    }
}
