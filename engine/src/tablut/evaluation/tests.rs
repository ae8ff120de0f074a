use super::*;
use crate::random::Key;
use crate::tablut::{Cell, Course};

/// The features of both sides counted on a plain grid, square by square.
fn on_a_grid(position: &Position) -> [[u32; 5]; 2] {
    let cells = position.to_cells();
    let squares: Vec<(i32, i32)> = (0..9).flat_map(|row| (0..9).map(move |column| (row, column))).collect();
    let at = |row: i32, column: i32| -> Option<Cell> {
        cells.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
    };
    let count = |wanted: Cell| squares.iter().filter(|(row, column)| at(*row, *column) == Some(wanted)).count() as u32;
    let (row, column) = squares.iter().copied().find(|(row, column)| at(*row, *column) == Some(Cell::King)).unwrap();
    let steps = [(-1, 0), (1, 0), (0, -1), (0, 1)];
    let is_black = |down: i32, right: i32| at(row + down, column + right) == Some(Cell::Black);
    let beside = steps.iter().filter(|(down, right)| is_black(*down, *right)).count() as u32;
    let mut around = 0;
    for down in -1..=1 {
        for right in -1..=1 {
            around += u32::from(is_black(down, right));
        }
    }
    let camps = "a4 a5 a6 b5 d1 e1 f1 e2 i4 i5 i6 h5 d9 e9 f9 e8";
    let name = |row: i32, column: i32| format!("{}{}", char::from(b'a' + column as u8), row + 1);
    let (mut paths, mut sighted) = (0, 0);
    for (down, right) in steps {
        let line: Vec<(i32, i32)> = (1..9)
            .map(|steps| (row + steps * down, column + steps * right))
            .take_while(|(row, column)| at(*row, *column).is_some())
            .collect();
        let blocked = |(row, column): &(i32, i32)| camps.contains(&name(*row, *column)) || (*row, *column) == (4, 4);
        paths += u32::from(!line.is_empty() && !line.iter().any(blocked));
        let first = line.iter().filter_map(|(row, column)| at(*row, *column)).find(|cell| *cell != Cell::Empty);
        sighted += u32::from(first == Some(Cell::Black));
    }
    let (blacks, whites) = (count(Cell::Black), count(Cell::White));
    let distance = (row - 4).unsigned_abs() + (column - 4).unsigned_abs();
    [[blacks, whites, distance, beside, paths], [blacks, whites, around, sighted, 0]]
}

#[test]
fn features_are_those_counted_square_by_square() {
    let key = Key::new(1, 0, "tablut feature tests");
    let mut seen = [[0; 5]; 2];
    for slot in 0..300 {
        let mut stream = key.stream(slot);
        let mut course = Course::new();
        while course.outcome().is_none() && course.plies() < 120 {
            let moves: Vec<_> = course.position().moves().collect();
            course.play(moves[stream.below(moves.len() as u64) as usize]);
            let position = course.position();
            let expected = on_a_grid(position);
            for side in [Side::First, Side::Second] {
                assert_eq!(features(position, side), expected[side.index()], "{side:?}\n{position:?}");
                for (most, value) in seen[side.index()].iter_mut().zip(expected[side.index()]) {
                    *most = value.max(*most);
                }
            }
        }
    }
    assert!(seen[0][2] >= 6 && seen[0][3] >= 2 && seen[0][4] == 4 && seen[1][2] >= 3 && seen[1][3] >= 3, "{seen:?}");
}

#[test]
fn the_formulas_of_both_sides_are_the_originals() {
    let evaluation = Evaluation::of([2.0, 3.0, 5.0, 7.0, 11.0]);
    let start = &Position::START;
    assert_eq!(evaluation.score(start, Side::First), -2.0 * 16.0 + 3.0 * 8.0);
    assert_eq!(evaluation.score(start, Side::Second), 2.0 * 16.0 - 3.0 * 8.0);
    let weights =
        |side| evaluation.explain(start, side).into_iter().map(|feature| (feature.0, feature.2)).collect::<Vec<_>>();
    assert_eq!(
        weights(Side::First),
        [("blacks", -2.0), ("whites", 3.0), ("distance", 5.0), ("beside", -7.0), ("paths", 11.0)]
    );
    assert_eq!(weights(Side::Second), [("blacks", 2.0), ("whites", -3.0), ("around", 5.0), ("sighted", 7.0)]);
}

#[test]
fn no_gene_however_large_reaches_a_won_game() {
    for genes in [[f64::MAX; 5], [f64::MIN; 5], [f64::MAX, f64::MIN, f64::MAX, f64::MIN, f64::MAX]] {
        let evaluation = Evaluation::of(genes);
        for side in [Side::First, Side::Second] {
            assert!(evaluation.score(&Position::START, side).abs() < BOUND);
        }
    }
}

#[test]
fn the_genes_have_the_originals_names_and_ranges_and_no_bounds() {
    let genome = genome("tablut").unwrap();
    let genes: Vec<_> = genome.parameters.iter().map(|parameter| (parameter.name.as_str(), parameter.domain)).collect();
    let free = |high| Domain::Real { initial: (0.0, high), bounds: None };
    let expected = [
        ("alpha", free(2.0)),
        ("beta", free(2.0)),
        ("gamma", free(10.0)),
        ("theta", free(2.0)),
        ("epsilon", free(3.0)),
    ];
    assert_eq!(genes, expected);
}
