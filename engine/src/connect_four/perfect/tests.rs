use super::*;
use crate::connect_four::naive::random_positions;
use crate::connect_four::notation;

/// The positions of one of the public test sets with their scores; `None` when they are not there.
fn set(name: &str) -> Option<Vec<(Position, i32)>> {
    let path = format!("{}/../../shared/data/connect4/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).ok()?;
    let read = |line: &str| {
        let (moves, score) = line.split_once(' ').expect("moves, a blank and a score");
        (notation::line(moves).unwrap().1, score.trim().parse().unwrap())
    };
    Some(text.lines().map(read).collect())
}

fn solves_set(name: &str) {
    let Some(positions) = set(name) else {
        println!("SKIPPED: {name}: the folder of shared data is not there");
        return;
    };
    assert_eq!(positions.len(), 1000);
    let mut solver = Solver::default();
    for (position, score) in positions {
        assert_eq!(solver.score(&position), score, "{}", notation::board(&position));
    }
}

#[test]
fn late_positions_get_their_exact_scores() {
    solves_set("Test_L3_R1.txt");
}

#[test]
fn middle_positions_get_their_exact_scores() {
    solves_set("Test_L2_R1.txt");
}

#[test]
fn early_positions_get_their_exact_scores() {
    solves_set("Test_L1_R1.txt");
}

/// The score by plain minimax, for positions near the end.
fn minimax(position: &Position) -> i32 {
    let score = |column| {
        let after = position.after(column);
        match after.result() {
            Some(result) if result.outcome.winner().is_some() => (43 - i32::from(position.plies())) / 2,
            Some(_) => 0,
            None => -minimax(&after),
        }
    };
    position.columns().map(score).max().unwrap()
}

#[test]
fn late_positions_score_as_in_plain_minimax_and_the_move_is_the_first_best() {
    let mut solver = Solver::default();
    let mut met = 0;
    for position in random_positions(11, 20_000).filter(|position| position.plies() >= 33) {
        met += 1;
        let score = minimax(&position);
        let worth = |column: Column| {
            let after = position.after(column);
            match after.result() {
                Some(result) if result.outcome.winner().is_some() => (43 - i32::from(position.plies())) / 2,
                Some(_) => 0,
                None => -minimax(&after),
            }
        };
        let first = position.columns_centre_first().find(|column| worth(*column) == score).unwrap();
        assert_eq!(solver.best(&position), (first, score), "{}", notation::board(&position));
    }
    assert!(met > 100, "{met}");
}

#[test]
fn mirror_images_have_the_same_score_and_best_moves_keep_it() {
    let mut solver = Solver::default();
    for position in random_positions(12, 2000).filter(|position| position.plies() >= 16) {
        let (column, score) = solver.best(&position);
        let (_, mirrored) = Solver::new(1 << 12).best(&position.mirrored());
        assert_eq!(score, mirrored);
        let after = position.after(column);
        if after.result().is_none() {
            assert_eq!(solver.score(&after), -score);
        }
    }
}

#[test]
fn a_solver_that_remembers_little_gives_the_same_scores() {
    let mut little = Solver::new(1);
    let mut much = Solver::default();
    for position in random_positions(13, 500).filter(|position| position.plies() >= 22) {
        assert_eq!(little.best(&position), much.best(&position));
    }
}

#[test]
fn the_book_says_what_the_solver_finds() {
    // Early wins are quick to solve; the others are compared with each other below.
    let mut solver = Solver::default();
    let mut met = 0;
    for (line, score, columns) in book::entries().filter(|(_, score, _)| score.parse::<i32>().unwrap() >= 10) {
        let solution = solver.solve(line).unwrap();
        let found: String = solution.columns.iter().map(u8::to_string).collect();
        assert_eq!((solution.score.to_string().as_str(), found.as_str()), (score, columns), "{line}");
        met += 1;
    }
    assert!(met > 0);
}

#[test]
fn a_score_of_the_book_is_the_least_after_its_move_and_any_reply() {
    let mut met = 0;
    for (line, score, _) in book::entries() {
        let (_, position) = notation::line(line).unwrap();
        let (column, _) = book::find(&position).unwrap();
        let after = position.after(column);
        let replies: Option<Vec<_>> = after.columns().map(|reply| book::find(&after.after(reply))).collect();
        if let Some(replies) = replies {
            let least = replies.into_iter().map(|(_, score)| score).min().unwrap();
            assert_eq!(score, least.to_string(), "{line}");
            met += 1;
        }
    }
    assert!(met > 0);
}

#[test]
fn the_book_gives_the_first_moves_their_known_scores() {
    let start = Position::START;
    let scores = Column::ALL.map(|column| book::find(&start.after(column)).map(|(_, score)| -score));
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2].map(Some));
    assert_eq!(book::find(&start).map(|(column, score)| (column.number(), score)), Some((4, 1)));
}

#[test]
fn the_book_mirrors_its_moves() {
    let mut met = 0;
    for (line, score, columns) in book::entries() {
        let (moves, position) = notation::line(line).unwrap();
        let image = moves.iter().fold(Position::START, |position, column| position.after(column.mirrored()));
        let numbers: Vec<u8> = columns.bytes().map(|digit| digit - b'0').collect();
        let score = score.parse().unwrap();
        let left = |numbers: &[u8]| Column::from_number(*numbers.iter().min().unwrap()).unwrap();
        let mirrored: Vec<_> = numbers.iter().map(|number| 8 - number).collect();
        assert_eq!(book::find(&position), Some((left(&numbers), score)));
        if image != position {
            assert_eq!(book::find(&image), Some((left(&mirrored), score)));
        }
        met += 1;
    }
    assert!(met >= 5);
}
