//! `kembara eval`: what a player thinks of the moves of a position.

use super::game;
use crate::failure::{Done, Failure};
use crate::output::{self, Align, Style, Table};
use clap::Args;
use kembara_engine::MoveScore;
use serde::Serialize;

/// Whose evaluation, of which position.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The player, as in oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3
    player: String,
    /// The moves that lead to the position, as in `d3 c3 c4` or d3c3c4; none for the start
    moves: Vec<String>,
    /// The game
    #[arg(long, default_value = "othello")]
    game: String,
    /// Give the scores as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Scores<'a> {
    game: &'static str,
    player: String,
    moves: &'a [String],
    to_move: &'static str,
    scores: Vec<Score<'a>>,
}

#[derive(Serialize)]
struct Score<'a> {
    action: &'a str,
    score: f64,
    features: Vec<Feature>,
}

#[derive(Serialize)]
struct Feature {
    name: &'static str,
    value: f64,
    weight: f64,
}

/// Evaluates and prints.
pub fn run(arguments: &Arguments) -> Done {
    let game = game::find(&arguments.game)?;
    let player = game::player(&arguments.player, game)?;
    let mut session = game.session();
    session.play_line(&arguments.moves.join(" ")).map_err(|error| Failure::usage(error.to_string()))?;
    let Some(side) = session.to_move() else {
        return Err(Failure::usage("the game is over after these moves; leave some out"));
    };
    let scores = session.evaluate(&player.player).map_err(|error| Failure::usage(error.to_string()))?;
    let to_move = game.sides()[side.index()];
    if arguments.json {
        return output::print_json(&Scores {
            game: game.name(),
            player: player.to_string(),
            moves: session.moves(),
            to_move,
            scores: scores.iter().map(score).collect(),
        });
    }
    let style = Style::of_stdout();
    let mut text = session.board() + "\n";
    if scores.is_empty() {
        text += &format!("{to_move} must pass: there is nothing to score\n");
    } else {
        text += &format!("Moves for {to_move}, feature by feature (value × weight)\n\n");
        text += &table(&scores, style);
    }
    output::print(&text)
}

fn score(score: &MoveScore) -> Score<'_> {
    let feature = |&(name, value, weight): &(&'static str, f64, f64)| Feature { name, value, weight };
    Score { action: &score.action, score: score.score, features: score.features.iter().map(feature).collect() }
}

/// One row a move with its features beside it, or below it when they are too many for a line. The
/// first of the best moves is the one that a search of one ply plays.
fn table(scores: &[MoveScore], style: Style) -> String {
    let best = scores.iter().map(|score| score.score).fold(f64::NEG_INFINITY, f64::max);
    let best = scores.iter().position(|score| score.score == best);
    let names: Vec<_> =
        scores.first().map(|score| score.features.iter().map(|&(name, ..)| name).collect()).unwrap_or_default();
    let mut columns = vec![("Move", Align::Left), ("Score", Align::Right)];
    columns.extend(names.iter().map(|&name| (name, Align::Right)));
    columns.push(("", Align::Left));
    let mut wide = Table::new(columns);
    let mut long = Table::new([
        ("Move", Align::Left),
        ("Score", Align::Right),
        ("Feature", Align::Left),
        ("", Align::Right),
        ("", Align::Left),
    ]);
    for (place, score) in scores.iter().enumerate() {
        let mark = if best == Some(place) { "best" } else { "" }.to_owned();
        let products: Vec<_> = score.features.iter().map(|(_, value, weight)| format!("{value} × {weight}")).collect();
        let mut row = vec![score.action.clone(), score.score.to_string()];
        row.extend(products.iter().cloned());
        row.push(mark.clone());
        wide.row(row);
        for (line, (name, product)) in names.iter().zip(products).enumerate() {
            let [action, sum, mark] = match line {
                0 => [score.action.clone(), score.score.to_string(), mark.clone()],
                _ => Default::default(),
            };
            long.row([action, sum, (*name).to_owned(), product, mark]);
        }
    }
    if wide.fits() { wide.render(style) } else { long.render(style) }
}
