//! The runs and generations in work, kept in memory so that a turnover need not read them again.

use crate::store::{RunId, StoreError, StoredRun};
use kembara_evolution::{Generation, Run};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

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
}

impl OnDesk {
    /// Prepares what the database holds.
    pub fn read(stored: StoredRun, population: &[u8]) -> Result<Self, StoreError> {
        let wrong = |reason: &dyn std::fmt::Display| StoreError::Logic(format!("run {}: {reason}", stored.name));
        let run = Run::new(stored.spec.clone()).map_err(|error| wrong(&error))?;
        let generation = run.read_generation(population).map_err(|error| wrong(&error))?;
        Ok(Self { name: stored.name, run, generation: Arc::new(generation), game_us: stored.game_us })
    }
}

/// Only a cache: nothing is lost with it.
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
