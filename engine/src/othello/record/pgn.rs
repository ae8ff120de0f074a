//! PGN as Othello programs write it: chess's tags, squares as moves, `--` or `pass` for a pass.

use super::damage::{Damage, Fault, Lines, Trouble};
use super::replay::{self, MAX_PLIES, Ply};
use super::result::Written;
use super::start::Start;
use super::{MAX_GAMES, Record, add_comment, cleaned};
use crate::othello::notation::Action;
use crate::player::shorten;

/// Reads every game. A game begins where tags follow something else than tags.
pub(super) fn read(text: &str) -> Vec<Result<Record, Damage>> {
    let mut lines = Lines::new(text);
    let mut games = Vec::new();
    let mut begins: Vec<usize> = Vec::new();
    let mut among_tags = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let shown = line.trim();
        if shown.starts_with('[') && !among_tags {
            begins.push(at);
        }
        if !shown.is_empty() {
            among_tags = shown.starts_with('[');
        }
        if begins.len() > MAX_GAMES {
            break;
        }
        at += line.len();
    }
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    for (&begin, end) in begins.iter().zip(ends) {
        let game = if games.len() == MAX_GAMES {
            Err(Trouble::too_many_games(begin))
        } else {
            record(&text[begin..end]).map_err(|trouble| Trouble { at: begin + trouble.at, ..trouble })
        };
        games.push(game.map_err(|trouble| lines.damage(games.len() + 1, trouble)));
    }
    games
}

/// What was read of a game before it is played.
#[derive(Default)]
struct Reading {
    tags: Vec<(String, String)>,
    plies: Vec<Ply>,
    comment: String,
    score: Option<Written>,
}

fn record(text: &str) -> Result<Record, Trouble> {
    let mut reading = Reading::default();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        at = match letter {
            _ if letter.is_whitespace() => at + letter.len_utf8(),
            '[' => reading.tag(text, at)?,
            '{' => {
                let end = find(text, at, '}')
                    .ok_or_else(|| Trouble::new(at, "the comment that begins here is not closed; a `}` is missing"))?;
                add_comment(&mut reading.comment, &text[at + 1..end]);
                end + 1
            }
            ';' => find(text, at, '\n').unwrap_or(text.len()),
            '(' => {
                return Err(Trouble::new(at, "a variation; PGN is read without any, so take it out"));
            }
            _ => {
                let ends = |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | '(' | ')' | '[' | ';');
                // The first letter belongs to the word whatever it is, so there is always progress.
                let first = at + letter.len_utf8();
                let end = text[first..].find(ends).map_or(text.len(), |length| first + length);
                reading.word(&text[at..end], at)?;
                end
            }
        };
    }
    reading.finish()
}

fn find(text: &str, from: usize, letter: char) -> Option<usize> {
    text[from..].find(letter).map(|length| from + length)
}

impl Reading {
    /// Reads `[Name "value"]` and gives the place behind it.
    fn tag(&mut self, text: &str, at: usize) -> Result<usize, Trouble> {
        let wrong = || Trouble::new(at, "a tag is written as in [Black \"a name\"]");
        let quote = find(text, at, '"').ok_or_else(wrong)?;
        let name = text[at + 1..quote].trim();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(wrong());
        }
        let mut value = String::new();
        let mut letters = text[quote + 1..].char_indices();
        while let Some((place, letter)) = letters.next() {
            match letter {
                '"' => {
                    let behind = quote + 1 + place + 1;
                    let close = text[behind..].trim_start().strip_prefix(']').ok_or_else(wrong)?;
                    self.tags.push((name.to_owned(), value));
                    return Ok(text.len() - close.len());
                }
                '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
                '\n' => break,
                _ => value.push(letter),
            }
        }
        Err(wrong())
    }

    fn word(&mut self, word: &str, at: usize) -> Result<(), Trouble> {
        // Numbers stand before moves, with or without a blank: `12.`, `12.f5`, `12...`.
        let digits = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let rest =
            if digits.len() < word.len() && digits.starts_with('.') { digits.trim_start_matches('.') } else { word };
        if rest.is_empty() || rest.starts_with('$') {
            return Ok(());
        }
        let result = Written::parse(rest).filter(|written| written.margin.is_some());
        let action = if ["--", "pass", "pa"].iter().any(|pass| rest.eq_ignore_ascii_case(pass)) {
            Some(Action::Pass)
        } else {
            rest.parse().ok().map(Action::Place)
        };
        match action {
            Some(_) if self.plies.len() == MAX_PLIES => {
                Err(Trouble::new(at, format!("more than {MAX_PLIES} moves; no game has as many")))
            }
            Some(action) => {
                self.plies.push(Ply { action, colour: None, at });
                Ok(())
            }
            None if result.is_some() => {
                self.score = result;
                Ok(())
            }
            None if matches!(rest, "*" | "1-0" | "0-1") => Ok(()),
            None => {
                let reason = format!("`{}` is not a move; a move is a square as in f5, or --", shorten(rest));
                Err(Trouble::new(at, reason))
            }
        }
    }

    fn finish(self) -> Result<Record, Trouble> {
        // Programs that write a tag twice write the better value first.
        let tag = |name: &str| {
            let found = self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
            found.map(|(_, value)| cleaned(value)).unwrap_or_default()
        };
        let setup = tag("FEN");
        let start = if setup.is_empty() {
            Start::STANDARD
        } else {
            setup.parse().map_err(|error| Trouble::new(0, format!("tag FEN: {error}")))?
        };
        let played = replay::play(start, &self.plies).map_err(|(entry, illegal)| Trouble {
            at: self.plies[entry].at,
            fault: Fault::Illegal(Box::new(illegal)),
        })?;
        let mut record = Record::played(start, played);
        record.players = [tag("Black"), tag("White")];
        record.event = tag("Event");
        record.place = tag("Site");
        record.date = tag("Date");
        let tagged = Written::parse(&tag("Result"));
        record.written = match (tagged, self.score) {
            (Some(tagged), _) if tagged.margin.is_some() => Some(tagged),
            (tagged, score) => score.or(tagged),
        };
        record.comment = self.comment;
        Ok(record)
    }
}
