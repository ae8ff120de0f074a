//! What a coordinator answers, as far as this program reads it.

use serde::{Deserialize, Serialize};

/// A run and how far it is.
#[derive(Clone, Debug, Deserialize)]
pub struct RunView {
    /// Its name.
    pub name: String,
    /// `running`, `paused`, `stopped` or `finished`.
    pub state: String,
    /// The game it plays.
    pub game: String,
    /// The type of its chromosomes.
    pub genome: String,
    /// The generation being played, or the last one.
    pub generation: u32,
    /// Games of that generation.
    pub scheduled: u64,
    /// Those whose results are recorded.
    pub done: u64,
    /// Games recorded in all generations.
    pub games_recorded: u64,
    /// Workers seen lately.
    pub workers: u32,
    /// The best individual of the last finished generation.
    pub best: Option<BestView>,
    /// Its own rule for ending.
    pub stop: StopView,
    /// Over the last moments, while it runs; not in lists.
    pub games_per_second: Option<f64>,
    /// Until its own rule ends it, where that can be told; not in lists.
    pub seconds_left: Option<f64>,
    /// Why it ended.
    pub stop_reason: Option<String>,
}

/// The best individual.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct BestView {
    /// In the author's notation.
    pub player: String,
    /// Its rating.
    pub elo: f64,
}

/// When a run ends.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct StopView {
    /// After so many generations.
    pub generations: Option<u32>,
}

impl RunView {
    /// Whether it has ended for good.
    pub fn is_over(&self) -> bool {
        matches!(self.state.as_str(), "stopped" | "finished")
    }
}

/// A state in words, with the reason where a run ended by its own rule.
pub fn ending(state: &str, reason: Option<&str>) -> String {
    let reason = match reason {
        Some("generations") => "all its generations are played",
        Some("games") => "it has played its games",
        Some("unchanged") => "its best player has not changed for long",
        Some(other) => other,
        None => return state.to_owned(),
    };
    format!("{state}: {reason}")
}

/// What became of a launch.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Launched {
    /// The run's name, made up when the spec had none.
    pub name: String,
    /// Its state now.
    pub state: String,
}

/// A generation.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Generation {
    /// From 1.
    pub number: u32,
    /// Its fingerprint, once it is turned over.
    pub fingerprint: Option<String>,
    /// Its best individual, likewise.
    pub best: Option<BestView>,
}

/// The games of a generation.
#[derive(Clone, Debug, Deserialize)]
pub struct Pairings {
    /// The generation, from 1.
    pub number: u32,
    /// How many games it has.
    pub games: u64,
}

/// A game, played again.
#[derive(Clone, Debug, Deserialize)]
pub struct GameView {
    /// Who moved first.
    pub first: PlayerView,
    /// Who moved second.
    pub second: PlayerView,
    /// Every move from the start, in the game's notation.
    pub moves: Vec<String>,
    /// Whether it came out as recorded; nothing where it is not recorded yet.
    pub agrees: Option<bool>,
}

/// A player of a game.
#[derive(Clone, Debug, Deserialize)]
pub struct PlayerView {
    /// In the author's notation.
    pub player: String,
}

/// The fastest of a generation.
#[derive(Clone, Debug, Deserialize)]
pub struct SpeedView {
    /// The generation, from 1.
    pub generation: u32,
    /// Its genes, joined by colons.
    pub chromosome: String,
    /// The sum of the speeds of its games.
    pub speed: i64,
    /// Its games.
    pub games: u64,
}

/// The standings of a generation.
#[derive(Clone, Debug, Deserialize)]
pub struct Leaderboard {
    /// The run.
    pub run: String,
    /// The generation.
    pub generation: u32,
    /// How many entries there are in all.
    pub total: u64,
    /// The best first.
    pub entries: Vec<Entry>,
}

/// One place of a leaderboard.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// From 1.
    pub rank: u32,
    /// In the author's notation.
    pub player: String,
    /// Games won in this generation.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The rating after it.
    pub elo: f64,
}

/// A line of the answer to a wish to verify.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Verifying {
    /// It goes on.
    Working,
    /// It is done; the last line.
    Done(Finding),
    /// It could not be done; the last line.
    Failed {
        /// Why.
        detail: String,
    },
}

/// What a verification found.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Finding {
    /// Generations computed again.
    pub generations: u32,
    /// Games whose stored results went into them.
    pub games: u64,
    /// Games played again.
    pub replayed: u64,
    /// How many differences there are.
    pub differing: u64,
    /// The first of them, in words.
    pub differences: Vec<String>,
}
