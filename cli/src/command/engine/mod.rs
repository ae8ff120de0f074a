//! `kembara engine`: our players in protocols that other programs speak.

mod gtp;
mod nboard;
mod tablut;

use super::game;
use super::players::Best;
use super::thinking::Thinking;
use crate::failure::{Done, Failure};
use crate::playing::{Book, Machine};
use clap::{Args, ValueEnum};
use kembara_engine::Game;
use kembara_engine::othello::Othello;
use kembara_engine::tablut::Tablut;
use std::path::PathBuf;
use std::sync::Arc;

/// Which player, in which protocol.
///
/// With gtp and nboard the other program talks on standard input and listens on standard output;
/// the end of input ends the program. With tablut-referee the player joins a game at a referee.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The player, as for `kembara play`
    player: String,
    /// The protocol to speak
    #[arg(long, value_enum)]
    protocol: Protocol,
    #[command(flatten)]
    thinking: Thinking,
    /// A file of opening lines, one a line, to follow as long as they last
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Decides every random choice
    #[arg(long, default_value_t = 0, value_parser = game::seed)]
    seed: u64,
    #[command(flatten)]
    best: Best,
    #[command(flatten)]
    tablut: tablut::Referee,
}

/// The protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// That of the Othello program NBoard, versions 1 and 2
    Nboard,
    /// The Go Text Protocol, version 2, with `set_game Othello`
    Gtp,
    /// That of the referee of the University of Bologna's Tablut competition
    TablutReferee,
}

/// Speaks until the game is over or the other end has heard enough.
pub fn run(arguments: &Arguments) -> Done {
    let own_limit = arguments.thinking.asked().is_some();
    let input = || std::io::stdin().lock();
    match arguments.protocol {
        Protocol::Gtp => gtp::speak(arguments.machine(&Othello)?, own_limit, input()),
        Protocol::Nboard => nboard::speak(arguments.machine(&Othello)?, own_limit, input()),
        Protocol::TablutReferee if own_limit || arguments.book.is_some() => Err(Failure::usage(
            "with tablut-referee the player thinks by the clock: give --timeout, and no depth, nodes, time or book",
        )),
        Protocol::TablutReferee => {
            let player = arguments.best.player(&arguments.player, &Tablut)?;
            tablut::run(player.player, arguments.seed, &arguments.tablut)
        }
    }
}

impl Arguments {
    fn machine(&self, game: &'static dyn Game) -> Result<Machine, Failure> {
        Ok(Machine {
            name: self.best.player(&self.player, game)?,
            limit: self.thinking.limit(game),
            seed: self.seed,
            book: self.book.as_deref().map(|file| Book::read(file, game)).transpose()?.map(Arc::new),
        })
    }
}
