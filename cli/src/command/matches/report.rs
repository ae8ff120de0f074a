//! What a match came to, for people and for machines.

use crate::contest::{Contest, MatchResult};
use crate::failure::Failure;
use crate::output::{Align, Style, Table, grouped, percent};
use kembara_engine::Openings;
use serde::Serialize;

#[derive(Serialize)]
struct Report {
    game: &'static str,
    players: [String; 2],
    search: [String; 2],
    plies: u8,
    seed: u64,
    games: u64,
    distinct_games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Counts of A's pair scores 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: Option<f64>,
}

/// The report as text or JSON. Everything is said from the side of the player named first, A.
pub fn text(played: &Contest, result: &MatchResult, json: bool) -> Result<String, Failure> {
    let total = |place: usize| result.outcomes[0][place] + result.outcomes[1][place];
    let difference = result.pairs.difference();
    if json {
        let report = Report {
            game: played.game.name(),
            players: played.players.each_ref().map(ToString::to_string),
            search: [played.search(0), played.search(1)],
            plies: match played.openings {
                Openings::Plies(plies) => plies,
                _ => 0,
            },
            seed: played.seed,
            games: result.played,
            distinct_games: result.distinct,
            wins: total(0),
            draws: total(1),
            losses: total(2),
            pairs: result.pairs.0,
            score: result.pairs.score(),
            elo: difference.elo,
            elo_low: difference.low,
            elo_high: difference.high,
            superiority: result.pairs.superiority(),
        };
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::failed(error.to_string()))?;
        return Ok(text + "\n");
    }
    let style = Style::of_stdout();
    let [first, second] = played.game.sides();
    let mut table = Table::new([
        ("Player A", Align::Left),
        ("Wins", Align::Right),
        ("Draws", Align::Right),
        ("Losses", Align::Right),
        ("Score", Align::Right),
    ]);
    let mut row = |name: String, [wins, draws, losses]: [u64; 3]| {
        let games = wins + draws + losses;
        let share = (games > 0).then(|| (wins as f64 + draws as f64 / 2.0) / games as f64);
        table.row([name, grouped(wins), grouped(draws), grouped(losses), percent(share)]);
    };
    row(format!("as {first}"), result.outcomes[0]);
    row(format!("as {second}"), result.outcomes[1]);
    row("together".to_owned(), [total(0), total(1), total(2)]);
    let start = match &played.openings {
        Openings::Start => "from the start position".to_owned(),
        Openings::Plies(plies) => format!("after {plies} random plies"),
        Openings::Lines(lines) => format!("from {} given openings", grouped(lines.len() as u64)),
    };
    let mut text = String::new();
    for (place, letter) in ["A", "B"].into_iter().enumerate() {
        text += &format!("{letter}  {}  {}\n", played.players[place], played.search(place));
    }
    text += &format!("\n{} games {start}, seed {}; {}\n\n", grouped(result.played), played.seed, distinct(result));
    text += &table.render(style);
    text += &format!("\nElo difference of A  {}\n", style.accent(&elo(&difference)));
    if let Some(superiority) = result.pairs.superiority() {
        text += &format!("A is stronger with likelihood {}\n", percent(Some(superiority)));
    }
    Ok(text)
}

fn distinct(result: &MatchResult) -> String {
    if result.distinct == result.played {
        return "all of them distinct".to_owned();
    }
    format!("{} distinct, each counted once", grouped(result.distinct))
}

fn elo(difference: &kembara_tournament::Difference) -> String {
    match (difference.elo, difference.low, difference.high) {
        (Some(elo), ..) if difference.margin().is_some() => {
            format!("{elo:+.1} ± {:.1} (95 %, from pairs)", difference.margin().unwrap_or_default())
        }
        (Some(elo), Some(low), None) => format!("{elo:+.1}, above {low:+.1} (95 %, from pairs)"),
        (Some(elo), None, Some(high)) => format!("{elo:+.1}, below {high:+.1} (95 %, from pairs)"),
        (Some(elo), ..) => format!("{elo:+.1}, without an interval: too few different pairs"),
        (None, ..) => "— (every game ended the same way for A)".to_owned(),
    }
}
