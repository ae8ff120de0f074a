//! What both strategies make of a generation, counted head by head.

use crate::common::*;
use kembara_engine::Gene;
use kembara_evolution::spec::{Evolution, SelectBy, Tournament};
use kembara_evolution::{Generation, Individual, Next, Origin, ResolvedSpec, Run, Setting, defaults};

fn run(population: u32, evolution: Evolution, setting: Setting) -> Run {
    Run::within(spec(population, evolution), setting).unwrap()
}

fn count(individuals: &[Individual], generation: u32, origin: Origin) -> usize {
    individuals.iter().filter(|one| one.birth == generation && one.origin == origin).count()
}

#[test]
fn the_authors_352_become_122_children_123_parents_and_107_mutants() {
    let run = run(352, defaults::genethello(), eleven());
    let first = run.first();
    assert_eq!(first.slots.len(), 352);
    assert_eq!(run.schedule(&first).pairings(), 123_552);
    let turnover = run.turn_over(&first, &results(&run, &first, &by_quality(&eleven())));
    let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
    assert_eq!(second.individuals.len(), 352);
    assert_eq!(count(&second.individuals, 2, Origin::Crossover), 122);
    assert_eq!(count(&second.individuals, 2, Origin::Mutation), 107);
    let stayed: Vec<u64> = second.individuals.iter().filter(|one| one.birth == 1).map(|one| one.number).collect();
    let mut best: Vec<u64> = turnover.standings[..123].iter().map(|standing| standing.individual.number).collect();
    best.sort_unstable();
    assert_eq!(stayed, best, "the best 123 stay, and nobody else");
    assert_eq!(turnover.deaths.len(), 352 - 123);
    assert!(turnover.deaths.iter().all(|dead| !stayed.contains(dead)));

    let parents_of = |origin: Origin| {
        second.individuals.iter().filter(move |one| one.birth == 2 && one.origin == origin).flat_map(|one| &one.parents)
    };
    assert!(parents_of(Origin::Crossover).all(|parent| best.contains(parent)), "a child of a lesser parent");
    let mut mates: Vec<u64> = parents_of(Origin::Crossover).copied().collect();
    mates.sort_unstable();
    assert!(mates.chunks(2).all(|pair| pair[0] == pair[1]), "each parent is named by both of its children");
    mates.dedup();
    assert_eq!(mates.len(), 122, "a parent mates once; one of 123 stays alone");

    // Mutants come in the order of their parents' ranks, every parent with at most one.
    let rank_of = |number: u64| turnover.standings.iter().find(|s| s.individual.number == number).unwrap().rank;
    let ranks: Vec<u32> = parents_of(Origin::Mutation).map(|parent| rank_of(*parent)).collect();
    assert!(ranks.windows(2).all(|pair| pair[0] < pair[1]), "{ranks:?}");
    // Copies change with probability 1 − (11/12)^11 · … ≈ .6, so 107 mutants need some 180 parents.
    assert!((140..230).contains(ranks.last().unwrap()), "the last mutant's parent has rank {:?}", ranks.last());
}

#[test]
fn children_have_the_front_of_one_parent_and_the_back_of_the_other() {
    let run = run(40, defaults::genethello(), eleven());
    let first = run.first();
    let second = next(&run, &first, &by_quality(&eleven()));
    let parent = |number: u64| &first.individuals.iter().find(|one| one.number == number).unwrap().chromosome.0;
    let mut children = 0;
    for child in second.individuals.iter().filter(|one| one.origin == Origin::Crossover) {
        let (front, back, own) = (parent(child.parents[0]), parent(child.parents[1]), &child.chromosome.0);
        assert!((1..own.len()).any(|cut| own[..cut] == front[..cut] && own[cut..] == back[cut..]));
        children += 1;
    }
    assert_eq!(children, 14, "seven pairs of the best ⌊.35 · 40⌋ = 14");
}

#[test]
fn mates_are_drawn_not_matched_by_rank() {
    let run = run(200, defaults::genethello(), eleven());
    let first = run.first();
    let turnover = run.turn_over(&first, &results(&run, &first, &by_quality(&eleven())));
    let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
    let rank_of = |number: u64| turnover.standings.iter().find(|s| s.individual.number == number).unwrap().rank;
    let children = second.individuals.iter().filter(|one| one.origin == Origin::Crossover);
    let gaps: Vec<u32> = children.map(|one| rank_of(one.parents[0]).abs_diff(rank_of(one.parents[1]))).collect();
    // Two of 70 drawn at random stand 71/3 ranks apart on average.
    let mean = f64::from(gaps.iter().sum::<u32>()) / gaps.len() as f64;
    assert!((15.0..33.0).contains(&mean), "mates stand {mean} ranks apart");
}

#[test]
fn below_six_individuals_the_best_alone_stays_and_mutants_fill_up() {
    for population in 2..=5 {
        let run = run(population, defaults::genethello(), eleven());
        let first = run.first();
        let turnover = run.turn_over(&first, &results(&run, &first, &by_quality(&eleven())));
        let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
        assert_eq!(second.individuals.len(), population as usize);
        assert_eq!(count(&second.individuals, 2, Origin::Crossover), 0);
        assert!(second.individuals.iter().any(|one| one.number == turnover.best));
    }
}

#[test]
fn when_mutation_gives_too_few_the_next_best_stay() {
    let run = run(20, Evolution::Genethello { crossover: 0.35, mutation: 0.0 }, eleven());
    let first = run.first();
    let turnover = run.turn_over(&first, &results(&run, &first, &by_quality(&eleven())));
    let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
    assert_eq!(count(&second.individuals, 2, Origin::Crossover), 6, "three pairs of seven");
    let stayed: Vec<u64> = second.individuals.iter().filter(|one| one.birth == 1).map(|one| one.number).collect();
    let mut best: Vec<u64> = turnover.standings[..14].iter().map(|standing| standing.individual.number).collect();
    best.sort_unstable();
    assert_eq!(stayed, best);
}

#[test]
fn jgap_plays_a_pool_of_parents_children_and_mutants_and_keeps_the_best_nine_tenths() {
    let run = run(352, defaults::jgap(), eleven());
    let first = run.first();
    assert_eq!(count(&first.individuals, 1, Origin::Random), 352);
    assert_eq!(count(&first.individuals, 1, Origin::Crossover), 246, "two children of each of ⌊.35 · 352⌋ = 123");
    let mutants = count(&first.individuals, 1, Origin::Mutation);
    // A copy has a chosen gene with probability 1 − (11/12)^11 = .616.
    assert!((180..255).contains(&mutants), "{mutants} mutants");
    let pool = first.slots.len() as u64;
    assert_eq!(pool, 352 + 246 + mutants as u64);
    assert_eq!(run.schedule(&first).pairings(), pool * (pool - 1));

    let turnover = run.turn_over(&first, &results(&run, &first, &by_quality(&eleven())));
    let Next::Generation(second) = turnover.next else { panic!("the run goes on") };
    let population: Vec<u64> =
        second.slots[..352].iter().map(|place| second.individuals[*place as usize].number).collect();
    let ranked: Vec<u64> = turnover.standings.iter().map(|standing| standing.individual.number).collect();
    assert_eq!(population[..317], ranked[..317], ".9 · 352 = 316.8 survive");
    assert_eq!(population[317..], ranked[..35], "and clones of the best fill up");
    assert_eq!(turnover.deaths.len(), ranked.len() - 317);
    assert!(second.slots.len() > second.individuals.len(), "clones share an individual");
}

#[test]
fn clones_share_one_record_and_their_games_against_each_other_move_no_rating() {
    let run = run(10, defaults::jgap(), eleven());
    let setting = eleven();
    let judge = by_quality(&setting);
    let mut generation = run.first();
    let mut shared = 0;
    for _ in 0..6 {
        let results = results(&run, &generation, &judge);
        let turnover = run.turn_over(&generation, &results);
        let slots = generation.slots.len() as u64;
        for standing in &turnover.standings {
            let before = generation.individuals.iter().find(|one| one.number == standing.individual.number).unwrap();
            // Each slot plays 2·(M − 1) games, and two slots of one individual both count theirs.
            assert_eq!(standing.tally.games(), u64::from(standing.slots) * 2 * (slots - 1));
            assert_eq!(standing.individual.wins, before.wins + standing.tally.wins);
            assert_eq!(standing.elo_before, before.elo);
            shared += u32::from(standing.slots > 1);
        }
        let sum = |count: fn(&kembara_evolution::Standing) -> u64| turnover.standings.iter().map(count).sum::<u64>();
        assert_eq!(sum(|standing| standing.tally.wins), sum(|standing| standing.tally.losses));
        assert_eq!(sum(|standing| standing.tally.games()), 2 * results.len() as u64, "every game counts for two");
        let drift: f64 = turnover.standings.iter().map(|one| one.individual.elo.get() - one.elo_before.get()).sum();
        assert!(drift.abs() < 1e-6, "what one wins the other loses, but {drift} are left");
        let Next::Generation(next) = turnover.next else { panic!("the run goes on") };
        generation = next;
    }
    assert!(shared > 5, "clones have to appear for this test to mean anything");
}

#[test]
fn any_population_of_two_or_more_breeds_on_soundly_odd_ones_included() {
    for population in [2, 3, 4, 5, 6, 7, 10, 13, 31] {
        for evolution in [defaults::genethello(), defaults::jgap()] {
            for setting in [eleven(), mixed()] {
                let run = run(population, evolution, setting.clone());
                let mut generation = run.first();
                for _ in 0..8 {
                    assert_sound(&run, &generation);
                    let following = next(&run, &generation, &by_quality(&setting));
                    assert_eq!(following.number, generation.number + 1);
                    assert_older_ones_are_the_same(&generation, &following);
                    generation = following;
                }
            }
        }
    }
}

/// Survivors keep number, genes, birth and lineage; newcomers get higher numbers.
fn assert_older_ones_are_the_same(before: &Generation, after: &Generation) {
    let highest = before.individuals.last().unwrap().number;
    for individual in &after.individuals {
        match before.individuals.iter().find(|one| one.number == individual.number) {
            Some(same) => {
                assert_eq!((&same.chromosome, same.birth), (&individual.chromosome, individual.birth));
                assert_eq!((&same.parents, same.origin), (&individual.parents, individual.origin));
            }
            None => {
                assert!(individual.number > highest && individual.birth == after.number);
                assert_eq!(individual.elo.get(), 1500.0);
            }
        }
    }
}

#[test]
fn extreme_shares_breed_on_soundly() {
    for crossover in [0.0, 0.5, 0.51, 1.0] {
        for mutation in [0.0, 1.0] {
            for survivors in [1e-9, 0.3, 1.0] {
                let jgap = Evolution::Jgap { crossover, mutation, survivors };
                for evolution in [Evolution::Genethello { crossover, mutation }, jgap] {
                    for population in [2, 3, 9, 10] {
                        let run = run(population, evolution, eleven());
                        let mut generation = run.first();
                        for _ in 0..3 {
                            assert_sound(&run, &generation);
                            generation = next(&run, &generation, &by_quality(&eleven()));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_share_counts_as_it_is_written() {
    // In binary .35 · 360 comes out just below 126.
    let run = run(360, Evolution::Genethello { crossover: 0.35, mutation: 0.0 }, eleven());
    let second = next(&run, &run.first(), &by_quality(&eleven()));
    assert_eq!(count(&second.individuals, 2, Origin::Crossover), 126);
    let run = Run::within(spec(100, defaults::jgap()), eleven()).unwrap();
    assert_eq!(count(&run.first().individuals, 1, Origin::Crossover), 70);
}

#[test]
fn frozen_genes_stay_at_their_value_everywhere() {
    for evolution in [defaults::genethello(), defaults::jgap()] {
        let mut spec = spec(20, evolution);
        spec.freeze = [("wm2".to_owned(), 7.0), ("o".to_owned(), 20.0)].into();
        spec.start = kembara_evolution::spec::Start::Players(vec!["1:41:0:0:0:0:0:0:0:0:0".into()]);
        spec.inject =
            kembara_evolution::spec::Inject { count: 1, every: 1, hall: vec!["2:60:9:9:9:9:9:9:9:9:9".into()] };
        let run = Run::within(spec, eleven()).unwrap();
        let mut generation = run.first();
        for _ in 0..6 {
            for individual in &generation.individuals {
                assert_eq!(individual.chromosome.0[0], Gene::Int(20));
                assert_eq!(individual.chromosome.0[6], Gene::Int(7));
            }
            generation = next(&run, &generation, &by_quality(&eleven()));
        }
    }
}

#[test]
fn selection_goes_by_points_or_by_rating_as_the_spec_says() {
    let setting = eleven();
    let judge = by_quality(&setting);
    for select_by in [SelectBy::Points, SelectBy::Elo] {
        let run = Run::within(ResolvedSpec { select_by, ..spec(30, defaults::genethello()) }, eleven()).unwrap();
        let second = next(&run, &run.first(), &judge);
        let standings = run.turn_over(&second, &results(&run, &second, &judge)).standings;
        let points: Vec<u64> = standings.iter().map(|standing| standing.tally.half_points()).collect();
        let elos: Vec<f64> = standings.iter().map(|standing| standing.individual.elo.get()).collect();
        assert_eq!(points.is_sorted_by(|one, other| one >= other), select_by == SelectBy::Points);
        assert_eq!(elos.is_sorted_by(|one, other| one >= other), select_by == SelectBy::Elo);
        assert!(standings.iter().zip(1..).all(|(standing, rank)| standing.rank == rank));
    }
}

#[test]
fn a_sample_of_opponents_breeds_as_well() {
    for evolution in [defaults::genethello(), defaults::jgap()] {
        let sampled = ResolvedSpec { tournament: Tournament::Sample { opponents: 6 }, ..spec(21, evolution) };
        let run = Run::within(sampled, mixed()).unwrap();
        let mut generation = run.first();
        for _ in 0..5 {
            assert_eq!(run.schedule(&generation).pairings(), 6 * generation.slots.len() as u64);
            generation = next(&run, &generation, &by_quality(&mixed()));
            assert_sound(&run, &generation);
        }
    }
}
