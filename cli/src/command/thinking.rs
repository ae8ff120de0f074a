//! How long a player may think, as arguments.

use clap::Args;
use kembara_engine::{Game, Limit};
use std::time::Duration;

/// At most one of three limits.
#[derive(Args, Debug)]
pub struct Thinking {
    /// Plies searched a move, 1 to 60 [default: what the game is usually played with, in othello 9]
    #[arg(long, value_name = "N", conflicts_with_all = ["nodes", "time"], value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Nodes searched a move
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds a move, such as 0.5
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
}

impl Thinking {
    /// The limit that was asked for.
    pub fn asked(&self) -> Option<Limit> {
        self.depth.map(Limit::Depth).or(self.nodes.map(Limit::Nodes)).or(self.time.map(Limit::Time))
    }

    /// The limit that was asked for, or the game's usual one.
    pub fn limit(&self, game: &dyn Game) -> Limit {
        self.asked().unwrap_or(Limit::Depth(game.usual_depth()))
    }
}

/// Reads a stretch of time.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("the time for a move is a number of seconds from 0.001 to 86400".to_owned()),
    }
}
