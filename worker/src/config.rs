//! A worker's settings and where they come from.

use crate::definition::Games;
use crate::error::WorkerError;
use clap::ValueEnum;
use std::str::FromStr;
use std::time::Duration;

/// Threads of one worker at most.
const MOST_THREADS: u32 = 1024;

/// Characters of a worker's name at most.
const LONGEST_NAME: usize = 64;

/// Settings of a worker as typed.
#[derive(Clone, Debug, clap::Args)]
pub struct WorkerArgs {
    /// Address of the coordinator
    #[arg(long, env = "KEMBARA_SERVER", default_value = "http://127.0.0.1:7878", value_name = "URL")]
    pub server: String,

    /// Threads that play: all cores, auto to leave one core free, or a number
    #[arg(long, default_value = "all", value_name = "auto|all|N")]
    pub threads: Threads,

    /// The worker's name in lists and logs [default: the host's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// How far the games step back behind other programs, 0 (not at all) to 19
    #[arg(long, default_value_t = 10, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=19))]
    pub nice: u8,

    /// Seconds that the games in hand may take after the first Ctrl-C
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub grace: u32,

    /// How the log is written
    #[arg(long, default_value = "text", value_name = "FORMAT")]
    pub log_format: LogFormat,

    /// End when the process that started this one is gone; its id when it may be gone already
    #[arg(long, value_name = "PID", num_args = 0..=1, require_equals = true)]
    pub end_with_parent: Option<Option<u32>>,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// How many threads play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// All cores but one, at least one.
    Auto,
    /// All cores.
    All,
    /// So many.
    Number(u32),
}

impl FromStr for Threads {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "all" => Ok(Self::All),
            number => match number.parse() {
                Ok(number @ 1..=MOST_THREADS) => Ok(Self::Number(number)),
                _ => Err(format!("expected auto, all or a number from 1 to {MOST_THREADS}")),
            },
        }
    }
}

impl Threads {
    /// The number of threads on this machine.
    #[must_use]
    pub fn count(self) -> u32 {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32).min(MOST_THREADS);
        match self {
            Self::Auto => cores.saturating_sub(1).max(1),
            Self::All => cores,
            Self::Number(number) => number,
        }
    }
}

/// Settings of a worker, checked.
#[derive(Clone)]
pub struct WorkerConfig {
    /// Address of the coordinator, checked when the worker starts.
    pub server: String,
    /// The name, 1 to 64 printable characters.
    pub name: String,
    /// Threads that play.
    pub threads: u32,
    /// The nice level of the threads that play.
    pub nice: u8,
    /// How long the games in hand may take once the worker should end.
    pub grace: Duration,
    /// Whether a line shows the state in place, when the standard error output is a terminal.
    pub status_line: bool,
    /// The games this worker knows.
    pub games: Games,
}

impl std::fmt::Debug for WorkerConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorkerConfig")
            .field("server", &self.server)
            .field("name", &self.name)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl WorkerArgs {
    /// Checks the settings and fills in what was left out.
    ///
    /// # Errors
    /// [`WorkerError::Setting`] names what cannot be used.
    pub fn config(&self) -> Result<WorkerConfig, WorkerError> {
        let name = match &self.name {
            Some(name) => checked_name(name)?,
            None => host_name(),
        };
        Ok(WorkerConfig {
            server: self.server.clone(),
            name,
            threads: self.threads.count(),
            nice: self.nice,
            grace: Duration::from_secs(self.grace.into()),
            status_line: true,
            games: kembara_engine::registry::games(),
        })
    }
}

fn checked_name(name: &str) -> Result<String, WorkerError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(WorkerError::Setting(format!(
            "--name needs 1 to {LONGEST_NAME} printable characters, not `{}`",
            kembara_engine::player::shorten(name)
        )));
    }
    Ok(name.to_owned())
}

fn host_name() -> String {
    let system = rustix::system::uname();
    let name: String =
        system.nodename().to_string_lossy().chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_auto_all_or_a_number_up_to_1024() {
        assert_eq!("auto".parse(), Ok(Threads::Auto));
        assert_eq!("all".parse(), Ok(Threads::All));
        assert_eq!("1024".parse(), Ok(Threads::Number(1024)));
        for wrong in ["0", "1025", "-1", "", "two", "1.5", "4294967297"] {
            assert!(wrong.parse::<Threads>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn auto_leaves_a_core_free_but_never_plays_on_none() {
        let (auto, all) = (Threads::Auto.count(), Threads::All.count());
        assert!(auto >= 1 && (auto + 1 == all || all == 1), "{auto} of {all}");
    }

    #[test]
    fn a_name_of_spaces_of_control_characters_or_too_long_is_refused() {
        for wrong in ["", "  ", "a\nb", &"x".repeat(65)] {
            assert!(checked_name(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(checked_name(" Zimmer 12 ä ").unwrap(), "Zimmer 12 ä");
    }
}
