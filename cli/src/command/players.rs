//! Players by their place in a file, and the best one found so far.

use super::game;
use crate::client::{self, ServerArguments};
use crate::failure::Failure;
use crate::text_file;
use clap::Args;
use kembara_engine::{Game, PlayerName};
use std::path::{Path, PathBuf};

/// Where `best` is looked up.
#[derive(Args, Debug)]
pub struct Best {
    /// The players file whose last player is `best`, instead of asking a coordinator
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// The coordinator that is asked for `best`
    #[arg(long, value_name = "URL", env = "KEMBARA_SERVER", default_value_t = client::default_url())]
    server: String,
    /// A file that holds the token to show to the coordinator
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

impl Best {
    /// The player of this name: `best`, `best@RUN`, or whatever [`game::player`] knows.
    pub fn player(&self, text: &str, game: &'static dyn Game) -> Result<PlayerName, Failure> {
        match (text.trim().strip_prefix("best"), &self.players) {
            (Some(""), Some(file)) => of_file(&file.to_string_lossy(), "last", game),
            (Some(""), None) => self.ask(None, game),
            (Some(rest), _) if rest.starts_with('@') => self.ask(Some(&rest[1..]), game),
            _ => game::player(text, game),
        }
    }

    /// The best player of a run, or of all runs of the game: they are rated apart, so the best one of
    /// the run that has gone through the most games counts.
    fn ask(&self, run: Option<&str>, game: &'static dyn Game) -> Result<PlayerName, Failure> {
        let address = ServerArguments { server: self.server.clone(), token_file: self.token_file.clone(), json: false };
        let runs = client::list(&address.connect()?)?;
        let run =
            match run {
                Some(name) => Some(runs.into_iter().find(|run| run.name == name).ok_or_else(|| {
                    Failure::refused(format!("there is no run `{name}`; `kembara run list` lists them"))
                })?),
                None => runs
                    .into_iter()
                    .filter(|run| run.game == game.name() && run.best.is_some())
                    .max_by_key(|run| run.games_recorded),
            };
        let Some(best) = run.as_ref().and_then(|run| run.best.as_ref()) else {
            return Err(Failure::refused(format!(
                "no run of {} has a best player yet; launch one, or name a player",
                game.name()
            )));
        };
        PlayerName::parse(&best.player, game)
            .map_err(|error| Failure::refused(format!("the best player cannot be played here: {error}")))
    }
}

/// A player by its place in a players file: one player a line in the author's naming, the champion
/// of generation 1 first. `which` is a number from 1, or `last`.
pub fn of_file(file: &str, which: &str, game: &dyn Game) -> Result<PlayerName, Failure> {
    let lines = text_file::read(Path::new(file), "players")?;
    let line = match which.parse::<usize>() {
        _ if which == "last" => lines.last(),
        Ok(place) => place.checked_sub(1).and_then(|place| lines.get(place)),
        Err(_) => None,
    };
    let Some(line) = line else {
        return Err(Failure::usage(format!(
            "{file} has {} players, and `{which}` is none of them: write {file}#1 to {file}#{}, or {file}#last",
            lines.len(),
            lines.len()
        )));
    };
    PlayerName::parse(&line.text, game).map_err(|error| {
        Failure::usage(format!("{file}, line {}: not a player of {}: {error}", line.number, game.name()))
    })
}
