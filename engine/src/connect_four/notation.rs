//! Moves and boards as text.
//!
//! A move is its column's number, 1 at the left to 7; the letters a to g, small or capital, are
//! read as well. A line of moves is written without blanks, `4453`, the way the public test sets
//! write it; blanks, commas and move numbers (`3.`) between moves are read over.

use super::position::{Column, Position};
use crate::Side;
use crate::player::shorten;
use std::fmt::Write as _;

/// Longest line that is looked at, in bytes: 42 moves with generous blanks.
const LONGEST_LINE: usize = 1024;

/// Reads one move.
pub(super) fn column(text: &str) -> Option<Column> {
    let [byte] = text.trim().as_bytes() else { return None };
    column_of_byte(*byte)
}

fn column_of_byte(byte: u8) -> Option<Column> {
    match byte {
        b'1'..=b'7' => Column::from_number(byte - b'0'),
        b'a'..=b'g' => Column::from_number(byte - b'a' + 1),
        b'A'..=b'G' => Column::from_number(byte - b'A' + 1),
        _ => None,
    }
}

/// A move as it is written.
pub(super) fn write(column: Column) -> String {
    column.number().to_string()
}

/// The moves there are, for error messages.
pub(super) fn legal(position: &Position) -> String {
    position.columns().map(write).collect::<Vec<_>>().join(" ")
}

/// Why a move cannot be played here, if it cannot.
pub(super) fn check(position: &Position, given: &str) -> Result<Column, String> {
    let Some(column) = column(given) else {
        return Err(format!("a move is a column, 1 to 7 or a to g; open columns: {}", legal(position)));
    };
    if position.result().is_some() {
        return Err("the game is over".to_owned());
    }
    if !position.has_room(column) {
        return Err(format!("column {} is full; open columns: {}", column.number(), legal(position)));
    }
    Ok(column)
}

/// Takes a line of moves apart, without looking at what they are. Move numbers, `12.`, are left out.
pub(super) fn words(line: &str) -> Result<Vec<String>, String> {
    if line.len() > LONGEST_LINE {
        return Err(format!("{} bytes long, but a line of moves has at most {LONGEST_LINE}", line.len()));
    }
    let is_digits = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = |word: &str| word.strip_suffix('.').is_some_and(is_digits);
    let words = line.split(|letter: char| letter.is_whitespace() || letter == ',');
    Ok(words.filter(|word| !is_number(word)).flat_map(str::chars).map(String::from).collect())
}

/// Reads a line of moves from the empty board, all of them legal.
pub(super) fn line(text: &str) -> Result<(Vec<Column>, Position), String> {
    let mut position = Position::START;
    let mut columns = Vec::new();
    for word in words(text)? {
        let column = check(&position, &word)
            .map_err(|reason| format!("move {} `{}`: {reason}", columns.len() + 1, shorten(&word)))?;
        position = position.after(column);
        columns.push(column);
    }
    Ok((columns, position))
}

/// The board, top row first: `Y` yellow, `R` red, `.` empty; rows numbered from the bottom.
pub(super) fn board(position: &Position) -> String {
    let mut text = String::new();
    let (yellow, red) = (position.stones_of(Side::First), position.stones_of(Side::Second));
    for row in (0..6).rev() {
        let _ = write!(text, "{}", row + 1);
        for column in Column::ALL {
            // The square of a column at a height: the column's squares lie one bit above another.
            let lowest = column.squares() & column.squares().wrapping_neg();
            let square = lowest << row;
            text.push_str(if yellow & square != 0 {
                " Y"
            } else if red & square != 0 {
                " R"
            } else {
                " ."
            });
        }
        text.push('\n');
    }
    text.push_str("  1 2 3 4 5 6 7\n");
    text
}
