//! Writing generations and turning them over.
//!
//! Whoever sees a generation with nothing open computes its turnover, outside a transaction and
//! away from the async threads, and writes it; the store lets only the first one through. Several
//! coordinators may do the same work at once, and losing the race is no error. Memory holds only
//! what could be read again.

mod cutting;
mod definition;
mod desk;

pub use cutting::{cut, guess_game_us};
pub use definition::{definition, prepare};

use crate::core::Timings;
use crate::dispatch::{Hint, Wake};
use crate::store::{Ending, Recorded, RunId, Store, StoreError, StoredResults, TurnedOver, TurnoverWrite};
use desk::{Desk, OnDesk};
use kembara_evolution::{Next, Turnover};
use kembara_tournament::packed;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;
use tokio::task::{JoinSet, spawn_blocking};
use tokio_util::sync::CancellationToken;

/// Turns generations over, on hints and each sweep.
pub(crate) struct Scheduler {
    store: Store,
    wake: Wake,
    timings: Timings,
    desk: Desk,
    hints: mpsc::UnboundedReceiver<Hint>,
}

impl Scheduler {
    pub(crate) fn new(store: Store, wake: Wake, timings: Timings, hints: mpsc::UnboundedReceiver<Hint>) -> Self {
        Self { store, wake, timings, desk: Desk::default(), hints }
    }

    /// Works until shut down; turnovers under way are finished.
    pub(crate) async fn work(mut self, shutdown: CancellationToken) {
        let mut sweep = tokio::time::interval(self.timings.sweep);
        sweep.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut busy: HashSet<RunId> = HashSet::new();
        let mut under_way: JoinSet<RunId> = JoinSet::new();
        loop {
            let complete = tokio::select! {
                () = shutdown.cancelled() => break,
                Some(done) = under_way.join_next(), if !under_way.is_empty() => {
                    match done {
                        Ok(run) => { busy.remove(&run); }
                        // The run is unknown then: forget all; a second turnover of one is harmless.
                        Err(error) => { tracing::error!(%error, "a turnover broke off"); busy.clear(); }
                    }
                    continue;
                }
                Some(hint) = self.hints.recv() => match hint {
                    Hint::Complete(run, generation) => vec![(run, generation)],
                    Hint::Recorded(batch) => {
                        self.take_note(batch);
                        continue;
                    }
                },
                _ = sweep.tick() => match self.store.complete_generations().await {
                    Ok(complete) => complete,
                    Err(error) => { tracing::warn!(%error, "cannot look for complete generations"); continue; }
                },
            };
            for (run, generation) in complete {
                if busy.insert(run) {
                    let (store, wake, desk) = (self.store.clone(), self.wake.clone(), self.desk.clone());
                    let recent = self.timings.recent();
                    under_way.spawn(async move {
                        let work = Work { store, desk, recent };
                        match work.turn_over(run, generation).await {
                            Ok(_) => wake.all(),
                            Err(error) => tracing::error!(%run, generation, %error, "a turnover failed"),
                        }
                        run
                    });
                }
            }
        }
        while under_way.join_next().await.is_some() {}
    }

    /// Lets recorded results enter the turnover while the next ones are being played.
    fn take_note(&self, batch: Recorded) {
        if let Some(current) = self.desk.get(batch.run, batch.generation) {
            let results = StoredResults { first: batch.first, count: batch.count, packed: batch.packed };
            spawn_blocking(move || current.offer(results));
        }
    }
}

/// One turnover.
struct Work {
    store: Store,
    desk: Desk,
    recent: std::time::Duration,
}

impl Work {
    async fn turn_over(&self, run: RunId, number: u32) -> Result<TurnedOver, StoreError> {
        let began = Instant::now();
        let Some(current) = self.current(run, number).await? else { return Ok(TurnedOver::Lost) };
        let (results, measured, cores) = tokio::try_join!(
            self.store.results(run, number, current.fed()),
            self.store.measured_game_us(run, number),
            self.store.cores_seen(self.recent)
        )?;
        let game_us = cutting::blend(current.game_us, measured);
        let read = began.elapsed();
        let worked = Arc::clone(&current);
        let (write, next) = spawn_blocking(move || compute(run, &worked, &results, game_us, cores))
            .await
            .map_err(|error| StoreError::Logic(format!("the turnover of generation {number} broke off: {error}")))??;
        let computed = began.elapsed();
        let outcome = self.store.turn_over(&write).await?;
        match (outcome, next) {
            (TurnedOver::Done, Some(next)) => {
                self.desk.put(run, next);
            }
            // Whoever won may have finished the run, or it was stopped.
            _ => self.desk.clear(run),
        }
        tracing::info!(
            run = current.name, generation = number, written = outcome == TurnedOver::Done,
            read_ms = read.as_millis() as u64, computed_ms = (computed - read).as_millis() as u64,
            stored_ms = (began.elapsed() - computed).as_millis() as u64,
            fingerprint = %blake3::Hash::from(write.fingerprint).to_hex().split_at(16).0,
            "generation turned over"
        );
        Ok(outcome)
    }

    /// The run and its generation, from memory or the database; `None` when it has moved on.
    async fn current(&self, run: RunId, number: u32) -> Result<Option<Arc<OnDesk>>, StoreError> {
        if let Some(found) = self.desk.get(run, number) {
            return Ok(Some(found));
        }
        let Some(stored) = self.store.run(run).await? else { return Ok(None) };
        if stored.state.is_over() || stored.generation != number {
            return Ok(None);
        }
        let Some(generation) = self.store.generation(run, number).await? else { return Ok(None) };
        let prepared = spawn_blocking(move || OnDesk::read(stored, &generation.population))
            .await
            .map_err(|error| StoreError::Logic(format!("reading generation {number} broke off: {error}")))??;
        Ok(Some(self.desk.put(run, prepared)))
    }
}

/// The pure part: results to turnover to everything that is written. `results` are those that the
/// turnover on the desk had not taken when they were read, at least.
fn compute(
    run: RunId,
    current: &OnDesk,
    results: &[StoredResults],
    game_us: f64,
    cores: u32,
) -> Result<(TurnoverWrite, Option<OnDesk>), StoreError> {
    let number = current.generation.number;
    let mut turnover = current.take();
    let taken = turnover.fed();
    for batch in results.iter().filter(|batch| batch.first >= taken) {
        if batch.first != turnover.fed() || u64::from(batch.count) > turnover.pairings() - batch.first {
            break;
        }
        let games = packed::unpack(&batch.packed, batch.count)
            .map_err(|error| StoreError::Logic(format!("stored results of generation {number}: {error}")))?;
        turnover.feed(&games);
    }
    if turnover.fed() != turnover.pairings() {
        let (fed, due) = (turnover.fed(), turnover.pairings());
        return Err(StoreError::Logic(format!("generation {number} has results of {fed} games in a row, not {due}")));
    }
    let Turnover { standings, best, fingerprint, deaths, next } = turnover.finish();
    let (ending, next) = match next {
        Next::Finished(reason) => (Ending::Finished(reason), None),
        Next::Generation(next) => {
            let known = &current.generation.individuals;
            let newborn = next
                .individuals
                .iter()
                .map(|individual| individual.number)
                .filter(|number| known.binary_search_by_key(number, |individual| individual.number).is_err())
                .collect();
            let next = Arc::new(next);
            let generation = prepare(&current.run, Arc::clone(&next), game_us, cores);
            let on_desk = OnDesk::new(current.name.clone(), current.run.clone(), next, game_us);
            (Ending::Next { generation, newborn }, Some(on_desk))
        }
    };
    let write = TurnoverWrite { run, generation: number, fingerprint, best, standings, deaths, ending, game_us };
    Ok((write, next))
}
