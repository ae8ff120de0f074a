//! SGF and GGF: the same trees of properties, read by the same code.
//!
//! Only the main line of a tree is kept. Both formats are read as they occur rather than as they are
//! specified: names of properties in either case, moves as `f5`, `F5/eval/time` or Go-style `ff`,
//! passes as nothing, `PA`, `pass`, `tt` or `--`, or left out.

use super::damage::{Lines, Trouble};
use super::replay::{self, MAX_PLIES, Ply};
use super::result::Written;
use super::start::Start;
use super::{Damage, Fault, Format, MAX_GAMES, Record, add_comment, cleaned};
use crate::othello::bitboard::{Bitboard, Square};
use crate::othello::notation::Action;
use crate::player::shorten;
use crate::result::Side;

mod scan;

use scan::{Property, Tree};

/// Whether the text holds trees, and which.
pub(super) fn format_of(text: &str) -> Option<Format> {
    let begin = scan::next_tree(text, 0)?;
    let first = scan::read_tree(text, begin).unwrap_or_else(|broken| broken.so_far);
    let ggf = first.properties.iter().any(|property| property.is("BO") || property.is("GM") && is_othello(property));
    Some(if ggf { Format::Ggf } else { Format::Sgf })
}

fn is_othello(property: &Property<'_>) -> bool {
    ["othello", "reversi"].iter().any(|name| property.value.trim().eq_ignore_ascii_case(name))
}

/// Reads every tree of the text; whatever stands between them is ignored.
pub(super) fn read(text: &str) -> Vec<Result<Record, Damage>> {
    let mut lines = Lines::new(text);
    let mut games = Vec::new();
    let mut at = 0;
    while let Some(begin) = scan::next_tree(text, at) {
        if games.len() == MAX_GAMES {
            games.push(Err(lines.damage(games.len() + 1, Trouble::too_many_games(begin))));
            break;
        }
        let game = match scan::read_tree(text, begin) {
            Ok(tree) => {
                at = tree.end;
                record(&tree)
            }
            Err(broken) => {
                // What follows a broken game is only trusted again where a game clearly begins.
                at = scan::next_root(text, broken.resume).unwrap_or(text.len());
                Err(broken.trouble)
            }
        };
        games.push(game.map_err(|trouble| lines.damage(games.len() + 1, trouble)));
    }
    games
}

/// What the properties have told so far.
#[derive(Default)]
struct Reading {
    plies: Vec<Ply>,
    /// Discs of AB and AW, when there are any.
    discs: Option<[Bitboard; 2]>,
    to_move: Option<Side>,
    board: Option<Start>,
}

fn record(tree: &Tree<'_>) -> Result<Record, Trouble> {
    let mut reading = Reading::default();
    for property in &tree.properties {
        reading.take(property)?;
    }
    let start = reading.start(tree.begin)?;
    let played = replay::play(start, &reading.plies).map_err(|(entry, illegal)| Trouble {
        at: reading.plies[entry].at,
        fault: Fault::Illegal(Box::new(illegal)),
    })?;
    let mut record = Record::played(start, played);
    record.variations = tree.variations;
    for property in &tree.properties {
        describe(&mut record, property);
    }
    Ok(record)
}

/// Takes what a property tells about the game beside its moves.
fn describe(record: &mut Record, property: &Property<'_>) {
    let value = &property.value;
    match &*property.name {
        "PB" => record.players[0] = cleaned(value),
        "PW" => record.players[1] = cleaned(value),
        "DT" => record.date = cleaned(value),
        "EV" => record.event = cleaned(value),
        "PC" => record.place = cleaned(value),
        "C" | "GC" => add_comment(&mut record.comment, value),
        "RE" if record.written.is_none() => record.written = Written::parse(value),
        "SC" => record.written = Written::parse_score(value).or_else(|| record.written.take()),
        _ => {}
    }
}

impl Reading {
    fn take(&mut self, property: &Property<'_>) -> Result<(), Trouble> {
        let trouble = |reason: String| Err(Trouble::new(property.at, reason));
        let value = property.value.trim();
        match &*property.name {
            "B" => self.play(Side::First, property),
            "W" => self.play(Side::Second, property),
            "GM" if value != "2" && !is_othello(property) => {
                trouble(format!("GM[{}] is another game; Othello is GM[2] or GM[Othello]", shorten(value)))
            }
            "SZ" if !matches!(value, "8" | "8:8") => {
                trouble(format!("a board of size {}; only 8x8 can be played", shorten(value)))
            }
            "AB" => self.put(Some(Side::First), property),
            "AW" => self.put(Some(Side::Second), property),
            "AE" => self.put(None, property),
            "PL" => {
                self.to_move = match value.as_bytes() {
                    [b'B' | b'b' | b'1', ..] => Some(Side::First),
                    [b'W' | b'w' | b'2', ..] => Some(Side::Second),
                    _ => return trouble(format!("PL[{}] names nobody; it is B or W", shorten(value))),
                };
                Ok(())
            }
            "BO" => {
                let digits = value.bytes().take_while(u8::is_ascii_digit).count();
                let (size, board) = value.split_at(digits);
                if size != "8" {
                    return trouble(format!("a board of size {}; only 8x8 can be played", shorten(size)));
                }
                match board.parse() {
                    Ok(board) => self.board = Some(board),
                    Err(error) => return trouble(format!("BO: {error}")),
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn play(&mut self, side: Side, property: &Property<'_>) -> Result<(), Trouble> {
        let value = property.value.split('/').next().unwrap_or_default().trim();
        let Some(action) = action(value) else {
            let reason = format!("`{}` is not a move; a move is a square as in f5, or PA", shorten(value));
            return Err(Trouble::new(property.at, reason));
        };
        if self.plies.len() == MAX_PLIES {
            return Err(Trouble::new(property.at, format!("more than {MAX_PLIES} moves; no game has as many")));
        }
        self.plies.push(Ply { action, colour: Some(side), at: property.at });
        Ok(())
    }

    /// Sets up discs of a side, or takes discs away.
    fn put(&mut self, side: Option<Side>, property: &Property<'_>) -> Result<(), Trouble> {
        if !self.plies.is_empty() {
            return Err(Trouble::new(property.at, "discs are set up after the first move; only before it can they be"));
        }
        let set = squares(property.value.trim()).ok_or_else(|| {
            let reason = format!("{}[{}]: a square is written as in d4", property.name, shorten(&property.value));
            Trouble::new(property.at, reason)
        })?;
        let discs = self.discs.get_or_insert_default();
        for (place, own) in discs.iter_mut().enumerate() {
            if side.is_none() {
                *own &= !set;
            } else if side.is_some_and(|side| side.index() == place) {
                *own |= set;
            }
        }
        Ok(())
    }

    fn start(&self, begin: usize) -> Result<Start, Trouble> {
        let Some([black, white]) = self.discs else {
            let board = self.board.unwrap_or(Start::STANDARD);
            return Ok(self
                .to_move
                .filter(|&side| side != board.to_move())
                .map_or(board, |side| Start::seen_by(side, board.position().passed())));
        };
        // Where nobody says who moves, whoever is written first does.
        let first = self.plies.first().and_then(|ply| ply.colour);
        let to_move = self.to_move.or(first).unwrap_or(Side::First);
        Start::new(black, white, to_move).map_err(|error| Trouble::new(begin, format!("the set-up: {error}")))
    }
}

/// Reads a move of either format.
fn action(text: &str) -> Option<Action> {
    let is_pass = ["", "pa", "pass", "tt", "--"].iter().any(|pass| text.eq_ignore_ascii_case(pass));
    if is_pass { Some(Action::Pass) } else { square(text).map(Action::Place) }
}

/// A square as in f5, or as Go programs write it: `ff` is column f, row f.
fn square(text: &str) -> Option<Square> {
    if let [column @ b'a'..=b'h', row @ b'a'..=b'h'] = text.as_bytes() {
        return Square::new((row - b'a') * 8 + (column - b'a'));
    }
    text.parse().ok()
}

/// A square, or a rectangle of them as in `a1:c2`.
fn squares(text: &str) -> Option<Bitboard> {
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let [from, to] = [square(from.trim())?.index(), square(to.trim())?.index()];
    let [columns, rows] = [from % 8..=to % 8, from / 8..=to / 8];
    let inside = |square: &Square| columns.contains(&(square.index() % 8)) && rows.contains(&(square.index() / 8));
    Some((!Bitboard::EMPTY).into_iter().filter(inside).fold(Bitboard::EMPTY, |set, square| set | square.bit()))
}
