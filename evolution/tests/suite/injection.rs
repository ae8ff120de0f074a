//! The best ever come back, and nobody good makes room for them.

use crate::common::*;
use kembara_evolution::spec::{Evolution, Inject};
use kembara_evolution::{Generation, Individual, Next, Origin, ResolvedSpec, Run, defaults};

const HALL: [&str; 3] =
    ["20:60:10:10:10:10:10:10:10:10:9", "20:60:10:10:10:10:10:10:10:9:10", "20:60:10:10:10:10:10:10:9:10:10"];

fn run(evolution: Evolution, count: u32, every: u32, hall: &[&str]) -> Run {
    let inject = Inject { count, every, hall: hall.iter().map(ToString::to_string).collect() };
    Run::within(ResolvedSpec { inject, ..spec(20, evolution) }, eleven()).unwrap()
}

fn injected(generation: &Generation) -> Vec<&Individual> {
    let fresh = |one: &&Individual| one.origin == Origin::Injected && one.birth == generation.number;
    generation.individuals.iter().filter(fresh).collect()
}

#[test]
fn champions_of_the_hall_take_the_seats_of_the_worst_parents() {
    let judge_setting = eleven();
    let judge = by_quality(&judge_setting);
    for evolution in [defaults::genethello(), defaults::jgap()] {
        let with = run(evolution, 2, 1, &HALL);
        let without = run(evolution, 0, 1, &[]);
        let first = with.first();
        assert_eq!(first.individuals, without.first().individuals);
        let results = results(&with, &first, &judge);
        let turnover = with.turn_over(&first, &results);
        let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
        let newcomers = injected(&second);
        assert_eq!(newcomers.len(), 2);
        assert_eq!(newcomers[0].chromosome, chromosome(HALL[0], &eleven()));
        // The second candidate, the run's own best of generation 1, is still alive: passed over.
        assert_eq!(newcomers[1].chromosome, chromosome(HALL[1], &eleven()));
        assert!(newcomers.iter().all(|one| one.parents.is_empty() && one.elo.get() == 1500.0));

        let Next::Generation(plain) = without.turn_over(&first, &results).next else { panic!("the run goes on") };
        let stayed = |generation: &Generation| -> Vec<u64> {
            generation.individuals.iter().filter(|one| one.birth == 1).map(|one| one.number).collect()
        };
        let gone: Vec<u64> = stayed(&plain).into_iter().filter(|number| !stayed(&second).contains(number)).collect();
        let rank_of = |number: &u64| turnover.standings.iter().find(|s| s.individual.number == *number).unwrap().rank;
        let mut worst: Vec<u64> = stayed(&plain);
        worst.sort_by_key(rank_of);
        let mut worst = worst[worst.len() - 2..].to_vec();
        worst.sort_unstable();
        assert_eq!(gone, worst);
        assert_eq!(second.slots.len() >= 20, plain.slots.len() >= 20);
    }
}

#[test]
fn nobody_is_injected_who_is_there_already_or_out_of_turn() {
    let setting = eleven();
    let judge = by_quality(&setting);
    let run = run(defaults::genethello(), 2, 3, &HALL);
    let mut generation = run.first();
    let mut total = 0;
    for _ in 0..12 {
        let following = next(&run, &generation, &judge);
        let newcomers = injected(&following);
        assert!(newcomers.is_empty() || generation.number.is_multiple_of(3), "generation {}", generation.number);
        for one in &newcomers {
            let same = following.individuals.iter().filter(|other| other.chromosome == one.chromosome).count();
            assert_eq!(same, 1, "{} is there twice", one.chromosome);
        }
        total += newcomers.len();
        generation = following;
    }
    assert!(total >= 2);
}

#[test]
fn a_lost_champion_of_the_run_itself_comes_back_with_its_lineage() {
    // By chance alone champions are soon lost, so the run's own list has something to give.
    let run = run(defaults::genethello(), 3, 1, &[]);
    let mut generation = run.first();
    let mut champions: Vec<Individual> = Vec::new();
    let mut returned = 0;
    for _ in 0..15 {
        let turnover = run.turn_over(&generation, &results(&run, &generation, &by_chance));
        champions.push(turnover.standings[0].individual.clone());
        let Next::Generation(following) = turnover.next else { panic!("the run goes on") };
        for one in injected(&following) {
            let [parent] = one.parents[..] else { panic!("the champion it was") };
            let champion = champions.iter().find(|champion| champion.number == parent).expect("a generation's best");
            assert_eq!(champion.chromosome, one.chromosome);
            returned += 1;
        }
        assert!(following.individuals.iter().any(|one| one.number == turnover.best), "the best is never replaced");
        generation = following;
    }
    assert!(returned > 0);
}
