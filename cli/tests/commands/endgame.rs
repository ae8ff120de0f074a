//! Endgames, solved and compared with what a file says.

use crate::support::run;
use std::path::Path;

const PROBLEM: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; B1:-4;";

fn file(text: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problems.obf");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn published_endgames_are_solved_and_agree() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello/fforum-1-19.obf"));
    if !path.exists() {
        println!("SKIPPED: published_endgames_are_solved_and_agree: the published endgames are not here");
        return;
    }
    let ran = run(&["solve", path.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.matches("agrees").count(), 19, "{}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    let json = run(&["solve", path.to_str().unwrap(), "--json"]).out;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&first["best"], &first["score"], &first["agrees"]), (&"g8".into(), &18.into(), &true.into()));
}

#[test]
fn a_file_that_says_otherwise_is_told_and_fails() {
    let wrong = PROBLEM.replace("G8:+18", "G8:+16");
    let (_folder, path) = file(format!("{PROBLEM}\n{wrong}\n").as_bytes());
    let ran = run(&["solve", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("agrees") && ran.out.contains("gives +16"), "{}", ran.out);
    assert_eq!(ran.err, "error: 1 of 2 positions differ from the file's scores\n");
}

#[test]
fn a_file_without_positions_is_refused_with_the_place() {
    let solve = |text: &[u8]| {
        let (folder, path) = file(text);
        (run(&["solve", &path]), folder)
    };
    solve(b"").0.refuses(2, "there is no position in it");
    solve(b"\0\xff\xfe").0.refuses(2, "cannot be read");
    solve(format!("{PROBLEM}\nXO X;\n").as_bytes()).0.refuses(2, "line 2: a board is 64 squares");
    run(&["solve", "/nowhere.obf"]).refuses(2, "cannot be read");
    run(&["solve", "/"]).refuses(2, "cannot be read");
}

const PLAYER: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";
const OTHER: &str = "oe_fmc_436_18:45:5:2:8:8:4:9:1:2:4";

/// A game between two players, as a file.
fn played_game(depth: &str) -> (tempfile::TempDir, String) {
    let json = run(&["match", PLAYER, OTHER, "--depth", depth, "--json"]).out;
    let game: serde_json::Value = serde_json::from_str(&json).unwrap();
    let moves: Vec<_> = game["moves"].as_array().unwrap().iter().map(|action| action.as_str().unwrap()).collect();
    file(moves.join(" ").as_bytes())
}

#[test]
fn a_player_agrees_with_its_own_moves_and_the_last_one_loses_nothing() {
    let (_folder, path) = played_game("3");
    let ran = run(&["analyze", &path, "--player", PLAYER, "--depth", "3", "--exact", "10", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in rows.iter().filter(|row| row["side"] == "black") {
        assert_eq!((&row["value"], &row["action"]), (&row["best_value"], &row["best"]), "{row}");
    }
    assert!(rows.iter().any(|row| row["side"] == "white" && row["value"] != row["best_value"]));
    assert!(rows.iter().all(|row| row["value"].as_i64() <= row["best_value"].as_i64()));
    assert_eq!(rows.iter().filter(|row| row["lost"].is_number()).count(), 10);
    assert!(rows.iter().all(|row| row["lost"].as_i64().is_none_or(|lost| lost >= 0)));
    assert_eq!(rows.last().unwrap()["lost"], 0);
    let text = run(&["analyze", &path, "--player", PLAYER, "--depth", "3", "--exact", "10"]).out;
    assert!(text.lines().filter(|line| !line.starts_with("judge")).all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("\nblack  30 of 30 moves as good as the judge's, "), "{text}");
}

#[test]
fn who_cannot_judge_and_what_is_no_game_is_refused() {
    let (_folder, path) = file(b"f5d6c3");
    run(&["analyze", &path, "--player", "random"]).refuses(2, "no evaluation");
    run(&["analyze", &path, "--player", PLAYER, "--game", "2"]).refuses(2, "there is no game 2");
    let (_folder, path) = file(b"f5 f5");
    assert_ne!(run(&["analyze", &path, "--player", PLAYER]).code, 0);
}

#[test]
fn every_way_to_search_plays_the_same_match() {
    let play = |way: &[&str]| {
        let arguments = ["match", PLAYER, OTHER, "--games", "10", "--depth", "3", "--json"];
        let json = run(&[&arguments[..], way].concat()).out;
        let mut report: serde_json::Value = serde_json::from_str(&json).unwrap();
        report.as_object_mut().unwrap().remove("search").unwrap();
        report
    };
    let usual = play(&[]);
    for way in ["alpha-beta-hard", "alpha-beta-soft", "negascout-hard", "negascout-soft", "fast"] {
        assert_eq!(play(&["--search", way]), usual, "{way}");
    }
    let ran = run(&["match", PLAYER, OTHER, "--search", "minimax"]);
    ran.refuses(2, "a search is one of alpha-beta-hard");
}
