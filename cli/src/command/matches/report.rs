//! What a match came to, for people and for machines.

use crate::contest::{Contest, MatchResult, Trial};
use crate::failure::Failure;
use crate::output::{Align, Style, Table, grouped, percent};
use kembara_engine::Openings;
use kembara_tournament::Decision;
use serde::Serialize;

#[derive(Serialize)]
struct Report {
    game: &'static str,
    players: [String; 2],
    search: [String; 2],
    plies: u8,
    /// How many given openings there were; `null` when none were given.
    opening_lines: Option<usize>,
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
    sprt: Option<Test>,
}

/// What the match was to decide.
#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    /// Of `elo1` to `elo0`.
    log_likelihood_ratio: f64,
    bounds: [f64; 2],
    /// The difference that is accepted; `null` when the games did not decide.
    accepted: Option<f64>,
}

impl Test {
    fn new(trial: &Trial, result: &MatchResult) -> Self {
        let ([elo0, elo1], [alpha, beta]) = (trial.hypotheses.0, trial.errors);
        Self {
            elo0,
            elo1,
            alpha,
            beta,
            log_likelihood_ratio: trial.test.ratio(&result.pairs.0),
            bounds: trial.test.bounds(),
            accepted: result.decision.map(|decision| match decision {
                Decision::Lower => elo0,
                Decision::Higher => elo1,
            }),
        }
    }

    fn text(&self, style: Style) -> String {
        let [lower, higher] = self.bounds;
        let verdict = match self.accepted {
            Some(elo) => format!("decided for {elo:+}"),
            None => "not decided: play more games, from more openings".to_owned(),
        };
        format!(
            "Elo {:+} or {:+}?        {}\nLog likelihood ratio {:+.2}, bounds {lower:+.2} and {higher:+.2}\n",
            self.elo0,
            self.elo1,
            style.accent(&verdict),
            self.log_likelihood_ratio
        )
    }
}

/// The report as text or JSON. Everything is said from the side of the player named first, A.
pub fn text(played: &Contest, result: &MatchResult, trial: Option<&Trial>, json: bool) -> Result<String, Failure> {
    let total = |place: usize| result.outcomes[0][place] + result.outcomes[1][place];
    let difference = result.pairs.difference();
    let test = trial.map(|trial| Test::new(trial, result));
    if json {
        let report = Report {
            game: played.game.name(),
            players: played.players.each_ref().map(ToString::to_string),
            search: [played.search(0), played.search(1)],
            plies: match played.openings {
                Openings::Plies(plies) => plies,
                _ => 0,
            },
            opening_lines: match &played.openings {
                Openings::Lines(lines) => Some(lines.len()),
                _ => None,
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
            sprt: test,
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
    if let Some(test) = test {
        text += &test.text(style);
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
