use super::*;
use crate::tablut::Cell;
use std::collections::BTreeSet;

/// The least of the eight images of a board, turned and mirrored as a grid of letters.
fn least_image(position: &Position) -> Vec<char> {
    let mut grid: Vec<Vec<char>> =
        position.to_cells().iter().map(|row| row.iter().copied().map(Cell::letter).collect()).collect();
    let mut images = Vec::new();
    for step in 0..8 {
        if step % 2 == 0 {
            grid = (0..9).map(|row| (0..9).map(|column| grid[column][row]).collect()).collect();
        } else {
            grid.reverse();
        }
        images.push(grid.concat());
    }
    images.into_iter().min().unwrap()
}

#[test]
fn there_is_one_opening_for_every_class_of_positions() {
    for (plies, count) in [(0, 1), (1, 7), (2, 551), (3, 16_002)] {
        let openings = of_plies(plies);
        assert_eq!(openings.len(), count, "{plies} plies");
        let classes: BTreeSet<_> = openings.iter().map(|opening| least_image(opening.course.position())).collect();
        assert_eq!(classes.len(), count, "no two of {plies} plies are images of each other");
        assert!(openings.is_sorted_by(|one, other| one.moves < other.moves));
        assert!(openings.iter().all(|opening| opening.moves.len() == usize::from(plies)));
    }
    let mut classes = BTreeSet::new();
    for first in Position::START.moves() {
        let after = Position::START.after(first);
        classes.extend(after.moves().map(|second| least_image(&after.after(second))));
    }
    assert_eq!(classes.len(), 551, "no class is missing");
}

#[test]
fn lines_are_read_and_bad_ones_refused_with_the_place() {
    let book = |lines: &[&str]| Book::new(&Openings::Lines(lines.iter().map(|line| (*line).to_owned()).collect()));
    let read = book(&["e3-b3 a4-a2", "1. E3B3 a4a2", "from e3 to b3, from a4 to a2", "e3b3a4a2"]).unwrap();
    assert!(read.openings().iter().all(|opening| *opening == read.openings()[0]));
    for (line, reason) in [
        ("", "no moves"),
        ("e3", "stands alone"),
        ("e3-a4", "the piece on e3 cannot go to a4; legal moves: e3-a3 e3-b3"),
        ("a4-a3", "no piece of the side to move can leave a4"),
        ("e3-a3 e4-f4", "move 2 `e4-f4`"),
        ("e3-d3 e2-d2 d3-c3 d2-c2 c3-d3 c2-d2", "the game is over at the end"),
        ("e3-d3 e2-d2 d3-c3 d2-c2 c3-d3 c2-d2 d3-c3", "over before it"),
        ("j1-a3", "`j1` is not a move"),
        ("e3-e0", "`e0` is not a move"),
        ("pass", "not a move"),
    ] {
        let Err(ArenaError::Opening { place: 1, reason: given }) = book(&["e3-a3", line]) else { panic!("{line}") };
        assert!(given.contains(reason), "{line}: {given}");
    }
    assert!(matches!(book(&[]), Err(ArenaError::Limit(_))));
    for plies in [0, 4, 255] {
        assert!(matches!(Book::new(&Openings::Plies(plies)), Err(ArenaError::Limit(_))), "{plies}");
    }
}
