//! WTHOR, the French federation's collections: games of 68 bytes, and the files of names beside them.
//!
//! A record stores no passes, and a score for black that gives the empties to the winner.

use super::damage::{Damage, Fault, Place, Unreadable};
use super::replay::{self, Ply};
use super::result::Written;
use super::start::Start;
use super::{MAX_GAMES, Record};
use crate::othello::bitboard::Square;
use crate::othello::notation::Action;

const HEADER: usize = 16;
const GAME: usize = 68;
/// Where the moves of a game begin.
const MOVES: usize = 8;
const PLAYER: usize = 20;
const TOURNAMENT: usize = 26;

/// Who the numbers of a WTHOR file are. Without names, numbers are written as such.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    players: Vec<String>,
    tournaments: Vec<String>,
}

impl Names {
    /// Reads the bytes of a `.JOU` (players) and a `.TRN` (tournaments) file; either may be empty.
    ///
    /// # Errors
    /// Says which file is not what it should be.
    pub fn read(players: &[u8], tournaments: &[u8]) -> Result<Self, String> {
        Ok(Self { players: names(players, PLAYER, "JOU")?, tournaments: names(tournaments, TOURNAMENT, "TRN")? })
    }

    fn player(&self, number: u16) -> String {
        name(&self.players, number, "player")
    }

    fn tournament(&self, number: u16) -> String {
        name(&self.tournaments, number, "tournament")
    }
}

fn name(names: &[String], number: u16, what: &str) -> String {
    names.get(usize::from(number)).cloned().unwrap_or_else(|| format!("{what} {number}"))
}

fn names(bytes: &[u8], length: usize, kind: &str) -> Result<Vec<String>, String> {
    let Some(entries) = bytes.get(HEADER..) else {
        return if bytes.is_empty() { Ok(Vec::new()) } else { Err(format!("a {kind} file has a head of 16 bytes")) };
    };
    if entries.len() % length != 0 {
        return Err(format!("a {kind} file has {length} bytes a name; the last name is cut off"));
    }
    let latin1 = |entry: &[u8]| entry.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect();
    Ok(entries.chunks_exact(length).map(|entry| super::cleaned(&latin1(entry) as &String)).collect())
}

/// Whether a file begins as WTHOR does: with a century, which no text begins with.
pub(super) fn is_wthor(bytes: &[u8]) -> bool {
    matches!(bytes, [19..=21, ..])
}

/// Reads every game. A file that is cut off gives the games before the cut.
pub(super) fn read(bytes: &[u8], names: &Names) -> Result<Vec<Result<Record, Damage>>, Unreadable> {
    let Some((header, games)) = bytes.split_at_checked(HEADER) else {
        return Err(Unreadable::Wthor(format!("its head is cut off after {} of {HEADER} bytes", bytes.len())));
    };
    let promised = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    let year = u16::from_le_bytes([header[10], header[11]]);
    if !matches!(header[12], 0 | 8) {
        return Err(Unreadable::Wthor(format!("its board is of size {}; only 8x8 can be played", header[12])));
    }
    let date = if year == 0 { String::new() } else { year.to_string() };
    let stored = games.len() / GAME;
    let mut read: Vec<_> = games
        .chunks_exact(GAME)
        .take(promised.min(MAX_GAMES))
        .enumerate()
        .map(|(place, game)| {
            record(game, names, &date).map_err(|(byte, fault)| Damage {
                game: place + 1,
                place: Place::Byte(HEADER + place * GAME + byte),
                fault,
            })
        })
        .collect();
    let complaint = if stored < promised {
        Some(format!("the file is cut off: it should have {promised} games and has {stored}"))
    } else if games.len() > promised * GAME {
        Some(format!("{} bytes more than the {promised} games that the head promises", games.len() - promised * GAME))
    } else {
        None
    };
    if let Some(complaint) = complaint {
        let byte = HEADER + read.len() * GAME;
        read.push(Err(Damage { game: read.len() + 1, place: Place::Byte(byte), fault: Fault::Unreadable(complaint) }));
    }
    Ok(read)
}

fn record(game: &[u8], names: &Names, date: &str) -> Result<Record, (usize, Fault)> {
    let number = |at: usize| u16::from_le_bytes([game[at], game[at + 1]]);
    let score = game[6];
    if score > 64 {
        return Err((6, Fault::Unreadable(format!("a score of {score}; the board has 64 squares"))));
    }
    let moves = &game[MOVES..];
    let count = moves.iter().position(|&byte| byte == 0).unwrap_or(moves.len());
    if let Some(behind) = moves[count..].iter().position(|&byte| byte != 0) {
        return Err((MOVES + count + behind, Fault::Unreadable("a move behind the end of the game".to_owned())));
    }
    let plies: Vec<_> = moves[..count]
        .iter()
        .enumerate()
        .map(|(place, &byte)| match square(byte) {
            Some(square) => Ok(Ply { action: Action::Place(square), colour: None, at: MOVES + place }),
            None => Err((
                MOVES + place,
                Fault::Unreadable(format!("{byte} is not a square; they are 10 × row + column, 11 to 88")),
            )),
        })
        .collect::<Result<_, _>>()?;
    let played = replay::play(Start::STANDARD, &plies)
        .map_err(|(entry, illegal)| (plies[entry].at, Fault::Illegal(Box::new(illegal))))?;
    let mut record = Record::played(Start::STANDARD, played);
    record.players = [names.player(number(2)), names.player(number(4))];
    record.event = names.tournament(number(0));
    date.clone_into(&mut record.date);
    record.written = Some(Written::score(score, 64 - score));
    Ok(record)
}

fn square(byte: u8) -> Option<Square> {
    let (row, column) = (byte / 10, byte % 10);
    let inside = (1..=8).contains(&row) && (1..=8).contains(&column);
    if inside { Square::new((row - 1) * 8 + column - 1) } else { None }
}
