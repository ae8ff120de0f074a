//! Games as people paste them: lists of moves, transcripts with numbers, boards of 64 marks.
//!
//! A game ends at an empty line, before a move numbered 1 and before a board. An unnumbered line is
//! a game of its own, except that a long line may be wrapped: a line goes on with the game above when
//! its first move cannot begin a game, or when the line above has at least 40 letters and all of it
//! can be played on. A board is one line of 64 marks or eight rows, with or without coordinates; who
//! moves stands behind it as `X` or `O`, and what follows a `;` there (scores of a problem) is
//! ignored. Lines that begin with `#`, and the names and the result that `kembara match` writes
//! around its games, are understood.

use super::damage::{Damage, Fault, Lines, Trouble, Unreadable};
use super::replay::{self, MAX_PLIES, Ply};
use super::result::Written;
use super::start::{self, Start};
use super::{MAX_GAMES, Record, cleaned};
use crate::othello::bitboard::Square;
use crate::othello::notation::Action;
use crate::player::shorten;

/// From this length on a line may have been wrapped.
const LONG: usize = 40;

/// Reads every game.
pub(super) fn read(text: &str) -> Result<Vec<Result<Record, Damage>>, Unreadable> {
    let odd = |&(_, byte): &(usize, u8)| byte < b' ' && !byte.is_ascii_whitespace() && byte != 0x1b;
    if let Some((place, _)) = text.bytes().take(4096).enumerate().find(odd) {
        return Err(Unreadable::Binary(place));
    }
    let mut reader = Reader { lines: Lines::new(text), games: Vec::new(), game: None, skipping: false };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line.trim_end(), at);
        if reader.games.len() > MAX_GAMES {
            return Ok(reader.games);
        }
        at += line.len();
    }
    reader.end_game();
    Ok(reader.games)
}

/// A game being read.
#[derive(Default)]
struct Game {
    players: [String; 2],
    event: String,
    result: Option<Written>,
    /// Marks of a board that is not complete yet, and where it began.
    marks: String,
    marks_at: usize,
    start: Option<Start>,
    plies: Vec<Ply>,
    /// Letters of the last line of moves.
    last_line: usize,
}

impl Game {
    fn start(&self) -> Start {
        self.start.unwrap_or(Start::STANDARD)
    }

    fn record(self) -> Result<Record, Trouble> {
        let played = replay::play(self.start(), &self.plies).map_err(|(entry, illegal)| Trouble {
            at: self.plies[entry].at,
            fault: Fault::Illegal(Box::new(illegal)),
        })?;
        let mut record = Record::played(self.start(), played);
        record.players = self.players;
        record.event = self.event;
        record.written = self.result;
        Ok(record)
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    games: Vec<Result<Record, Damage>>,
    game: Option<Game>,
    /// Whether the rest of a damaged game is passed over.
    skipping: bool,
}

impl Reader<'_> {
    fn line(&mut self, line: &str, at: usize) {
        let shown = line.trim_start();
        let at = at + line.len() - shown.len();
        if shown.is_empty() {
            self.end_game();
            self.skipping = false;
        } else if shown.starts_with('#') || is_files(shown) {
            // Nothing to read.
        } else if let Some(marks) = board_marks(shown) {
            self.skipping = false;
            self.board(marks, at);
        } else if self.is_board_open() {
            let have = self.game.as_ref().map_or(0, |game| game.marks.len());
            let begin = self.game.take().map_or(at, |game| game.marks_at);
            self.damaged(Trouble::new(begin, format!("a board has 64 squares, but here are {have}")));
        } else if !self.heading(shown) {
            self.moves(shown, at);
        }
    }

    fn is_board_open(&self) -> bool {
        self.game.as_ref().is_some_and(|game| !game.marks.is_empty())
    }

    fn damaged(&mut self, trouble: Trouble) {
        self.game = None;
        self.skipping = true;
        self.games.push(Err(self.lines.damage(self.games.len() + 1, trouble)));
    }

    fn end_game(&mut self) {
        let Some(game) = self.game.take() else { return };
        if !game.marks.is_empty() {
            let reason = format!("a board has 64 squares, but here are {}", game.marks.len());
            return self.damaged(Trouble::new(game.marks_at, reason));
        }
        // A heading alone is no game.
        if game.start.is_none() && game.plies.is_empty() {
            return;
        }
        let at = game.plies.first().map_or(game.marks_at, |ply| ply.at);
        let game = if self.games.len() == MAX_GAMES { Err(Trouble::too_many_games(at)) } else { game.record() };
        self.games.push(game.map_err(|trouble| self.lines.damage(self.games.len() + 1, trouble)));
    }

    /// Adds the marks of a line to the board.
    fn board(&mut self, marks: &str, at: usize) {
        let begun = self.game.as_ref().is_some_and(|game| game.start.is_some() || !game.plies.is_empty());
        let mark: String = marks.chars().filter(|&letter| start::owner(letter).is_some()).collect();
        if begun && mark.len() == 1 {
            // Below a board of eight rows: who moves.
            let mover = mark.chars().next().and_then(start::owner).flatten();
            if let (Some(game), Some(mover)) = (self.game.as_mut().filter(|game| game.plies.is_empty()), mover)
                && let Some(board) = game.start
            {
                game.start = Start::new(board.black(), board.white(), mover).ok();
                return;
            }
        }
        if begun {
            self.end_game();
        }
        let game = self.game.get_or_insert_default();
        if game.marks.is_empty() {
            game.marks_at = at;
        }
        game.marks.push_str(&mark);
        if game.marks.len() >= 64 {
            match game.marks.parse() {
                Ok(board) => {
                    game.start = Some(board);
                    game.marks.clear();
                }
                Err(error) => {
                    let trouble = Trouble::new(game.marks_at, error.to_string());
                    self.damaged(trouble);
                }
            }
        }
    }

    /// Takes a line that tells about the game beside its moves.
    fn heading(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let said = match word.trim_end_matches(':').to_ascii_lowercase().as_str() {
            "game" => {
                self.end_game();
                self.skipping = false;
                self.game.get_or_insert_default();
                return true;
            }
            "black" => |game: &mut Game, rest: &str| game.players[0] = cleaned(rest),
            "white" => |game: &mut Game, rest: &str| game.players[1] = cleaned(rest),
            "event" => |game: &mut Game, rest: &str| game.event = cleaned(rest),
            "result" => |game: &mut Game, rest: &str| game.result = score(rest).or_else(|| Written::parse(rest)),
            _ => match score(line) {
                Some(score) => {
                    if let Some(game) = &mut self.game {
                        game.result = Some(score);
                    }
                    return true;
                }
                None => return false,
            },
        };
        said(self.game.get_or_insert_default(), rest.trim());
        true
    }

    fn moves(&mut self, line: &str, at: usize) {
        let number = line.bytes().take_while(u8::is_ascii_digit).count();
        let is_first = line[..number].parse() == Ok(1_u32);
        if number > 0 && !is_first && self.skipping {
            return;
        }
        self.skipping = false;
        let plies = match plies(line, at) {
            Ok(plies) => plies,
            Err(trouble) => {
                if number == 0 || is_first {
                    self.end_game();
                }
                return self.damaged(trouble);
            }
        };
        let goes_on = match &self.game {
            None => true,
            Some(game) if game.plies.is_empty() => true,
            Some(_) if number > 0 => !is_first,
            Some(game) => goes_on(game, &plies),
        };
        if !goes_on {
            self.end_game();
        }
        let game = self.game.get_or_insert_default();
        game.plies.extend(plies);
        game.last_line = line.len();
        if game.plies.len() > MAX_PLIES {
            self.damaged(Trouble::new(at, format!("more than {MAX_PLIES} moves; no game has as many")));
        }
    }
}

/// Whether an unnumbered line goes on with the game above.
fn goes_on(game: &Game, line: &[Ply]) -> bool {
    let begins = match line.first().map(|ply| ply.action) {
        Some(Action::Place(square)) => Start::STANDARD.moves().contains(square),
        _ => false,
    };
    let all: Vec<_> = game.plies.iter().chain(line).copied().collect();
    !begins || game.last_line >= LONG && all.len() <= MAX_PLIES && replay::play(game.start(), &all).is_ok()
}

/// Whether a line is the head of a board: `a b c d e f g h`.
fn is_files(line: &str) -> bool {
    let letters = line.chars().filter(|letter| !letter.is_whitespace());
    letters.map(|letter| letter.to_ascii_lowercase()).eq('a'..='h')
}

/// The marks of a line that is (a part of) a board: at least eight, or the one that says who moves.
fn board_marks(line: &str) -> Option<&str> {
    let (line, _) = line.split_once(';').unwrap_or((line, ""));
    let is_row = |letter: char| ('1'..='8').contains(&letter);
    let inside = line.trim().trim_start_matches(is_row).trim_end_matches(is_row);
    let mut count = 0;
    for letter in inside.chars() {
        match letter {
            // Brackets stand around the last move of a diagram.
            '[' | ']' => {}
            _ if letter.is_whitespace() => {}
            _ if start::owner(letter).is_some() => count += 1,
            _ => return None,
        }
    }
    let is_mover = count == 1 && matches!(inside.trim(), "X" | "x" | "O" | "o" | "*");
    (count == 8 || (64..=65).contains(&count) || is_mover).then_some(inside)
}

/// A score that begins the text, `24-40, white wins`.
fn score(text: &str) -> Option<Written> {
    let score = text.split([',', ' ']).next()?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (black, white) = score.split_once('-')?;
    if digits(black) && digits(white) { Written::parse(score) } else { None }
}

/// Reads the moves of a line: numbers, dashes and commas between them are passed over.
fn plies(line: &str, at: usize) -> Result<Vec<Ply>, Trouble> {
    let mut plies = Vec::new();
    let mut place = 0;
    for word in line.split([' ', '\t', ',']) {
        let begin = at + place;
        place += word.len() + 1;
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let mut rest = if digits.len() < word.len() { digits.trim_start_matches(['.', ')', ':']) } else { word };
        if rest == "--" {
            plies.push(Ply { action: Action::Pass, colour: None, at: begin });
            continue;
        }
        loop {
            rest = rest.trim_start_matches('-');
            if rest.is_empty() {
                break;
            }
            let at = begin + word.len() - rest.len();
            let Some((action, length)) = action(rest) else {
                let reason = format!("`{}` is not a move; a move is a square as in f5, or pass", shorten(rest));
                return Err(Trouble::new(at, reason));
            };
            if plies.len() > MAX_PLIES {
                return Err(Trouble::new(at, format!("more than {MAX_PLIES} moves; no game has as many")));
            }
            plies.push(Ply { action, colour: None, at });
            rest = &rest[length..];
        }
    }
    Ok(plies)
}

/// The move a word begins with, and its length.
fn action(word: &str) -> Option<(Action, usize)> {
    for pass in ["pass", "pa", "ps"] {
        if word.get(..pass.len()).is_some_and(|front| front.eq_ignore_ascii_case(pass)) {
            return Some((Action::Pass, pass.len()));
        }
    }
    word.get(..2)?.parse().ok().map(|square: Square| (Action::Place(square), 2))
}
