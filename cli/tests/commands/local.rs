//! Commands that need no server.

use crate::support::run;
use std::path::Path;

const FIRST: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";
const LAST: &str = "oe_fmc_436_18:45:5:2:8:8:4:9:1:2:4";

/// A file of the reference data; without it the test says so and ends.
fn reference(test: &str, file: &str) -> Option<String> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data")).join(file);
    let text = std::fs::read_to_string(path);
    if text.is_err() {
        println!("SKIPPED: {test}: {file} is not there");
    }
    text.ok()
}

#[test]
fn the_game_that_the_author_published_comes_out_move_by_move() {
    let Some(published) = reference("the author's game", "othello/genethello-1-vs-436.txt") else { return };
    let played = run(&["match", FIRST, LAST, "--depth", "9"]);
    let squares: Vec<_> = published.split_whitespace().collect();
    let transcript: String =
        squares.chunks(2).zip(1..).map(|(pair, number)| format!("{number}. {}\n", pair.join(" - "))).collect();
    assert_eq!(squares.len(), 60);
    assert!(played.out.contains(&transcript), "{}", played.out);
    assert!(played.out.ends_with("\n24-40, white wins\n"), "{}", played.out);
}

#[test]
fn perft_agrees_with_the_reference_in_both_conventions() {
    let Some(table) = reference("perft", "othello/perft.tsv") else { return };
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split_whitespace().collect();
        assert_eq!(run(&["perft", "othello", columns[0]]).out.trim(), columns[1], "depth {}", columns[0]);
        assert_eq!(run(&["perft", "othello", columns[0], "--pass", "free"]).out.trim(), columns[2]);
    }
}

#[test]
fn a_match_does_not_depend_on_the_number_of_threads_but_on_the_seed() {
    let play = |seed: &str, threads: &str| {
        let arguments = ["--games", "200", "--epsilon", "0.05", "--json", "--seed", seed, "--threads", threads];
        run(&[&["match", FIRST, "random"][..], &arguments].concat()).out
    };
    let one = play("0", "1");
    assert_eq!(one, play("0", "7"));
    assert_ne!(one, play("1", "1"));
    let report: serde_json::Value = serde_json::from_str(&one).unwrap();
    let sum = ["wins", "draws", "losses"].map(|name| report[name].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!((report["games"].as_u64(), report["distinct_games"].as_u64()), (Some(200), Some(sum)));
    assert!(report["elo_low"].as_f64() < report["elo"].as_f64());
}

#[test]
fn identical_games_count_once() {
    let played = run(&["match", FIRST, LAST, "--games", "50", "--plies", "0"]);
    assert!(
        played.out.contains("50 games from the start position, seed 0; 2 distinct, each counted once"),
        "{}",
        played.out
    );
    assert!(!played.out.contains("NaN") && !played.out.contains("inf"), "{}", played.out);
}

#[test]
fn each_player_keeps_its_own_depth_whatever_its_colour() {
    let deep_first = run(&["match", FIRST, FIRST, "--games", "100", "--depth", "3,1", "--json"]).out;
    let deep_second = run(&["match", FIRST, FIRST, "--games", "100", "--depth", "1,3", "--json"]).out;
    let [one, two] = [deep_first, deep_second].map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
    assert_eq!((&one["wins"], &one["losses"]), (&two["losses"], &two["wins"]));
    assert!(one["score"].as_f64() > Some(0.55), "{one}");
}

#[test]
fn saved_games_can_be_played_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.txt");
    let played = run(&["match", FIRST, "greedy", "--games", "6", "--save", file.to_str().unwrap()]);
    assert_eq!(played.code, 0, "{}", played.err);
    let text = std::fs::read_to_string(file).unwrap();
    let games: Vec<_> = text.split_terminator("\n\n").collect();
    assert_eq!(games.len(), 6);
    for game in games {
        let moves: Vec<_> = game.lines().skip(4).collect();
        let evaluated = run(&["eval", FIRST, &moves.join(" ")]);
        assert!(evaluated.err.contains("the game is over after these moves"), "{}{}", evaluated.out, evaluated.err);
    }
}

#[test]
fn saving_takes_the_place_of_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [socket, file, link] = ["socket", "file", "link"].map(|name| folder.path().join(name));
    let save = |path: &Path| run(&["match", "random", "greedy", "--depth", "1", "--save", path.to_str().unwrap()]);

    // It stands for devices, pipes and whatever else would be lost.
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    save(&socket).refuses(1, "it is not a plain file");
    assert!(std::os::unix::net::UnixStream::connect(&socket).is_ok());

    std::fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    assert_eq!(save(&link).code, 0);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(std::fs::read_to_string(&file).unwrap().contains("random"));
}

#[test]
fn eval_shows_what_each_feature_adds() {
    let shown = run(&["eval", FIRST, "d3", "c3"]).out;
    assert!(shown.lines().any(|line| line == "c4       -1  1 × 3    2 × -2    0 × 2  best"), "{shown}");
    let scores: serde_json::Value = serde_json::from_str(&run(&["eval", FIRST, "d3c3", "--json"]).out).unwrap();
    for score in scores["scores"].as_array().unwrap() {
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let features = score["features"].as_array().unwrap();
        let sum: f64 = features.iter().map(|feature| number(&feature["value"]) * number(&feature["weight"])).sum();
        assert_eq!(sum, number(&score["score"]));
    }
}

#[test]
fn what_cannot_be_used_is_refused_in_one_line() {
    let huge = format!("oe_fmc_{}", "9:".repeat(50_000));
    for (arguments, words) in [
        (vec![], "kembara --help"),
        (vec!["bogus"], "unrecognized subcommand 'bogus'"),
        (vec!["match", FIRST], "required arguments were not provided"),
        (vec!["match", "x", LAST], "`x` is not a player's name"),
        (vec!["match", "", LAST], "is not a player's name"),
        (vec!["match", "oe_fmc_1:2", LAST], "2 genes given, but the genome has 11"),
        (vec!["match", "oe_fmc_1_0:49:3:2:2:3:3:9:1:10:3", LAST], "gene o is 0"),
        (vec!["match", "oe_fmc_1_a:49:3:2:2:3:3:9:1:10:3", LAST], "gene o is `a`"),
        (vec!["match", &huge, LAST], "the genome has 11"),
        (vec!["match", FIRST, LAST, "--game", "chess"], "there is no game `chess`"),
        (vec!["match", FIRST, LAST, "--depth", "0"], "from 1 to 60"),
        (vec!["match", FIRST, LAST, "--depth", "3,"], "from 1 to 60"),
        (vec!["match", FIRST, LAST, "--depth", "3", "--nodes", "5"], "cannot be used with"),
        (vec!["match", FIRST, LAST, "--games", "7"], "--games 7 is odd"),
        (vec!["match", FIRST, LAST, "--games", "0"], "1..=1000000"),
        (vec!["match", FIRST, LAST, "--plies", "9"], "0..=8"),
        (vec!["match", FIRST, LAST, "--seed", "tea"], "a seed is a whole number"),
        (vec!["match", FIRST, LAST, "--epsilon", "NaN"], "from 0 to 1"),
        (vec!["match", FIRST, LAST, "--threads", "0"], "--threads"),
        (vec!["perft", "go", "3"], "there is no game `go`"),
        (vec!["perft", "othello", "61"], "0..=60"),
        (vec!["eval", "random", "d3"], "`random` has no evaluation"),
        (vec!["eval", FIRST, "d3 d3"], "the legal moves are c3 e3 c5"),
        (vec!["eval", FIRST, "\u{1b}[31m"], "is not a move"),
    ] {
        run(&arguments).refuses(2, words);
    }
    run(&["match", FIRST, LAST, "--save", "/nowhere/at/all"]).refuses(1, "cannot write /nowhere/at/all");
}
