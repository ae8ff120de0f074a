//! `kembara leaderboard`: the standings of a generation.

use super::spec_file;
use crate::client::{self, Leaderboard, ServerArguments};
use crate::failure::{Done, Failure};
use crate::output::{self, Align, Style, Table, elo, grouped};
use clap::{Args, ValueEnum};

/// Whose standings, and how.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The run's name
    #[arg(value_name = "RUN")]
    run: String,
    /// The generation, from 1 [default: the last one that is finished]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// How many, the best first
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    limit: u32,
    /// How they are written [default: table]
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    server: ServerArguments,
}

/// Forms of a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

/// Prints the standings.
pub fn run(arguments: &Arguments) -> Done {
    let name = spec_file::run_name(&arguments.run)?.to_string();
    let format = match (arguments.format, arguments.server.json) {
        (None, false) => Format::Table,
        (None | Some(Format::Json), _) => Format::Json,
        (Some(format), false) => format,
        (Some(_), true) => return Err(Failure::usage("--json and --format ask for two forms; give one of them")),
    };
    let server = arguments.server.connect()?;
    match format {
        Format::Table => {
            let board = client::leaderboard(&server, &name, arguments.generation, arguments.limit)?;
            output::print(&table(&board))
        }
        Format::Json => {
            let path = client::leaderboard_path(&name, arguments.generation, arguments.limit);
            output::print_json(&server.get::<serde_json::Value>(&path)?)
        }
        Format::Csv => {
            let path = client::leaderboard_path(&name, arguments.generation, arguments.limit);
            output::print(&server.text(&path, "text/csv")?)
        }
    }
}

fn table(board: &Leaderboard) -> String {
    let style = Style::of_stdout();
    let mut table = Table::new([
        ("Rank", Align::Right),
        ("Player", Align::Left),
        ("Wins", Align::Right),
        ("Draws", Align::Right),
        ("Losses", Align::Right),
        ("Elo", Align::Right),
    ]);
    for entry in &board.entries {
        table.row([
            entry.rank.to_string(),
            entry.player.clone(),
            grouped(entry.wins),
            grouped(entry.draws),
            grouped(entry.losses),
            elo(entry.elo),
        ]);
    }
    let head = format!("{}, generation {}: {} of {}", board.run, board.generation, board.entries.len(), board.total);
    format!("{}\n\n{}", style.heading(&head), table.render(style))
}
