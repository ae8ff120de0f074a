//! Talking to a coordinator over HTTP.

mod address;
mod api;
mod server;
mod views;

pub use address::ServerArguments;
pub use api::{RUNS, generations, launch, leaderboard, leaderboard_path, list, of_run, show, spec};
pub use server::Server;
pub use views::{Leaderboard, RunView};
