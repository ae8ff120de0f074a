//! Talking to a coordinator over HTTP.

mod address;
mod api;
mod report;
mod server;
mod views;

pub use address::{ServerArguments, default_url};
pub use api::{
    RUNS, game, generations, launch, leaderboard, leaderboard_path, list, of_run, pairings, report, show, speeds,
    verify,
};
pub use report::{Duel, ReportView};
pub use server::Server;
pub use views::{Finding, GameView, Leaderboard, RunView, ending};
