use super::*;
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
    let begin = std::time::Instant::now();
    for (position, score) in positions {
        assert_eq!(solver.score(&position), score, "{}", notation::board(&position));
    }
    println!("{name}: {} nodes {:?}", solver.nodes(), begin.elapsed());
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
