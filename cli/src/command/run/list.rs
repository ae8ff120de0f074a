//! `kembara run list`.

use crate::client::{self, ServerArguments};
use crate::failure::Done;
use crate::output::{self, Align, Style, Table, elo, grouped};

/// Prints a line for each run.
pub fn run(arguments: &ServerArguments) -> Done {
    let server = arguments.connect()?;
    if arguments.json {
        return output::print_json(&server.get_all::<serde_json::Value>(client::RUNS)?);
    }
    let runs = client::list(&server)?;
    if runs.is_empty() {
        return output::print("There are no runs yet; launch one with `kembara run launch SPEC`.\n");
    }
    let mut table = Table::new([
        ("Run", Align::Left),
        ("State", Align::Left),
        ("Genome", Align::Left),
        ("Generation", Align::Right),
        ("Games", Align::Right),
        ("Best Elo", Align::Right),
    ]);
    for run in runs {
        let generation = match run.stop.generations {
            Some(last) => format!("{} of {last}", run.generation),
            None => run.generation.to_string(),
        };
        let best = run.best.map_or_else(|| "—".to_owned(), |best| elo(best.elo));
        table.row([run.name, run.state, run.genome, generation, grouped(run.games_recorded), best]);
    }
    output::print(&table.render(Style::of_stdout()))
}
