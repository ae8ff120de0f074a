//! `kembara run show` and `run spec`.

use super::OneRun;
use crate::client;
use crate::failure::Done;
use crate::output::{self, Align, Style, Table, elo, grouped};
use std::fmt::Write;

/// Prints a run and the fingerprints of its generations.
pub fn run(arguments: &OneRun) -> Done {
    let (name, server) = (arguments.name()?, arguments.server.connect()?);
    if arguments.server.json {
        let mut run: serde_json::Map<String, serde_json::Value> = server.get(&client::of_run(&name, ""))?;
        let generations = server.get_all(&client::of_run(&name, "/generations"))?;
        run.insert("generations".to_owned(), serde_json::Value::Array(generations));
        return output::print_json(&run);
    }
    let run = client::show(&server, &name)?;
    let style = Style::of_stdout();
    let mut text = String::new();
    let state = client::ending(&run.state, run.stop_reason.as_deref());
    let _ = writeln!(text, "{}", style.heading(&format!("{} is {state}", run.name)));
    let _ = writeln!(text, "Player      {} {}", run.game, run.genome);
    let _ = writeln!(text, "Generation  {}: {} of {} games", run.generation, grouped(run.done), grouped(run.scheduled));
    let _ = writeln!(text, "Games       {}", grouped(run.games_recorded));
    if let Some(best) = &run.best {
        let _ = writeln!(text, "Best        {}  Elo {}", style.accent(&best.player), elo(best.elo));
    }
    if run.state == "running" && run.workers == 0 {
        text += "Workers     none: the run waits; start one with `kembara worker`\n";
    } else if run.state == "running" {
        let _ = writeln!(text, "Workers     {}", run.workers);
    }
    let mut table = Table::new([("Generation", Align::Right), ("Fingerprint", Align::Left)]);
    for generation in client::generations(&server, &name)? {
        let fingerprint = generation.fingerprint.unwrap_or_else(|| "— (being played)".to_owned());
        table.row([generation.number.to_string(), fingerprint]);
    }
    text += "\n";
    text += &table.render(style);
    output::print(&text)
}

/// Prints the resolved spec as JSON.
pub fn spec(arguments: &OneRun) -> Done {
    let (name, server) = (arguments.name()?, arguments.server.connect()?);
    output::print_json(&server.get::<serde_json::Value>(&client::of_run(&name, "/spec"))?)
}
