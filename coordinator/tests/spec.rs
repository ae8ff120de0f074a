//! Specs as people write them: what they default to, and everything that can be wrong with them.

use kembara_coordinator::spec::{self, FieldError, LARGEST_SEED, MOST_BYTES, Node, Outside, RunSpec, SpecErrors};
use kembara_evolution::ResolvedSpec;
use kembara_evolution::spec::{Evolution, OpeningSet, SearchLimit, SelectBy, Start, Tournament};
use kembara_tournament::GauntletSide;
use std::fmt::Write as _;
use std::path::Path;

const FIRST: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";

fn read(toml: &str) -> Result<RunSpec, SpecErrors> {
    RunSpec::read(&Node::from_toml(toml.as_bytes())?)
}

fn read_json(json: &str) -> Result<RunSpec, SpecErrors> {
    RunSpec::read(&Node::from_json(json.as_bytes())?)
}

fn resolved(toml: &str) -> ResolvedSpec {
    let spec = read(toml).unwrap_or_else(|errors| panic!("{toml}\n{errors}"));
    spec.resolve(Outside::default()).unwrap_or_else(|errors| panic!("{toml}\n{errors}"))
}

/// The errors of a spec that must have some.
fn errors(toml: &str) -> Vec<FieldError> {
    match read(toml) {
        Ok(_) => panic!("accepted:\n{toml}"),
        Err(errors) => errors.errors,
    }
}

/// The only error of a spec, which must name this field.
#[track_caller]
fn only_error(toml: &str, field: &str) -> FieldError {
    let mut errors = errors(toml);
    assert_eq!(errors.len(), 1, "{toml}\n{errors:#?}");
    let error = errors.remove(0);
    assert_eq!(error.field, field, "{error}");
    error
}

#[test]
fn a_spec_that_says_only_when_to_stop_gets_every_default() {
    let spec = resolved("stop.generations = 1");
    let game = kembara_engine::registry::game("othello").unwrap();
    let genome = game.genome(game.default_genome()).unwrap();
    assert_eq!((&*spec.game, &spec.genome), ("othello", &genome.name));
    assert_eq!(spec.genome, format!("oe_fdmxcp@{}", kembara_engine::othello::pattern::shipped().id()));
    assert_eq!(spec.population as usize, 32 * genome.parameters.len());
    assert_eq!(resolved("genome = \"oe_fmc\"\nstop.generations = 1").population, 352);
    assert_eq!(spec.start, Start::Random);
    assert_eq!(spec.play.limit, SearchLimit::Depth(1));
    assert_eq!(spec.play.epsilon, 0.0);
    assert_eq!(spec.play.openings, OpeningSet::Plies(8));
    assert_eq!(spec.tournament, Tournament::DoubleRoundRobin);
    assert_eq!((spec.rating.k, spec.rating.initial), (10.0, 1500.0));
    assert_eq!(spec.evolution, Evolution::Genethello { crossover: 0.35, mutation: 1.0 / 12.0 });
    assert_eq!(spec.select_by, SelectBy::Points);
    assert_eq!(spec.inject.count, 0);
    assert_eq!((spec.stop.generations, spec.stop.games, spec.stop.unchanged), (Some(1), None, None));
}

#[test]
fn the_tablut_algorithm_has_defaults_and_fields_of_its_own() {
    let toml = |evolution: &str| {
        format!(
            "game = \"tablut\"\nstop.generations = 1\nplay.max_plies = 60\n[tournament]\nformat = \"gauntlet\"\n\
             opponents = [\"classic\", \"1:2:3:4:5\"]\nopenings = \"start\"\n[evolution]\nstrategy = \"tablut\"\n{evolution}"
        )
    };
    let spec = resolved(&toml("select_by = \"speed\""));
    assert_eq!(spec.population, 10);
    assert_eq!(spec.play.max_plies, Some(60));
    assert_eq!(spec.select_by, SelectBy::Speed { base: 30 });
    assert_eq!(spec.evolution, Evolution::Tablut { partners: 2, best: 5, immigrants: 2, mutation: 0.6, reach: 1.0 });
    let opponents = vec!["classic".to_owned(), "tablut_1.0:2.0:3.0:4.0:5.0".to_owned()];
    assert_eq!(spec.tournament, Tournament::Gauntlet { opponents, rounds: 1, side: GauntletSide::Both });

    let spec = resolved(
        &toml(
            "partners = 1\nbest = 3\nimmigrants = 0\nmutation = 1\nreach = 0.5\nselect_by = \"speed\"\nspeed_base = 40",
        )
        .replace("opponents =", "rounds = 2\nside = \"second\"\nopponents ="),
    );
    let evolution = Evolution::Tablut { partners: 1, best: 3, immigrants: 0, mutation: 1.0, reach: 0.5 };
    assert_eq!((spec.evolution, spec.select_by), (evolution, SelectBy::Speed { base: 40 }));
    assert!(matches!(spec.tournament, Tournament::Gauntlet { rounds: 2, side: GauntletSide::Second, .. }));
}

#[test]
fn fields_of_another_format_or_strategy_say_where_they_belong() {
    let told = |toml: &str| -> Vec<String> {
        let Err(errors) = read(toml) else { panic!("{toml} was read") };
        errors.errors.iter().map(ToString::to_string).collect()
    };
    for (toml, expected) in [
        ("evolution.partners = 2", "belongs to `strategy = \"tablut\"`"),
        ("evolution.speed_base = 2", "belongs to `select_by = \"speed\"`"),
        ("evolution = { strategy = \"tablut\", crossover = 0.5 }", "belongs to the other strategies"),
        ("tournament.rounds = 2", "belongs to `format = \"gauntlet\"`"),
        ("tournament.format = \"gauntlet\"", "a gauntlet needs the players that everybody meets"),
        ("tournament = { format = \"gauntlet\", opponents = [] }", "at least one player"),
        ("tournament = { format = \"gauntlet\", opponents = [\"nobody\"] }", "`nobody` is not a player's name"),
        ("tournament = { format = \"gauntlet\", opponents = 3 }", "it must be a list of players"),
        ("play.max_plies = 0", "it must be a whole number from 1 to 65535"),
        ("evolution = { strategy = \"tablut\", immigrants = 6 }", "at least 11"),
    ] {
        let errors = told(&format!("stop.generations = 1\n{toml}"));
        assert!(errors.len() == 1 && errors[0].contains(expected), "{toml}: {errors:?}");
    }
}

#[test]
fn every_field_arrives() {
    let spec = resolved(
        r#"
        name = "all-of-it"
        game = "othello"
        genome = "oe_fmc"
        seed = 9007199254740991
        freeze = { o = 14, wc3 = 0 }
        [population]
        size = 40
        start = { players = ["oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3", "oe_fmc_14:49:3:2:2:3:3:9:1:10:4", "14:49:3:2:2:3:3:9:1:10:5"] }
        [play]
        nodes = 500
        epsilon = 0.25
        [tournament]
        format = "sample"
        opponents = 6
        openings = { lines = ["d3c3", "c4 c3 d3"] }
        [evolution]
        strategy = "jgap"
        crossover = 0.5
        mutation = 1
        survivors = 0.8
        select_by = "elo"
        [rating]
        k = 32
        initial = 1000.5
        [inject]
        count = 2
        every = 3
        [stop]
        generations = 10
        games = 1000000
        unchanged = 4
        "#,
    );
    assert_eq!(spec.seed, LARGEST_SEED);
    assert_eq!(spec.population, 40);
    assert_eq!(
        spec.freeze.iter().map(|(name, value)| (name.as_str(), *value)).collect::<Vec<_>>(),
        [("o", 14.0), ("wc3", 0.0)]
    );
    let Start::Players(players) = &spec.start else { panic!("{:?}", spec.start) };
    assert_eq!(players[0], "14:49:3:2:2:3:3:9:1:10:3");
    assert_eq!(players[2], "14:49:3:2:2:3:3:9:1:10:5");
    assert_eq!(spec.play.limit, SearchLimit::Nodes(500));
    assert_eq!(spec.play.epsilon, 0.25);
    assert_eq!(spec.play.openings, OpeningSet::Lines(vec!["d3c3".into(), "c4 c3 d3".into()]));
    assert_eq!(spec.tournament, Tournament::Sample { opponents: 6 });
    assert_eq!(spec.evolution, Evolution::Jgap { crossover: 0.5, mutation: 1.0, survivors: 0.8 });
    assert_eq!(spec.select_by, SelectBy::Elo);
    assert_eq!((spec.rating.k, spec.rating.initial), (32.0, 1000.5));
    assert_eq!((spec.inject.count, spec.inject.every), (2, 3));
    assert_eq!((spec.stop.generations, spec.stop.games, spec.stop.unchanged), (Some(10), Some(1_000_000), Some(4)));
}

#[test]
fn toml_and_json_of_the_same_spec_mean_the_same() {
    let toml = "seed = 0\n[population]\nsize = 8\n[tournament]\nopenings = \"start\"\n[stop]\nunchanged = 3\n";
    let json = r#"{"seed": 0, "population": {"size": 8}, "tournament": {"openings": "start"}, "stop": {"unchanged": 3},
                   "game": null}"#;
    assert_eq!(read(toml), read_json(json));
    let node = Node::from_toml(toml.as_bytes()).unwrap();
    assert_eq!(read_json(&node.to_json().to_string()), read(toml));
}

#[test]
fn zero_is_a_seed_like_any_other_and_none_is_not_zero() {
    assert_eq!(read("seed = 0\nstop.games = 1").unwrap().seed, Some(0));
    assert_eq!(read("stop.games = 1").unwrap().seed, None);
}

#[test]
fn seeds_as_text_or_out_of_range_are_refused() {
    for seed in ["\"7\"", "-1", "9007199254740992", "1.0", "true", "1e3", "nan", "2024-01-01", "[1]"] {
        let error = only_error(&format!("seed = {seed}\nstop.games = 1"), "seed");
        assert!(error.message.contains("a whole number from 0 to 9007199254740991"), "{error}");
        assert_eq!(error.place.map(|place| (place.line, place.column)), Some((1, 8)), "{error}");
    }
}

#[test]
fn numbers_beyond_every_type_are_out_of_range_and_nothing_worse() {
    let huge = "9".repeat(400);
    only_error(&format!("seed = {huge}\nstop.games = 1"), "seed");
    only_error(&format!("seed = -{huge}\nstop.games = 1"), "seed");
    only_error("seed = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\nstop.games = 1", "seed");
    assert!(read_json(&format!(r#"{{"seed": {huge}, "stop": {{"games": 1}}}}"#)).is_err());
    assert!(read_json(r#"{"seed": 1e999, "stop": {"games": 1}}"#).is_err());
}

#[test]
fn every_error_is_told_at_once_with_its_place() {
    let toml = r#"
nam = "x"
seed = "0"
game = "othello"
[population]
size = 1
[play]
depth = 61
epsilon = nan
[tournament]
format = "round-robin"
[evolution]
crossover = 2.0
select_by = "Points"
[stop]
generations = 0
unchange = 3
"#;
    let found: Vec<_> = errors(toml).into_iter().map(|error| (error.place.unwrap().line, error.field)).collect();
    let expected: Vec<_> = [
        (2, "nam"),
        (3, "seed"),
        (6, "population.size"),
        (8, "play.depth"),
        (9, "play.epsilon"),
        (11, "tournament.format"),
        (13, "evolution.crossover"),
        (14, "evolution.select_by"),
        (16, "stop.generations"),
        (17, "stop.unchange"),
    ]
    .map(|(line, field)| (line, field.to_owned()))
    .into();
    assert_eq!(found, expected);
    let told = read(toml).unwrap_err().to_string();
    assert!(told.contains("line 2, column 1: nam: there is no such field; did you mean `name`?"), "{told}");
    assert!(told.contains("did you mean `stop.unchanged`?"), "{told}");
    assert!(told.contains("play.depth: is 61; it must be a whole number from 1 to 60"), "{told}");
    assert!(
        told.contains(
            "is \"Points\"; it must be \"points\" or \"elo\" or \"speed\" or \"chance\"; did you mean \"points\"?"
        ),
        "{told}"
    );
}

#[test]
fn a_population_of_one_is_refused_and_two_is_enough() {
    only_error("population.size = 1\nstop.games = 1", "population.size");
    only_error("population.size = 0\nstop.games = 1", "population.size");
    assert_eq!(resolved("population.size = 2\nstop.games = 1").population, 2);
}

#[test]
fn more_than_a_hundred_million_games_a_generation_are_refused() {
    assert_eq!(resolved("population.size = 10000\nstop.games = 1").population, 10_000);
    let error = only_error("population.size = 10001\nstop.games = 1", "population.size");
    assert!(error.message.contains("100010000") && error.message.contains("100000000"), "{error}");
    let sampled = "population.size = 10001\ntournament = { format = \"sample\", opponents = 4 }\nstop.games = 1";
    assert_eq!(resolved(sampled).population, 10_001);
}

#[test]
fn a_sample_must_fit_its_population() {
    let with = |size: u32, opponents: &str| {
        format!("population.size = {size}\ntournament = {{ format = \"sample\", {opponents} }}\nstop.games = 1")
    };
    only_error(&with(8, ""), "tournament.opponents");
    only_error(&with(8, "opponents = 8"), "tournament.opponents");
    only_error(&with(8, "opponents = 0"), "tournament.opponents");
    only_error(&with(9, "opponents = 3"), "tournament.opponents");
    only_error("tournament.opponents = 3\nstop.games = 1", "tournament.opponents");
}

#[test]
fn games_and_genomes_that_do_not_exist_are_refused() {
    let error = only_error("game = \"chess\"\nstop.games = 1", "game");
    assert!(error.message.contains("othello"), "{error}");
    let error = only_error("genome = \"c4_threats\"\nstop.games = 1", "genome");
    assert!(error.message.contains("oe_fmc"), "{error}");
    only_error("game = 7\nstop.games = 1", "game");
    only_error("game = \"\"\nstop.games = 1", "game");
}

#[test]
fn malformed_players_are_each_named() {
    let toml = format!(
        "stop.games = 1\ngenome = \"oe_fmc\"\n[population]\nstart = {{ players = [\n\"{FIRST}\",\n\"oe_fmc_14:49\",\n\"oe_fmc_1_99:49:3:2:2:3:3:9:1:10:3\",\n\
         \"random\",\n\"\",\n7,\n\"nonsense_1:2\",\n\"oe_fmc_1_14:49:3:2:2:3:3:9:1:10:x\"] }}\n"
    );
    let fields: Vec<_> = errors(&toml).into_iter().map(|error| (error.field, error.place.unwrap().line)).collect();
    let expected: Vec<_> = (1..8).map(|place| (format!("population.start.players[{place}]"), place + 5)).collect();
    assert_eq!(fields, expected);
    only_error("population.start = { players = [] }\nstop.games = 1", "population.start.players");
    only_error("population.start = { players = \"x\" }\nstop.games = 1", "population.start.players");
    let three = format!(
        "genome = \"oe_fmc\"\npopulation.size = 2\npopulation.start.players = [\"{FIRST}\", \"{FIRST}\", \"{FIRST}\"]\nstop.games = 1"
    );
    only_error(&three, "population.start.players");
}

#[test]
fn a_start_is_one_of_three_things() {
    only_error("population.start = \"Random\"\nstop.games = 1", "population.start");
    only_error("population.start = {}\nstop.games = 1", "population.start");
    only_error("population.start = { run = \"a\" }\nstop.games = 1", "population.start.generation");
    only_error("population.start = { run = \"A b\", generation = 1 }\nstop.games = 1", "population.start.run");
    only_error("population.start = { run = \"a\", generation = 0 }\nstop.games = 1", "population.start.generation");
    only_error(
        &format!("population.start = {{ run = \"a\", generation = 1, players = [\"{FIRST}\"] }}\nstop.games = 1"),
        "population.start",
    );
    let error = only_error(
        "population.start = { players_file = \"/etc/passwd\" }\nstop.games = 1",
        "population.start.players_file",
    );
    assert!(error.message.contains("give `players` as a list"), "{error}");
    let spec = read("population.start = { run = \"a\", generation = 3 }\nstop.games = 1").unwrap();
    assert_eq!(spec.start.map(|(name, generation)| (name.to_string(), generation)), Some(("a".to_owned(), 3)));
}

#[test]
fn openings_must_be_playable() {
    only_error("tournament.openings = { plies = 9 }\nstop.games = 1", "tournament.openings.plies");
    only_error("tournament.openings = { plies = 0 }\nstop.games = 1", "tournament.openings.plies");
    only_error("tournament.openings = \"begin\"\nstop.games = 1", "tournament.openings");
    only_error("tournament.openings = { lines = [] }\nstop.games = 1", "tournament.openings.lines");
    only_error("tournament.openings = { lines_file = \"x\" }\nstop.games = 1", "tournament.openings.lines_file");
    let errors = errors("tournament.openings = { lines = [\"d3\", \"a1\", 3, \"d3d3\"] }\nstop.games = 1");
    let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(
        fields,
        ["tournament.openings.lines[1]", "tournament.openings.lines[2]", "tournament.openings.lines[3]"]
    );
}

#[test]
fn fields_that_exclude_each_other_are_not_both_taken() {
    only_error("play = { depth = 2, nodes = 5 }\nstop.games = 1", "play.nodes");
    only_error("play = { time = 2 }\nstop.games = 1", "play.time");
    only_error("evolution = { survivors = 0.5 }\nstop.games = 1", "evolution.survivors");
    only_error("inject = { every = 2 }\nstop.games = 1", "inject.count");
    only_error("population.size = 4\ninject = { count = 4 }\nstop.games = 1", "inject.count");
}

#[test]
fn frozen_genes_must_exist_and_stay_within_their_bounds() {
    let error = only_error("freeze = { wf4 = 1 }\nstop.games = 1", "freeze.wf4");
    assert!(error.message.contains("did you mean `freeze.wf"), "{error}");
    only_error("freeze = { o = 21 }\nstop.games = 1", "freeze.o");
    only_error("freeze = { o = 1.5 }\nstop.games = 1", "freeze.o");
    only_error(
        "freeze = { o = 1, e = 41, wf1 = 0, wm1 = 0, wc1 = 0, wf2 = 0, wm2 = 0, wc2 = 0, wf3 = 0, wm3 = 0, wc3 = 0 }\ngenome = \"oe_fmc\"\nstop.games = 1",
        "freeze",
    );
}

#[test]
fn a_run_must_end_some_time() {
    only_error("", "stop");
    only_error("seed = 1", "stop");
    only_error("stop = {}", "stop");
    only_error("stop = 5", "stop");
    only_error("stop.unchanged = 1\nstop.games = 5", "stop.unchanged");
}

#[test]
fn odd_names_are_refused() {
    for name in ["", "A", "a b", "-a", "../a", "a/b", "ä", "a\\u0000", &"a".repeat(65)] {
        only_error(&format!("name = \"{name}\"\nstop.games = 1"), "name");
    }
    assert_eq!(read("name = \"0.a_b-c\"\nstop.games = 1").unwrap().name.unwrap().as_str(), "0.a_b-c");
}

#[test]
fn text_that_is_neither_toml_nor_json_is_refused_with_its_place() {
    let errors = read("seed = 1\nseed = 2\nstop.games = 1").unwrap_err();
    assert!(errors.to_string().starts_with("line 2, column 1: not TOML: duplicate key"), "{errors}");
    let errors = read("seed = = 1\n[stop\n").unwrap_err();
    assert!(errors.errors.len() >= 2, "{errors}");
    for json in ["", "{", "{\"seed\": 1, \"seed\": 2}", "[1]", "7", "nul", "{\"seed\": NaN}"] {
        assert!(read_json(json).is_err(), "{json}");
    }
    let errors = read_json("{\"seed\": 1,\n \"seed\": 2}").unwrap_err();
    assert!(errors.to_string().contains("the name `seed` is given twice"), "{errors}");
}

#[test]
fn what_is_not_text_or_too_large_is_refused() {
    assert!(Node::from_toml(b"seed = \xFF").unwrap_err().to_string().contains("not UTF-8"));
    assert!(Node::from_json(b"\x80").unwrap_err().to_string().contains("not UTF-8"));
    let large = vec![b'#'; MOST_BYTES + 1];
    assert!(Node::from_toml(&large).unwrap_err().to_string().contains("at most 1048576"));
    assert!(Node::from_json(&large).unwrap_err().to_string().contains("at most 1048576"));
    assert!(Node::from_toml(b"\xEF\xBB\xBFseed = 1").is_ok(), "a byte order mark is harmless");
}

#[test]
fn deep_nesting_and_floods_of_errors_stay_bounded() {
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(!read(&deep).unwrap_err().errors.is_empty());
    let tables = format!("[{}]", vec!["a"; 10_000].join("."));
    assert!(read(&tables).is_err());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(read_json(&deep).is_err());

    let mut flood = String::from("stop.games = 1\n");
    for unknown in 0..40_000 {
        writeln!(flood, "unknown{unknown} = 1").unwrap();
    }
    let errors = read(&flood).unwrap_err();
    assert_eq!((errors.errors.len(), errors.more), (spec::MOST_ERRORS, 39_900));
    assert!(errors.to_string().ends_with("and 39900 more"));
    let players = vec!["1"; 200_000].join(",");
    let errors = read(&format!("population.start.players = [{players}]\nstop.games = 1")).unwrap_err();
    assert_eq!(errors.errors.len(), spec::MOST_ERRORS);
    let lines = vec!["\"a1\""; 100_000].join(",");
    let errors = read(&format!("tournament.openings.lines = [{lines}]\nstop.games = 1")).unwrap_err();
    assert_eq!(errors.errors.len(), spec::MOST_ERRORS);
}

#[test]
fn hostile_text_in_errors_is_short_and_printable() {
    let long = "x".repeat(100_000);
    for toml in [
        format!("\"{long}\" = 1\nstop.games = 1"),
        format!("game = \"{long}\"\nstop.games = 1"),
        format!("name = \"{long}\"\nstop.games = 1"),
        format!("population.start.players = [\"{long}\"]\nstop.games = 1"),
        "game = \"\\u001b[31m\"\nstop.games = 1".to_owned(),
        "\"\\u001b[31m\" = 1\nstop.games = 1".to_owned(),
    ] {
        let told = read(&toml).unwrap_err().to_string();
        assert!(told.len() < 1500, "{} bytes", told.len());
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}

#[test]
fn a_spec_file_brings_the_files_it_names() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("players.txt"), format!("# two\n{FIRST}\n\n  14:49:3:2:2:3:3:9:1:10:4  \n"))
        .unwrap();
    std::fs::write(folder.path().join("lines.txt"), "d3c3\r\nc4\r\n").unwrap();
    let path = folder.path().join("spec.toml");
    let toml = "genome = \"oe_fmc\"\n[population]\nstart = { players_file = \"players.txt\" }\n[tournament]\nopenings = { lines_file = \"lines.txt\" }\n[stop]\ngames = 1\n";
    std::fs::write(&path, toml).unwrap();
    let node = spec::load(&path).unwrap();
    let spec = RunSpec::read(&node).unwrap().resolve(Outside::default()).unwrap();
    assert_eq!(spec.start, Start::Players(vec!["14:49:3:2:2:3:3:9:1:10:3".into(), "14:49:3:2:2:3:3:9:1:10:4".into()]));
    assert_eq!(spec.play.openings, OpeningSet::Lines(vec!["d3c3".into(), "c4".into()]));
    assert_eq!(read_json(&node.to_json().to_string()).unwrap().resolve(Outside::default()), Ok(spec));
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let load = |toml: &[u8]| {
        let path = folder.path().join("spec.toml");
        std::fs::write(&path, toml).unwrap();
        spec::load(&path)
    };
    std::fs::write(folder.path().join("latin.txt"), b"\xE4").unwrap();
    std::fs::write(folder.path().join("large.txt"), vec![b'\n'; MOST_BYTES]).unwrap();
    std::fs::write(folder.path().join("many.txt"), "d3\n".repeat(300_000)).unwrap();
    for (file, said) in [
        ("missing.txt", "cannot be read"),
        (".", "not a plain file"),
        ("/dev/zero", "not a plain file"),
        ("latin.txt", "not UTF-8"),
        ("large.txt", "too large"),
        ("many.txt", "too many"),
    ] {
        let errors = load(format!("[population]\nstart = {{ players_file = \"{file}\" }}\n").as_bytes()).unwrap_err();
        assert_eq!(errors.errors[0].field, "population.start.players_file");
        assert!(errors.to_string().contains(said), "{file}: {errors}");
        assert!(errors.to_string().starts_with("line 2, column"), "{errors}");
    }
    assert!(spec::load(&folder.path().join("none.toml")).unwrap_err().to_string().contains("cannot be read"));
    assert!(spec::load(folder.path()).unwrap_err().to_string().contains("not a plain file"));
    assert!(load(b"").unwrap().to_json().as_object().unwrap().is_empty());
}

#[test]
fn a_spec_resolves_with_what_it_takes_from_outside() {
    let outside = Outside {
        seed: 42,
        start: vec!["14:49:3:2:2:3:3:9:1:10:3".into()],
        hall: vec!["18:45:5:2:8:8:4:9:1:2:4".into()],
    };
    let spec = read(
        "genome = \"oe_fmc\"\npopulation.start = { run = \"a\", generation = 3 }\ninject.count = 1\nstop.games = 1",
    )
    .unwrap();
    let resolved = spec.resolve(outside.clone()).unwrap();
    assert_eq!(resolved.seed, 42);
    assert_eq!(resolved.start, Start::Players(outside.start.clone()));
    assert_eq!(resolved.inject.hall, outside.hall);
    let own = read("genome = \"oe_fmc\"\nseed = 7\nstop.games = 1").unwrap();
    assert_eq!(own.resolve(outside).unwrap().seed, 7, "a seed that is given is not drawn");
    let wrong = Outside { start: vec!["1:2".into()], ..Outside::default() };
    assert_eq!(spec.resolve(wrong).unwrap_err().errors[0].field, "population.start.players[0]");
}

#[test]
fn a_field_can_be_set_before_a_spec_is_read() {
    let mut node = Node::from_toml(b"[stop]\nunchanged = 3").unwrap();
    assert!(node.set(&["stop", "generations"], spec::Value::Whole(5)));
    assert!(node.set(&["population", "size"], spec::Value::Whole(4)));
    assert!(!node.set(&["stop", "unchanged", "deeper"], spec::Value::Whole(5)));
    let spec = RunSpec::read(&node).unwrap().resolve(Outside::default()).unwrap();
    assert_eq!((spec.stop.generations, spec.population), (Some(5), 4));
}

#[test]
fn the_specs_that_ship_are_valid() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let node = spec::load(&path).unwrap_or_else(|errors| panic!("{}: {errors}", path.display()));
        let spec = RunSpec::read(&node).unwrap_or_else(|errors| panic!("{}: {errors}", path.display()));
        assert_eq!(spec.name.as_ref().map(|name| name.as_str()), path.file_stem().and_then(|stem| stem.to_str()));
        assert!(spec.seed.is_some(), "{}: a spec that ships comes out the same everywhere", path.display());
        found += 1;
    }
    assert!(found >= 2);
}
