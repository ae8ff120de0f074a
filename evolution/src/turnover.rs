//! From a generation's results to its standings, its fingerprint and what comes next.
//!
//! The fingerprint is BLAKE3, in key derivation mode, over
//! 1. the generation's canonical bytes: previous fingerprint, number, individuals with lineage and
//!    record, slots, state;
//! 2. five bytes a game in pairing order: outcome, margin, plies;
//! 3. the bits of each individual's rating after the games, by ascending number.
//!
//! No names, times, cuts or places of storage enter it.

use crate::canonical;
use crate::generation::Generation;
use crate::injection::{self, KEPT_FOR_EACH};
use crate::ranking::{self, Standing};
use crate::run::Run;
use crate::seats::seated;
use crate::spec::Stop;
use crate::speed::Speeds;
use crate::state::State;
use kembara_engine::GameResult;
use kembara_engine::random::Key;
use kembara_tournament::{Schedule, Standings};
use serde::{Deserialize, Serialize};

/// What came of a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Turnover {
    /// One for each individual, best first.
    pub standings: Vec<Standing>,
    /// The number of the best individual.
    pub best: u64,
    /// Covers everything up to and including this generation.
    pub fingerprint: [u8; 32],
    /// Numbers of those that do not go on, ascending. Nobody dies when the run ends.
    pub deaths: Vec<u64>,
    /// How it goes on.
    pub next: Next,
}

/// How a run goes on after a generation.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// With this one.
    Generation(
        /// The generation to play.
        Generation,
    ),
    /// Not at all.
    Finished(
        /// Why.
        StopReason,
    ),
}

/// Why a run is finished. Of several reasons at once the first in this order is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// It has had its generations.
    Generations,
    /// It has had its games.
    Games,
    /// The best chromosome has stayed the same for so many generations.
    Unchanged,
}

impl StopReason {
    /// Its name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generations => "generations",
            Self::Games => "games",
            Self::Unchanged => "unchanged",
        }
    }
}

/// A turnover that takes the results range by range, so that most of the work is done when the
/// last game ends.
#[derive(Clone, Debug)]
pub struct TurnoverInProgress {
    run: Run,
    generation: Generation,
    schedule: Schedule,
    state: State,
    /// Slot of the tournament, or given opponent after them, → place in the standings.
    places: Vec<u32>,
    standings: Standings,
    speeds: Option<Speeds>,
    hasher: blake3::Hasher,
    fed: u64,
}

/// Games taken at once; their working memory stays in the nearest cache.
const CHUNK: usize = 512;

impl TurnoverInProgress {
    pub(crate) fn new(run: Run, generation: Generation) -> Self {
        let schedule = run.schedule(&generation);
        let state = run.state(&generation);
        let ratings = generation.individuals.iter().map(|individual| individual.elo);
        let opponents = run.spec().tournament.format().opponents();
        let standings = Standings::new(ratings, run.spec().rating.k).against(opponents, run.initial());
        // Places are below the numbers of slots and opponents together, which fit u32 by the spec's check.
        let individuals = generation.individuals.len() as u32;
        let places: Vec<u32> = generation.slots.iter().copied().chain(individuals..individuals + opponents).collect();
        let speeds = Speeds::new(run.spec().select_by, (individuals + opponents) as usize);
        let mut hasher = blake3::Hasher::new_derive_key("kembara generation fingerprint, version 1");
        hasher.update(&generation.to_bytes());
        Self { run, generation, schedule, state, places, standings, speeds, hasher, fed: 0 }
    }

    /// Games fed so far: the pairing that comes next.
    #[must_use]
    pub const fn fed(&self) -> u64 {
        self.fed
    }

    /// Games of the generation.
    #[must_use]
    pub const fn pairings(&self) -> u64 {
        self.schedule.pairings()
    }

    /// Takes the results of the pairings that come next.
    ///
    /// # Panics
    /// When there are more results than pairings left.
    pub fn feed(&mut self, results: &[GameResult]) {
        let left = self.schedule.pairings() - self.fed;
        assert!(results.len() as u64 <= left, "{} results for {left} pairings", results.len());
        let mut players = [(0, 0); CHUNK];
        let mut encoded = [[0; 5]; CHUNK];
        // Loop by loop, since pairings do not wait for each other, but ratings do.
        for chunk in results.chunks(CHUNK) {
            for (place, pairing) in players[..chunk.len()].iter_mut().zip(self.fed..) {
                let (first, second) = self.schedule.players(pairing);
                *place = (self.places[first as usize], self.places[second as usize]);
            }
            for (result, (first, second)) in chunk.iter().zip(players) {
                self.standings.add(first, second, result);
            }
            if let Some(speeds) = &mut self.speeds {
                for (result, (first, second)) in chunk.iter().zip(players) {
                    speeds.add(first, second, result);
                }
            }
            for (result, place) in chunk.iter().zip(&mut encoded) {
                *place = canonical::game(result);
            }
            self.hasher.update(encoded[..chunk.len()].as_flattened());
            self.fed += chunk.len() as u64;
        }
    }

    /// The turnover, once every result was fed.
    ///
    /// # Panics
    /// When results are missing.
    #[must_use]
    pub fn finish(mut self) -> Turnover {
        let pairings = self.schedule.pairings();
        assert!(self.fed == pairings, "{} results for {pairings} pairings", self.fed);
        for standing in self.standings.list() {
            self.hasher.update(&standing.elo.get().to_bits().to_le_bytes());
        }
        let fingerprint = *self.hasher.finalize().as_bytes();

        let standings = self.ranked();
        let best = standings[0].individual.number;
        let kept = KEPT_FOR_EACH * self.run.spec().inject.count as usize;
        let mut state = self.state.clone();
        state.count(pairings, &standings[0], kept);
        if let Some(reason) = reached(&self.run.spec().stop, self.generation.number, &state) {
            return Turnover { standings, best, fingerprint, deaths: Vec::new(), next: Next::Finished(reason) };
        }
        let next = self.bred(state, &standings, fingerprint);
        let goes_on = |number| next.individuals.binary_search_by_key(&number, |individual| individual.number).is_ok();
        let numbers = self.generation.individuals.iter().map(|individual| individual.number);
        let deaths = numbers.filter(|number| !goes_on(*number)).collect();
        Turnover { standings, best, fingerprint, deaths, next: Next::Generation(next) }
    }

    fn ranked(&self) -> Vec<Standing> {
        let mut slots = vec![0; self.generation.individuals.len()];
        self.generation.slots.iter().for_each(|place| slots[*place as usize] += 1);
        let played = self.generation.individuals.iter().zip(self.standings.list()).zip(slots);
        let mut standings: Vec<Standing> = played
            .enumerate()
            .map(|(place, ((individual, games), slots))| Standing {
                rank: 0,
                individual: individual.after(&games.tally, games.elo),
                slots,
                tally: games.tally,
                elo_before: games.before,
                speed: self.speeds.as_ref().map(|speeds| speeds.of(place)),
            })
            .collect();
        let chance = Key::new(self.run.spec().seed, self.generation.number, "chance");
        ranking::rank(&mut standings, self.run.spec().select_by, &chance);
        standings
    }

    fn bred(&self, mut state: State, standings: &[Standing], previous: [u8; 32]) -> Generation {
        let number = self.generation.number + 1;
        let strategy = self.run.strategy();
        let mut breeding = self.run.breeding(number, &state);
        let (strategy_state, mut population) = strategy.select(&state.strategy, standings, &mut breeding);
        let inject = &self.run.spec().inject;
        if self.generation.number.is_multiple_of(inject.every) {
            let hall = self.run.hall();
            injection::inject(&mut population, inject.count, hall, &state.best_ever, standings, &mut breeding);
        }
        let pool = strategy.pool(population, &mut breeding);
        state.next_number = breeding.next_number;
        state.strategy = strategy_state;
        let (individuals, slots) = seated(pool);
        Generation { number, individuals, slots, state: state.to_bytes(), previous }
    }
}

fn reached(stop: &Stop, generation: u32, state: &State) -> Option<StopReason> {
    if stop.generations.is_some_and(|most| generation >= most) {
        return Some(StopReason::Generations);
    }
    if stop.games.is_some_and(|most| state.games >= most) {
        return Some(StopReason::Games);
    }
    stop.unchanged.is_some_and(|most| state.unchanged >= most).then_some(StopReason::Unchanged)
}
