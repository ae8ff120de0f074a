//! The protocol of the Othello program NBoard, versions 1 and 2, as its author describes it in
//! <https://github.com/weltyc/ntest/blob/master/instructions/Protocol.htm>.
//!
//! Every command is a line; what is not understood is ignored, as the protocol asks. Values are from
//! the view of the side to move: the player's own evaluation, and discs once the end is seen.

mod values;

use crate::failure::Done;
use crate::output;
use crate::playing::{self, Heard, Input, Machine};
use kembara_engine::othello::{Othello, record};
use kembara_engine::{Choice, Limit, Session};
use std::io::BufRead;
use std::time::Instant;

/// Answers until the end of input. With `own_limit` the player keeps to its limit whatever depth is
/// set.
pub fn speak(machine: Machine, own_limit: bool, input: impl BufRead) -> Done {
    let mut board = NBoard { machine, own_limit, game: Ok(playing::session(&Othello)) };
    let mut input = Input(input);
    while let Some(heard) = input.next() {
        let said = match heard {
            Heard::Line(line) if line.trim() == "quit" => break,
            Heard::Line(line) => board.answer(line.trim()),
            Heard::TooLong => status("that line was too long and is ignored"),
        };
        output::print(&said)?;
    }
    Ok(())
}

/// A game as the other program told it, and the player.
struct NBoard {
    machine: Machine,
    own_limit: bool,
    /// The game, or why what was told is none.
    game: Result<Box<dyn Session>, String>,
}

impl NBoard {
    /// What is said to a line.
    fn answer(&mut self, line: &str) -> String {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let said = match word {
            "nboard" => Ok(self.introduction()),
            "set" => Ok(self.set(rest)),
            "move" => self.play(rest),
            // Version 1 was also spoken without the word.
            square if rest.is_empty() && is_square(square) => self.play(square),
            "hint" => self.hint(rest),
            "go" => self.go(),
            "ping" => Ok(format!("pong {}\n", playing::plain(rest))),
            "learn" => Ok("learned\n".to_owned()),
            "analyze" => self.analyze(),
            _ => Ok(String::new()),
        };
        said.unwrap_or_else(|why| status(&why))
    }

    fn introduction(&self) -> String {
        format!("set myname {}\n", self.machine.name)
    }

    fn set(&mut self, what: &str) -> String {
        if let Some(depth) = what.strip_prefix("depth ") {
            if let (Ok(depth @ 1..), false) = (depth.trim().parse::<u8>(), self.own_limit) {
                self.machine.limit = Limit::Depth(depth.min(60));
            }
            return self.introduction();
        }
        if let Some(ggf) = what.strip_prefix("game ") {
            self.game = read(ggf);
            if let Err(why) = &self.game {
                return status(why);
            }
        }
        String::new()
    }

    fn game(&mut self) -> Result<&mut Box<dyn Session>, String> {
        self.game.as_mut().map_err(|why| why.clone())
    }

    /// Plays `F5`, `F5/1.25/3.1` or `PA`.
    fn play(&mut self, told: &str) -> Result<String, String> {
        let action = told.split(['/', ' ']).next().unwrap_or_default();
        let action = if action.eq_ignore_ascii_case("pa") { "pass" } else { action };
        self.game()?.play_line(action).map_err(|error| error.to_string())?;
        Ok(String::new())
    }

    fn go(&mut self) -> Result<String, String> {
        let machine = self.machine.clone();
        let game = self.unfinished()?;
        let began = Instant::now();
        let Choice { action, value, nodes, .. } = machine.choose(game.as_ref()).map_err(|failure| failure.line())?;
        let (action, seconds) = (written(&action), began.elapsed().as_secs_f64());
        let value = value.map(|value| format!("/{:.2}/{seconds:.2}", values::shown(value))).unwrap_or_default();
        Ok(format!("nodestats {nodes} {seconds:.2}\n=== {action}{value}\n"))
    }

    fn hint(&mut self, most: &str) -> Result<String, String> {
        let most: usize = most.parse().map_or(1, |most: usize| most.max(1));
        let (machine, game) = (self.machine.clone(), self.unfinished()?);
        let values = values::of_moves(&machine, game.as_mut()).map_err(|failure| failure.line())?;
        let lines = values.iter().take(most).map(|(action, value, depth)| {
            format!("search {} {:.2} 0 {depth}\n", written(action), values::shown(*value))
        });
        Ok(lines.collect())
    }

    /// The value of every position of the game, the last one first.
    fn analyze(&mut self) -> Result<String, String> {
        let machine = self.machine.clone();
        let game = self.game()?;
        let mut again = playing::session(&Othello);
        let mut lines = Vec::new();
        for (made, action) in game.moves().iter().enumerate() {
            let choice = machine.choose(again.as_ref()).map_err(|failure| failure.line())?;
            lines.extend(choice.value.map(|value| format!("analysis {made} {:.2}\n", values::shown(value))));
            again.play(action).map_err(|error| error.to_string())?;
        }
        lines.reverse();
        Ok(lines.concat())
    }

    fn unfinished(&mut self) -> Result<&mut Box<dyn Session>, String> {
        let game = self.game()?;
        if game.to_move().is_some() { Ok(game) } else { Err("the game is over".to_owned()) }
    }
}

/// The game at the end of a GGF text.
fn read(ggf: &str) -> Result<Box<dyn Session>, String> {
    let unread = |why: String| format!("the game cannot be read: {why}");
    let file = record::read(ggf.as_bytes()).map_err(|why| unread(why.to_string()))?;
    let told = file.games.into_iter().next().ok_or_else(|| unread("it is empty".to_owned()))?;
    let told = told.map_err(|why| unread(why.to_string()))?;
    if told.start() != record::Start::STANDARD {
        return Err(unread("only games from the usual start position are played".to_owned()));
    }
    let mut game = playing::session(&Othello);
    for action in told.moves() {
        game.play(&action.to_string()).map_err(|error| unread(error.to_string()))?;
    }
    Ok(game)
}

fn is_square(word: &str) -> bool {
    word.eq_ignore_ascii_case("pa") || word.parse::<kembara_engine::othello::Square>().is_ok()
}

/// A move as NBoard writes it: `F5`, `PA`.
fn written(action: &str) -> String {
    if action == "pass" { "PA".to_owned() } else { action.to_ascii_uppercase() }
}

fn status(text: &str) -> String {
    format!("status {}\n", playing::plain(text))
}
