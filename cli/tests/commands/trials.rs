//! Matches that stop when they are decided, and matches from openings that people choose.

use crate::support::run;
use serde_json::Value;

const PLAYER: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";
const OTHER: &str = "oe_fmc_436_18:45:5:2:8:8:4:9:1:2:4";

fn json(arguments: &[&str]) -> Value {
    let ran = run(&[&["match"], arguments, &["--json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn a_match_stops_at_the_pair_that_decides_whatever_the_threads() {
    let test = |threads: &str| json(&[PLAYER, "random", "--sprt", "0,20", "--threads", threads]);
    let decided = test("1");
    assert_eq!(decided, test("5"));
    let sprt = &decided["sprt"];
    assert_eq!(sprt["accepted"].as_f64(), Some(20.0), "{decided}");
    assert!(sprt["log_likelihood_ratio"].as_f64() >= sprt["bounds"][1].as_f64());
    let games = decided["games"].as_u64().unwrap();
    let one_pair_less = (games - 2).to_string();
    let undecided = json(&[PLAYER, "random", "--sprt", "0,20", "--games", &one_pair_less]);
    assert_eq!(undecided["sprt"]["accepted"], Value::Null, "{undecided}");
    // The pairs are those of a match of that length without a test.
    let plain = json(&[PLAYER, "random", "--games", &games.to_string()]);
    assert_eq!(plain["pairs"], decided["pairs"]);
    assert_eq!(plain["sprt"], Value::Null);
}

#[test]
fn the_weaker_player_is_found_out_too_and_equal_errors_are_not_needed() {
    let lost = json(&["random", PLAYER, "--sprt", "-5,5", "--alpha", "0.01", "--beta", "0.2"]);
    assert_eq!(lost["sprt"]["accepted"].as_f64(), Some(-5.0), "{lost}");
    let said = run(&["match", "random", PLAYER, "--sprt", "-5,5"]).out;
    assert!(said.contains("Elo -5 or +5?") && said.contains("decided for -5"), "{said}");
}

#[test]
fn a_test_that_nothing_new_can_decide_ends() {
    // From the start position two players without chance have one pair of games.
    let ended = json(&[PLAYER, OTHER, "--sprt", "0,1", "--plies", "0"]);
    assert_eq!(ended["sprt"]["accepted"], Value::Null);
    assert_eq!(ended["distinct_games"].as_u64(), Some(2));
}

#[test]
fn each_given_opening_is_played_with_both_colours() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    let path = file.to_str().unwrap();
    std::fs::write(&file, "# the three replies\nf5 d6\nF5F6\n\n1. f5 - f4\n").unwrap();
    let games = folder.path().join("games.txt");
    let played = json(&[PLAYER, OTHER, "--opening-lines", path, "--save", games.to_str().unwrap()]);
    assert_eq!((played["games"].as_u64(), played["opening_lines"].as_u64()), (Some(6), Some(3)));
    let text = std::fs::read_to_string(&games).unwrap();
    for opening in ["1. f5 - d6\n", "1. f5 - f6\n", "1. f5 - f4\n"] {
        assert_eq!(text.matches(opening).count(), 2, "{text}");
    }
    for (lines, why) in [
        ("f5 d6\nf5 a1\n", "line 2: `a1` cannot be played at ply 2"),
        ("f5 d6 what\n", "line 1: "),
        ("", "is empty; it should hold opening lines"),
    ] {
        std::fs::write(&file, lines).unwrap();
        run(&["match", PLAYER, OTHER, "--opening-lines", path]).refuses(2, why);
    }
}

#[test]
fn openings_are_given_in_the_notation_of_each_game() {
    let folder = tempfile::tempdir().unwrap();
    for (game, player, line) in [("connect-four", "forza4", "4 4"), ("tablut", "random", "e3-a3")] {
        let file = folder.path().join(game);
        std::fs::write(&file, line).unwrap();
        let path = file.to_str().unwrap();
        let played = json(&[player, "random", "--game", game, "--opening-lines", path, "--depth", "1"]);
        assert_eq!(played["games"].as_u64(), Some(2), "{game}");
    }
}

#[test]
fn tests_that_cannot_be_made_are_refused() {
    for (arguments, words) in [
        (vec!["--sprt", "5"], "two Elo differences"),
        (vec!["--sprt", "5,0"], "the lower one first"),
        (vec!["--sprt", "NaN,5"], "the lower one first"),
        (vec!["--sprt", "0,5", "--alpha", "0.5"], "below 0.5"),
        (vec!["--sprt", "0,5", "--games", "1"], "leaves --sprt no pair"),
        (vec!["--alpha", "0.1"], "--sprt"),
        (vec!["--opening-lines", "/none"], "/none cannot be read"),
        (vec!["--opening-lines", "/"], "it is not a file"),
        (vec!["--opening-lines", "x", "--plies", "2"], "cannot be used with"),
    ] {
        run(&[&["match", PLAYER, OTHER], &arguments[..]].concat()).refuses(2, words);
    }
}
