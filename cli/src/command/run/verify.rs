//! `kembara run verify`: the coordinator computes a run again and tells what differs.

use super::OneRun;
use crate::client::{self, Finding};
use crate::contest::conditions;
use crate::failure::{Done, Failure};
use crate::output::{self, Status, grouped, span};
use clap::Args;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Which run, and how many of its games are played again.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    run: OneRun,
    /// The share of games, 0 to 1, that are played again
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = conditions::probability)]
    replay: f64,
}

/// Verifies and tells; a difference is a failure.
pub fn run(arguments: &Arguments) -> Done {
    let (name, server) = (arguments.run.name()?, arguments.run.server.connect()?);
    let mut status = Status::new(Duration::from_secs(10));
    let begun = Instant::now();
    let finding = client::verify(&server, &name, arguments.replay, || {
        status.show(|| format!("computing {name} again for {}", span(begun.elapsed().as_secs_f64())));
    })?;
    status.clear();
    if arguments.run.server.json {
        output::print_json(&finding)?;
    } else {
        output::print(&text(&name, &finding))?;
    }
    match finding.differing {
        0 => Ok(()),
        many => {
            Err(Failure::failed(format!("run {name} differs from what its spec and results give in {many} places")))
        }
    }
}

fn text(name: &str, finding: &Finding) -> String {
    let mut text = format!(
        "{name}: {} generations with {} games computed again, {} of the games played again\n",
        grouped(finding.generations.into()),
        grouped(finding.games),
        grouped(finding.replayed)
    );
    for difference in &finding.differences {
        let _ = writeln!(text, "  {difference}");
    }
    let told = finding.differences.len() as u64;
    if finding.differing > told {
        let _ = writeln!(text, "  and {} more", grouped(finding.differing - told));
    }
    if finding.differing == 0 {
        text += "Everything agrees: fingerprints, populations, ratings and results.\n";
    }
    text
}
