//! The rules of Tablut against everything the competition's referee has written down: positions,
//! games, logs and counts.

use kembara_engine::tablut::log::{self, Ending, Log};
use kembara_engine::tablut::{Cell, Course, Move, Position, Turn};
use kembara_engine::{Game, Outcome, Side, registry};
use std::fs;
use std::path::PathBuf;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/tablut");

/// A file of the data folder, or a word that the test did not run.
fn data(test: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(PathBuf::from(DATA).join(name));
    if text.is_err() {
        println!("SKIPPED: {test}: {name} is not there");
    }
    text.ok()
}

fn tablut() -> &'static dyn Game {
    registry::game("tablut").unwrap()
}

fn position(letters: &str, side: Side) -> Position {
    let cells: Vec<_> = letters.chars().map(|letter| Cell::from_letter(letter).unwrap()).collect();
    let rows: Vec<_> = cells.chunks(9).collect();
    Position::from_cells(&rows, side).unwrap()
}

fn letters(position: &Position) -> String {
    position.to_cells().iter().flatten().map(|cell| cell.letter()).collect()
}

/// Moves in the referee's form: without a hyphen.
fn written(action: Move) -> String {
    action.to_string().replace('-', "")
}

/// Checks one line of the referee: the legal moves, and the board and the turn after the move.
fn check(line: &str) {
    let [game, ply, before, side, action, after, legal] = line.split('\t').collect::<Vec<_>>()[..] else {
        panic!("`{line}` has not seven columns");
    };
    let before = position(before, Turn::from_letters(side).and_then(Turn::to_move).unwrap());
    let moves: Vec<_> = before.moves().map(written).collect();
    assert_eq!(moves.join(" "), legal, "legal moves of game {game} at ply {ply}");
    assert_eq!(before.count_moves() as usize, moves.len());
    assert!(before.can_move());
    let action = before.moves().find(|legal| written(*legal) == action).unwrap();
    let next = before.after(action);
    assert_eq!(before.move_to(&next), Some(action));
    let turn = Turn::new(next.to_move(), next.winner().map(won_by));
    let (board, expected) = after.split_at(81);
    assert_eq!(letters(&next), board, "game {game} at ply {ply}");
    assert_eq!(turn, Turn::from_letters(expected).unwrap(), "game {game} at ply {ply}");
}

fn won_by(side: Side) -> Outcome {
    match side {
        Side::First => Outcome::FirstWins,
        Side::Second => Outcome::SecondWins,
    }
}

#[test]
fn the_numbers_of_games_from_the_start_are_the_referees() {
    for (depth, games) in [(0, 1), (1, 56), (2, 4408), (3, 248_456), (4, 19_159_224)] {
        assert_eq!(tablut().perft(depth, false), games, "depth {depth}");
    }
}

#[test]
fn every_random_position_of_the_referee_has_his_moves_and_his_next_board() {
    let Some(text) = data("referee positions", "referee_positions.tsv") else { return };
    text.lines().filter(|line| !line.starts_with('#')).for_each(check);
    assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 1000);
}

#[test]
fn every_game_of_the_referee_is_played_the_same_move_by_move() {
    let Some(text) = data("referee games", "referee_games.tsv") else { return };
    let mut previous: Option<String> = None;
    let mut positions = 0;
    for line in text.lines() {
        if line.starts_with("#END") {
            previous = None;
            continue;
        }
        check(line);
        positions += 1;
        let columns: Vec<_> = line.split('\t').collect();
        let start = letters(&Position::START);
        assert_eq!(columns[2], previous.unwrap_or(start), "the games follow from the start");
        previous = Some(columns[5][..81].to_owned());
    }
    assert_eq!(positions, 1519);
}

#[test]
fn the_games_end_as_the_referee_says() {
    let Some(text) = data("ends of referee games", "referee_games.tsv") else { return };
    let mut course = Course::new();
    let mut ends = 0;
    for line in text.lines() {
        let columns: Vec<_> = line.split('\t').collect();
        if columns[0] != "#END" {
            if course.outcome().is_none() {
                let action = course.position().moves().find(|legal| written(*legal) == columns[4]).unwrap();
                course.play(action);
            }
            continue;
        }
        // His games went on where a position came again: such a game is over before, and drawn.
        match (course.outcome(), Turn::from_letters(columns[2])) {
            (Some(Outcome::Draw), _) => {}
            (outcome, Some(end)) => assert_eq!(Turn::new(Side::First, outcome), end, "game {}", columns[1]),
            (outcome, None) => assert_eq!((outcome, columns[2]), (None, "MAXPLY"), "game {}", columns[1]),
        }
        course = Course::new();
        ends += 1;
    }
    assert_eq!(ends, 24);
}

/// The logs by name, with their text.
fn logs(test: &str) -> Option<Vec<(String, String)>> {
    let Ok(folder) = fs::read_dir(PathBuf::from(DATA).join("logs")) else {
        println!("SKIPPED: {test}: the logs are not there");
        return None;
    };
    let mut logs: Vec<_> = folder
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().display().to_string(), fs::read_to_string(&path).unwrap()))
        .collect();
    logs.sort();
    Some(logs)
}

#[test]
fn every_log_reads_with_its_boards_its_turns_and_its_end() {
    let Some(logs) = logs("logs") else { return };
    let mut endings = Vec::new();
    for (name, text) in logs {
        let Log { players, moves, ending } = log::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(moves.len() + usize::from(matches!(ending, Ending::Forfeit(_))), text.matches("Turn: ").count());
        // The same game in a session ends the same way.
        let mut session = tablut().session();
        moves.iter().for_each(|action| session.play(&action.to_string()).unwrap());
        match ending {
            Ending::Finished(outcome) => assert_eq!(session.result().unwrap().outcome, outcome),
            Ending::Forfeit(side) => assert_eq!(session.to_move(), Some(side)),
            Ending::Unfinished => panic!("{name} is whole"),
        }
        endings.push((players.join(" "), ending));
    }
    let draw = Ending::Finished(Outcome::Draw);
    let [white, black] = [Outcome::FirstWins, Outcome::SecondWins].map(Ending::Finished);
    let expected =
        [draw, draw, draw, Ending::Forfeit(Side::First), draw, draw, black, white, white, white, white, black];
    assert_eq!(endings.iter().map(|(_, ending)| *ending).collect::<Vec<_>>(), expected);
    assert_eq!(endings[3].0, "tabloidi random");
}

#[test]
fn a_log_that_was_tampered_with_is_refused_at_the_line() {
    let Some(logs) = logs("broken logs") else { return };
    let text = &logs[3].1;
    let error = |text: &str| log::read(text).unwrap_err();
    for (from, to, line, reason) in [
        ("Pawn from e3 to a3", "Pawn from e3 to a4", 21, "the piece on e3 cannot go to a4"),
        ("Pawn from e3 to a3", "Pawn from e3", 21, "stands alone"),
        ("Pawn from e3 to a3", "e3 to a3", 21, "expected whose turn"),
        ("Turn: W Pawn from e3", "Turn: B Pawn from e3", 21, "B is not to move here"),
        ("\nBBWWKWWBB\n", "\nBBWWKWWBBB\n", 9, "has 10 squares"),
        ("\nBBWWKWWBB\n", "\nBBWWXWWBB\n", 13, "`BBWWXWWBB` is not a row"),
        ("\nBBWWKWWBB\n", "\nBBWWTWWBB\n", 9, "exactly 1"),
        ("\nOOOBBBOOO\n-\nW\n", "\nOOOBBBOOO\n-\nB\n", 19, "the turn should be W, not B"),
        ("\nOOOBBBOOO\n-\nW\n", "\nOOOBBBOOO\n-\nX\n", 19, "`X` is nobody's turn"),
        ("\nWOOOOOOOO\n", "\nOWOOOOOOO\n", 28, "the board should be"),
        ("Players:\ttabloidi\tvs\trandom", "Players: tabloidi", 2, "two players"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = error(&text.replacen(from, to, 1));
        assert!(error.reason.contains(reason) && error.line == line, "{to}: {error}");
    }
    assert!(error("").reason.contains("does not say who plays"));
    assert!(error(&"x".repeat(log::LONGEST_LOG + 1)).reason.contains("longer than"));
    // Cut anywhere, it reads or is refused, and nothing panics.
    for end in (0..text.len()).step_by(7) {
        let _ = log::read(&text[..end]);
    }
}
