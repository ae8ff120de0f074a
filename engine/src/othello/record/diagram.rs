//! A board as people look at it.

use super::start::Start;
use crate::othello::bitboard::Square;
use std::fmt::Write;

/// Eight rows with coordinates; the last move stands in brackets.
#[must_use]
pub fn diagram(board: Start, last: Option<Square>) -> String {
    const FILES: &str = "  a b c d e f g h\n";
    let mut text = String::from(FILES);
    for row in 0..8 {
        let _ = write!(text, "{}", row + 1);
        let mut before = ' ';
        for square in (row * 8..row * 8 + 8).filter_map(Square::new) {
            let marked = last == Some(square);
            let _ = write!(text, "{}{}", if marked { '[' } else { before }, board.mark(square));
            before = if marked { ']' } else { ' ' };
        }
        let _ = writeln!(text, "{before}{}", row + 1);
    }
    text + FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_stands_in_brackets_without_moving_the_rest() {
        let plain = diagram(Start::STANDARD, None);
        assert!(plain.contains("\n4 . . . O X . . . 4\n"), "{plain}");
        assert!(diagram(Start::STANDARD, "e4".parse().ok()).contains("\n4 . . . O[X]. . . 4\n"));
        assert!(diagram(Start::STANDARD, "h1".parse().ok()).contains("\n1 . . . . . . .[.]1\n"));
    }
}
