//! A generation ready to be played again, and one game of it.

use super::budget::{MOST_NODES, nodes_a_game};
use super::pool::ReplayError;
use crate::store::RunId;
use kembara_engine::{Arena, Game, GameResult, Meeting, PlayerSpec, registry};
use kembara_evolution::{Generation, Individual, ResolvedSpec, Run};
use kembara_tournament::Schedule;

/// Which generation of which run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerationKey {
    /// The run.
    pub run: RunId,
    /// The generation.
    pub generation: u32,
}

/// A generation with its schedule and its players.
pub struct Prepared {
    game: &'static dyn Game,
    spec: ResolvedSpec,
    generation: Generation,
    opponents: Vec<PlayerSpec>,
    schedule: Schedule,
    arena: Box<dyn Arena>,
}

/// A player of a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seat<'a> {
    /// One of the population.
    Individual(&'a Individual),
    /// A given opponent.
    Opponent(&'a PlayerSpec),
}

/// A game that was played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Who met whom, where and with which seed; players are places of the tournament.
    pub meeting: Meeting,
    /// Every move, opening included, in the game's notation.
    pub moves: Vec<String>,
    /// How it ended.
    pub result: GameResult,
}

impl Prepared {
    /// Prepares a generation from a run's spec and the stored population.
    ///
    /// # Errors
    /// [`ReplayError::TooDeep`] for searches that nobody can wait for, [`ReplayError::Broken`] when
    /// the parts do not fit.
    pub fn new(spec: ResolvedSpec, population: &[u8]) -> Result<Self, ReplayError> {
        let expected = nodes_a_game(spec.play.limit);
        if expected > MOST_NODES {
            return Err(ReplayError::TooDeep { expected });
        }
        let broken = |error: &dyn std::fmt::Display| ReplayError::Broken(error.to_string());
        let run = Run::new(spec).map_err(|error| broken(&error))?;
        let generation = run.read_generation(population).map_err(|error| broken(&error))?;
        let game = registry::game(&run.spec().game).ok_or_else(|| broken(&"there is no such game"))?;
        let arena = game.arena(&run.arena(&generation)).map_err(|error| broken(&error))?;
        let schedule = run.schedule(&generation);
        Ok(Self { game, spec: run.spec().clone(), opponents: run.opponents().to_vec(), generation, schedule, arena })
    }

    /// The game that is played.
    #[must_use]
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// The run's spec.
    #[must_use]
    pub const fn spec(&self) -> &ResolvedSpec {
        &self.spec
    }

    /// How many games the generation has.
    #[must_use]
    pub const fn pairings(&self) -> u64 {
        self.schedule.pairings()
    }

    /// Who sits on a place of the tournament.
    ///
    /// # Panics
    /// When there is no such place.
    #[must_use]
    pub fn seat(&self, place: u32) -> Seat<'_> {
        let slots = &self.generation.slots;
        match slots.get(place as usize) {
            Some(individual) => Seat::Individual(&self.generation.individuals[*individual as usize]),
            None => Seat::Opponent(&self.opponents[place as usize - slots.len()]),
        }
    }

    /// Plays a game again.
    ///
    /// # Panics
    /// When there is no such pairing.
    #[must_use]
    pub fn play(&self, pairing: u64) -> Played {
        let meeting = self.schedule.pairing(pairing);
        let (moves, result) = self.arena.table().record(&meeting);
        Played { meeting, moves, result }
    }
}
