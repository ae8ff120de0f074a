//! The coordinator's resources, one function each.

use super::Server;
use super::views::{Generation, Launched, Leaderboard, RunView};
use crate::failure::Failure;
use kembara_evolution::ResolvedSpec;

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
    server.get(RUNS)
}

/// One run.
pub fn show(server: &Server, name: &str) -> Result<RunView, Failure> {
    server.get(&of_run(name, ""))
}

/// Everything that decides a run's results.
pub fn spec(server: &Server, name: &str) -> Result<ResolvedSpec, Failure> {
    server.get(&of_run(name, "/spec"))
}

/// All generations so far, the first one first.
pub fn generations(server: &Server, name: &str) -> Result<Vec<Generation>, Failure> {
    server.get(&of_run(name, "/generations"))
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
