//! The conversation: whose turn it is, what a person types, what is answered.

use super::board;
use super::record;
use super::seats::Seats;
use crate::contest::record::Save;
use crate::failure::{Done, Failure};
use crate::output::{self, Style};
use crate::playing::{Heard, Input, Machine};
use kembara_engine::{Choice, Session, Side};
use std::io::{BufRead, IsTerminal};
use std::path::Path;

const HELP: &str = "\
Type a move by its name, or one of these:
  moves       the legal moves
  hint        what the player would do here
  undo        takes your last move back, and the answer to it
  board       the board once more
  transcript  the moves so far
  save FILE   writes the game to a file; .sgf and .ggf choose the format
  quit        ends, as does the end of input
";

/// What a forced pass is called, in games that have one.
const PASS: &str = "pass";

/// A game going on.
pub struct Talk<'a> {
    seats: &'a Seats,
    session: Box<dyn Session>,
    /// Whether somebody reads and types at a terminal, and wants to be told when it is their turn.
    terminal: bool,
    style: Style,
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Listen,
    Play,
    Leave,
}

impl<'a> Talk<'a> {
    /// A game from the start.
    pub fn new(seats: &'a Seats) -> Self {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let mut session = seats.game.session();
        session.search_with(seats.way);
        Self { seats, session, terminal, style: Style::of_stdout() }
    }

    /// The game as it stands.
    pub fn session(&self) -> &dyn Session {
        self.session.as_ref()
    }

    /// Plays until the game is over and nobody wants to say more, or until the input ends.
    pub fn play(&mut self, input: impl BufRead) -> Done {
        let mut input = Input(input);
        let heads = [Side::First, Side::Second].map(|side| self.seats.line(side) + "\n").concat();
        output::print(&heads)?;
        if self.seats.has_person() {
            output::print("`help` lists what you can type\n")?;
        }
        loop {
            let turn = self.session.to_move();
            match turn.map(|side| (side, self.seats.machine(side))) {
                Some((side, Some(machine))) => self.machine_plays(side, machine)?,
                Some((side, None)) if self.must_pass() => {
                    self.put(PASS)?;
                    output::print(&format!("{} must pass\n", self.seats.side(side)))?;
                }
                Some((side, None)) => {
                    self.show_board()?;
                    if self.listen(&mut input, self.seats.side(side))? == Next::Leave {
                        return Ok(());
                    }
                }
                None => {
                    self.show_end()?;
                    if !self.seats.has_person() || self.listen(&mut input, "over")? == Next::Leave {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn machine_plays(&mut self, side: Side, machine: &Machine) -> Done {
        let choice = machine.choose(self.session())?;
        self.put(&choice.action)?;
        let verb = if choice.action == PASS { "must pass".to_owned() } else { format!("plays {}", told(&choice)) };
        output::print(&format!("{} {verb}\n", self.seats.side(side)))
    }

    fn must_pass(&self) -> bool {
        self.session.legal() == [PASS]
    }

    /// Plays a move that is known to be legal.
    fn put(&mut self, action: &str) -> Done {
        self.session.play(action).map_err(|error| Failure::failed(format!("a move went wrong: {error}")))
    }

    /// Answers until the game has changed or the person leaves.
    fn listen(&mut self, input: &mut Input<impl BufRead>, prompt: &str) -> Result<Next, Failure> {
        loop {
            if self.terminal {
                output::print(&format!("{prompt}> "))?;
            }
            let next = match input.next() {
                None => Next::Leave,
                Some(Heard::TooLong) => {
                    output::print("that line is too long to be a move; `help` lists what you can type\n")?;
                    Next::Listen
                }
                Some(Heard::Line(line)) => self.answer(line.trim())?,
            };
            if next != Next::Listen {
                return Ok(next);
            }
        }
    }

    fn answer(&mut self, line: &str) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word.to_ascii_lowercase().as_str(), rest.trim()) {
            ("", _) => {}
            ("help" | "?", "") => output::print(HELP)?,
            ("quit" | "exit", "") => return Ok(Next::Leave),
            ("board", "") => self.show_board()?,
            ("moves", "") => self.show_moves()?,
            ("hint", "") => self.hint()?,
            ("transcript", "") => output::print(&(self.session.transcript().trim_end().to_owned() + "\n"))?,
            ("undo", "") => {
                if self.take_back() {
                    return Ok(Next::Play);
                }
                output::print("there is no move of yours to take back\n")?;
            }
            ("save", "") => output::print("name a file, as in `save game.txt`\n")?,
            ("save", file) => match self.save(Path::new(file)) {
                Ok(()) => output::print("saved\n")?,
                Err(failure) => output::print(&(failure.line() + "\n"))?,
            },
            _ => match self.session.play(line) {
                Ok(()) => return Ok(Next::Play),
                Err(error) => output::print(&format!("{error}; `help` lists what else you can type\n"))?,
            },
        }
        Ok(Next::Listen)
    }

    fn save(&self, path: &Path) -> Done {
        let form = record::Form::of(path, self.seats)?;
        let mut save = Save::new(path)?;
        save.add(&form.write(self.seats, self.session())?)?;
        save.finish()
    }

    fn hint(&self) -> Done {
        if self.session.to_move().is_none() {
            return output::print("the game is over\n");
        }
        let adviser = &self.seats.adviser;
        let choice = adviser.choose(self.session())?;
        output::print(&format!("{} would play {}\n", adviser.name, told(&choice)))
    }

    /// Takes moves back until a person has a choice again; changes nothing when none had one.
    fn take_back(&mut self) -> bool {
        let mut taken = Vec::new();
        while let Some(action) = self.session.moves().last().cloned() {
            self.session.undo();
            taken.push(action);
            let person = self.session.to_move().is_some_and(|side| self.seats.machine(side).is_none());
            if person && !self.must_pass() {
                return true;
            }
        }
        while let Some(action) = taken.pop() {
            self.session.play(&action).expect("a move taken back can be played again");
        }
        false
    }

    fn show_board(&self) -> Done {
        output::print(&format!("\n{}", board::marked(&self.session.board(), &self.session.legal())))
    }

    fn show_moves(&self) -> Done {
        let legal = self.session.legal();
        output::print(&if legal.is_empty() { "none: the game is over\n".to_owned() } else { wrapped(&legal) })
    }

    fn show_end(&self) -> Done {
        let ending = record::ending(self.seats, self.session()).unwrap_or_default();
        let transcript = self.session.transcript();
        let text = format!("\n{}\n{}\n\n{}\n", self.session.board(), transcript.trim_end(), self.style.accent(&ending));
        output::print(&text)
    }
}

/// A chosen move with what is known about it: `c4 (value 12, depth 9, 51,204 nodes)`.
fn told(choice: &Choice) -> String {
    match choice.value {
        None => choice.action.clone(),
        Some(value) => format!(
            "{} (value {value}, depth {}, {} nodes)",
            choice.action,
            choice.depth,
            output::grouped(choice.nodes)
        ),
    }
}

/// Words in lines of at most 80 columns.
fn wrapped(words: &[String]) -> String {
    const WIDTH: usize = 80;
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text + "\n"
}
