//! Writing records: SGF, GGF, and transcripts as GeneThello's author wrote them.
//!
//! The result of a game that is over is written from the board, in raw discs. Where the record was
//! read with a score that gives the empties to the winner, that score stands beside it in a property
//! of its own, SC; a game that stops early keeps the result it was recorded with.

use super::result::{Counting, Written};
use super::start::Start;
use super::{Discs, Record};
use crate::othello::bitboard::Bitboard;
use crate::othello::notation::{self, Action};
use crate::result::Side;
use std::fmt::Write;

/// Writes a record as SGF, `FF[4]` `GM[2]`: a tree of one line, moves as `B[f5]`, passes as `W[PA]`.
#[must_use]
pub fn sgf(record: &Record) -> String {
    let mut text = String::from("(;FF[4]GM[2]SZ[8]CA[UTF-8]AP[Kembara]\n");
    property(&mut text, "PB", &record.players[0]);
    property(&mut text, "PW", &record.players[1]);
    property(&mut text, "DT", &record.date);
    property(&mut text, "EV", &record.event);
    property(&mut text, "PC", &record.place);
    property(&mut text, "RE", &sgf_result(record));
    recorded_score(&mut text, record);
    property(&mut text, "GC", &record.comment);
    text.push('\n');
    let start = record.start();
    stones(&mut text, "AB", start.black());
    stones(&mut text, "AW", start.white());
    if start.black().is_empty() && start.white().is_empty() {
        // Without any set-up a reader would take the usual start.
        text.push_str("AE[a1]");
    }
    property(&mut text, "PL", letter(start.to_move()));
    for (place, (side, action)) in played(record).enumerate() {
        text.push_str(if place % 10 == 0 { "\n" } else { "" });
        let _ = match action {
            Action::Place(square) => write!(text, ";{}[{square}]", letter(side)),
            Action::Pass => write!(text, ";{}[PA]", letter(side)),
        };
    }
    text.push_str(")\n");
    text
}

/// Writes a record as GGF, in one line.
#[must_use]
pub fn ggf(record: &Record) -> String {
    let mut text = String::from("(;GM[Othello]");
    // Readers expect these even when nothing is known.
    let _ = write!(text, "PC[{}]", escaped(&record.place));
    property(&mut text, "DT", &record.date);
    let _ = write!(text, "PB[{}]PW[{}]", escaped(&record.players[0]), escaped(&record.players[1]));
    let _ = write!(text, "RE[{}]", ggf_result(record));
    recorded_score(&mut text, record);
    property(&mut text, "EV", &record.event);
    property(&mut text, "C", &record.comment);
    let start = record.start();
    let board = start.to_string().replace('.', "-").replace('X', "*");
    let _ = write!(text, "TY[8]BO[8 {board}]");
    for (side, action) in played(record) {
        let _ = match action {
            Action::Place(square) => write!(text, "{}[{}]", letter(side), square.to_string().to_uppercase()),
            Action::Pass => write!(text, "{}[PA]", letter(side)),
        };
    }
    text.push_str(";)\n");
    text
}

/// Writes the moves the author's way, `1. d3 - c3`; a game from another start has its board above.
#[must_use]
pub fn text(record: &Record) -> String {
    let moves: Vec<_> = record.moves().iter().map(Action::to_string).collect();
    let transcript = notation::transcript(&moves);
    if record.start() == Start::STANDARD { transcript } else { format!("{}\n{transcript}", record.start()) }
}

/// The moves, each with who made it.
fn played(record: &Record) -> impl Iterator<Item = (Side, Action)> {
    let first = record.start().to_move();
    record
        .moves()
        .iter()
        .enumerate()
        .map(move |(ply, &action)| (if ply % 2 == 0 { first } else { first.other() }, action))
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::First => "B",
        Side::Second => "W",
    }
}

/// Writes a property that has something to tell.
fn property(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = write!(text, "{name}[{}]", escaped(value));
    }
}

fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace(']', "\\]")
}

fn stones(text: &mut String, name: &str, set: Bitboard) {
    if set.is_empty() {
        return;
    }
    text.push_str(name);
    for square in set {
        let _ = write!(text, "[{square}]");
    }
}

fn recorded_score(text: &mut String, record: &Record) {
    if let Some(Written { text: score, counting: Some(Counting::EmptiesToWinner), .. }) = &record.written {
        property(text, "SC", score);
    }
}

/// The margin to write, in raw discs when the game is over, else as it was recorded.
fn margin(record: &Record) -> Option<i16> {
    if record.is_over() {
        return Some(Discs::margin(record.counted(), Counting::Discs));
    }
    record.written.as_ref().and_then(|written| written.margin)
}

fn sgf_result(record: &Record) -> String {
    match (margin(record), &record.written) {
        (Some(0), _) => "0".to_owned(),
        (Some(margin), _) => format!("{}+{}", if margin > 0 { "B" } else { "W" }, margin.abs()),
        (None, Some(written)) => written.text.clone(),
        (None, None) => "?".to_owned(),
    }
}

fn ggf_result(record: &Record) -> String {
    match (margin(record), &record.written) {
        (Some(margin), _) => format!("{margin:+}.000"),
        (None, Some(written)) => escaped(&written.text),
        (None, None) => "?".to_owned(),
    }
}
