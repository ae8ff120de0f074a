//! Contracts of the operators, by many seeded draws.

use super::*;
use crate::genes::Genes;
use kembara_engine::random::{Key, Stream};
use kembara_engine::{Chromosome, Domain, Gene, Genome, Parameter};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn parameter(name: &str, domain: Domain) -> Parameter {
    Parameter { name: name.into(), meaning: String::new(), domain }
}

fn genes(domains: &[Domain], freeze: &[(&str, f64)]) -> Genes {
    let parameters =
        domains.iter().zip("abcdefghijkl".chars()).map(|(domain, name)| parameter(&name.to_string(), *domain));
    let genome = Genome { name: "tested".into(), parameters: parameters.collect() };
    let freeze: BTreeMap<String, f64> = freeze.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Genes::new(&genome, &freeze).unwrap()
}

const WEIGHT: Domain = Domain::Int { initial: (0, 10), bounds: (0, 10) };

fn streams(count: u64) -> impl Iterator<Item = Stream> {
    let key = Key::new(1, 1, "test");
    (0..count).map(move |slot| key.stream(slot))
}

fn int(gene: Gene) -> i32 {
    let Gene::Int(value) = gene else { panic!("{gene} is no whole number") };
    value
}

fn real(gene: Gene) -> f64 {
    let Gene::Real(value) = gene else { panic!("{gene} is no real number") };
    value
}

/// Whether so many hits in so many draws can come from this probability: within 5 standard
/// deviations, so a right operator fails once in two million seeds, and the seeds are fixed.
fn plausible(hits: u64, draws: u64, probability: f64) -> bool {
    let (draws, expected) = (draws as f64, draws as f64 * probability);
    (hits as f64 - expected).abs() < 5.0 * (draws * probability * (1.0 - probability)).sqrt()
}

fn domain() -> impl Strategy<Value = Domain> {
    let ints = (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>()).prop_map(|(a, b, c, d)| {
        let mut ends = [a, b, c, d];
        ends.sort_unstable();
        Domain::Int { initial: (ends[1], ends[2]), bounds: (ends[0], ends[3]) }
    });
    let small =
        (-3..3, 0..4).prop_map(|(low, width)| Domain::Int { initial: (low, low + width), bounds: (low, low + width) });
    let ends = proptest::array::uniform4(proptest::num::f64::NORMAL | proptest::num::f64::ZERO);
    let reals = (ends, any::<bool>()).prop_map(|(mut ends, bounded)| {
        ends.sort_by(f64::total_cmp);
        Domain::Real { initial: (ends[1], ends[2]), bounds: bounded.then_some((ends[0], ends[3])) }
    });
    prop_oneof![ints, small, reals]
}

proptest! {
    #[test]
    fn no_operator_leaves_the_bounds_or_touches_a_frozen_gene(
        domains in proptest::collection::vec(domain(), 1..6),
        seed in any::<u64>(),
        chance in 0.0..=1.0,
    ) {
        // A frozen whole number in front of the drawn domains, so there is always one to watch.
        let domains = [&[WEIGHT], &domains[..]].concat();
        let genes = genes(&domains, &[("a", 7.0)]);
        let stream = &mut Key::new(seed, 1, "test").stream(0);
        let (one, other) = (random(&genes, stream), random(&genes, stream));
        let (first, second) = cross(&one, &other, stream);
        let (third, fourth) = alternate(&one, &other);
        let mean = average(&one, &other);
        let mut made = vec![one, other, first, second, third, fourth, mean];
        for _ in 0..8 {
            let parent = made.last().unwrap().clone();
            made.extend(redraw(&genes, &parent, chance, stream));
            made.extend(shift(&genes, &parent, chance, stream));
            made.push(drift(&genes, &parent, 1.0 + chance * 100.0, stream));
        }
        for chromosome in made {
            prop_assert_eq!(chromosome.check(genes.parameters()), Ok(()));
            prop_assert_eq!(chromosome.0[0], Gene::Int(7));
        }
    }
}

#[test]
fn random_genes_take_every_whole_number_of_the_initial_range_alike() {
    let inner = Domain::Int { initial: (-2, 2), bounds: (-5, 5) };
    let genes = genes(&[inner], &[]);
    let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
    streams(100_000).for_each(|mut stream| *counts.entry(int(random(&genes, &mut stream).0[0])).or_default() += 1);
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
    assert!(counts.values().all(|count| plausible(*count, 100_000, 0.2)), "{counts:?}");
}

#[test]
fn random_real_genes_fill_their_initial_range_evenly() {
    let genes = genes(&[Domain::Real { initial: (-1.0, 3.0), bounds: None }], &[]);
    let mut tenths = [0_u64; 10];
    for mut stream in streams(100_000) {
        let value = real(random(&genes, &mut stream).0[0]);
        tenths[((value + 1.0) / 0.4) as usize] += 1;
    }
    assert!(tenths.iter().all(|count| plausible(*count, 100_000, 0.1)), "{tenths:?}");
}

#[test]
fn every_cut_is_as_likely_as_any_other() {
    let (zeros, ones) = (Chromosome(vec![Gene::Int(0); 11]), Chromosome(vec![Gene::Int(1); 11]));
    let mut cuts: BTreeMap<usize, u64> = BTreeMap::new();
    for mut stream in streams(100_000) {
        let (first, second) = cross(&zeros, &ones, &mut stream);
        let cut = first.0.iter().filter(|gene| int(**gene) == 0).count();
        assert_eq!(first.0, [&zeros.0[..cut], &ones.0[cut..]].concat());
        assert_eq!(second.0, [&ones.0[..cut], &zeros.0[cut..]].concat());
        *cuts.entry(cut).or_default() += 1;
    }
    assert_eq!(cuts.keys().copied().collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
    assert!(cuts.values().all(|count| plausible(*count, 100_000, 0.1)), "{cuts:?}");
}

#[test]
fn chromosomes_of_one_gene_have_no_cut() {
    let (zero, one) = (Chromosome(vec![Gene::Int(0)]), Chromosome(vec![Gene::Int(1)]));
    for mut stream in streams(100) {
        assert_eq!(cross(&zero, &one, &mut stream), (zero.clone(), one.clone()));
    }
}

#[test]
fn one_gene_in_twelve_is_redrawn_to_any_value_alike() {
    let genes = genes(&[WEIGHT; 11], &[]);
    let parent = Chromosome(vec![Gene::Int(10); 11]);
    let (mut changed, mut unchanged_copies) = (BTreeMap::<i32, u64>::new(), 0);
    for mut stream in streams(100_000) {
        match redraw(&genes, &parent, 1.0 / 12.0, &mut stream) {
            Some(mutant) => {
                for gene in mutant.0.iter().map(|gene| int(*gene)).filter(|gene| *gene != 10) {
                    *changed.entry(gene).or_default() += 1;
                }
            }
            None => unchanged_copies += 1,
        }
    }
    // Each of the other ten values: 1/12 · 1/11 a gene.
    assert_eq!(changed.keys().copied().collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    assert!(changed.values().all(|count| plausible(*count, 1_100_000, 1.0 / 132.0)), "{changed:?}");
    assert!(plausible(unchanged_copies, 100_000, (1.0 - 10.0 / 132.0_f64).powi(11)), "{unchanged_copies}");
}

#[test]
fn one_gene_in_twelve_is_moved_by_up_to_its_range() {
    let genes = genes(&[WEIGHT; 11], &[]);
    let parent = Chromosome(vec![Gene::Int(10); 11]);
    let (mut moved, mut none) = (BTreeMap::<i32, u64>::new(), 0);
    for mut stream in streams(100_000) {
        let Some(mutant) = shift(&genes, &parent, 1.0 / 12.0, &mut stream) else {
            none += 1;
            continue;
        };
        mutant.0.iter().filter(|gene| int(**gene) != 10).for_each(|gene| *moved.entry(int(*gene)).or_default() += 1);
    }
    assert!(plausible(none, 100_000, (11.0 / 12.0_f64).powi(11)), "{none}");
    // From the upper bound, 10 + U(−10, 10) rounds to v in 1..=9 with probability 1/20, to 0 with
    // 1/40; of the 19/40 that lands above 10 another eleventh comes to each value.
    for (value, count) in &moved {
        let landing = if *value == 0 { 1.0 / 40.0 } else { 1.0 / 20.0 };
        let probability = (landing + 19.0 / 40.0 / 11.0) / 12.0;
        assert!(plausible(*count, 1_100_000, probability), "{value}: {count}");
    }
    assert_eq!(moved.len(), 10);
}

#[test]
fn moves_of_whole_numbers_are_rounded_alike_on_both_sides_of_zero() {
    let genes = genes(&[Domain::Int { initial: (0, 0), bounds: (-4, 4) }], &[]);
    let parent = Chromosome(vec![Gene::Int(0)]);
    let mut moved: BTreeMap<i32, u64> = BTreeMap::new();
    for mut stream in streams(100_000) {
        let mutant = shift(&genes, &parent, 1.0, &mut stream).unwrap();
        *moved.entry(int(mutant.0[0])).or_default() += 1;
    }
    // U(−8, 8) rounds to each of the nine values with probability 1/16, and what falls outside,
    // 7/16, is spread over them: together 1/9 each.
    assert_eq!(moved.len(), 9);
    assert!(moved.values().all(|count| plausible(*count, 100_000, 1.0 / 9.0)), "{moved:?}");
}

#[test]
fn both_mutations_reach_both_ends_of_whole_numbers() {
    let domains =
        [WEIGHT, Domain::Int { initial: (2, 2), bounds: (1, 3) }, Domain::Int { initial: (0, 0), bounds: (0, 1) }];
    let genes = genes(&domains, &[]);
    let middle = Chromosome(vec![Gene::Int(5), Gene::Int(2), Gene::Int(0)]);
    for mutate in [redraw, shift] {
        let mut seen = BTreeSet::new();
        for mut stream in streams(2_000) {
            let mutant = mutate(&genes, &middle, 0.5, &mut stream);
            seen.extend(mutant.iter().flat_map(|mutant| mutant.0.iter().map(|gene| int(*gene)).enumerate()));
        }
        for end in [(0, 0), (0, 10), (1, 1), (1, 3), (2, 0), (2, 1)] {
            assert!(seen.contains(&end), "gene and value {end:?} never came");
        }
    }
}

#[test]
fn a_free_real_gene_wanders_beyond_its_initial_range_and_a_bounded_one_does_not() {
    let (initial, bounds) = ((0.0, 1.0), Some((0.0, 1.0)));
    let genes = genes(&[Domain::Real { initial, bounds: None }, Domain::Real { initial, bounds }], &[]);
    let mut chromosome = Chromosome(vec![Gene::Real(0.5); 2]);
    let mut furthest = 0.0_f64;
    for mut stream in streams(1_000) {
        chromosome = shift(&genes, &chromosome, 1.0, &mut stream).unwrap();
        furthest = furthest.max(real(chromosome.0[0]).abs());
        assert!((0.0..=1.0).contains(&real(chromosome.0[1])));
    }
    assert!(furthest > 3.0, "a walk of a thousand steps stayed within {furthest}");
}

#[test]
fn freezing_a_gene_leaves_the_draws_of_the_others_alone() {
    let (free, frozen) = (genes(&[WEIGHT; 4], &[]), genes(&[WEIGHT; 4], &[("b", 3.0)]));
    for stream in streams(100) {
        let (one, other) = (random(&free, &mut stream.clone()), random(&frozen, &mut stream.clone()));
        assert_eq!((one.0[0], one.0[2], one.0[3]), (other.0[0], other.0[2], other.0[3]));
        assert_eq!(other.0[1], Gene::Int(3));
    }
}

const FREE: Domain = Domain::Real { initial: (0.0, 2.0), bounds: None };

#[test]
fn children_by_turns_and_averages_are_the_ones_of_the_original() {
    let (one, other) = (Chromosome([0.0, 1.0, 2.0, 3.0, 4.0].map(Gene::Real).to_vec()), {
        Chromosome([10.0, 11.0, 12.0, 13.0, 14.5].map(Gene::Real).to_vec())
    });
    let (first, second) = alternate(&one, &other);
    assert_eq!(first.to_string(), "0.0:11.0:2.0:13.0:4.0");
    assert_eq!(second.to_string(), "10.0:1.0:12.0:3.0:14.5");
    assert_eq!(average(&one, &other).to_string(), "5.0:6.0:7.0:8.0:9.25");
}

#[test]
fn averages_of_whole_numbers_round_halves_up_and_huge_reals_stay_finite() {
    let mean = |one, other| average(&Chromosome(vec![one]), &Chromosome(vec![other])).0[0];
    assert_eq!(mean(Gene::Int(1), Gene::Int(2)), Gene::Int(2));
    assert_eq!(mean(Gene::Int(-1), Gene::Int(-2)), Gene::Int(-1));
    assert_eq!(mean(Gene::Int(i32::MAX), Gene::Int(i32::MAX)), Gene::Int(i32::MAX));
    assert_eq!(mean(Gene::Int(i32::MIN), Gene::Int(i32::MAX)), Gene::Int(0));
    assert_eq!(mean(Gene::Real(f64::MAX), Gene::Real(f64::MAX)), Gene::Real(f64::MAX));
}

#[test]
fn drift_moves_every_free_gene_within_its_reach_and_knows_no_initial_range() {
    let genes = genes(&[FREE, WEIGHT, FREE], &[("c", 1.5)]);
    let mut chromosome = Chromosome(vec![Gene::Real(0.5), Gene::Int(5), Gene::Real(1.5)]);
    let (mut furthest, mut steps) = (0.0_f64, [0_u64; 3]);
    for mut stream in streams(4000) {
        let moved = drift(&genes, &chromosome, 1.0, &mut stream);
        let by = real(moved.0[0]) - real(chromosome.0[0]);
        assert!(by != 0.0 && by.abs() <= 1.0);
        assert_eq!(moved.0[2], Gene::Real(1.5));
        steps[(int(moved.0[1]) - 4) as usize] += 1;
        furthest = furthest.max(real(moved.0[0]).abs());
        chromosome.0[0] = moved.0[0];
    }
    // U(−1, 1) rounds to −1 from the lowest quarter, to 1 from the highest.
    assert!(plausible(steps[0], 4000, 0.25) && plausible(steps[2], 4000, 0.25), "{steps:?}");
    assert!(furthest > 10.0, "a gene without bounds leaves its initial range: {furthest}");
}
