//! The Tablut genetic algorithm, step by step, and the tournament and fitness it uses.

use crate::common::*;
use kembara_engine::{GameResult, Gene, Genome, Outcome, PlayerSpec, registry};
use kembara_evolution::spec::{SearchLimit, SelectBy, Tournament};
use kembara_evolution::{Generation, Individual, Next, Origin, ResolvedSpec, Run, Setting, defaults};
use kembara_tournament::GauntletSide;

fn setting() -> Setting {
    let parameters = ["alpha", "beta", "gamma", "theta", "epsilon"].map(|name| real(name, (0.0, 2.0), None)).to_vec();
    let opponents = vec![PlayerSpec::Named("classic".into())];
    Setting { genome: Genome { name: "five".into(), parameters }, openings: 1, opponents }
}

fn original() -> ResolvedSpec {
    let opponents = vec!["classic".into()];
    ResolvedSpec {
        tournament: Tournament::Gauntlet { opponents, rounds: 1, side: GauntletSide::First },
        select_by: SelectBy::Speed { base: 30 },
        ..spec(10, defaults::tablut())
    }
}

/// The results that give each slot this fitness.
fn results(run: &Run, generation: &Generation, fitness: [i64; 10]) -> Vec<GameResult> {
    let schedule = run.schedule(generation);
    assert_eq!(schedule.pairings(), 10);
    let game = |k| {
        let (first, second) = schedule.players(k);
        assert_eq!(second, 10, "the opponent sits after the population");
        match fitness[first as usize] {
            -1 => GameResult { outcome: Outcome::SecondWins, margin: 0, plies: 40 },
            // The winner's own move number 30 − fitness is an odd ply.
            fitness => GameResult { outcome: Outcome::FirstWins, margin: 0, plies: (2 * (30 - fitness) - 1) as u16 },
        }
    };
    (0..10).map(game).collect()
}

fn turned(fitness: [i64; 10], spec: ResolvedSpec) -> (Generation, Vec<u64>, Vec<i64>, Generation) {
    let run = Run::within(spec, setting()).unwrap();
    let first = run.first();
    let turnover = run.turn_over(&first, &results(&run, &first, fitness));
    let Next::Generation(next) = turnover.next else { panic!("the run goes on") };
    assert_sound(&run, &next);
    let order = turnover.standings.iter().map(|standing| standing.individual.number).collect();
    let speeds = turnover.standings.iter().map(|standing| standing.speed.unwrap()).collect();
    (first, order, speeds, next)
}

#[test]
fn the_fastest_winner_leads_and_equals_keep_their_order() {
    let (_, order, speeds, _) = turned([3, -1, 7, 29, -1, 7, 0, -1, 3, 7], original());
    assert_eq!(order, [4, 3, 6, 10, 1, 9, 7, 2, 5, 8]);
    assert_eq!(speeds, [29, 7, 7, 7, 3, 3, 0, -1, -1, -1]);
}

#[test]
fn one_stays_four_are_children_three_are_averages_and_two_are_new() {
    let still =
        kembara_evolution::spec::Evolution::Tablut { partners: 2, best: 5, immigrants: 2, mutation: 0.0, reach: 1.0 };
    let (first, order, _, next) =
        turned([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], ResolvedSpec { evolution: still, ..original() });
    assert_eq!(order, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    let genes = |number: u64| &first.individuals[number as usize - 1].chromosome.0;
    let [best, second, third] = [10, 9, 8].map(genes);
    let by_turns = |one: &[Gene], other: &[Gene]| vec![one[0], other[1], one[2], other[3], one[4]];
    let made: Vec<&Individual> = next.individuals.iter().collect();
    assert_eq!((made[0].number, &made[0].chromosome.0, made[0].birth), (10, best, 1));
    assert_eq!(made[1].chromosome.0, by_turns(best, second));
    assert_eq!(made[2].chromosome.0, by_turns(second, best));
    assert_eq!(made[3].chromosome.0, by_turns(best, third));
    assert_eq!(made[4].chromosome.0, by_turns(third, best));
    for child in &made[5..8] {
        let [one, other] = child.parents[..] else { panic!("an average has two parents") };
        assert!((6..=10).contains(&one) && (6..=10).contains(&other), "parents are of the best five");
        for ((gene, one), other) in child.chromosome.0.iter().zip(genes(one)).zip(genes(other)) {
            let [Gene::Real(gene), Gene::Real(one), Gene::Real(other)] = [*gene, *one, *other] else { panic!() };
            assert_eq!(gene, (one + other) / 2.0);
        }
    }
    assert!(made[8..].iter().all(|one| one.origin == Origin::Random && one.parents.is_empty()));
    assert_eq!(made.len(), 10);
}

#[test]
fn all_but_the_first_mutate_with_the_given_probability() {
    let still = |mutation| kembara_evolution::spec::Evolution::Tablut {
        partners: 2,
        best: 5,
        immigrants: 2,
        mutation,
        reach: 1.0,
    };
    let fitness = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let mut changed = 0;
    for seed in 0..100 {
        let next = |mutation| {
            let spec = ResolvedSpec { seed, evolution: still(mutation), ..original() };
            turned(fitness, spec).3.individuals
        };
        let (plain, mutated) = (next(0.0), next(0.6));
        assert_eq!(plain[0], mutated[0]);
        for (plain, mutated) in plain.iter().zip(&mutated).skip(1) {
            let moved = |(one, other): (&Gene, &Gene)| match (*one, *other) {
                (Gene::Real(one), Gene::Real(other)) => (one - other).abs(),
                _ => panic!("a gene of another kind"),
            };
            let moves: Vec<f64> = plain.chromosome.0.iter().zip(&mutated.chromosome.0).map(moved).collect();
            assert!(moves.iter().all(|by| *by <= 1.0));
            let all = moves.iter().all(|by| *by > 0.0);
            assert!(all || moves.iter().all(|by| *by == 0.0), "all genes or none: {moves:?}");
            changed += u32::from(all);
        }
    }
    assert!((480..=600).contains(&changed), "{changed} of 900 mutated, about 540 are expected");
}

#[test]
fn a_short_run_of_real_tablut_is_pinned() {
    let mut spec = original();
    spec.game = "tablut".into();
    spec.genome = "tablut".into();
    spec.play.limit = SearchLimit::Depth(1);
    spec.play.max_plies = Some(60);
    let run = Run::new(spec).unwrap();
    let game = registry::game("tablut").unwrap();
    let mut generation = run.first();
    for _ in 0..2 {
        let arena = game.arena(&run.arena(&generation)).unwrap();
        assert_eq!(arena.players(), 11);
        let (schedule, mut table) = (run.schedule(&generation), arena.table());
        let played: Vec<_> = (0..schedule.pairings()).map(|k| table.play(&schedule.pairing(k))).collect();
        assert!(played.iter().all(|result| result.plies <= 60));
        let Next::Generation(next) = run.turn_over(&generation, &played).next else { panic!("the run goes on") };
        generation = next;
    }
    let shown: String = generation.previous[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown, "f9a1516bf50cc413");
}

#[test]
fn an_opponent_that_is_no_player_is_named() {
    let mut spec = original();
    spec.game = "tablut".into();
    spec.genome = "tablut".into();
    spec.tournament =
        Tournament::Gauntlet { opponents: vec!["random".into(), "nobody".into()], rounds: 1, side: GauntletSide::Both };
    let errors = spec.check();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].field, "tournament.opponents.1");
}
