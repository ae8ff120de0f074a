//! Turnovers: range by range, their fingerprints, stopping, and what is refused.

use crate::common::*;
use kembara_engine::{Gene, Outcome};
use kembara_evolution::spec::{Evolution, Stop};
use kembara_evolution::{Generation, GenerationError, Next, ResolvedSpec, Run, StopReason, Turnover, defaults};
use proptest::prelude::*;

fn run(evolution: Evolution) -> Run {
    Run::within(spec(12, evolution), mixed()).unwrap()
}

fn turned(run: &Run, generation: &Generation) -> Turnover {
    run.turn_over(generation, &results(run, generation, &by_quality(&mixed())))
}

proptest! {
    #[test]
    fn results_fed_in_any_ranges_give_the_same_turnover(mut cuts in proptest::collection::vec(0..=132_usize, 0..6)) {
        let run = run(defaults::genethello());
        let first = run.first();
        let results = results(&run, &first, &by_quality(&mixed()));
        cuts.extend([0, 132]);
        cuts.sort_unstable();
        let mut turnover = run.begin(&first);
        for range in cuts.windows(2) {
            prop_assert_eq!(turnover.fed(), range[0] as u64);
            turnover.feed(&results[range[0]..range[1]]);
        }
        prop_assert_eq!(turnover.fed(), turnover.pairings());
        prop_assert_eq!(turnover.finish(), run.turn_over(&first, &results));
    }

    #[test]
    fn no_bytes_make_it_panic(at in any::<proptest::sample::Index>(), with in any::<u8>(), cut in any::<bool>()) {
        for evolution in [defaults::genethello(), defaults::jgap()] {
            let run = run(evolution);
            let mut bytes = next(&run, &run.first(), &by_quality(&mixed())).to_bytes();
            let place = at.index(bytes.len());
            if cut { bytes.truncate(place) } else { bytes[place] = with }
            if let Ok(generation) = run.read_generation(&bytes) {
                prop_assert_eq!(generation.to_bytes(), bytes);
                let _ = turned(&run, &generation);
            }
        }
    }
}

#[test]
fn the_same_run_comes_out_the_same_and_another_seed_does_not() {
    for evolution in [defaults::genethello(), defaults::jgap()] {
        let again = run(evolution);
        let first = again.first();
        assert_eq!(turned(&again, &first), turned(&run(evolution), &run(evolution).first()));
        let other = Run::within(ResolvedSpec { seed: 43, ..spec(12, evolution) }, mixed()).unwrap();
        assert_ne!(other.first().individuals[0].chromosome, first.individuals[0].chromosome);
        assert_ne!(turned(&other, &other.first()).fingerprint, turned(&again, &first).fingerprint);
    }
}

#[test]
fn the_fingerprint_covers_every_result_every_gene_and_everything_before() {
    let run = run(defaults::genethello());
    let first = run.first();
    let honest = results(&run, &first, &by_quality(&mixed()));
    let fingerprint = run.turn_over(&first, &honest).fingerprint;
    assert_eq!(first.previous, run.spec().hash());
    for place in [0, 77, 131] {
        for change in 0..3 {
            let mut results = honest.clone();
            match change {
                0 => results[place].margin += 1,
                1 => results[place].plies += 1,
                _ if results[place].outcome == Outcome::Draw => results[place].outcome = Outcome::FirstWins,
                _ => results[place].outcome = Outcome::Draw,
            }
            assert_ne!(run.turn_over(&first, &results).fingerprint, fingerprint, "game {place}, change {change}");
        }
    }
    let changed = |change: &dyn Fn(&mut Generation)| {
        let mut other = first.clone();
        change(&mut other);
        run.turn_over(&other, &honest).fingerprint
    };
    assert_ne!(changed(&|other| other.individuals[3].chromosome.0[1] = Gene::Real(0.125)), fingerprint);
    assert_ne!(changed(&|other| other.individuals[3].parents.push(1)), fingerprint);
    assert_ne!(changed(&|other| other.individuals[3].birth = 0), fingerprint);
    assert_ne!(changed(&|other| other.previous[31] ^= 1), fingerprint);
    assert_eq!(changed(&|_| ()), fingerprint);

    let turnover = run.turn_over(&first, &honest);
    let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
    assert_eq!(second.previous, turnover.fingerprint);
}

fn finish(stop: Stop, judge: Judge, setting: &kembara_evolution::Setting) -> (u32, StopReason) {
    let run = Run::within(ResolvedSpec { stop, ..spec(10, defaults::genethello()) }, setting.clone()).unwrap();
    let mut generation = run.first();
    loop {
        let turnover = run.turn_over(&generation, &results(&run, &generation, judge));
        match turnover.next {
            Next::Generation(next) => {
                assert!(next.number <= 100, "the run does not stop");
                generation = next;
            }
            Next::Finished(reason) => {
                assert!(turnover.deaths.is_empty(), "nobody dies when the run ends");
                return (generation.number, reason);
            }
        }
    }
}

const OPEN: Stop = Stop { generations: None, games: None, unchanged: None };

#[test]
fn a_run_stops_after_its_generations_or_games() {
    let setting = eleven();
    let judge = by_quality(&setting);
    let after = |generations, games| finish(Stop { generations, games, ..OPEN }, &judge, &setting);
    assert_eq!(after(Some(1), None), (1, StopReason::Generations));
    assert_eq!(after(Some(7), None), (7, StopReason::Generations));
    // 90 games a generation.
    assert_eq!(after(None, Some(1)), (1, StopReason::Games));
    assert_eq!(after(None, Some(270)), (3, StopReason::Games));
    assert_eq!(after(None, Some(271)), (4, StopReason::Games));
    assert_eq!(after(Some(3), Some(270)), (3, StopReason::Generations));
    assert_eq!(after(Some(9), Some(270)), (3, StopReason::Games));
}

#[test]
fn a_run_stops_when_its_best_chromosome_stays_the_same() {
    let setting = eleven();
    let judge = by_quality(&setting);
    let run = Run::within(spec(10, defaults::genethello()), eleven()).unwrap();
    let mut generation = run.first();
    let mut best = Vec::new();
    for _ in 0..60 {
        let standings = run.turn_over(&generation, &results(&run, &generation, &judge)).standings;
        best.push(standings[0].individual.chromosome.clone());
        generation = next(&run, &generation, &judge);
    }
    for row in [2, 3, 5] {
        let expected = best.windows(row).position(|same| same.iter().all(|one| *one == same[0])).map(|at| at + row);
        let stop = Stop { unchanged: Some(row as u32), generations: Some(60), ..OPEN };
        let (generations, reason) = finish(stop, &judge, &setting);
        assert_eq!(Some(generations as usize), expected, "{row} in a row");
        assert_eq!(reason, StopReason::Unchanged);
    }
}

#[test]
fn the_standings_count_every_game_of_every_life() {
    let run = run(defaults::genethello());
    let mut generation = run.first();
    for _ in 0..5 {
        let turnover = turned(&run, &generation);
        assert_eq!(turnover.best, turnover.standings[0].individual.number);
        for standing in &turnover.standings {
            let one = &standing.individual;
            let generations = u64::from(generation.number - one.birth + 1);
            assert_eq!(one.wins + one.draws + one.losses, 22 * generations, "11 opponents, both sides");
        }
        let Next::Generation(next) = turnover.next else { panic!("the run goes on") };
        for survivor in next.individuals.iter().filter(|one| one.birth < next.number) {
            assert!(turnover.standings.iter().any(|standing| standing.individual == *survivor));
        }
        generation = next;
    }
}

#[test]
fn generations_that_are_not_of_the_run_are_refused() {
    let run = run(defaults::genethello());
    let good = next(&run, &run.first(), &by_quality(&mixed()));
    run.check_generation(&good).unwrap();
    let refused = |change: &dyn Fn(&mut Generation)| {
        let mut other = good.clone();
        change(&mut other);
        run.check_generation(&other).unwrap_err()
    };
    let inconsistent = |change: &dyn Fn(&mut Generation)| match refused(change) {
        GenerationError::Inconsistent(reason) => reason,
        other => panic!("another refusal: {other}"),
    };
    assert_eq!(inconsistent(&|other| other.number = 0), "the number is not one of a generation");
    assert_eq!(inconsistent(&|other| other.number = u32::MAX), "the number is not one of a generation");
    assert!(inconsistent(&|other| other.individuals.swap(0, 1)).contains("ascending"));
    assert!(inconsistent(&|other| other.individuals[1] = other.individuals[0].clone()).contains("ascending"));
    assert!(inconsistent(&|other| other.slots[0] = 12).contains("not there"));
    assert!(inconsistent(&|other| other.slots[0] = other.slots[1]).contains("no slot"));
    assert!(inconsistent(&|other| other.slots.push(0)).contains("strategy makes"));
    assert!(inconsistent(&|other| other.individuals[0].chromosome.0[0] = Gene::Int(4)).contains("genome"));
    assert!(inconsistent(&|other| other.individuals[0].chromosome.0[1] = Gene::Real(f64::NAN)).contains("genome"));
    assert!(inconsistent(&|other| other.individuals[0].wins = u64::MAX).contains("counter"));
    assert!(inconsistent(&|other| other.individuals[11].number = 1 << 40).contains("given out"));
    assert!(matches!(refused(&|other| other.state.push(0)), GenerationError::Malformed(_)));
    assert!(matches!(refused(&|other| other.state.clear()), GenerationError::Malformed(_)));
}

#[test]
#[should_panic(expected = "131 results for 132 pairings")]
fn a_missing_result_is_a_callers_error() {
    let run = run(defaults::genethello());
    let first = run.first();
    let results = results(&run, &first, &by_quality(&mixed()));
    let _ = run.turn_over(&first, &results[1..]);
}

#[test]
#[should_panic(expected = "133 results for 132 pairings")]
fn a_result_too_many_is_a_callers_error() {
    let run = run(defaults::genethello());
    let first = run.first();
    let mut results = results(&run, &first, &by_quality(&mixed()));
    results.push(results[0]);
    let _ = run.turn_over(&first, &results);
}
