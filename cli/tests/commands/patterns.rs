//! Learning pattern tables, showing them and playing with them.

use crate::house::up;
use crate::support::{data_folder, ran, run};
use serde_json::Value;

const KEMBARA_2: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/kembara-2.toml");

/// The fingerprint of the first generation of kembara-2. It may change only with a semantics version,
/// the shipped table or the spec.
const KEMBARA_2_AFTER_1: &str = "255d94d3441d6a67838d2a454ffb75b14922c50946bb7f0ad1fd87f2aeada733";

const GAMES: &str = "e6f4e3f6g5d6e7f5c5\n";

#[test]
fn a_learned_table_plays_where_it_is_given_and_is_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, short, table) = (path("games.txt"), path("short.txt"), path("a.patterns"));
    std::fs::write(&games, GAMES).unwrap();
    std::fs::write(&short, format!("{GAMES}\n{}", "f5d6c3\n")).unwrap();

    let learned = run(&["patterns", "learn", &games, &short, "--to", &table, "--least", "1"]);
    assert_eq!(learned.code, 0, "{}", learned.err);
    assert!(learned.out.starts_with("learned from 2 games in 2 files; left out: 1\n"), "{}", learned.out);
    assert_eq!(learned.err, "left out of short.txt, unfinished: game 2\n");
    let name = learned.out.trim().rsplit(' ').next().unwrap();
    assert!(name.starts_with("oe_fdmxcp@") && name.len() == 22, "{name}");

    let again = path("b.patterns");
    run(&["patterns", "learn", &short, &games, "--to", &again, "--least", "1"]);
    assert_eq!(std::fs::read(&table).unwrap(), std::fs::read(&again).unwrap());

    let player = format!("{}_14:49:5:5:5", name.replace("fdmxcp", "p"));
    let given = run(&["eval", &player, "--patterns", &table]);
    assert_eq!(given.code, 0, "{}", given.err);
    assert!(given.out.contains("patterns"), "{}", given.out);
    run(&["eval", &player]).refuses(2, "it has the pattern tables @");

    let shown = run(&["patterns", "show", &table]);
    assert!(shown.out.contains(&name["oe_fdmxcp".len()..]) && shown.out.contains("short.txt"), "{}", shown.out);
}

#[test]
fn the_shipped_table_needs_no_name() {
    let shown = run(&["patterns", "show"]);
    assert!(shown.out.contains("119,920 games in 41 sources"), "{}", shown.out);
    let evaluated = run(&["eval", "oe_p_14:49:5:5:5", "d3"]);
    assert_eq!(evaluated.code, 0, "{}", evaluated.err);
}

#[test]
fn what_is_no_table_and_what_has_no_games_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, short, table) = (path("games.txt"), path("short.txt"), path("a.patterns"));
    std::fs::write(&games, GAMES).unwrap();
    std::fs::write(&short, "f5d6c3\n").unwrap();
    run(&["eval", "oe_p_14:49:5:5:5", "--patterns", &games]).refuses(2, "not a pattern table of version 1");
    run(&["patterns", "show", &games]).refuses(2, "not a pattern table of version 1");
    run(&["patterns", "show", &table]).refuses(1, "cannot read");
    run(&["patterns", "learn", &short, "--to", &table]).refuses(2, "has no game to learn from");
    run(&["patterns", "learn", &games, &games, "--to", &table]).refuses(2, "has the same content as");
    run(&["patterns", "learn", &games, "--to", &games]).refuses(2, "would overwrite the games");
    assert_eq!(std::fs::read_to_string(&games).unwrap(), GAMES);
    assert!(!std::path::Path::new(&table).exists());
}

#[test]
fn the_journey_with_patterns_comes_out_the_same_with_any_workers() {
    let folder = data_folder();
    let data = folder.path().join("data");
    for (name, workers, threads) in [("alone", "1", "1"), ("many", "3", "2")] {
        let arguments =
            [KEMBARA_2, "--name", name, "--generations", "1", "--workers", workers, "--threads", threads, "--json"];
        let played = ran(up(&data, &arguments).output().unwrap());
        assert_eq!(played.code, 0, "{}", played.err);
        let report: Value = serde_json::from_str(&played.out).unwrap();
        assert_eq!(report["fingerprint"], KEMBARA_2_AFTER_1, "{name}");
    }
}

#[test]
fn a_run_breeds_with_a_learned_table_and_not_without() {
    let folder = data_folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (games, table, spec) = (path("games.txt"), path("a.patterns"), path("own.toml"));
    std::fs::write(&games, GAMES).unwrap();
    let learned = run(&["patterns", "learn", &games, "--to", &table, "--least", "1"]);
    let genome = learned.out.trim().rsplit(' ').next().unwrap().to_owned();
    let text = format!("genome = \"{genome}\"\nseed = 1\npopulation.size = 6\nstop.generations = 2\n");
    std::fs::write(&spec, text).unwrap();

    let data = folder.path().join("data");
    let without = ran(up(&data, &[&spec]).output().unwrap());
    assert_eq!(without.code, 2, "{}", without.err);
    assert!(without.err.contains("it has the pattern tables @"), "{}", without.err);
    let played = ran(up(&data, &[&spec, "--patterns", &table, "--json"]).output().unwrap());
    assert_eq!(played.code, 0, "{}", played.err);
    assert!(played.out.contains(&genome), "{}", played.out);
}
