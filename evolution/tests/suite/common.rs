//! Genomes, specs and made-up games that the tests share.

use kembara_engine::{Chromosome, Domain, GameResult, Gene, Genome, Outcome, Parameter};
use kembara_evolution::spec::{Evolution, OpeningSet, Play, SearchLimit, Semantics, Start, Stop, Tournament};
use kembara_evolution::{Generation, Individual, Next, ResolvedSpec, Run, Setting, defaults};
use std::collections::BTreeMap;

pub fn whole(name: &str, low: i32, high: i32) -> Parameter {
    let domain = Domain::Int { initial: (low, high), bounds: (low, high) };
    Parameter { name: name.into(), meaning: String::new(), domain }
}

pub fn real(name: &str, initial: (f64, f64), bounds: Option<(f64, f64)>) -> Parameter {
    Parameter { name: name.into(), meaning: String::new(), domain: Domain::Real { initial, bounds } }
}

/// The genes of the author's first journey.
pub fn eleven() -> Setting {
    let mut parameters = vec![whole("o", 1, 20), whole("e", 41, 60)];
    for stage in 1..=3 {
        parameters.extend(["wf", "wm", "wc"].map(|name| whole(&format!("{name}{stage}"), 0, 10)));
    }
    Setting { genome: Genome { name: "eleven".into(), parameters }, openings: 1, opponents: Vec::new() }
}

/// Whole and real genes, bounded and free, with initial ranges inside the bounds.
pub fn mixed() -> Setting {
    let inner = Domain::Int { initial: (-2, 2), bounds: (-5, 5) };
    let parameters = vec![
        whole("a", 0, 3),
        real("b", (-1.0, 1.0), None),
        Parameter { name: "c".into(), meaning: String::new(), domain: inner },
        real("d", (0.25, 0.5), Some((0.0, 1.0))),
    ];
    Setting { genome: Genome { name: "mixed".into(), parameters }, openings: 5, opponents: Vec::new() }
}

pub fn spec(population: u32, evolution: Evolution) -> ResolvedSpec {
    ResolvedSpec {
        semantics: Semantics::CURRENT,
        game: "made-up".into(),
        genome: "eleven".into(),
        freeze: BTreeMap::new(),
        seed: 42,
        population,
        start: Start::Random,
        play: Play { limit: SearchLimit::Depth(1), epsilon: 0.0, openings: OpeningSet::Start, max_plies: None },
        tournament: Tournament::DoubleRoundRobin,
        rating: defaults::rating(),
        evolution,
        select_by: defaults::SELECT_BY,
        inject: defaults::inject(),
        stop: Stop { generations: Some(1000), games: None, unchanged: None },
    }
}

/// How good a player is, on a hidden scale: the genes' mean place between their bounds.
pub fn quality(individual: &Individual, setting: &Setting) -> f64 {
    let place = |(gene, parameter): (&Gene, &Parameter)| match (*gene, parameter.domain) {
        (Gene::Int(value), Domain::Int { bounds: (low, high), .. }) => f64::from(value - low) / f64::from(high - low),
        (Gene::Real(value), Domain::Real { initial, bounds }) => {
            let (low, high) = bounds.unwrap_or(initial);
            (value - low) / (high - low)
        }
        _ => panic!("a gene of another kind"),
    };
    let genes = &individual.chromosome.0;
    genes.iter().zip(&setting.genome.parameters).map(place).sum::<f64>() / genes.len() as f64
}

/// What a made-up game between two individuals gives.
pub type Judge<'a> = &'a dyn Fn(&Individual, &Individual, u64) -> GameResult;

/// All games of a generation, in pairing order.
pub fn results(run: &Run, generation: &Generation, judge: Judge) -> Vec<GameResult> {
    let schedule = run.schedule(generation);
    let player = |slot: u32| &generation.individuals[generation.slots[slot as usize] as usize];
    (0..schedule.pairings())
        .map(|k| {
            let meeting = schedule.pairing(k);
            judge(player(meeting.first), player(meeting.second), meeting.seed)
        })
        .collect()
}

/// The better player wins, mostly: chance has its say through the game seed.
pub fn by_quality(setting: &Setting) -> impl Fn(&Individual, &Individual, u64) -> GameResult {
    move |first, second, seed| {
        let luck = (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
        let edge = quality(first, setting) - quality(second, setting) + 0.2 * luck;
        game((edge * 100.0).round() as i16, seed)
    }
}

/// A coin decides.
pub fn by_chance(_: &Individual, _: &Individual, seed: u64) -> GameResult {
    game((seed % 3) as i16 - 1, seed)
}

fn game(margin: i16, seed: u64) -> GameResult {
    let outcome = match margin.signum() {
        1 => Outcome::FirstWins,
        0 => Outcome::Draw,
        _ => Outcome::SecondWins,
    };
    GameResult { outcome, margin, plies: 50 + (seed % 11) as u16 }
}

/// The generation after this one.
pub fn next(run: &Run, generation: &Generation, judge: Judge) -> Generation {
    match run.turn_over(generation, &results(run, generation, judge)).next {
        Next::Generation(next) => next,
        Next::Finished(reason) => panic!("the run is finished: {reason:?}"),
    }
}

pub fn chromosome(text: &str, setting: &Setting) -> Chromosome {
    Chromosome::parse(text, &setting.genome.parameters).unwrap()
}

/// Every invariant that holds for any generation of any run.
pub fn assert_sound(run: &Run, generation: &Generation) {
    run.check_generation(generation).unwrap();
    for individual in &generation.individuals {
        individual.chromosome.check(&run.genome().parameters).unwrap();
        assert!(individual.birth <= generation.number);
        assert!(individual.parents.iter().all(|parent| *parent < individual.number));
        assert_eq!(individual.birth == generation.number, individual.wins + individual.draws + individual.losses == 0);
    }
    let numbers: Vec<u64> = generation.individuals.iter().map(|individual| individual.number).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "numbers repeat: {numbers:?}");
    assert_eq!(run.read_generation(&generation.to_bytes()).as_ref(), Ok(generation));
}
