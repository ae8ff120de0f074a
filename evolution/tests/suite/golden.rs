//! Populations, ratings and fingerprints pinned to the bit. When one of these changes, raise
//! `SEMANTICS_VERSION`.

use crate::common::*;
use kembara_evolution::spec::{Evolution, Inject, SelectBy};
use kembara_evolution::{Generation, ResolvedSpec, Run, Setting, defaults};

/// Plays so many generations and returns the first eight bytes of the last one's `previous`, which
/// covers everything before, and of the hash of its own bytes.
fn after(generations: u32, spec: ResolvedSpec, setting: &Setting) -> (String, Generation) {
    let run = Run::within(spec, setting.clone()).unwrap();
    let mut generation = run.first();
    for _ in 0..generations {
        generation = next(&run, &generation, &by_quality(setting));
    }
    let hex = |hash: &[u8]| hash[..8].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let own = blake3::hash(&generation.to_bytes());
    (format!("{} {}", hex(&generation.previous), hex(own.as_bytes())), generation)
}

#[test]
fn populations_of_every_size_are_pinned_for_both_strategies_and_both_kinds_of_genes() {
    let mut shown = Vec::new();
    for (name, evolution) in [("genethello", defaults::genethello()), ("jgap", defaults::jgap())] {
        for (genome, setting) in [("eleven", eleven()), ("mixed", mixed())] {
            for population in [2, 3, 7, 10, 352] {
                let generations = if population == 352 { 2 } else { 5 };
                let pin = after(generations, spec(population, evolution), &setting).0;
                shown.push(format!("{name} {genome} {population}: {pin}"));
            }
        }
    }
    assert_eq!(shown.join("\n"), PINS.trim());
}

const PINS: &str = "
genethello eleven 2: acd82497d2cca354 6a2371923c3edf78
genethello eleven 3: 3d20202a04567116 0d41c36d96d02d9c
genethello eleven 7: fdaa9d3e6d54ae70 5fb4b8e37bb74f2a
genethello eleven 10: b7f6f141c6850931 4a7b583634f5d9a5
genethello eleven 352: 76c07f72d5accf02 17465e3b8ae54368
genethello mixed 2: abbb6f35409a2cdd 4945d6460833b142
genethello mixed 3: ece1a379a9832758 2930045543cdeb18
genethello mixed 7: 588a75208bd75898 715d2af0c2934a8a
genethello mixed 10: 9eb86a20b3dc38f0 45924f19f2979484
genethello mixed 352: 2793849f8a4951db 8ebb97a5ebe7baf5
jgap eleven 2: b310ea9589d66ae7 48a64656e6696c1b
jgap eleven 3: e6155f38a66b9c79 891d6d65bf8e81f0
jgap eleven 7: 0273a23e6b08fece d536782338fe21ef
jgap eleven 10: 99bdc4f267af5b20 0fe5a04f24660c62
jgap eleven 352: a2a0d17ea7e08cc3 49461655b6edda08
jgap mixed 2: 18fdcaa3b7d883ac 00ec595fc516488e
jgap mixed 3: a8ad780637f2f6dd e7b932f92648b340
jgap mixed 7: 1293df570d99c1ac 13327f8ff405e346
jgap mixed 10: a7002b3ff7e1aae0 6e730741ebe55a51
jgap mixed 352: 5d51a366e7ace790 6ade8bd7a778f09a
";

#[test]
fn the_tablut_algorithm_is_pinned_for_both_kinds_of_genes() {
    let shown: Vec<String> = [("eleven", eleven()), ("mixed", mixed())]
        .into_iter()
        .map(|(genome, setting)| {
            let spec = ResolvedSpec { select_by: SelectBy::Speed { base: 30 }, ..spec(10, defaults::tablut()) };
            format!("{genome}: {}", after(5, spec, &setting).0)
        })
        .collect();
    assert_eq!(shown, ["eleven: 2e30ae77a4a00275 3a03b6d41904469c", "mixed: 8cbb304c61298d29 5303b728e024d786"]);
}

#[test]
fn selection_by_rating_with_injection_is_pinned() {
    let hall = vec!["20:60:10:10:10:10:10:10:10:10:9".to_owned()];
    let inject = Inject { count: 2, every: 2, hall };
    let spec = ResolvedSpec { select_by: SelectBy::Elo, inject, ..spec(20, defaults::genethello()) };
    assert_eq!(after(7, spec, &eleven()).0, "54d35a014de6a133 64318af08cbae1e5");
}

#[test]
fn the_first_chromosomes_of_a_run_can_be_read_here() {
    let texts = |setting: &Setting, generation: Generation| -> Vec<String> {
        assert_eq!(generation.individuals[0].chromosome.0.len(), setting.genome.parameters.len());
        generation.individuals.iter().map(|individual| individual.chromosome.to_string()).collect()
    };
    let evolution = Evolution::Genethello { crossover: 0.7, mutation: 0.5 };
    let (_, first) = after(0, spec(3, evolution), &mixed());
    assert_eq!(
        texts(&mixed(), first),
        [
            "0:0.6144757056695613:1:0.38974817611847323",
            "2:0.41777895838715384:-1:0.4024752948737817",
            "2:-0.6584437718898077:0:0.2966670965176309",
        ]
    );
    let (_, second) = after(1, spec(3, evolution), &mixed());
    assert_eq!(
        texts(&mixed(), second),
        [
            "2:0.41777895838715384:-1:0.4024752948737817",
            "2:0.41777895838715384:-1:0.38974817611847323",
            "0:0.6144757056695613:1:0.4024752948737817",
        ]
    );
}
