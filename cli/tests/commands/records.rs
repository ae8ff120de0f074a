//! Files of game records: shown, listed, converted, refused.

use crate::support::{Ran, kembara, ran, run};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// A file of the reference data; without it the test says so and ends.
fn reference(test: &str, file: &str) -> Option<String> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello")).join(file);
    if !path.exists() {
        println!("SKIPPED: {test}: {file} is not there");
        return None;
    }
    Some(path.to_str().unwrap().to_owned())
}

/// Runs the program with something on its standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child =
        kembara().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses early may not read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    ran(child.wait_with_output().unwrap())
}

#[test]
fn the_authors_game_is_shown_with_its_opening_and_its_score() {
    let Some(file) = reference("the author's game replayed", "genethello-1-vs-436.txt") else { return };
    let shown = run(&["replay", &file]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("\nopening  Diagonal -> Heath / Tobidashi\n"), "{}", shown.out);
    assert!(shown.out.contains("\nresult   24-40 in discs, white wins\n"), "{}", shown.out);
    assert!(shown.out.contains("\n1. black d3; discs 4-1; white to move\n"), "{}", shown.out);
    assert!(shown.out.contains("\n3 . . .[X]. . . . 3\n4 . . . X X . . . 4\n"), "{}", shown.out);
    assert!(shown.out.contains("\n60. white a8; discs 24-40; the game is over\n"), "{}", shown.out);
    assert_eq!(shown.out.matches("; discs ").count(), 61);

    let start = run(&["replay", &file, "--at", "0"]).out;
    assert!(start.contains("\nstart; discs 2-2; black to move\n") && start.matches("\n1 ").count() == 1, "{start}");
    let last = run(&["replay", &file, "--at", "60"]).out;
    assert!(last.contains("60. white a8") && !last.contains("59."), "{last}");
    run(&["replay", &file, "--at", "61"]).refuses(2, "there is no ply 61: the game has 60");
    run(&["replay", &file, "--game", "2"]).refuses(2, "there is no game 2: the file has 1 game");
    run(&["replay", &file, "--game", "0"]).refuses(2, "there is no game 0");

    let slowly = run(&["replay", &file, "--auto", "0"]).out;
    assert_eq!(slowly, shown.out);
    run(&["replay", &file, "--auto=-1"]).refuses(2, "from 0 to 3600");
    run(&["replay", &file, "--auto", "nan"]).refuses(2, "from 0 to 3600");
}

#[test]
fn a_game_goes_through_every_format_and_comes_back() {
    let Some(file) = reference("convert", "genethello-1-vs-436.txt") else { return };
    let text = run(&["convert", &file, "--to", "text"]).out;
    assert!(text.starts_with("1. d3 - c3\n2. c4 - e3\n"), "{text}");
    let sgf = run(&["convert", &file, "--to", "sgf"]).out;
    assert!(sgf.contains("RE[W+16]") && sgf.contains("AB[e4][d5]AW[d4][e5]PL[B]"), "{sgf}");
    let ggf = fed(&["convert", "-", "--to", "ggf"], sgf.as_bytes()).out;
    assert!(ggf.contains("RE[-16.000]") && ggf.contains("]B[D3]W[C3]"), "{ggf}");
    assert_eq!(fed(&["convert", "-", "--to", "text"], ggf.as_bytes()).out, text);
}

#[test]
fn collections_of_the_federation_are_listed_with_names() {
    let Some(file) = reference("WTHOR list", "wthor/WTH_1977.wtb") else { return };
    let all = run(&["replay", &file, "--list", "all"]).out;
    assert!(all.lines().nth(1).unwrap().starts_with("   1  1977  "), "{all}");
    assert!(all.ends_with("\n12 of 12 games\n") && !all.contains("player "), "{all}");
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    let first = run(&["replay", &file, "--at", "0"]).out;
    assert!(first.contains("event    World Championship\n"), "{first}");
    assert!(first.contains("written as 34-30 with the empties to the winner\n"), "{first}");
    let unfinished = run(&["replay", &file, "--list", "unfinished"]).out;
    assert!(unfinished.contains(" of 12 games stop early\n"), "{unfinished}");
}

#[test]
fn damaged_games_are_named_and_the_others_converted() {
    let Some(file) = reference("damaged games", "games/nboard_test2.ggf") else { return };
    let converted = run(&["convert", &file, "--to", "text"]);
    assert_eq!(converted.code, 1);
    assert!(converted.out.contains("\n\n1. d3 - c5\n"), "{}", converted.out);
    let said: Vec<_> = converted.err.lines().collect();
    assert_eq!(said[0], "not read: game 1, line 1, column 104: a board of size 4; only 8x8 can be played");
    assert_eq!(said[1], "error: 1 of 3 games could not be read; the others were converted");
    run(&["replay", &file]).refuses(1, "game 1, line 1, column 104: a board of size 4");
    assert_eq!(run(&["replay", &file, "--game", "2"]).code, 0);
    let damaged = run(&["replay", &file, "--list", "damaged"]).out;
    assert_eq!(damaged, "game 1, line 1, column 104: a board of size 4; only 8x8 can be played\n");
}

#[test]
fn illegal_moves_and_odd_files_are_refused_in_one_line() {
    let bare: &[&str] = &["replay", "-"];
    fed(bare, b"d3 c3 a1").refuses(1, "game 1, line 1, column 7: ply 3: black cannot play `a1`; the legal moves are");
    fed(bare, b"").refuses(1, "there is no game in it");
    fed(bare, b"\n\n# nothing\n").refuses(1, "there is no game in it");
    fed(bare, b"\x7fELF\x02\x01\x01\0\0\0").refuses(1, "is no text");
    fed(bare, b"\x14\x07\x05").refuses(1, "cut off");
    fed(bare, b"(;GM[1]SZ[19];B[aa])").refuses(1, "is another game");
    fed(bare, b"(;GM[2];B[d3]").refuses(1, "a `)` is missing");
    fed(bare, b"\x1b[31mred").refuses(1, "is not a move");
    fed(bare, &vec![b'('; 1 << 20]).refuses(1, "is not a move");
    fed(bare, &vec![b'-'; (64 << 20) + 1]).refuses(1, "bytes");
    run(&["replay", "/nowhere/at/all"]).refuses(1, "cannot read /nowhere/at/all");
    run(&["replay", "/"]).refuses(1, "cannot read /");
    run(&["convert", "x", "--to", "bogus"]).refuses(2, "bogus");
}

#[test]
fn a_replay_ends_quietly_when_it_is_interrupted() {
    let Some(file) = reference("interrupted replay", "genethello-1-vs-436.txt") else { return };
    let child = kembara()
        .args(["replay", &file, "--auto", "600"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    // Until it listens the signal ends it at once, which is fine too, but proves nothing.
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = ran(child.wait_with_output().unwrap());
    assert_eq!(ended.code, 130);
    assert_eq!(ended.err, "stopped after ply 0\n");
    assert!(ended.out.contains("start; discs 2-2"), "{}", ended.out);
}
