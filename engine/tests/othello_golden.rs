//! Results of a few thousand games, pinned, at every CPU level of the machine and in every search.
//!
//! A change of any number here means that results differ from those of earlier builds: raise
//! `SEMANTICS_VERSION` in the same change, so that no run mixes the two.

use kembara_engine::othello::{Level, Othello, pattern};
use kembara_engine::random::Key;
use kembara_engine::{
    ArenaSpec, Chromosome, Conditions, Domain, Game, Gene, Limit, Meeting, Openings, PlayerSpec, SEMANTICS_VERSION,
    Search,
};

/// Players of these genomes with random chromosomes, and the two without.
fn players(genomes: &[&str], each: u64) -> Vec<PlayerSpec> {
    let key = Key::new(7, 0, "golden players");
    let mut players: Vec<_> = ["random", "greedy"].map(|name| PlayerSpec::Named(name.to_owned())).to_vec();
    for (place, name) in (0..).zip(genomes) {
        let genome = Othello.genome(name).unwrap();
        for copy in 0..each {
            let mut stream = key.stream(place * each + copy);
            let gene = |domain| match domain {
                Domain::Int { initial: (low, high), .. } => Gene::Int(stream.between(low, high)),
                Domain::Real { initial: (low, high), .. } => Gene::Real(stream.uniform(low, high)),
            };
            let genes = genome.parameters.iter().map(|parameter| parameter.domain).map(gene).collect();
            players.push(PlayerSpec::Evolved { genome: genome.name.clone(), chromosome: Chromosome(genes) });
        }
    }
    players
}

/// The hash of the results of every pair of players, at every level and in every search the same.
fn fingerprint(genomes: &[&str], conditions: [Conditions; 2], openings: &Openings) -> String {
    let spec = ArenaSpec {
        players: players(genomes, 12 / genomes.len() as u64),
        conditions,
        openings: openings.clone(),
        max_plies: None,
    };
    let levels = Level::available().into_iter().map(|level| Othello.arena_at(&spec, level).unwrap());
    // Budgets of nodes are pinned for the usual search alone: another one sees further.
    let fixed = conditions.iter().all(|side| matches!(side.limit, Limit::Depth(_)));
    let searches = if fixed { &Search::ALL[..] } else { &[] };
    let searches = searches.iter().map(|search| Othello.arena_with(&spec, *search).unwrap());
    let mut fingerprints = Vec::new();
    for arena in levels.chain(searches) {
        let mut table = arena.table();
        let mut hasher = blake3::Hasher::new();
        let mut seed = 0;
        for first in 0..arena.players() {
            for second in 0..arena.players() {
                for game in 0..5 {
                    seed += 1;
                    let opening = (seed as u32 * 7919 + game) % arena.openings();
                    let result = table.play(&Meeting { first, second, opening, seed });
                    hasher.update(&[result.outcome as u8]);
                    hasher.update(&result.margin.to_le_bytes());
                    hasher.update(&result.plies.to_le_bytes());
                }
            }
        }
        fingerprints.push(hasher.finalize().to_hex()[..16].to_owned());
    }
    assert!(fingerprints.iter().all(|other| *other == fingerprints[0]), "levels or searches differ: {fingerprints:?}");
    fingerprints.swap_remove(0)
}

const ALL: [&str; 4] = ["oe_fmc", "oe_fdmxc", "oes_fdmxycr", "oe_r"];

fn limited(limit: Limit, epsilon: f64) -> Conditions {
    Conditions { limit, epsilon }
}

#[test]
fn results_are_those_of_earlier_builds() {
    let one = limited(Limit::Depth(1), 0.0);
    let two = limited(Limit::Depth(2), 0.0);
    let three = limited(Limit::Depth(3), 0.05);
    let nodes = limited(Limit::Nodes(400), 0.0);
    let given = [
        fingerprint(&["oe_fmc"], [one; 2], &Openings::Start),
        fingerprint(&ALL, [one; 2], &Openings::Plies(8)),
        fingerprint(&ALL, [limited(Limit::Depth(1), 0.1), one], &Openings::Plies(4)),
        fingerprint(&["oe_fmc"], [two; 2], &Openings::Start),
        fingerprint(&ALL, [two, limited(Limit::Depth(2), 0.2)], &Openings::Plies(8)),
        fingerprint(&ALL, [three, one], &Openings::Lines(vec!["f5d6c3".to_owned(), "f5f6e6f4".to_owned()])),
        fingerprint(&ALL, [nodes; 2], &Openings::Plies(3)),
    ];
    assert_eq!(SEMANTICS_VERSION, 1);
    assert_eq!(
        given,
        [
            "649dd6e10965093b",
            "21e65ee09c4d68d9",
            "5a34eaec9284370e",
            "ab344e80831808e3",
            "0927b423b6d8b2f5",
            "c12db82b85ce8080",
            "c5d437119d49fd2c"
        ]
    );
}

#[test]
fn results_with_patterns_are_those_of_earlier_builds() {
    let genomes = ["oe_fdmxcp", "oe_p", "oes_fdmxycpr"];
    let one = limited(Limit::Depth(1), 0.0);
    let three = limited(Limit::Depth(3), 0.0);
    let given = [
        fingerprint(&genomes, [one; 2], &Openings::Plies(8)),
        fingerprint(&genomes, [three, one], &Openings::Plies(4)),
    ];
    assert_eq!(pattern::shipped().id().to_string(), "9d109bb73090");
    assert_eq!(given, ["19616e293adeaa4f", "4893f3b3346d2319"]);
}

#[test]
fn a_game_depends_on_its_meeting_alone() {
    let epsilon = limited(Limit::Nodes(200), 0.1);
    let spec = ArenaSpec {
        players: players(&ALL, 2),
        conditions: [epsilon; 2],
        openings: Openings::Plies(5),
        max_plies: None,
    };
    let arena = Othello.arena(&spec).unwrap();
    let meeting = |seed: u32| Meeting {
        first: seed % arena.players(),
        second: seed / 3 % arena.players(),
        opening: seed % arena.openings(),
        seed: seed.into(),
    };
    let mut table = arena.table();
    let forwards: Vec<_> = (0..200).map(|seed| table.record(&meeting(seed))).collect();
    let mut table = arena.table();
    let mut backwards: Vec<_> = (0..200).rev().map(|seed| table.record(&meeting(seed))).collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);
}
