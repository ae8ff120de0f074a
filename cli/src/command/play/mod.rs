//! `kembara play`: people and machines at one board.

mod board;
mod record;
mod seats;
mod talk;

use super::game;
use super::players::Best;
use super::thinking::Thinking;
use crate::contest::record::Save;
use crate::failure::{Done, Failure};
use crate::playing::{Book, Machine};
use clap::{Args, ValueEnum};
use kembara_engine::Search;
use record::Form;
use seats::Seats;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Who plays whom, and how.
///
/// Moves are typed by name. `hint` asks the player for advice, `undo` takes moves back, `help` lists
/// the other commands.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The player, as in oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3, or FILE#N or FILE#last from a players
    /// file, or `best` for the best one found so far, of one run `best@RUN`
    player: String,
    /// The game
    #[arg(long, default_value = "othello")]
    game: String,
    /// Which side you play
    #[arg(long = "as", value_enum, default_value_t = Person::First)]
    person: Person,
    #[command(flatten)]
    thinking: Thinking,
    /// How machines search: alpha-beta-hard, alpha-beta-soft, negascout-hard, negascout-soft or fast; at
    /// a fixed depth all choose the same moves
    #[arg(long, value_name = "WAY", default_value_t = Search::Fast)]
    search: Search,
    /// With --as none: the player who moves second [default: the same player]
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,
    /// A file of opening lines, one a line, that machines follow as long as they can
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Decides every random choice [default: another one each time]
    #[arg(long, value_parser = game::seed)]
    seed: Option<u64>,
    /// Write the game to this file when it ends, finished or not; in othello a name that ends in
    /// .sgf or .ggf chooses that format
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    best: Best,
}

/// The sides that people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Person {
    /// You move first
    First,
    /// The player moves first
    Second,
    /// Two people; the player gives hints
    Both,
    /// Two machines
    None,
}

/// Plays one game.
pub fn run(arguments: &Arguments) -> Done {
    let game = game::find(&arguments.game)?;
    let name = arguments.best.player(&arguments.player, game)?;
    let book = arguments.book.as_deref().map(|file| Book::read(file, game)).transpose()?.map(Arc::new);
    let seed = arguments.seed.unwrap_or_else(any_seed);
    let machine = Machine { name, limit: arguments.thinking.limit(game), seed, book };
    let second = match &arguments.second {
        None => machine.clone(),
        Some(_) if arguments.person != Person::None => {
            return Err(Failure::usage("--second names the other machine and needs --as none"));
        }
        Some(text) => Machine { name: arguments.best.player(text, game)?, ..machine.clone() },
    };
    let machines = match arguments.person {
        Person::First => [None, Some(second)],
        Person::Second => [Some(machine.clone()), None],
        Person::Both => [None, None],
        Person::None => [Some(machine.clone()), Some(second)],
    };
    let seats = Seats { game, machines, adviser: machine, way: arguments.search };
    // What cannot be saved is found out before the game.
    let save = arguments.save.as_deref().map(|path| Ok::<_, Failure>((Form::of(path, &seats)?, Save::new(path)?)));
    let save = save.transpose()?;
    let mut talk = talk::Talk::new(&seats);
    talk.play(std::io::stdin().lock())?;
    if let Some((form, mut save)) = save {
        save.add(&form.write(&seats, talk.session())?)?;
        save.finish()?;
    }
    Ok(())
}

/// Games with people should differ: nobody has to get one again, and a saved game has its moves.
fn any_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
