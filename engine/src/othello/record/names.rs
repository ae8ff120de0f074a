//! Names of openings, up to the board's symmetry.
//!
//! The names are those in common use among players in English and Japanese clubs; where an opening has
//! two, both are given. Each stands for the moves that lead to it, written with c4 first.

use super::Record;
use super::start::Start;
use crate::othello::bitboard::Square;
use crate::othello::notation::Action;

/// The names of a game's opening, from the first moves to the longest line that is known; empty for
/// a game from a set-up board.
#[must_use]
pub fn opening_names(record: &Record) -> Vec<&'static str> {
    if record.start() != Start::STANDARD {
        return Vec::new();
    }
    let line = normalized(record.moves());
    let fits = |moves: &str| line.starts_with(moves);
    // Names of one line stand in the table from short to long, so what fits is in order.
    OPENINGS.iter().filter(|(moves, _)| fits(moves)).map(|&(_, name)| name).collect()
}

/// The moves, turned and mirrored so that the first is c4.
fn normalized(moves: &[Action]) -> String {
    let placed = moves.iter().map_while(|action| match action {
        Action::Place(square) => Some((square.index() % 8, square.index() / 8)),
        Action::Pass => None,
    });
    let image: fn((usize, usize)) -> (usize, usize) = match placed.clone().next() {
        Some((3, 2)) => |(column, row)| (row, column),
        Some((4, 5)) => |(column, row)| (7 - row, 7 - column),
        Some((5, 4)) => |(column, row)| (7 - column, 7 - row),
        _ => |place| place,
    };
    placed
        .map(image)
        .filter_map(|(column, row)| Square::new((row * 8 + column) as u8))
        .map(|square| square.to_string())
        .collect()
}

/// Sorted by moves, so that a line's beginning stands before the line.
const OPENINGS: [(&str, &str); 77] = [
    ("c4c3", "Diagonal"),
    ("c4c3d3c5b2", "X-square"),
    ("c4c3d3c5b3", "Snake / Peasant"),
    ("c4c3d3c5b3f3", "Lysons"),
    ("c4c3d3c5b3f4b5b4c6d6f5", "Pyramid / Checkerboarding Peasant"),
    ("c4c3d3c5b4", "Heath / Tobidashi"),
    ("c4c3d3c5b4d2c2f4d6c6f5e6f7", "Mimura variation II"),
    ("c4c3d3c5b4d2d6", "Heath-Bat"),
    ("c4c3d3c5b4d2e2", "Iwasaki variation"),
    ("c4c3d3c5b4e3", "Heath-Chimney"),
    ("c4c3d3c5b5", "Raccoon Dog"),
    ("c4c3d3c5b6", "Rocket"),
    ("c4c3d3c5b6c6b5", "Hamilton"),
    ("c4c3d3c5b6e3", "Lollipop"),
    ("c4c3d3c5d6", "Cow"),
    ("c4c3d3c5d6e3", "Chimney"),
    ("c4c3d3c5d6f4b4", "Bat / Cambridge"),
    ("c4c3d3c5d6f4b4b6b5c6b3", "Bat, Piau continuation 2"),
    ("c4c3d3c5d6f4b4b6b5c6f5", "Melnikov / Bat, Piau continuation 1"),
    ("c4c3d3c5d6f4b4c6b5b3b6e3c2a4a5a6d2", "Bat, Kling continuation"),
    ("c4c3d3c5d6f4b4e3b3", "Bat, Kling alternative"),
    ("c4c3d3c5d6f4f5", "Rose-v-Toth"),
    ("c4c3d3c5d6f4f5d2", "Tanida"),
    ("c4c3d3c5d6f4f5d2b5", "Aircraft / Feldborg"),
    ("c4c3d3c5d6f4f5d2g4d7", "Sailboat"),
    ("c4c3d3c5d6f4f5e6c6d7", "Maruoka"),
    ("c4c3d3c5d6f4f5e6f6", "Landau"),
    ("c4c3d3c5f6", "Buffalo / Kenichi variation"),
    ("c4c3d3c5f6e2c6", "Maruoka Buffalo"),
    ("c4c3d3c5f6e3c6f5f4g5", "Tanida Buffalo"),
    ("c4c3d3c5f6f5", "Hokuriku Buffalo"),
    ("c4c3e6c5", "Wing variation"),
    ("c4c3f5c5", "Semi-Wing variation"),
    ("c4c5", "Parallel"),
    ("c4e3", "Perpendicular"),
    ("c4e3f4c5d6e6", "Mimura"),
    ("c4e3f4c5d6f3c6", "Shaman / Danish"),
    ("c4e3f4c5d6f3d3", "Inoue"),
    ("c4e3f4c5d6f3d3c3", "Iago"),
    ("c4e3f4c5d6f3e2", "Bhagat"),
    ("c4e3f4c5d6f3e6c3d3e2", "Rose"),
    ("c4e3f4c5d6f3e6c3d3e2b5", "Flat"),
    ("c4e3f4c5d6f3e6c3d3e2b5f5", "Rotating Flat"),
    ("c4e3f4c5d6f3e6c3d3e2b5f5b3", "Murakami variation"),
    ("c4e3f4c5d6f3e6c3d3e2b5f5b4f6c2e7d2c7", "Rotating Flat, Kling continuation"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5", "Rose-Birth"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5b4f6g5d7", "Brightstein"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5g5", "Rose-Birdie / Rose-Tamenori"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5g5f6", "Rose-Tamenori-Kling"),
    ("c4e3f4c5d6f3e6c3d3e2d2", "Greenberg / Dawg"),
    ("c4e3f4c5d6f3e6c6", "Ralle"),
    ("c4e3f4c5e6", "Horse"),
    ("c4e3f5b4", "Ganglion / No-Cat"),
    ("c4e3f5b4f3", "Swallow"),
    ("c4e3f5b4f3f4e2e6g5f6d6c6", "No-Cat, continuation"),
    ("c4e3f5e6d3", "Italian"),
    ("c4e3f5e6f4", "Cat"),
    ("c4e3f5e6f4c5d6c6f7f3", "Sakaguchi"),
    ("c4e3f5e6f4c5d6c6f7g5g6", "Berner"),
    ("c4e3f6b4", "Bent Ganglion"),
    ("c4e3f6e6f5", "Tiger"),
    ("c4e3f6e6f5c5c3", "Stephenson"),
    ("c4e3f6e6f5c5c3b4", "No-Kung"),
    ("c4e3f6e6f5c5c3b4d6c6b5a6b6c7", "No-Kung, continuation"),
    ("c4e3f6e6f5c5c3c6", "Comp'Oth"),
    ("c4e3f6e6f5c5c3c6d3d2e2b3c1c2b4a3a5b5a6a4a2", "F.A.T. Draw"),
    ("c4e3f6e6f5c5c3c6d6", "Lightning Bolt"),
    ("c4e3f6e6f5c5c3g5", "Kung"),
    ("c4e3f6e6f5c5d3", "Leader's Tiger"),
    ("c4e3f6e6f5c5d6", "Brightwell"),
    ("c4e3f6e6f5c5f4g5g4f3c6d3d6", "Ishii"),
    ("c4e3f6e6f5c5f4g5g4f3c6d3d6b3c3b4e2b6", "Mainline Tiger"),
    ("c4e3f6e6f5c5f4g6f7", "Rose-Bill"),
    ("c4e3f6e6f5c5f4g6f7d3", "Tamenori"),
    ("c4e3f6e6f5c5f4g6f7g5", "Central Rose-Bill / Dead Draw"),
    ("c4e3f6e6f5g6", "Aubrey / Tanaka"),
    ("c4e3f6e6f5g6e7c5", "Aubrey, Feldborg continuation"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::notation::parse_line;

    fn names(moves: &str) -> Vec<&'static str> {
        opening_names(&Record::new(Start::STANDARD, parse_line(moves).unwrap()).unwrap())
    }

    #[test]
    fn every_line_of_the_table_can_be_played_and_finds_its_own_name_last() {
        assert!(OPENINGS.is_sorted_by(|one, other| one.0 < other.0));
        for (moves, name) in OPENINGS {
            assert_eq!(names(moves).last(), Some(&name), "{moves}");
        }
    }

    #[test]
    fn the_four_first_moves_are_one_opening() {
        for line in ["c4e3", "d3c5", "e6f4", "f5d6"] {
            assert_eq!(names(line), ["Perpendicular"], "{line}");
        }
        assert_eq!(names("f5f6e6f4"), ["Diagonal"]);
        assert_eq!(names("f5"), Vec::<&str>::new());
    }

    #[test]
    fn the_authors_game_opens_as_he_says() {
        assert_eq!(names("d3c3c4e3d2c2c1b4"), ["Diagonal", "Heath / Tobidashi"]);
    }
}
