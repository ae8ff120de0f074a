//! The exact solver against published endgames.

use kembara_engine::othello::record::Counting;
use kembara_engine::othello::{Bitboard, Level, Position, Solver, obf};
use kembara_engine::random::Key;
use kembara_engine::registry;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello/");

fn problems(file: &str, test: &str) -> Option<Vec<(usize, obf::Problem)>> {
    match std::fs::read_to_string(FOLDER.to_owned() + file) {
        Ok(text) => Some(obf::parse(&text).unwrap()),
        Err(_) => {
            println!("SKIPPED: {test}: the published endgames are not here");
            None
        }
    }
}

#[test]
fn ffo_1_to_19_are_solved_with_the_given_scores() {
    let Some(problems) = problems("fforum-1-19.obf", "ffo_1_to_19_are_solved_with_the_given_scores") else { return };
    assert_eq!(problems.len(), 19);
    let mut solver = Solver::new(Level::best(), Counting::EmptiesToWinner);
    for (line, problem) in problems {
        let highest = problem.scores.iter().map(|(_, score)| *score).max().unwrap();
        let solved = solver.solve(problem.position);
        let best = solved.best.unwrap();
        assert_eq!(solved.score, highest, "position {line}");
        assert!(problem.scores.contains(&(best, highest)), "position {line}: {best} is not among the best");
        for (square, score) in problem.scores {
            assert_eq!(solver.score_of(problem.position, square), Some(score), "position {line}, {square}");
        }
    }
}

/// Boards after random moves with few squares left, as the two sets of discs of the side to move.
fn ends(purpose: &str, count: usize, most_empty: u64) -> Vec<Position> {
    let mut stream = Key::new(40, 0, purpose).stream(0);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut session = registry::game("othello").unwrap().session();
        let empty = 1 + stream.below(most_empty);
        loop {
            let position = position(session.board().as_str(), session.to_move() == Some(kembara_engine::Side::First));
            if u64::from(position.empty().count()) <= empty {
                positions.push(position);
                break;
            }
            let legal = session.legal();
            if legal.is_empty() {
                break;
            }
            session.play(&legal[stream.below(legal.len() as u64) as usize]).unwrap();
        }
    }
    positions
}

fn position(board: &str, black: bool) -> Position {
    let marks = board.lines().skip(1).take(8).flat_map(|row| row[1..row.len() - 1].chars().filter(|mark| *mark != ' '));
    let (mut own, mut other) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (place, mark) in marks.enumerate() {
        match mark {
            'X' => own.0 |= 1 << place,
            'O' => other.0 |= 1 << place,
            _ => {}
        }
    }
    if black { Position { own, other } } else { Position { own: other, other: own } }
}

/// The discs that a move of `own` turns, square by square.
fn turned(own: u64, other: u64, square: i32) -> u64 {
    let mut turned = 0;
    if (own | other) >> square & 1 == 1 {
        return 0;
    }
    for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut column, mut row, mut run) = (square % 8 + right, square / 8 + up, 0);
        while (0..8).contains(&column) && (0..8).contains(&row) {
            let bit = 1 << (row * 8 + column);
            if other & bit != 0 {
                run |= bit;
            } else {
                turned |= if own & bit != 0 { run } else { 0 };
                break;
            }
            (column, row) = (column + right, row + up);
        }
    }
    turned
}

/// The final margin by playing everything out.
fn plain(own: u64, other: u64, counting: Counting) -> i32 {
    let replies =
        |own, other| (0..64).map(move |square| (square, turned(own, other, square))).filter(|(_, set)| *set != 0);
    let value = |(square, set): (i32, u64)| -plain(other & !set, own | set | 1 << square, counting);
    if let Some(best) = replies(own, other).map(value).max() {
        return best;
    }
    if replies(other, own).next().is_some() {
        return -plain(other, own, counting);
    }
    let margin = own.count_ones() as i32 - other.count_ones() as i32;
    let empty = 64 - (own | other).count_ones() as i32;
    if counting == Counting::EmptiesToWinner { margin + margin.signum() * empty } else { margin }
}

#[test]
fn ends_of_games_are_solved_as_by_playing_everything_out_in_either_counting_at_every_level() {
    for counting in [Counting::Discs, Counting::EmptiesToWinner] {
        let mut solvers: Vec<_> = Level::available().into_iter().map(|level| Solver::new(level, counting)).collect();
        let mut with_empties = 0;
        for position in ends("ends", 400, 8) {
            let expected = plain(position.own.0, position.other.0, counting);
            with_empties += u32::from(expected.abs() % 2 == 1);
            for solver in &mut solvers {
                let solved = solver.solve(position);
                assert_eq!(solved.score, expected, "{counting:?} {position:?}");
                if let Some(best) = solved.best {
                    assert_eq!(solver.score_of(position, best), Some(expected), "{counting:?} {position:?}");
                }
            }
        }
        assert!(with_empties > 0 || counting == Counting::EmptiesToWinner, "no game ended with squares left");
    }
}

#[test]
fn what_is_over_or_has_to_pass_is_solved_too() {
    let mut solver = Solver::new(Level::best(), Counting::EmptiesToWinner);
    let wiped_out = Position { own: Bitboard(1), other: Bitboard::EMPTY };
    assert_eq!((solver.solve(wiped_out).best, solver.solve(wiped_out).score), (None, 64));
    let empty = Position { own: Bitboard::EMPTY, other: Bitboard::EMPTY };
    assert_eq!((solver.solve(empty).best, solver.solve(empty).score), (None, 0));
    assert_eq!(solver.score_of(Position::START, "a1".parse().unwrap()), None);
    let passing = ends("passing", 2000, 9).into_iter().find(|position| {
        let moves = |own, other| (0..64).any(|square| turned(own, other, square) != 0);
        !moves(position.own.0, position.other.0) && moves(position.other.0, position.own.0)
    });
    let passing = passing.unwrap();
    let solved = solver.solve(passing);
    assert_eq!((solved.best, solved.score), (None, -solver.solve(passing.passed()).score));
}
