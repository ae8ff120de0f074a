//! `kembara match`: two players, no server.

mod report;
mod single;

use super::game;
use crate::command::players::Best;
use crate::contest::conditions::{self, Depths};
use crate::contest::{self, Contest, Extent, Hypotheses, Trial, openings, record};
use crate::failure::{Done, Failure};
use clap::Args;
use kembara_engine::{Conditions, Game, Limit, Openings, Search};
use std::num::NonZeroU32;
use std::path::PathBuf;

const MOST_GAMES: u32 = 1_000_000;

/// Who plays whom, and how.
///
/// Without --games and --plies one game is played from the start position and its moves are
/// printed. Otherwise pairs of games are played: both games of a pair begin with the same random
/// plies, or with the same line of --opening-lines, and the players change colours between them.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The player who begins, as in oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3 or oe_fmc_14:49:…, or `random`,
    /// or FILE#N or FILE#last from a players file, or `best`
    #[arg(value_name = "PLAYER")]
    first: String,
    /// The other player
    #[arg(value_name = "PLAYER")]
    second: String,
    /// The game
    #[arg(long, default_value = "othello")]
    game: String,
    /// Plies searched, 1 to 60, for both or for each player [default: 9, in tablut 5, for one game; 1 for more]
    #[arg(long, value_name = "A[,B]")]
    depth: Option<Depths>,
    /// Nodes searched a move, instead of a depth
    #[arg(long, conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How to search: alpha-beta-hard, alpha-beta-soft, negascout-hard, negascout-soft or fast; at a
    /// fixed depth all give the same games
    #[arg(long, value_name = "WAY")]
    search: Option<Search>,
    /// Games to play: 1, or an even number up to 1,000,000 [default: 1, with --plies 100, with
    /// --opening-lines two a line; with --sprt the most games, 1,000,000]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GAMES)))]
    games: Option<u32>,
    /// Random plies at the start of each pair, 0 to 8, drawn without replacement among the openings
    /// that differ by more than symmetry [default: 8, in tablut 3, for one game 0]
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=8))]
    plies: Option<u8>,
    /// A file of opening lines, one a line, from which the pairs begin instead, drawn without
    /// replacement
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    opening_lines: Option<PathBuf>,
    /// Play until it is decided whether the Elo difference of the first player is the first or the
    /// second number, as in 0,5
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// With --sprt: how often ELO1 may be accepted when ELO0 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_parser = conditions::probability)]
    alpha: f64,
    /// With --sprt: how often ELO0 may be accepted when ELO1 is true
    #[arg(long, default_value_t = 0.05, requires = "sprt", value_parser = conditions::probability)]
    beta: f64,
    /// Decides openings and every random move
    #[arg(long, default_value_t = 0, value_parser = game::seed)]
    seed: u64,
    /// Games played at a time [default: the number of cores]
    #[arg(long)]
    threads: Option<NonZeroU32>,
    /// Probability, 0 to 1, that a move is replaced by a random one
    #[arg(long, default_value_t = 0.0, value_parser = conditions::probability)]
    epsilon: f64,
    /// Write the games to this file as text
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Give the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    best: Best,
}

/// Plays and prints.
pub fn run(arguments: &Arguments) -> Done {
    let game = game::find(&arguments.game)?;
    let players = [arguments.best.player(&arguments.first, game)?, arguments.best.player(&arguments.second, game)?];
    let trial = arguments.sprt.map(|asked| Trial::new(asked, [arguments.alpha, arguments.beta])).transpose();
    let trial = trial.map_err(|error| Failure::usage(error.to_string()))?;
    let lines = arguments.opening_lines.as_deref().map(|file| openings::read(file, game)).transpose()?;
    let games = arguments.games.unwrap_or(match (&trial, &lines, arguments.plies) {
        (Some(_), ..) => MOST_GAMES,
        (_, Some(Openings::Lines(lines)), _) => {
            MOST_GAMES.min(2 * u32::try_from(lines.len()).unwrap_or(MOST_GAMES / 2))
        }
        (_, _, Some(_)) => 100,
        _ => 1,
    });
    if games == 1 && trial.is_some() {
        return Err(Failure::usage("--games 1 leaves --sprt no pair of games; give an even number, or leave it out"));
    }
    if games > 1 && games % 2 == 1 {
        return Err(Failure::usage(format!(
            "--games {games} is odd, but games are played in pairs with both colours; give an even number, or 1"
        )));
    }
    let depths = arguments.depth.unwrap_or(Depths::both(if games == 1 { game.usual_depth() } else { 1 }));
    let conditions = depths.0.map(|depth| Conditions {
        limit: arguments.nodes.map_or(Limit::Depth(depth), Limit::Nodes),
        epsilon: arguments.epsilon,
    });
    let openings = lines.unwrap_or_else(|| random_plies(arguments.plies, games, game));
    let played = Contest { game, players, conditions, way: arguments.search, openings, seed: arguments.seed };
    let mut save = arguments.save.as_deref().map(record::Save::new).transpose()?;
    let text = if games == 1 {
        single::play(&played, save.as_mut(), arguments.json)?
    } else {
        let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok()?.try_into().ok());
        let threads = threads.map_or(1, NonZeroU32::get).min(games / 2);
        let extent = Extent { pairs: games / 2, trial: trial.as_ref() };
        let result = contest::play(&played, extent, threads, save.as_mut())?;
        report::text(&played, &result, trial.as_ref(), arguments.json)?
    };
    save.map_or(Ok(()), record::Save::finish)?;
    crate::output::print(&text)
}

fn random_plies(asked: Option<u8>, games: u32, game: &dyn Game) -> Openings {
    match asked.unwrap_or(if games == 1 { 0 } else { game.opening_plies() }) {
        0 => Openings::Start,
        plies => Openings::Plies(plies),
    }
}
