//! Resolved specs: their JSON, hash, differences, and every error at once.

use crate::common::*;
use kembara_evolution::spec::{
    Evolution, Inject, OpeningSet, Rating, SearchLimit, SelectBy, Semantics, Start, Stop, Tournament,
};
use kembara_evolution::{Difference, ResolvedSpec, Run, Setting, defaults};
use kembara_tournament::GauntletSide;

fn full() -> ResolvedSpec {
    let mut spec = spec(352, defaults::genethello());
    spec.freeze = [("wm2".to_owned(), 7.0), ("e".to_owned(), 45.0)].into();
    spec.inject = Inject { count: 2, every: 3, hall: vec!["14:49:3:2:2:3:3:9:1:10:3".into()] };
    spec.stop = Stop { generations: Some(437), games: None, unchanged: Some(20) };
    spec
}

#[test]
fn the_canonical_json_and_its_hash_are_pinned() {
    assert_eq!(
        full().canonical_json(),
        concat!(
            r#"{"semantics":{"engine":1,"evolution":1},"game":"made-up","genome":"eleven","#,
            r#""freeze":{"e":45.0,"wm2":7.0},"seed":42,"population":352,"start":"random","#,
            r#""play":{"limit":{"depth":1},"epsilon":0.0,"openings":"start"},"#,
            r#""tournament":{"format":"double-round-robin"},"rating":{"k":10.0,"initial":1500.0},"#,
            r#""evolution":{"strategy":"genethello","crossover":0.35,"mutation":0.08333333333333333},"#,
            r#""select_by":"points","inject":{"count":2,"every":3,"hall":["14:49:3:2:2:3:3:9:1:10:3"]},"#,
            r#""stop":{"generations":437,"games":null,"unchanged":20}}"#,
        )
    );
    let hex: String = full().hash()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "c0e17c5b9ede2e03");
}

#[test]
fn a_spec_read_back_from_json_is_the_same_to_the_bit() {
    let mut spec = full();
    spec.evolution = defaults::jgap();
    spec.tournament = Tournament::Sample { opponents: 20 };
    spec.play.limit = SearchLimit::Nodes(u64::MAX);
    spec.play.openings = OpeningSet::Plies(8);
    spec.play.epsilon = 0.1 + 0.2;
    spec.seed = u64::MAX;
    spec.start = Start::Players(vec!["1:41:0:0:0:0:0:0:0:0:0".into()]);
    let read: ResolvedSpec = serde_json::from_str(&spec.canonical_json()).unwrap();
    assert_eq!(read, spec);
    assert_eq!(read.hash(), spec.hash());
    assert!(spec.differences(&read).is_empty());
}

#[test]
fn tournaments_caps_and_fitness_by_speed_are_written_as_in_specs() {
    let text = |value: &Tournament| serde_json::to_string(value).unwrap();
    assert_eq!(text(&Tournament::Sample { opponents: 20 }), r#"{"format":"sample","opponents":20}"#);
    let gauntlet = Tournament::Gauntlet { opponents: vec!["classic".into()], rounds: 2, side: GauntletSide::Both };
    assert_eq!(text(&gauntlet), r#"{"format":"gauntlet","opponents":["classic"],"rounds":2,"side":"both"}"#);
    assert!(serde_json::from_str::<Tournament>(r#"{"format":"sample","opponents":20,"more":1}"#).is_err());
    assert!(serde_json::from_str::<Tournament>(r#"{"format":"swiss"}"#).is_err());
    let mut spec = spec(10, defaults::tablut());
    spec.tournament = gauntlet;
    spec.select_by = SelectBy::Chance;
    assert!(spec.canonical_json().contains(r#""select_by":"chance""#));
    spec.select_by = SelectBy::Speed { base: 30 };
    spec.play.max_plies = Some(60);
    let json = spec.canonical_json();
    for part in [
        r#""openings":"start","max_plies":60}"#,
        r#""select_by":{"speed":{"base":30}}"#,
        r#"{"strategy":"tablut","partners":2,"best":5,"immigrants":2,"mutation":0.6,"reach":1.0}"#,
    ] {
        assert!(json.contains(part), "{part} is not in {json}");
    }
    assert_eq!(serde_json::from_str::<ResolvedSpec>(&json).unwrap(), spec);
}

#[test]
fn unknown_and_missing_fields_are_refused() {
    let json = full().canonical_json();
    for (from, to) in [
        (r#""seed":42"#, r#""seed":42,"sed":1"#),
        (r#""seed":42,"#, ""),
        (r#""seed":42"#, r#""seed":"42""#),
        (r#""seed":42"#, r#""seed":-1"#),
        (r#""k":10.0"#, r#""k":10.0,"c":1"#),
        (r#""crossover":0.35"#, r#""crossover":0.35,"survivors":0.9"#),
        (r#""depth":1"#, r#""seconds":1"#),
        (r#""strategy":"genethello""#, r#""strategy":"magic""#),
    ] {
        assert!(json.contains(from));
        let changed = json.replace(from, to);
        assert!(serde_json::from_str::<ResolvedSpec>(&changed).is_err(), "read: {changed}");
    }
}

#[test]
fn differences_name_each_field_by_its_path() {
    let ours = full();
    let mut theirs = full();
    theirs.seed = 43;
    theirs.play.limit = SearchLimit::Nodes(100);
    theirs.inject.hall.push("1:41:0:0:0:0:0:0:0:0:0".into());
    let difference = |field: &str, ours: &str, theirs: &str| Difference {
        field: field.into(),
        ours: ours.into(),
        theirs: theirs.into(),
    };
    assert_eq!(
        ours.differences(&theirs),
        [
            difference("inject.hall.1", "nothing", r#""1:41:0:0:0:0:0:0:0:0:0""#),
            difference("play.limit.depth", "1", "nothing"),
            difference("play.limit.nodes", "nothing", "100"),
            difference("seed", "42", "43"),
        ]
    );
    assert_ne!(ours.hash(), theirs.hash());
}

fn faults(change: impl Fn(&mut ResolvedSpec)) -> Vec<String> {
    let mut spec = spec(352, defaults::genethello());
    change(&mut spec);
    let errors = spec.check_in(&eleven());
    assert_eq!(Run::within(spec, eleven()).is_ok(), errors.is_empty());
    errors.iter().map(ToString::to_string).collect()
}

fn jgap(crossover: f64, mutation: f64, survivors: f64) -> Evolution {
    Evolution::Jgap { crossover, mutation, survivors }
}

#[test]
fn each_field_is_held_to_what_is_allowed() {
    assert!(faults(|_| ()).is_empty());
    let one = |expected: &str, change: &dyn Fn(&mut ResolvedSpec)| {
        let found = faults(change);
        assert!(found.len() == 1 && found[0].starts_with(expected), "expected `{expected}`, found {found:?}");
    };
    let share = "a number in 0..=1";
    one("semantics.engine is 9; allowed: ", &|spec| spec.semantics = Semantics { engine: 9, ..Semantics::CURRENT });
    one("semantics.evolution is 0; allowed: ", &|spec| spec.semantics.evolution = 0);
    one("population is 1; allowed: 2..=100000", &|spec| spec.population = 1);
    one("population is 0; allowed: 2..=100000", &|spec| spec.population = 0);
    one("population is 4294967295; allowed: 2..=100000", &|spec| spec.population = u32::MAX);
    one("population is 10001; allowed: a population whose generations have at most 100000000 games", &|spec| {
        spec.population = 10_001;
    });
    one("population is 4000; allowed: a population whose generations have at most 100000000 games", &|spec| {
        spec.population = 4000;
        spec.evolution = defaults::jgap();
    });
    one("play.limit.depth is 0; allowed: 1..=60", &|spec| spec.play.limit = SearchLimit::Depth(0));
    one("play.limit.depth is 61; allowed: 1..=60", &|spec| spec.play.limit = SearchLimit::Depth(61));
    one("play.limit.nodes is 0; allowed: 1 or more", &|spec| spec.play.limit = SearchLimit::Nodes(0));
    for epsilon in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        one(&format!("play.epsilon is {epsilon}; allowed: {share}"), &|spec| spec.play.epsilon = epsilon);
    }
    one("play.openings.plies is 0; allowed: 1..=8", &|spec| spec.play.openings = OpeningSet::Plies(0));
    one("play.openings.plies is 9; allowed: 1..=8", &|spec| spec.play.openings = OpeningSet::Plies(9));
    one("play.openings.lines is empty", &|spec| spec.play.openings = OpeningSet::Lines(Vec::new()));
    for k in [0.0, -1.0, 1001.0, f64::NAN, f64::INFINITY] {
        one(&format!("rating.k is {k}; allowed: "), &|spec| spec.rating = Rating { k, initial: 1500.0 });
    }
    one("rating.initial is NaN; allowed: ", &|spec| spec.rating.initial = f64::NAN);
    one(&format!("evolution.crossover is 1.5; allowed: {share}"), &|spec| spec.evolution = jgap(1.5, 0.0, 1.0));
    one(&format!("evolution.mutation is -1; allowed: {share}"), &|spec| spec.evolution = jgap(0.0, -1.0, 1.0));
    one("evolution.survivors is 0; allowed: a number above 0", &|spec| spec.evolution = jgap(0.1, 0.1, 0.0));
    one("tournament.opponents is 352; allowed: 1..=351", &|spec| {
        spec.tournament = Tournament::Sample { opponents: 352 }
    });
    one("tournament.opponents is 0; allowed: 1..=351", &|spec| spec.tournament = Tournament::Sample { opponents: 0 });
    one("tournament.opponents is 3; allowed: an even number", &|spec| {
        spec.population = 351;
        spec.tournament = Tournament::Sample { opponents: 3 };
    });
    one("tournament.opponents is 3; allowed: an even number", &|spec| {
        spec.evolution = defaults::jgap();
        spec.tournament = Tournament::Sample { opponents: 3 };
    });
    let tablut =
        |partners, best, immigrants, mutation, reach| Evolution::Tablut { partners, best, immigrants, mutation, reach };
    one("evolution.best is 0; allowed: 1..=352", &|spec| spec.evolution = tablut(2, 0, 2, 0.6, 1.0));
    one("evolution.best is 353; allowed: 1..=352", &|spec| spec.evolution = tablut(2, 353, 2, 0.6, 1.0));
    one("evolution.mutation is 2; allowed: ", &|spec| spec.evolution = tablut(2, 5, 2, 2.0, 1.0));
    for reach in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        one(&format!("evolution.reach is {reach}; allowed: "), &|spec| spec.evolution = tablut(2, 5, 2, 0.6, reach));
    }
    one("population is 352; allowed: at least 353", &|spec| spec.evolution = tablut(150, 5, 52, 0.6, 1.0));
    one("population is 352; allowed: at least 12884901886", &|spec| {
        spec.evolution = tablut(u32::MAX, 5, u32::MAX, 0.6, 1.0);
    });
    one("inject.count is 1; allowed: 0..=0", &|spec| {
        spec.evolution = defaults::tablut();
        spec.inject.count = 1;
    });
    one("play.max_plies is 0; allowed: 1 or more", &|spec| spec.play.max_plies = Some(0));
    one("select_by.speed.base is 0; allowed: 1 or more", &|spec| spec.select_by = SelectBy::Speed { base: 0 });
    one("tournament.opponents is empty; allowed: at least one player", &|spec| {
        spec.tournament = Tournament::Gauntlet { opponents: Vec::new(), rounds: 1, side: GauntletSide::First };
    });
    one("inject.count is 123; allowed: 0..=122", &|spec| spec.inject.count = 123);
    one("inject.count is 1; allowed: 0..=0", &|spec| {
        spec.population = 5;
        spec.inject.count = 1;
    });
    one("inject.every is 0; allowed: 1 or more", &|spec| spec.inject.every = 0);
    one("inject.hall.1 is 1:2; allowed: a chromosome of eleven: 2 genes given", &|spec| {
        spec.inject.hall = vec!["14:49:3:2:2:3:3:9:1:10:3".into(), "1:2".into()];
    });
    one("start.players.0 is 21:49:3:2:2:3:3:9:1:10:3; allowed: a chromosome of eleven: gene o", &|spec| {
        spec.start = Start::Players(vec!["21:49:3:2:2:3:3:9:1:10:3".into()]);
    });
    one("start.players is 3 players; allowed: at most 2", &|spec| {
        spec.population = 2;
        spec.start = Start::Players(vec!["14:49:3:2:2:3:3:9:1:10:3".into(); 3]);
    });
    one("freeze.nobody is 1; allowed: a gene of eleven: o, e, wf1", &|spec| {
        spec.freeze = [("nobody".to_owned(), 1.0)].into();
    });
    for value in [0.0, 20.5, 21.0, f64::NAN] {
        one(&format!("freeze.o is {value}; allowed: a whole number in 1..=20"), &|spec| {
            spec.freeze = [("o".to_owned(), value)].into();
        });
    }
    one("freeze is 11 genes; allowed: at least one gene left free", &|spec| {
        spec.freeze = eleven().genome.parameters.iter().map(|gene| (gene.name.clone(), 1.0)).collect();
        spec.freeze.insert("e".into(), 41.0);
    });
    one("stop is empty; allowed: at least one of generations, games, unchanged", &|spec| {
        spec.stop = Stop { generations: None, games: None, unchanged: None };
    });
    one("stop.generations is 0; allowed: 1 or more", &|spec| spec.stop.generations = Some(0));
    one("stop.games is 0; allowed: 1 or more", &|spec| spec.stop.games = Some(0));
    one("stop.unchanged is 1; allowed: 2 or more", &|spec| spec.stop.unchanged = Some(1));
}

#[test]
fn every_error_is_told_at_once() {
    let found = faults(|spec| {
        spec.population = 1;
        spec.play.epsilon = 2.0;
        spec.rating.k = 0.0;
        spec.inject.hall = vec!["x".into()];
        spec.freeze = [("nobody".to_owned(), 1.0)].into();
        spec.stop.games = Some(0);
    });
    let fields: Vec<&str> = found.iter().map(|error| error.split(' ').next().unwrap()).collect();
    assert_eq!(fields, ["play.epsilon", "rating.k", "population", "stop.games", "freeze.nobody", "inject.hall.0"]);
}

#[test]
fn a_game_that_does_not_exist_is_named_with_the_other_errors() {
    let mut spec = spec(1, defaults::genethello());
    spec.game = "ludo".into();
    let fields: Vec<String> = spec.check().into_iter().map(|error| error.field).collect();
    assert_eq!(fields, ["game", "population"]);
    let error = Run::new(spec).unwrap_err().to_string();
    assert!(error.starts_with("game is ludo; allowed: one of"), "{error}");
}

#[test]
fn start_players_come_first_and_the_rest_is_drawn() {
    let mut spec = spec(4, defaults::genethello());
    let given = ["14:49:3:2:2:3:3:9:1:10:3", "18:45:5:2:8:8:4:9:1:2:4"];
    spec.start = Start::Players(given.map(String::from).to_vec());
    let first = Run::within(spec, eleven()).unwrap().first();
    let origins: Vec<&str> = first.individuals.iter().map(|one| one.origin.name()).collect();
    assert_eq!(origins, ["immigrant", "immigrant", "random", "random"]);
    assert_eq!(first.individuals[1].chromosome, chromosome(given[1], &eleven()));
}

#[test]
fn a_genome_without_sense_is_refused() {
    let flawed = |parameter| {
        let genome = kembara_engine::Genome { name: "flawed".into(), parameters: vec![parameter] };
        spec(10, defaults::genethello()).check_in(&Setting { genome, openings: 1, opponents: Vec::new() })
    };
    for parameter in [
        real("a", (1.0, 0.0), None),
        real("a", (0.0, f64::NAN), None),
        real("a", (0.0, 2.0), Some((0.0, 1.0))),
        real("a", (0.0, 1.0), Some((f64::NEG_INFINITY, f64::INFINITY))),
        whole("a", 3, 2),
    ] {
        assert_eq!(flawed(parameter)[0].field, "genome");
    }
    assert!(flawed(whole("a", 2, 3)).is_empty());
}

#[test]
fn the_default_population_has_32_individuals_a_gene() {
    assert_eq!(defaults::population(11), 352);
    assert_eq!(defaults::population(0), 2);
    assert_eq!(defaults::population(usize::MAX), u32::MAX);
}
