//! The command line as a whole: the subcommands, the exit codes, errors of usage in one line.

use crate::command::Command;
use crate::failure::{Done, Failure};
use crate::output;
use clap::Parser;
use std::path::PathBuf;

const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    failed: a database, a file, a game that came out differently
  2    what was typed cannot be used: arguments, a player, a spec
  3    refused by the coordinator: no such run, a name taken, a wrong state
  4    no coordinator answered at the address
  130  ended by Ctrl-C before the work was done";

/// Breeds game-playing programs by self-play.
#[derive(Debug, Parser)]
#[command(name = "kembara", version, after_help = EXIT_CODES, max_term_width = 80)]
pub struct Arguments {
    /// Learned pattern tables, for players whose genome names them (oe_fdmxcp@…)
    #[arg(long, global = true, value_name = "FILE", env = crate::command::patterns::VARIABLE, value_delimiter = ':',
        hide_env_values = true)]
    pub patterns: Vec<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Prints help and version where they were asked for; makes one line of everything else.
pub fn explain(error: &clap::Error) -> Done {
    let text = error.render();
    if !error.use_stderr() {
        return output::print(&if output::Style::of_stdout().is_plain() {
            text.to_string()
        } else {
            text.ansi().to_string()
        });
    }
    if error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return Err(Failure::usage("no command given; `kembara --help` lists them"));
    }
    let text = text.to_string();
    let said: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    let said = said.join(" ").replace(" tip: ", "; tip: ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    Err(Failure::usage(format!("{said} (see `kembara help`)")))
}
