//! Moves and boards as text.
//!
//! A move is written `e4-f4`. Read are also `e4f4`, `from e4 to f4` and capital letters. A line of
//! moves may be a list or run together, with commas, hyphens and move numbers such as `12.`.

use super::board::Square;
use super::position::{Move, Position};
use crate::player::shorten;
use std::fmt::Write as _;

/// Longest line that is looked at, in bytes: the longest game with generous blanks.
const LONGEST_LINE: usize = 1 << 15;

/// Reads one move, legal or not.
pub(super) fn action(text: &str) -> Result<Move, String> {
    let [action] = line(text)?[..] else {
        return Err("a move is two squares, as in e4-f4".to_owned());
    };
    Ok(action)
}

/// Reads a line of moves, without looking at what they are.
pub(super) fn line(text: &str) -> Result<Vec<Move>, String> {
    if text.len() > LONGEST_LINE {
        return Err(format!("{} bytes long, but a line of moves has at most {LONGEST_LINE}", text.len()));
    }
    let text = text.to_ascii_lowercase();
    let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '-');
    let mut squares = Vec::new();
    for word in text.split(is_gap).filter(|word| !word.is_empty()) {
        if matches!(word, "from" | "to") {
            continue;
        }
        squares_of(without_number(word), &mut squares)
            .map_err(|()| format!("`{}` is not a move: write two squares, as in e4-f4", shorten(word)))?;
    }
    let (pairs, rest) = squares.as_chunks::<2>();
    match rest.first() {
        Some(square) => Err(format!("a move is two squares, as in e4-f4, but {square} stands alone")),
        None => Ok(pairs.iter().map(|[from, to]| Move { from: *from, to: *to }).collect()),
    }
}

/// A word without the move number before it, as in `12.e4f4`.
fn without_number(word: &str) -> &str {
    match word.split_once('.') {
        Some((number, rest)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => word,
    }
}

fn squares_of(word: &str, squares: &mut Vec<Square>) -> Result<(), ()> {
    let (names, rest) = word.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(());
    }
    for [column, row] in names {
        squares.push(Square::at(column.wrapping_sub(b'a'), row.wrapping_sub(b'1')).ok_or(())?);
    }
    Ok(())
}

/// Why a move cannot be played in a position whose game goes on, with the moves that can.
pub(super) fn why_illegal(position: &Position, action: Move) -> String {
    let of_piece: Vec<_> = position.moves().filter(|legal| legal.from == action.from).collect();
    let (whose, moves) = if of_piece.is_empty() {
        (format!("no piece of the side to move can leave {}", action.from), position.moves().collect())
    } else {
        (format!("the piece on {} cannot go to {}", action.from, action.to), of_piece)
    };
    format!("{whose}; legal moves: {}", list(&moves))
}

/// Moves with blanks between.
pub(super) fn list(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The board, row 1 first as the referee writes it: `W` white, `K` the king, `B` black, `T` the
/// empty throne, `.` empty.
pub(super) fn board(position: &Position) -> String {
    let mut text = "  a b c d e f g h i\n".to_owned();
    for (row, cells) in position.to_cells().iter().enumerate() {
        let _ = write!(text, "{}", row + 1);
        for cell in cells {
            let letter = if *cell == super::Cell::Empty { '.' } else { cell.letter() };
            let _ = write!(text, " {letter}");
        }
        text.push('\n');
    }
    text
}
