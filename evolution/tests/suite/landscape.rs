//! A toy landscape: selection climbs it, and without selection nobody does.

use crate::common::*;
use kembara_evolution::spec::{Evolution, SelectBy};
use kembara_evolution::{Generation, ResolvedSpec, Run, Setting, defaults};

fn mean_quality(generation: &Generation, setting: &Setting) -> f64 {
    let each = generation.individuals.iter().map(|individual| quality(individual, setting));
    each.sum::<f64>() / generation.individuals.len() as f64
}

/// The mean quality of the first and of the thirtieth generation.
fn climb(evolution: Evolution, judge: Judge, seed: u64) -> (f64, f64) {
    let run = Run::within(ResolvedSpec { seed, ..spec(30, evolution) }, eleven()).unwrap();
    let mut generation = run.first();
    let before = mean_quality(&generation, &eleven());
    for _ in 1..30 {
        generation = next(&run, &generation, judge);
    }
    (before, mean_quality(&generation, &eleven()))
}

#[test]
fn selection_climbs_a_hidden_landscape() {
    for evolution in [defaults::genethello(), defaults::jgap()] {
        for seed in 0..3 {
            let (before, after) = climb(evolution, &by_quality(&eleven()), seed);
            assert!(after > before + 0.2, "{evolution:?}, seed {seed}: from {before} to {after}");
        }
    }
}

#[test]
fn with_selection_switched_off_nobody_climbs_though_the_better_win() {
    for evolution in [defaults::genethello(), defaults::jgap()] {
        let setting = eleven();
        let rise = |seed| {
            let spec = ResolvedSpec { seed, select_by: SelectBy::Chance, ..spec(30, evolution) };
            let run = Run::within(spec, eleven()).unwrap();
            let mut generation = run.first();
            let before = mean_quality(&generation, &setting);
            for _ in 1..30 {
                generation = next(&run, &generation, &by_quality(&setting));
            }
            mean_quality(&generation, &setting) - before
        };
        let rises: Vec<f64> = (0..8).map(rise).collect();
        let mean = rises.iter().sum::<f64>() / rises.len() as f64;
        assert!(mean.abs() < 0.1, "{evolution:?}: a mean rise of {mean} without selection: {rises:?}");
    }
}

#[test]
fn without_selection_nobody_climbs() {
    for evolution in [defaults::genethello(), defaults::jgap()] {
        let rises: Vec<f64> = (0..8).map(|seed| climb(evolution, &by_chance, seed)).map(|(b, a)| a - b).collect();
        let mean = rises.iter().sum::<f64>() / rises.len() as f64;
        assert!(mean.abs() < 0.1, "{evolution:?}: a mean rise of {mean} by chance alone: {rises:?}");
    }
}
