//! The Go Text Protocol, version 2, for Othello: <https://www.lysator.liu.se/~gunnar/gtp/>.
//!
//! A command is a line `[id] name arguments`, an answer `=[id] result` or `?[id] error` and an empty
//! line. Moves are squares as in `D3`, or `pass`.

mod board;
mod clock;
mod commands;

use crate::failure::Done;
use crate::output;
use crate::playing::{Heard, Input, Machine};
use commands::Commands;
use std::io::BufRead;

/// Answers until `quit` or the end of input. With `own_limit` the player keeps to its limit whatever
/// the other program says about time.
pub fn speak(machine: Machine, own_limit: bool, input: impl BufRead) -> Done {
    let mut input = Input(input);
    let mut commands = Commands::new(machine, own_limit);
    while let Some(heard) = input.next() {
        let Heard::Line(line) = heard else {
            output::print("? line too long\n\n")?;
            continue;
        };
        let line = cleaned(&line);
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
        let Some(name) = words.next() else { continue };
        let arguments: Vec<&str> = words.collect();
        match commands.answer(name, &arguments) {
            Ok(said) => output::print(&format!("={id} {said}\n\n"))?,
            Err(why) => output::print(&format!("?{id} {why}\n\n"))?,
        }
        if name == "quit" {
            break;
        }
    }
    Ok(())
}

/// A line without its comment and without control characters.
fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().map(|letter| if letter == '\t' { ' ' } else { letter }).filter(|letter| !letter.is_control()).collect()
}
