//! Verifying a run: everything that is stored, computed again from the resolved spec and the stored
//! results, and a share of the games played again.

use crate::store::{IndividualRow, RunId, StandingRow, Store, StoreError, StoredGeneration, StoredResults, StoredRun};
use kembara_engine::random::Key;
use kembara_engine::{Arena, GameResult, registry};
use kembara_evolution::{Generation, Individual, Next, Run, SpecError, Turnover};
use kembara_tournament::{Schedule, packed};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::task::spawn_blocking;

/// Differences told in words at most; beyond that they are only counted.
const MOST_TOLD: usize = 50;

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Generations computed again.
    pub generations: u32,
    /// Games whose stored results went into them.
    pub games: u64,
    /// Games played again.
    pub replayed: u64,
    /// What differs, in words; the first fifty.
    pub differences: Vec<String>,
    /// How many differences there are.
    pub differing: u64,
}

impl Verification {
    /// Whether everything agrees.
    #[must_use]
    pub const fn agrees(&self) -> bool {
        self.differing == 0
    }

    fn differ(&mut self, what: String) {
        self.differing += 1;
        if self.differences.len() < MOST_TOLD {
            self.differences.push(what);
        }
    }

    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, what: impl FnOnce() -> String, stored: &T, computed: &T) {
        if stored != computed {
            self.differ(format!("{}: stored {stored:?}, computed {computed:?}", what()));
        }
    }
}

/// Why a run could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// There is none.
    #[error("there is no run named `{0}`")]
    NoRun(String),
    /// A share is a number in 0..=1.
    #[error("the share of games to play again has to be in 0..=1, not {0}")]
    Share(f64),
    /// This program cannot compute the run.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The game cannot be played.
    #[error("the games cannot be played again: {0}")]
    Arena(String),
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A computation broke off.
    #[error("the computation broke off: {0}")]
    Broken(#[from] tokio::task::JoinError),
}

/// Verifies every generation of a run that was turned over. `replay` is the share of games, 0..=1,
/// that are played again; they are spread evenly over each generation. The threads of this machine
/// are used for them.
///
/// # Errors
/// [`VerifyError`] when it could not be done; differences are in the answer.
pub async fn run(store: &Store, name: &str, replay: f64) -> Result<Verification, VerifyError> {
    if !(0.0..=1.0).contains(&replay) {
        return Err(VerifyError::Share(replay));
    }
    let stored = store.run_named(name).await?.ok_or_else(|| VerifyError::NoRun(name.to_owned()))?;
    let mut found = Verification::default();
    let spec = stored.spec.clone();
    let run = spawn_blocking(move || Run::new(spec)).await??;
    let mut lives: BTreeMap<u64, Life> = BTreeMap::new();
    let mut current = Some(run.first());
    while let Some(generation) = current.take() {
        let number = generation.number;
        let Some(row) = store.generation(stored.id, number).await? else {
            found.differ(format!("generation {number} is not stored"));
            break;
        };
        for individual in &generation.individuals {
            lives.entry(individual.number).or_insert_with(|| Life { individual: individual.clone(), death: None });
        }
        if row.population != generation.to_bytes() {
            found.differ(format!("generation {number}: the stored population is another one"));
        }
        if row.fingerprint.is_none() {
            found.compare(|| "the current generation".to_owned(), &stored.generation, &number);
            break;
        }
        let packed = store.results(stored.id, number, 0).await?;
        let standings = store.standing_rows(stored.id, number).await?;
        let worked = run.clone();
        let outcome = spawn_blocking(move || check(&worked, &generation, &row, &packed, &standings, replay)).await??;
        let (part, turnover) = outcome;
        found.generations += 1;
        found.games += part.games;
        found.replayed += part.replayed;
        found.differing += part.differing;
        found.differences.extend(part.differences);
        found.differences.truncate(MOST_TOLD);
        // Nothing after it can be computed.
        let Some(turnover) = turnover else { return Ok(found) };
        for standing in &turnover.standings {
            let death = turnover.deaths.binary_search(&standing.individual.number).is_ok().then_some(number);
            lives.insert(standing.individual.number, Life { individual: standing.individual.clone(), death });
        }
        match turnover.next {
            Next::Generation(next) => current = Some(next),
            Next::Finished(reason) => check_end(&mut found, &stored, number, reason.name()),
        }
    }
    check_lives(&mut found, store, stored.id, &lives).await?;
    Ok(found)
}

/// An individual as computed.
struct Life {
    individual: Individual,
    death: Option<u32>,
}

fn check_end(found: &mut Verification, stored: &StoredRun, number: u32, reason: &str) {
    found.compare(|| "the state of the run".to_owned(), &stored.state.name(), &"finished");
    found.compare(|| "the last generation".to_owned(), &stored.generation, &number);
    found.compare(|| "why it ended".to_owned(), &stored.stop_reason.as_deref(), &Some(reason));
}

async fn check_lives(
    found: &mut Verification,
    store: &Store,
    run: RunId,
    lives: &BTreeMap<u64, Life>,
) -> Result<(), StoreError> {
    let rows = store.individual_rows(run).await?;
    found.compare(|| "the number of individuals".to_owned(), &rows.len(), &lives.len());
    for row in rows {
        let Some(Life { individual, death }) = lives.get(&row.number) else {
            found.differ(format!("individual {} was never born", row.number));
            continue;
        };
        let computed = IndividualRow {
            number: individual.number,
            birth: individual.birth,
            death: *death,
            origin: individual.origin.name().to_owned(),
            parents: individual.parents.clone(),
            chromosome: individual.chromosome.to_bytes(),
            tally: [individual.wins, individual.draws, individual.losses],
            elo: individual.elo.get(),
        };
        found.compare(|| format!("individual {}", row.number), &row, &computed);
    }
    Ok(())
}

/// One generation: turnover from the stored results, and a share of its games again. No turnover
/// when results are missing.
fn check(
    run: &Run,
    generation: &Generation,
    row: &StoredGeneration,
    packed: &[StoredResults],
    standings: &[StandingRow],
    replay: f64,
) -> Result<(Verification, Option<Turnover>), VerifyError> {
    let mut found = Verification::default();
    let number = generation.number;
    let schedule = run.schedule(generation);
    let mut results: Vec<GameResult> = Vec::new();
    for batch in packed {
        match packed::unpack(&batch.packed, batch.count) {
            Ok(games) => results.extend(games),
            Err(error) => found.differ(format!("generation {number}: stored results cannot be read: {error}")),
        }
    }
    found.games = results.len() as u64;
    found.compare(|| format!("generation {number}: games"), &found.games.clone(), &schedule.pairings());
    if found.games != schedule.pairings() {
        return Ok((found, None));
    }
    let turnover = run.turn_over(generation, &results);
    if row.fingerprint != Some(turnover.fingerprint) {
        found.differ(format!("generation {number}: the fingerprint differs"));
    }
    found.compare(|| format!("generation {number}: best"), &row.best, &Some(turnover.best));
    found.compare(|| format!("generation {number}: standings"), &standings.len(), &turnover.standings.len());
    for (stored, standing) in standings.iter().zip(&turnover.standings) {
        let computed = StandingRow {
            rank: standing.rank,
            slots: standing.slots,
            number: standing.individual.number,
            tally: [standing.tally.wins, standing.tally.draws, standing.tally.losses],
            margin: standing.tally.margin,
            elo: [standing.elo_before.get(), standing.individual.elo.get()],
        };
        found.compare(|| format!("generation {number}: rank {}", stored.rank), stored, &computed);
    }
    let again = chosen(run.spec().seed, number, schedule.pairings(), replay);
    if !again.is_empty() {
        let game = registry::game(&run.spec().game)
            .ok_or_else(|| VerifyError::Arena(format!("there is no game named {}", run.spec().game)))?;
        let arena = game.arena(&run.arena(generation)).map_err(|error| VerifyError::Arena(error.to_string()))?;
        for (pairing, played) in play(arena.as_ref(), &schedule, &again, &results) {
            let what = || format!("generation {number}: game {pairing}");
            found.compare(what, &results[pairing as usize], &played);
        }
        found.replayed = again.len() as u64;
    }
    Ok((found, Some(turnover)))
}

/// The pairings to be played again: evenly spread, from a seeded start; all when the share is 1.
fn chosen(seed: u64, generation: u32, pairings: u64, share: f64) -> Vec<u64> {
    let start = Key::new(seed, generation, "verify").stream(0).unit();
    let step = |k: u64| (k as f64 * share + start).floor();
    (0..pairings).filter(|&k| share >= 1.0 || step(k + 1) > step(k)).collect()
}

/// Plays pairings on all threads of the machine; gives those that came out differently.
fn play(arena: &dyn Arena, schedule: &Schedule, again: &[u64], stored: &[GameResult]) -> Vec<(u64, GameResult)> {
    const AT_ONCE: usize = 64;
    let next = AtomicUsize::new(0);
    let differing = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut table = arena.table();
                loop {
                    let from = next.fetch_add(AT_ONCE, Ordering::Relaxed);
                    let Some(part) = again.get(from..again.len().min(from + AT_ONCE)).filter(|part| !part.is_empty())
                    else {
                        return;
                    };
                    for &pairing in part {
                        let played = table.play(&schedule.pairing(pairing));
                        if played != stored[pairing as usize] {
                            differing.lock().unwrap_or_else(PoisonError::into_inner).push((pairing, played));
                        }
                    }
                }
            });
        }
    });
    let mut differing = differing.into_inner().unwrap_or_else(PoisonError::into_inner);
    differing.sort_unstable_by_key(|(pairing, _)| *pairing);
    differing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_games_is_spread_evenly_and_one_means_all() {
        assert_eq!(chosen(1, 1, 100, 0.0), Vec::<u64>::new());
        assert_eq!(chosen(1, 1, 100, 1.0), (0..100).collect::<Vec<_>>());
        for share in [0.01, 0.25, 0.5, 0.99] {
            let games = chosen(7, 3, 10_000, share);
            let wanted = 10_000.0 * share;
            assert!((games.len() as f64 - wanted).abs() <= 1.0, "{} games for {share}", games.len());
            let gaps = games.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.clone().max().unwrap() - gaps.min().unwrap() <= 1);
        }
    }
}
