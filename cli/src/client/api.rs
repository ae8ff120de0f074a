//! The coordinator's resources, one function each.

use super::Server;
use super::views::{Finding, GameView, Generation, Launched, Leaderboard, Pairings, RunView, SpeedView, Verifying};
use crate::failure::Failure;
use serde::de::DeserializeOwned;

/// Where everything lies.
pub const RUNS: &str = "/api/v1/runs";

/// The path of a run, or of something of it. Names are checked before they get here and need no
/// escaping.
pub fn of_run(name: &str, rest: &str) -> String {
    format!("{RUNS}/{name}{rest}")
}

/// Launches a run, or finds it and lets it go on.
pub fn launch(server: &Server, spec: &str) -> Result<Launched, Failure> {
    server.post(RUNS, Some(("application/json", spec.to_owned())))
}

/// All runs.
pub fn list(server: &Server) -> Result<Vec<RunView>, Failure> {
    server.get_all(RUNS)
}

/// One run.
pub fn show(server: &Server, name: &str) -> Result<RunView, Failure> {
    server.get(&of_run(name, ""))
}

/// The report of a run that is over. Its duel may have to be played first.
pub fn report<T: DeserializeOwned>(server: &Server, name: &str) -> Result<T, Failure> {
    server.get_slowly(&of_run(name, "/report"))
}

/// All generations so far, the first one first.
pub fn generations(server: &Server, name: &str) -> Result<Vec<Generation>, Failure> {
    server.get_all(&of_run(name, "/generations"))
}

/// How many games a generation has, the last finished one when none is named.
pub fn pairings(server: &Server, name: &str, generation: Option<u32>) -> Result<Pairings, Failure> {
    let generation = generation.map_or_else(|| "latest".to_owned(), |number| number.to_string());
    server.get(&of_run(name, &format!("/generations/{generation}")))
}

/// A game of a generation, by its number from 0. The coordinator plays it again.
pub fn game(server: &Server, name: &str, generation: u32, number: u64) -> Result<GameView, Failure> {
    server.get_slowly(&of_run(name, &format!("/generations/{generation}/games/{number}")))
}

/// The best of every finished generation with its speed, in runs that select by speed.
pub fn speeds(server: &Server, name: &str) -> Result<Vec<SpeedView>, Failure> {
    server.get_all(&of_run(name, "/speeds"))
}

/// The best of a generation, the last finished one when none is named.
pub fn leaderboard(server: &Server, name: &str, generation: Option<u32>, limit: u32) -> Result<Leaderboard, Failure> {
    server.get(&leaderboard_path(name, generation, limit))
}

/// Where a generation's leaderboard lies.
pub fn leaderboard_path(name: &str, generation: Option<u32>, limit: u32) -> String {
    let generation = generation.map(|generation| format!("&generation={generation}")).unwrap_or_default();
    of_run(name, &format!("/leaderboard?limit={limit}{generation}"))
}

/// Lets the coordinator compute a run again; `working` is called now and then until it has.
pub fn verify(server: &Server, name: &str, replay: f64, mut working: impl FnMut()) -> Result<Finding, Failure> {
    let mut finding = None;
    server.post_lines(&of_run(name, &format!("/verify?replay={replay}")), |line: Verifying| {
        match line {
            Verifying::Working => working(),
            Verifying::Done(found) => finding = Some(found),
            Verifying::Failed { detail } => {
                return Err(Failure::failed(format!("run {name} cannot be verified: {detail}")));
            }
        }
        Ok(())
    })?;
    finding.ok_or_else(|| Failure::failed(format!("the coordinator ended before run {name} was verified; try again")))
}
