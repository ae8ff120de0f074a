//! People at the board, as far as a machine can play a person.

use crate::support::{run, talk};

const PLAYER: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";
const OTHER: &str = "oe_fmc_436_18:45:5:2:8:8:4:9:1:2:4";

#[test]
fn a_person_can_play_ask_and_take_back() {
    let said = talk(
        &["play", PLAYER, "--depth", "3"],
        b"what?\n\xff\xfe\nmoves\nundo\nhint\nF5\nundo\ntranscript\nd3\ntranscript\nhelp\nquit\n",
    );
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let out = &said.out;
    assert!(out.contains("`what?` cannot be played at ply 1: a move is a square as in d3"), "{out}");
    assert!(out.contains("\nd3 c4 f5 e6\n"), "{out}");
    assert!(out.contains("there is no move of yours to take back"), "{out}");
    assert!(out.contains(&format!("{PLAYER} would play d3 (value ")), "{out}");
    assert!(out.contains("\n1. d3 - c5\n"), "{out}");
    assert_eq!(out.matches("white plays").count(), 2, "{out}");
    assert!(out.contains("3 . . . * . . . . 3"), "{out}");
    assert!(out.contains("save FILE"), "{out}");
}

#[test]
fn every_game_can_be_played_on_every_side_and_ends_with_its_input() {
    for (game, player) in [("othello", PLAYER), ("connect-four", "forza4"), ("tablut", "random")] {
        for side in ["first", "second", "both"] {
            let said = talk(&["play", player, "--game", game, "--as", side, "--depth", "1"], b"moves\n");
            assert_eq!((said.code, said.err.as_str()), (0, ""), "{game} {side}");
        }
    }
}

#[test]
fn two_people_play_a_whole_game_of_connect_four() {
    let said =
        talk(&["play", "random", "--game", "connect-four", "--as", "both"], b"1\n2\n1\n2\n1\n2\n9\n1\nundo\n1\n");
    assert_eq!(said.out.matches("yellow wins").count(), 2, "{}", said.out);
    assert!(said.out.contains("`9` cannot be played at ply 7"), "{}", said.out);
}

#[test]
fn two_machines_play_the_game_that_a_match_plays_and_save_it_in_any_format() {
    let matched = run(&["match", PLAYER, OTHER, "--depth", "2", "--json"]).out;
    let matched: serde_json::Value = serde_json::from_str(&matched).unwrap();
    let moves: Vec<_> = matched["moves"].as_array().unwrap().iter().map(|action| action.as_str().unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    for name in ["game.txt", "game.sgf", "game.ggf"] {
        let file = folder.path().join(name);
        let arguments = ["play", PLAYER, "--second", OTHER, "--as", "none", "--depth", "2", "--save"];
        let played = run(&[&arguments[..], &[file.to_str().unwrap()]].concat());
        assert_eq!(played.code, 0, "{}", played.err);
        let saved = kembara_engine::othello::record::read(&std::fs::read(&file).unwrap()).unwrap();
        let game = saved.records().next().unwrap();
        assert!(game.moves().iter().map(ToString::to_string).eq(moves.iter().copied()), "{name}: {}", played.out);
    }
}

#[test]
fn a_player_is_found_by_its_place_in_a_players_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("champions.txt");
    std::fs::write(&file, format!("# every generation's champion\n{PLAYER}\n\n{OTHER}\n")).unwrap();
    let path = file.to_str().unwrap();
    let named = |which: &str| run(&["match", &format!("{path}#{which}"), "random", "--depth", "1"]);
    assert!(named("1").out.contains(PLAYER));
    assert!(named("2").out.contains(OTHER));
    assert_eq!(named("last").out, named("2").out);
    let best = talk(&["play", "best", "--players", path, "--depth", "1"], b"");
    assert!(best.out.contains(OTHER), "{}", best.out);
    for which in ["0", "3", "first", "-1", "99999999999999999999"] {
        named(which).refuses(2, "has 2 players");
    }
    run(&["match", "/none#1", "random"]).refuses(2, "/none cannot be read");
    std::fs::write(&file, "# nobody\n").unwrap();
    named("last").refuses(2, "is empty; it should hold players");
    std::fs::write(&file, "random\noe_fmc_1:2\n").unwrap();
    named("2").refuses(2, "line 2: not a player of othello");
}

#[test]
fn best_needs_a_coordinator_or_a_file() {
    talk(&["play", "best", "--server", "http://127.0.0.1:9"], b"").refuses(4, "no coordinator answers");
}

#[test]
fn what_nobody_could_play_is_refused() {
    for (arguments, words) in [
        (vec!["play", "x"], "is not a player's name"),
        (vec!["play", PLAYER, "--second", OTHER], "needs --as none"),
        (vec!["play", PLAYER, "--time", "0"], "from 0.001 to 86400"),
        (vec!["play", PLAYER, "--time", "NaN"], "from 0.001 to 86400"),
        (vec!["play", PLAYER, "--time", "1", "--depth", "2"], "cannot be used with"),
        (vec!["play", PLAYER, "--as", "third"], "third"),
    ] {
        talk(&arguments, b"").refuses(2, words);
    }
    talk(&["play", PLAYER, "--save", "/nowhere/at/all"], b"").refuses(1, "cannot write /nowhere/at/all");
    let tablut = ["play", "random", "--game", "tablut", "--save", "game.sgf"];
    talk(&tablut, b"").refuses(2, "only games of othello");
}
