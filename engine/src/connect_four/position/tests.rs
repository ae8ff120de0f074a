use super::*;
use crate::connect_four::naive::{Grid, random_column, random_lines};
use crate::random::Key;
use std::collections::HashMap;

fn position(moves: &[Column]) -> Position {
    moves.iter().fold(Position::START, |position, column| position.after(*column))
}

/// The winner, if the last move made one.
fn winner(position: &Position) -> Option<Side> {
    position.result().and_then(|result| result.outcome.winner())
}

#[test]
fn whole_random_games_are_the_same_on_bits_and_on_a_grid() {
    let key = Key::new(1, 0, "position tests");
    let (mut wins, mut draws) = ([0; 2], 0);
    for slot in 0..3000 {
        let mut stream = key.stream(slot);
        let (mut position, mut grid) = (Position::START, Grid::EMPTY);
        while position.result().is_none() {
            assert_eq!(position.to_move(), grid.to_move());
            let open: Vec<_> = Column::ALL.into_iter().filter(|column| grid.has_room(*column)).collect();
            assert_eq!(position.columns().collect::<Vec<_>>(), open);
            for column in open {
                let wins = position.wins() & column.squares() != 0;
                assert_eq!(wins, grid.after(column).winner().is_some(), "{column:?} in {grid:?}");
            }
            let column = random_column(&position, &mut stream);
            (position, grid) = (position.after(column), grid.after(column));
            assert_eq!(winner(&position), grid.winner(), "{grid:?}");
        }
        assert_eq!(position.plies(), grid.plies());
        match winner(&position) {
            Some(side) => wins[side.index()] += 1,
            None => draws += 1,
        }
    }
    assert!(wins[0] > 100 && wins[1] > 100 && draws > 3, "{wins:?} {draws}");
}

#[test]
fn every_line_of_four_wins_and_no_line_wraps_around() {
    // A lone four on each of the 69 lines, and every other set of four squares at equal steps.
    let square = |column: i32, row: i32| 1_u64 << (column * 7 + row);
    let mut lines = 0;
    for column in 0..7 {
        for row in 0..6 {
            for (right, up) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                if column + 3 * right < 7 && (0..6).contains(&(row + 3 * up)) {
                    let stones = (0..4).map(|k| square(column + k * right, row + k * up)).sum();
                    assert!(has_four(stones));
                    lines += 1;
                }
            }
        }
    }
    assert_eq!(lines, 69);
    // From the top of one column over the gap to the bottom of the next.
    for step in [1, 6, 7, 8] {
        for lowest in 0..49 {
            let places: Vec<u32> = (0..4).map(|k| lowest + k * step).collect();
            let on_board = places.iter().all(|place| *place < 49 && place % 7 != 6);
            let straight = places.windows(2).all(|pair| {
                let (columns, rows) = ((pair[1] / 7).abs_diff(pair[0] / 7), (pair[1] % 7).abs_diff(pair[0] % 7));
                columns <= 1 && rows <= 1
            });
            if on_board {
                assert_eq!(has_four(places.iter().map(|place| 1 << place).sum()), straight, "{places:?}");
            }
        }
    }
}

#[test]
fn keys_tell_positions_apart_and_mirror_images_share_the_symmetric_one() {
    let mut seen: HashMap<u64, Position> = HashMap::new();
    for moves in random_lines(2, 20_000) {
        let position = position(&moves);
        let mirrored_moves: Vec<_> = moves.iter().map(|column| column.mirrored()).collect();
        let image = self::position(&mirrored_moves);
        assert_eq!(image, position.mirrored());
        assert_eq!(image.symmetric_key(), position.symmetric_key());
        assert!(position.key() != 0 && position.key() < 1 << 49);
        assert_eq!(*seen.entry(position.key()).or_insert(position), position);
    }
}

#[test]
fn a_full_board_without_four_is_a_draw() {
    let (_, position) = crate::connect_four::notation::line("121212212121343434434343565656656565777777").unwrap();
    let result = position.result().unwrap();
    assert_eq!((result.outcome, result.margin, result.plies), (Outcome::Draw, 0, 42));
    assert_eq!(position.columns().count(), 0);
}
