//! The report of a run that is over, with the question that GeneThello's author left open: does the
//! last champion beat generation 1's champion with both colours?

use crate::client::{self, Duel, ReportView, RunView, Server};
use crate::failure::{Done, Failure};
use crate::output::{self, Style, elo, grouped, percent, span};
use std::fmt::Write;

/// Prints the report of a run that is over, and for people what they can do next.
pub fn print(server: &Server, run: &RunView, next: &str, json: bool) -> Done {
    if run.best.is_none() {
        return no_champion(run, json);
    }
    if json {
        return output::print_json(&client::report::<serde_json::Value>(server, &run.name)?);
    }
    let text = text(&client::report(server, &run.name)?, Style::of_stdout());
    output::print(&format!("{text}\n{next}\n"))
}

fn no_champion(run: &RunView, json: bool) -> Done {
    let said = format!("run {} was {} before a generation was over, so it has no champion", run.name, run.state);
    if json { Err(Failure::refused(said)) } else { output::print(&(said + "\n")) }
}

fn text(report: &ReportView, style: Style) -> String {
    let mut text = String::new();
    let head = format!("Run {} is {}", report.run, client::ending(&report.state, report.reason.as_deref()));
    let speed = report.games_per_second.map(|speed| format!(", {} games/s", grouped(speed.round() as u64)));
    let _ = writeln!(text, "{}\n", style.heading(&head));
    let _ = writeln!(text, "Generations  {}", grouped(report.generations));
    let _ = writeln!(text, "Games        {}", grouped(report.games));
    let _ = writeln!(text, "Time         {}{}", span(report.seconds), speed.unwrap_or_default());
    for (name, champion) in [("First best", &report.first_champion), ("Last best", &report.last_champion)] {
        let _ = writeln!(text, "{name:<11}  {}  Elo {}", champion.player, elo(champion.elo));
    }
    if let Some(fingerprint) = &report.fingerprint {
        let _ = writeln!(text, "Fingerprint  {fingerprint}");
    }
    text += "\nDoes the last champion beat generation 1's champion with both colours?\n";
    text += &duel(&report.duel, style);
    text
}

fn duel(duel: &Duel, style: Style) -> String {
    let mut text = String::new();
    match &duel.games {
        None => text += "Its search is too deep to be played here; see `kembara match`.\n",
        Some(games) => {
            let won: Vec<_> = games.iter().filter(|game| game.outcome == "won").map(|game| &game.side).collect();
            let answer = match won.as_slice() {
                [] => "No, with neither".to_owned(),
                [side] => format!("No, as {side} only"),
                _ => "Yes".to_owned(),
            };
            let _ = writeln!(text, "{}", style.accent(&answer));
            for game in games {
                let score = game.score.as_ref().map(|score| format!("  {score}")).unwrap_or_default();
                let _ = writeln!(text, "  as {:<7} {}{score}", game.side, game.outcome);
            }
        }
    }
    if let Some(wide) = &duel.openings {
        let _ = writeln!(
            text,
            "  over {} games after {} random plies ({} distinct): {}",
            grouped(wide.games),
            wide.plies,
            grouped(wide.distinct_games),
            percent(wide.score)
        );
        if let (Some(difference), Some(low), Some(high)) = (wide.elo, wide.elo_low, wide.elo_high) {
            let _ = writeln!(text, "  Elo difference {difference:+.1} ± {:.1} (95 %)", (high - low) / 2.0);
        }
    }
    text
}
