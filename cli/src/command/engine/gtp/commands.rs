//! The commands, one line each in the table below.

use super::board::{Board, PASS};
use super::clock::Clock;
use crate::playing::Machine;
use kembara_engine::{Limit, Outcome, Side};
use std::time::{Duration, Instant};

type Answer = Result<String, String>;
type Command = fn(&mut Commands, &[&str]) -> Answer;

const COMMANDS: [(&str, Command); 19] = [
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("name", |_, _| Ok("Kembara".to_owned())),
    ("version", |game, _| Ok(format!("{} {}", env!("CARGO_PKG_VERSION"), game.machine.name))),
    ("known_command", |_, words| Ok(words.first().is_some_and(|name| find(name).is_some()).to_string())),
    ("list_commands", |_, _| Ok(COMMANDS.map(|(name, _)| name).join("\n"))),
    ("quit", |_, _| Ok(String::new())),
    ("list_games", |_, _| Ok("Othello".to_owned())),
    ("set_game", Commands::set_game),
    ("boardsize", Commands::boardsize),
    ("clear_board", |game, _| game.begin()),
    ("komi", |_, words| number::<f64>(words, 0).map(|_| String::new())),
    ("play", Commands::play),
    ("genmove", |game, words| game.think(words, true)),
    ("reg_genmove", |game, words| game.think(words, false)),
    ("undo", |game, _| if game.board.undo() { Ok(String::new()) } else { Err("cannot undo".to_owned()) }),
    ("time_settings", Commands::time_settings),
    ("time_left", Commands::time_left),
    ("final_score", |game, _| game.final_score()),
    ("showboard", |game, _| Ok(format!("\n{}", game.board.session().board().trim_end()))),
];

const NO_SENSE: &str = "syntax error";

fn find(name: &str) -> Option<Command> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|&(_, command)| command)
}

/// A game and the player that answers.
pub struct Commands {
    machine: Machine,
    /// Whether the player has a limit of its own, whatever the clock says.
    own_limit: bool,
    board: Board,
    clock: Clock,
}

impl Commands {
    pub fn new(machine: Machine, own_limit: bool) -> Self {
        Self { machine, own_limit, board: Board::new(), clock: Clock::default() }
    }

    /// The answer to a command.
    pub fn answer(&mut self, name: &str, words: &[&str]) -> Answer {
        find(name).ok_or_else(|| "unknown command".to_owned()).and_then(|command| command(self, words))
    }

    fn begin(&mut self) -> Answer {
        self.board = Board::new();
        Ok(String::new())
    }

    fn set_game(&mut self, words: &[&str]) -> Answer {
        match words {
            [name] if name.eq_ignore_ascii_case("othello") => self.begin(),
            _ => Err("unsupported game: this player plays Othello".to_owned()),
        }
    }

    fn boardsize(&mut self, words: &[&str]) -> Answer {
        if words == ["8"] { self.begin() } else { Err("unacceptable size".to_owned()) }
    }

    fn play(&mut self, words: &[&str]) -> Answer {
        let &[side, action] = words else { return Err(NO_SENSE.to_owned()) };
        self.board.play(colour(side)?, action)?;
        Ok(String::new())
    }

    fn think(&mut self, words: &[&str], play: bool) -> Answer {
        let &[side] = words else { return Err(NO_SENSE.to_owned()) };
        let side = colour(side)?;
        let began = Instant::now();
        let action = if self.board.is_over() {
            PASS.to_owned()
        } else {
            let limit = self.limit(side);
            self.board
                .on_turn_of(side, |session| self.machine.choose_within(session, limit))?
                .map_err(|failure| failure.line())?
                .action
        };
        if play {
            self.board.play(side, &action)?;
            self.clock.spend(side, began.elapsed());
        }
        Ok(if action == PASS { action } else { action.to_ascii_uppercase() })
    }

    fn limit(&self, side: Side) -> Limit {
        let played = self.board.session().moves().iter().filter(|action| *action != PASS).count();
        let left = 60_u32.saturating_sub(u32::try_from(played).unwrap_or(60)).div_ceil(2);
        match self.clock.budget(side, left) {
            Some(time) if !self.own_limit => Limit::Time(time),
            _ => self.machine.limit,
        }
    }

    fn time_settings(&mut self, words: &[&str]) -> Answer {
        self.clock.set(seconds(words, 0)?, seconds(words, 1)?, number(words, 2)?);
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[&str]) -> Answer {
        let side = colour(words.first().ok_or(NO_SENSE)?)?;
        self.clock.correct(side, seconds(words, 1)?, number(words, 2)?);
        Ok(String::new())
    }

    /// The difference in discs on the board.
    fn final_score(&self) -> Answer {
        let result = self.board.session().result().ok_or("cannot score: the game is not over")?;
        let margin = result.margin.unsigned_abs();
        Ok(match result.outcome {
            Outcome::FirstWins => format!("B+{margin}"),
            Outcome::SecondWins => format!("W+{margin}"),
            Outcome::Draw => "0".to_owned(),
        })
    }
}

fn colour(word: &str) -> Result<Side, String> {
    match word.to_ascii_lowercase().as_str() {
        "black" | "b" => Ok(Side::First),
        "white" | "w" => Ok(Side::Second),
        _ => Err("invalid color".to_owned()),
    }
}

fn number<T: std::str::FromStr>(words: &[&str], place: usize) -> Result<T, String> {
    words.get(place).and_then(|word| word.parse().ok()).ok_or_else(|| NO_SENSE.to_owned())
}

/// Seconds, at most a year of them.
fn seconds(words: &[&str], place: usize) -> Result<Duration, String> {
    let seconds: f64 = number(words, place)?;
    if (0.0..=31_536_000.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(NO_SENSE.to_owned())
    }
}
