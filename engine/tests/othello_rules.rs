//! Othello's rules, notation and openings as the rest of the system sees them.

use kembara_engine::arena::ArenaError;
use kembara_engine::{
    Arena, ArenaSpec, Conditions, Game, GameResult, Limit, Meeting, Openings, Outcome, PlayerSpec, Side, registry,
};
use std::collections::HashSet;
use std::path::Path;

fn othello() -> &'static dyn Game {
    registry::game("othello").unwrap()
}

fn random_player() -> PlayerSpec {
    PlayerSpec::Named("random".to_owned())
}

fn arena(openings: Openings) -> Result<Box<dyn Arena>, ArenaError> {
    let players = vec![random_player(), PlayerSpec::Named("greedy".to_owned())];
    othello().arena(&ArenaSpec { players, conditions: [Conditions::depth(1); 2], openings, max_plies: None })
}

/// Leaves at depths 1 to 9, with a pass as a ply and with free passes.
const PERFT: [(u64, u64); 9] = [
    (4, 4),
    (12, 12),
    (56, 56),
    (244, 244),
    (1_396, 1_396),
    (8_200, 8_200),
    (55_092, 55_092),
    (390_216, 390_216),
    (3_005_288, 3_005_320),
];

#[test]
fn perft_agrees_in_both_conventions() {
    for (depth, (as_ply, free)) in (1..).zip(PERFT) {
        assert_eq!(othello().perft(depth, false), as_ply, "depth {depth}, a pass is a ply");
        assert_eq!(othello().perft(depth, true), free, "depth {depth}, a pass is free");
    }
    assert_eq!(othello().perft(0, true), 1);
}

#[test]
fn the_shared_table_of_perft_is_the_one_written_here() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello/perft.tsv"));
    let Ok(table) = std::fs::read_to_string(path) else {
        println!("SKIPPED: the_shared_table_of_perft_is_the_one_written_here: no {}", path.display());
        return;
    };
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    for (row, (as_ply, free)) in rows.zip(PERFT) {
        let numbers: Vec<u64> = row.split('\t').map(|number| number.parse().unwrap()).collect();
        assert_eq!(numbers[1..], [as_ply, free], "{row}");
    }
}

#[test]
fn four_plies_have_60_openings_and_eight_have_67245() {
    for (plies, count) in [(1, 1), (2, 3), (4, 60), (8, 67_245)] {
        let arena = arena(Openings::Plies(plies)).unwrap();
        assert_eq!(arena.openings(), count, "{plies} plies");
        let mut table = arena.table();
        let mut lines = HashSet::new();
        for opening in (0..count).step_by(1 + count as usize / 500) {
            let (moves, _) = table.record(&Meeting { first: 1, second: 1, opening, seed: 0 });
            assert!(lines.insert(moves[..usize::from(plies)].to_vec()), "opening {opening} comes twice");
        }
    }
}

#[test]
fn the_first_openings_are_the_first_in_the_order_of_moves() {
    let arena = arena(Openings::Plies(2)).unwrap();
    let mut table = arena.table();
    let mut first_two = |opening| table.record(&Meeting { first: 0, second: 0, opening, seed: 0 }).0[..2].join(" ");
    assert_eq!([first_two(0), first_two(1), first_two(2)], ["d3 c3", "d3 e3", "d3 c5"]);
}

#[test]
fn given_lines_are_played_however_they_are_written() {
    let lines = ["", "d3c3c4e3", "D3 C3 C4 E3", "1. d3 - c3\n2. c4 - e3", "1.d3 c3 2.c4 e3"].map(str::to_owned);
    let arena = arena(Openings::Lines(lines.to_vec())).unwrap();
    assert_eq!(arena.openings(), 5);
    let mut table = arena.table();
    for opening in 1..5 {
        let (moves, result) = table.record(&Meeting { first: 0, second: 1, opening, seed: 9 });
        assert_eq!(moves[..4], ["d3", "c3", "c4", "e3"]);
        let placed = moves.iter().filter(|&action| action != "pass").count();
        assert_eq!(usize::from(result.plies), placed, "opening plies count, passes do not");
    }
}

/// The shortest game there is: the first player wins without an opponent's disc left.
const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn lines_that_cannot_be_played_are_refused_with_the_reason() {
    for (line, reason) in [
        ("d3d3", "`d3` cannot be played as move 2; legal: c3 e3 c5"),
        ("a1", "`a1` cannot be played as move 1; legal: d3 c4 f5 e6"),
        ("pass", "`pass` cannot be played as move 1"),
        ("d3 x9", "`x9` is not a move"),
        ("d3;c3", "`;c3` is not a move"),
        ("1.. d3", "`.` is not a move"),
        (SHORTEST, "the game is over at its end"),
        (&format!("{SHORTEST}a1"), "the game is over before `a1`"),
    ] {
        let lines = Openings::Lines(vec!["d3".to_owned(), line.to_owned()]);
        match arena(lines).map(|arena| arena.openings()) {
            Err(ArenaError::Opening { place: 1, reason: given }) => assert!(given.starts_with(reason), "{given}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    assert!(matches!(arena(Openings::Lines(Vec::new())), Err(ArenaError::Limit(_))));
    for plies in [0, 9, 255] {
        assert!(matches!(arena(Openings::Plies(plies)), Err(ArenaError::Limit(_))));
    }
}

#[test]
fn conditions_out_of_range_are_refused() {
    let depth = Conditions::depth(1);
    for conditions in [
        Conditions::depth(0),
        Conditions::depth(61),
        Conditions { limit: Limit::Nodes(0), ..depth },
        Conditions { epsilon: -0.1, ..depth },
        Conditions { epsilon: 1.1, ..depth },
        Conditions { epsilon: f64::NAN, ..depth },
    ] {
        let spec = ArenaSpec {
            players: vec![random_player()],
            conditions: [depth, conditions],
            openings: Openings::Start,
            max_plies: None,
        };
        match othello().arena(&spec).map(|arena| arena.openings()) {
            Err(ArenaError::Limit(text)) => assert!(text.starts_with("second player: "), "{text}"),
            other => panic!("{conditions:?}: {other:?}"),
        }
        assert!(othello().session().choose(&random_player(), &conditions, 0).is_err());
    }
}

#[test]
fn a_session_passes_by_name_ends_and_takes_back() {
    let mut session = othello().session();
    session.play_line("f5 d6 c5 f4 e3 c6 d3 f6 e6 d7 g4 c4 g5 c3 f7 d2 e7 f2 c8 f3 c7 d8").unwrap();
    let before = session.board();
    assert!(session.undo());
    assert_ne!(session.board(), before);
    session.play("D8").unwrap();
    assert_eq!(session.board(), before);

    let mut session = othello().session();
    session.play_line(SHORTEST).unwrap();
    assert_eq!(session.to_move(), None);
    assert_eq!(session.legal(), [""; 0]);
    assert_eq!(session.result(), Some(GameResult { outcome: Outcome::FirstWins, margin: 13, plies: 9 }));
    assert_eq!(session.score().as_deref(), Some("13-0"));
    assert_eq!(session.play("a1").unwrap_err().to_string(), "`a1` cannot be played at ply 10: the game is over");
    while session.undo() {}
    assert_eq!(session.to_move(), Some(Side::First));
    assert_eq!(session.legal(), ["d3", "c4", "f5", "e6"]);
    assert_eq!(
        session.board(),
        "  a b c d e f g h\n1 . . . . . . . . 1\n2 . . . . . . . . 2\n3 . . . . . . . . 3\n4 . . . O X . . . 4\n\
         5 . . . X O . . . 5\n6 . . . . . . . . 6\n7 . . . . . . . . 7\n8 . . . . . . . . 8\n  a b c d e f g h\n"
    );
}

#[test]
fn random_games_pass_only_when_they_must_and_say_so() {
    let arena = arena(Openings::Start).unwrap();
    let mut table = arena.table();
    let mut passes = 0;
    for seed in 0..500 {
        let meeting = Meeting { first: 0, second: 0, opening: 0, seed };
        let (moves, result) = table.record(&meeting);
        assert_eq!(table.play(&meeting), result, "with or without a record");
        let mut session = othello().session();
        for action in &moves {
            passes += usize::from(action == "pass");
            assert_eq!(action == "pass", session.legal() == ["pass"]);
            session.play(action).unwrap();
        }
        assert_eq!(session.result(), Some(result));
        assert_eq!(session.moves(), moves);
        // The same game when passes are left out.
        let mut again = othello().session();
        let unnamed: Vec<_> = moves.iter().filter(|&action| action != "pass").cloned().collect();
        again.play_line(&unnamed.concat()).unwrap();
        assert_eq!(again.moves(), moves);
        // And when its transcript is read.
        let mut again = othello().session();
        again.play_line(&session.transcript()).unwrap();
        assert_eq!(again.moves(), moves);
    }
    assert!(passes > 100, "{passes} passes");
}

#[test]
fn odd_moves_are_refused_and_change_nothing() {
    let mut session = othello().session();
    let before = session.board();
    for text in ["", " ", "d", "d33", "z9", "pass", "a1", "d4", "🦀", "\0", &"d3".repeat(100_000)] {
        let error = session.play(text).unwrap_err();
        assert_eq!(error.ply, 1);
        assert!(error.to_string().len() < 400, "{error}");
    }
    assert!(!session.undo());
    assert_eq!(session.board(), before);
    session.play(" d3 ").unwrap();
}
