//! Our players in the protocols of other Othello programs.

use crate::conversation::Conversation;
use crate::support::{kembara, run, talk};
use kembara_engine::{Outcome, Side, registry};
use std::process::Command;

const PLAYER: &str = "oe_fmc_436_18:45:5:2:8:8:4:9:1:2:4";

fn gtp(arguments: &[&str]) -> Conversation {
    let arguments = [&["engine", PLAYER, "--protocol", "gtp"], arguments].concat();
    Conversation::start(kembara().args(arguments)).unwrap()
}

fn rhino() -> Option<Conversation> {
    ["gtp-rhino", "/usr/games/gtp-rhino"]
        .into_iter()
        .find_map(|program| Conversation::start(Command::new(program).args(["--level=1", "--book=0"])))
}

/// A program in a game.
enum Seated {
    Ours(Conversation),
    /// Passes by itself when it must, and after that may not want to hear of it.
    Rhino(Conversation),
}

impl Seated {
    fn ask(&mut self, command: &str) -> String {
        let (Self::Ours(program) | Self::Rhino(program)) = self;
        program.gtp(command).unwrap_or_else(|why| panic!("{command}: {why}"))
    }

    fn pass(&mut self, colour: &str, is_its_own: bool) {
        match self {
            Self::Ours(program) if is_its_own => {
                assert_eq!(program.gtp(&format!("genmove {colour}")).as_deref(), Ok("pass"));
            }
            Self::Ours(program) => assert_eq!(program.gtp(&format!("play {colour} pass")).as_deref(), Ok("")),
            Self::Rhino(program) => _ = program.gtp(&format!("play {colour} pass")),
        }
    }
}

/// Plays a whole game through the protocol; the rules are ours, and both programs must agree on the
/// score.
fn whole_game(mut players: [Seated; 2]) {
    let mut referee = registry::game("othello").unwrap().session();
    for player in &mut players {
        player.ask("set_game Othello");
        player.ask("boardsize 8");
        player.ask("clear_board");
    }
    while let Some(side) = referee.to_move() {
        let colour = ["black", "white"][side.index()];
        if referee.legal() == ["pass"] {
            referee.play("pass").unwrap();
            for (place, player) in players.iter_mut().enumerate() {
                player.pass(colour, place == side.index());
            }
            continue;
        }
        let chosen = players[side.index()].ask(&format!("genmove {colour}"));
        referee.play(&chosen).unwrap_or_else(|error| panic!("{colour}: {error}\n{}", referee.transcript()));
        players[side.other().index()].ask(&format!("play {colour} {chosen}"));
    }
    let result = referee.result().unwrap();
    let score = match result.outcome {
        Outcome::Draw => "0".to_owned(),
        outcome => {
            let winner = if outcome.winner() == Some(Side::First) { 'B' } else { 'W' };
            format!("{winner}+{}", result.margin.abs())
        }
    };
    for player in &mut players {
        assert_eq!(player.ask("final_score"), score, "{}", referee.transcript());
    }
}

#[test]
fn whole_games_against_rhino_are_played_with_both_colours() {
    let (Some(one), Some(two)) = (rhino(), rhino()) else {
        println!("SKIPPED: whole games against rhino: gtp-rhino is not there; it comes with Debian's package grhino");
        return;
    };
    let ours = || Seated::Ours(gtp(&["--depth", "4"]));
    whole_game([ours(), Seated::Rhino(one)]);
    whole_game([Seated::Rhino(two), ours()]);
}

#[test]
fn our_players_meet_each_other_through_the_protocol_with_the_clock_running() {
    let mut players = [gtp(&[]), gtp(&[])];
    for player in &mut players {
        player.gtp("time_settings 1 0 0").unwrap();
    }
    whole_game(players.map(Seated::Ours));
}

#[test]
fn gtp_refuses_what_cannot_be_played_and_goes_on() {
    let mut player = gtp(&["--depth", "2"]);
    for (command, why) in [
        ("set_game Go", "unsupported game"),
        ("boardsize 19", "unacceptable size"),
        ("play black a1", "illegal move: the legal moves are d3 c4 f5 e6"),
        ("play white d3", "it is black's turn"),
        ("genmove white", "it is black's turn"),
        ("play black pass", "illegal move"),
        ("play green d3", "invalid color"),
        ("play black", "syntax error"),
        ("time_settings 1 2", "syntax error"),
        ("time_settings inf 0 0", "syntax error"),
        ("final_score", "cannot score"),
        ("undo", "cannot undo"),
        ("fly", "unknown command"),
    ] {
        let said = player.gtp(command).unwrap_err();
        assert!(said.contains(why), "{command}: {said}");
    }
    assert!(player.gtp(&"x".repeat(1 << 20)).unwrap_err().contains("line too long"));
    assert_eq!(player.gtp("17 protocol_version # which?").unwrap(), "17 2");
    assert_eq!(player.gtp("known_command genmove").unwrap(), "true");
    assert_eq!(player.gtp("known_command fly").unwrap(), "false");
    let start = player.gtp("showboard").unwrap();
    let thought = player.gtp("reg_genmove black").unwrap();
    assert_eq!(player.gtp("genmove black").unwrap(), thought);
    assert_ne!(player.gtp("showboard").unwrap(), start);
    player.gtp("undo").unwrap();
    assert_eq!(player.gtp("showboard").unwrap(), start);
}

#[test]
fn nboard_is_answered_as_its_author_describes_it() {
    let game = "(;GM[Othello]PB[a]PW[b]RE[?]TI[15:00]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3/1.5/2];)";
    let lines = [
        "nboard 2",
        "set depth 3",
        &format!("set game {game}"),
        "ping 7",
        "hint 2",
        "go",
        "move C5/0.25/1",
        "go",
        "learn",
        "analyze",
        "some future command",
        "move a1",
        "set game (;GM[Othello]TY[8]B[A1];)",
        "go",
        "C4",
    ]
    .join("\n");
    let said = talk(&["engine", PLAYER, "--protocol", "nboard"], lines.as_bytes()).out;
    let words: Vec<Vec<&str>> = said.lines().map(|line| line.split(' ').collect()).collect();
    let firsts: Vec<_> = words.iter().map(|line| line[0]).collect();
    assert_eq!(
        firsts,
        [
            &["set"; 2][..],
            &["pong", "search", "search", "nodestats", "===", "nodestats", "===", "learned"],
            &["analysis"; 4],
            &["status"; 4],
        ]
        .concat(),
        "{said}"
    );
    assert_eq!(words[2], ["pong", "7"]);
    // What is played is the best of the hints, with its value; both are legal after f5 f6 d3.
    let best = format!("{}/{}/", words[3][1], words[3][2]);
    assert!(words[6][1].starts_with(&best), "{said}");
    assert!(words[3][2].parse::<f64>().unwrap() >= words[4][2].parse().unwrap(), "{said}");
    let chosen = run(&["eval", PLAYER, "f5", "f6", "d3", &words[6][1][..2]]);
    assert_eq!(chosen.code, 0, "{}", chosen.err);
    assert_eq!(words[10][1], "3", "the last position first: {said}");
}

#[test]
fn a_player_follows_its_book_and_a_wrong_book_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.txt");
    let path = file.to_str().unwrap();
    std::fs::write(&file, "# two lines\n\nf5 d6 c3\nf5 f6 e6 f4\n").unwrap();
    let mut player = gtp(&["--depth", "1", "--book", path]);
    assert_eq!(player.gtp("genmove black").unwrap(), "F5");
    player.gtp("play white f6").unwrap();
    assert_eq!(player.gtp("genmove black").unwrap(), "E6");
    std::fs::write(&file, "f5 d6\n# and\nf5 f5\n").unwrap();
    run(&["engine", PLAYER, "--protocol", "gtp", "--book", path]).refuses(2, "line 3: `f5` cannot be played at ply 2");
    run(&["engine", PLAYER, "--protocol", "gtp", "--book", "/none"]).refuses(2, "/none cannot be read");
}
