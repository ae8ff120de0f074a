//! A run: a checked spec with its genome, ready to breed.

use crate::generation::{Generation, GenerationError, HIGHEST_COUNT};
use crate::genes::Genes;
use crate::individual::Origin;
use crate::operators;
use crate::seats::{Breeding, Seats, seated};
use crate::setting::Setting;
use crate::spec::{ResolvedSpec, SpecError, Start};
use crate::state::State;
use crate::strategy::{self, Strategy};
use crate::turnover::{Turnover, TurnoverInProgress};
use kembara_engine::{ArenaSpec, Chromosome, GameResult, Genome, PlayerSpec};
use kembara_tournament::{Elo, Schedule, ScheduleSpec};
use std::sync::Arc;

/// A run that can be played: its spec has no errors. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Run(Arc<Prepared>);

#[derive(Debug)]
struct Prepared {
    spec: ResolvedSpec,
    setting: Setting,
    genes: Genes,
    initial: Elo,
    start: Vec<Chromosome>,
    hall: Vec<Chromosome>,
}

impl Run {
    /// Checks a spec whole and prepares its genome.
    ///
    /// # Errors
    /// Everything that is wrong with the spec.
    pub fn new(spec: ResolvedSpec) -> Result<Self, SpecError> {
        let errors = spec.check();
        if !errors.is_empty() {
            return Err(SpecError(errors));
        }
        let setting = Setting::of(&spec).map_err(SpecError)?;
        Self::within(spec, setting)
    }

    /// The same in surroundings made by hand, for genomes that no game of the registry has.
    ///
    /// # Errors
    /// Everything that is wrong with the spec.
    pub fn within(spec: ResolvedSpec, setting: Setting) -> Result<Self, SpecError> {
        let errors = spec.check_in(&setting);
        if !errors.is_empty() {
            return Err(SpecError(errors));
        }
        let genes = Genes::new(&setting.genome, &spec.freeze).map_err(SpecError)?;
        let read = |texts: &[String]| -> Vec<Chromosome> {
            let parsed = texts.iter().flat_map(|text| Chromosome::parse(text, genes.parameters()));
            parsed.map(|chromosome| genes.hold(chromosome)).collect()
        };
        let start = match &spec.start {
            Start::Random => Vec::new(),
            Start::Players(players) => read(players),
        };
        let hall = read(&spec.inject.hall);
        let initial = Elo::new(spec.rating.initial).expect("the check saw an initial rating within a million");
        Ok(Self(Arc::new(Prepared { spec, setting, genes, initial, start, hall })))
    }

    /// The spec.
    #[must_use]
    pub fn spec(&self) -> &ResolvedSpec {
        &self.0.spec
    }

    /// The genome of every chromosome of the run.
    #[must_use]
    pub fn genome(&self) -> &Genome {
        &self.0.setting.genome
    }

    /// The given opponents of a gauntlet, who play on the places after the slots.
    #[must_use]
    pub fn opponents(&self) -> &[PlayerSpec] {
        &self.0.setting.opponents
    }

    /// The first generation: the given players, then drawn ones, frozen genes held in both.
    #[must_use]
    pub fn first(&self) -> Generation {
        let strategy = self.strategy();
        let mut state = State::new(strategy.initial_state());
        let mut breeding = self.breeding(1, &state);
        let key = breeding.key("start");
        let mut population: Seats = Vec::with_capacity(self.0.spec.population as usize);
        for slot in 0..self.0.spec.population {
            let given = self.0.start.get(slot as usize).cloned();
            population.push(match given {
                Some(chromosome) => breeding.newcomer(chromosome, Origin::Immigrant, Vec::new()),
                None => {
                    let chromosome = operators::random(&self.0.genes, &mut key.stream(u64::from(slot)));
                    breeding.newcomer(chromosome, Origin::Random, Vec::new())
                }
            });
        }
        let pool = strategy.pool(population, &mut breeding);
        state.next_number = breeding.next_number;
        let (individuals, slots) = seated(pool);
        Generation { number: 1, individuals, slots, state: state.to_bytes(), previous: self.0.spec.hash() }
    }

    /// Who plays whom in a generation; players are its slots, then the given opponents.
    ///
    /// # Panics
    /// When the generation is not one of this run ([`Run::check_generation`]).
    #[must_use]
    pub fn schedule(&self, generation: &Generation) -> Schedule {
        let spec = ScheduleSpec {
            format: self.0.spec.tournament.format(),
            participants: u32::try_from(generation.slots.len()).expect("slots fit u32 by the spec's check"),
            openings: self.0.setting.openings,
            run_seed: self.0.spec.seed,
            generation: generation.number,
        };
        Schedule::new(&spec).expect("the check saw a tournament for every pool of this run")
    }

    /// What the engine needs to play a generation: one player a slot, then the given opponents.
    #[must_use]
    pub fn arena(&self, generation: &Generation) -> ArenaSpec {
        let player = |place: &u32| PlayerSpec::Evolved {
            genome: self.0.spec.genome.clone(),
            chromosome: generation.individuals[*place as usize].chromosome.clone(),
        };
        ArenaSpec {
            players: generation.slots.iter().map(player).chain(self.opponents().iter().cloned()).collect(),
            conditions: self.0.spec.play.conditions(),
            openings: self.0.spec.play.openings(),
            max_plies: self.0.spec.play.max_plies,
        }
    }

    /// Says whether a generation that comes from outside, such as a database, is one of this run:
    /// after that nothing here panics on it.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check_generation(&self, generation: &Generation) -> Result<(), GenerationError> {
        let wrong = GenerationError::Inconsistent;
        generation.consistent()?;
        let fits = |chromosome: &Chromosome| chromosome.check(self.0.genes.parameters()).is_ok();
        if !generation.individuals.iter().all(|individual| fits(&individual.chromosome)) {
            return Err(wrong("a chromosome does not fit the genome"));
        }
        let state = State::from_bytes(&generation.state, self.0.genes.parameters())?;
        if state.next_number.max(state.games) > HIGHEST_COUNT {
            return Err(wrong("a counter is beyond anything that can be played"));
        }
        let strategy = self.strategy();
        if !strategy.accepts(&state.strategy) {
            return Err(wrong("the strategy does not know its state"));
        }
        if generation.individuals.last().is_some_and(|individual| individual.number >= state.next_number) {
            return Err(wrong("an individual has a number that was not given out yet"));
        }
        if !strategy.plays(self.0.spec.population, generation.individuals.len(), generation.slots.len()) {
            return Err(wrong("the numbers of individuals and slots are not what the strategy makes"));
        }
        Ok(())
    }

    /// Reads and checks a stored generation ([`Generation::to_bytes`]).
    ///
    /// # Errors
    /// What is wrong with the bytes or the generation.
    pub fn read_generation(&self, bytes: &[u8]) -> Result<Generation, GenerationError> {
        let generation = Generation::from_bytes(bytes, self.0.genes.parameters())?;
        self.check_generation(&generation)?;
        Ok(generation)
    }

    /// Begins a turnover that takes results as they come, in pairing order.
    ///
    /// # Panics
    /// When the generation is not one of this run ([`Run::check_generation`]).
    #[must_use]
    pub fn begin(&self, generation: &Generation) -> TurnoverInProgress {
        TurnoverInProgress::new(self.clone(), generation.clone())
    }

    /// Turns a generation over: standings, fingerprint, and the next generation or the end.
    /// `results` are those of all pairings, in pairing order.
    ///
    /// # Panics
    /// When the number of results is not that of the pairings, or the generation is not one of
    /// this run ([`Run::check_generation`]).
    #[must_use]
    pub fn turn_over(&self, generation: &Generation, results: &[GameResult]) -> Turnover {
        let mut turnover = self.begin(generation);
        turnover.feed(results);
        turnover.finish()
    }

    pub(crate) fn strategy(&self) -> Box<dyn Strategy> {
        strategy::of(&self.0.spec.evolution)
    }

    /// The rating of newcomers and of given opponents.
    pub(crate) fn initial(&self) -> Elo {
        self.0.initial
    }

    pub(crate) fn hall(&self) -> &[Chromosome] {
        &self.0.hall
    }

    /// The state of a generation of this run.
    pub(crate) fn state(&self, generation: &Generation) -> State {
        State::from_bytes(&generation.state, self.0.genes.parameters())
            .unwrap_or_else(|error| panic!("generation {} is not one of this run: {error}", generation.number))
    }

    pub(crate) fn breeding(&self, generation: u32, state: &State) -> Breeding<'_> {
        Breeding {
            genes: &self.0.genes,
            population: self.0.spec.population,
            seed: self.0.spec.seed,
            generation,
            initial: self.0.initial,
            next_number: state.next_number,
        }
    }
}
