//! Results of a few hundred Tablut games, pinned, searched in every way.
//!
//! A change of any number here means that results differ from those of earlier builds: raise
//! `SEMANTICS_VERSION` in the same change, so that no run mixes the two.

use kembara_engine::random::Key;
use kembara_engine::tablut::Tablut;
use kembara_engine::{
    ArenaSpec, Chromosome, Conditions, Domain, Game, Gene, Limit, Meeting, Openings, PlayerSpec, SEMANTICS_VERSION,
    Search, Variant,
};

/// The players with a name, and five with random chromosomes.
fn players() -> Vec<PlayerSpec> {
    let key = Key::new(7, 0, "golden tablut players");
    let genome = Tablut.genome("tablut").unwrap();
    let evolved = (0..5).map(|slot| {
        let mut stream = key.stream(slot);
        let gene = |domain| match domain {
            Domain::Int { initial: (low, high), .. } => Gene::Int(stream.between(low, high)),
            Domain::Real { initial: (low, high), .. } => Gene::Real(stream.uniform(low, high)),
        };
        let genes = genome.parameters.iter().map(|parameter| parameter.domain).map(gene).collect();
        PlayerSpec::Evolved { genome: genome.name.clone(), chromosome: Chromosome(genes) }
    });
    Tablut.named_players().iter().map(|name| PlayerSpec::Named((*name).to_owned())).chain(evolved).collect()
}

/// The hash of the results of every pair of players, in every way of searching the same.
fn fingerprint(conditions: [Conditions; 2], openings: &Openings, max_plies: Option<u16>) -> String {
    let spec = ArenaSpec { players: players(), conditions, openings: openings.clone(), max_plies };
    // By nodes the way of searching decides how deep the search gets.
    let by_nodes = conditions.iter().any(|conditions| matches!(conditions.limit, Limit::Nodes(_)));
    let variants = if by_nodes { &[Variant::PLAY][..] } else { &Variant::ALL };
    let mut fingerprints = Vec::new();
    for variant in variants {
        let arena = Tablut.arena_with(&spec, Search::Plain(*variant)).unwrap();
        let mut table = arena.table();
        let mut hasher = blake3::Hasher::new();
        let mut seed = 0;
        for first in 0..arena.players() {
            for second in 0..arena.players() {
                seed += 1;
                let opening = (seed as u32 * 7919) % arena.openings();
                let result = table.play(&Meeting { first, second, opening, seed });
                hasher.update(&[result.outcome as u8]);
                hasher.update(&result.margin.to_le_bytes());
                hasher.update(&result.plies.to_le_bytes());
            }
        }
        fingerprints.push(hasher.finalize().to_hex()[..16].to_owned());
    }
    assert!(fingerprints.iter().all(|other| *other == fingerprints[0]), "variants differ: {fingerprints:?}");
    fingerprints.swap_remove(0)
}

#[test]
fn results_are_those_of_earlier_builds() {
    let limited = |limit, epsilon| Conditions { limit, epsilon };
    let two = limited(Limit::Depth(2), 0.0);
    let lines = Openings::Lines(vec!["e3-b3 a4-a2".to_owned(), "g5-g2".to_owned()]);
    let given = [
        fingerprint([limited(Limit::Depth(1), 0.0); 2], &Openings::Start, None),
        fingerprint([two; 2], &Openings::Plies(2), Some(60)),
        fingerprint([limited(Limit::Depth(1), 0.1), two], &Openings::Plies(3), Some(200)),
        fingerprint([limited(Limit::Nodes(400), 0.05); 2], &lines, Some(100)),
        fingerprint([limited(Limit::Depth(3), 0.0), limited(Limit::Depth(1), 0.0)], &Openings::Plies(1), Some(20)),
    ];
    assert_eq!(SEMANTICS_VERSION, 1);
    assert_eq!(
        given,
        ["f993375434f57987", "6b5292d224b82786", "2d04aadbbd614cb3", "c9654989ef6fa932", "c00ea0023deccfbd"]
    );
}
