//! The report of a run, as far as this program reads it.

use serde::Deserialize;

/// What is known of a run that is over.
#[derive(Clone, Debug, Deserialize)]
pub struct ReportView {
    /// The run.
    pub run: String,
    /// `finished` or `stopped`.
    pub state: String,
    /// Why.
    pub reason: Option<String>,
    /// Generations turned over.
    pub generations: u64,
    /// Their games.
    pub games: u64,
    /// From launch to end.
    pub seconds: f64,
    /// Over that time.
    pub games_per_second: Option<f64>,
    /// Of the last generation.
    pub fingerprint: Option<String>,
    /// The best of generation 1.
    pub first_champion: Champion,
    /// The best of the last generation.
    pub last_champion: Champion,
    /// The last against the first.
    pub duel: Duel,
}

/// The best of a generation.
#[derive(Clone, Debug, Deserialize)]
pub struct Champion {
    /// In the author's notation.
    pub player: String,
    /// Its rating.
    pub elo: f64,
}

/// The last champion against the first one.
#[derive(Clone, Debug, Deserialize)]
pub struct Duel {
    /// From the start, with one side and the other; nothing where the search is too deep.
    pub games: Option<Vec<DuelGame>>,
    /// Over drawn openings.
    pub openings: Option<DuelOpenings>,
}

/// One game of the duel.
#[derive(Clone, Debug, Deserialize)]
pub struct DuelGame {
    /// The last champion's side, in the game's words.
    pub side: String,
    /// `won`, `drawn` or `lost`.
    pub outcome: String,
    /// In the game's words.
    pub score: Option<String>,
}

/// Many games of the duel.
#[derive(Clone, Debug, Deserialize)]
pub struct DuelOpenings {
    /// Random plies before each pair.
    pub plies: u32,
    /// Games played.
    pub games: u64,
    /// Games that differ.
    pub distinct_games: u64,
    /// Points a game.
    pub score: Option<f64>,
    /// The difference of ratings.
    pub elo: Option<f64>,
    /// Its interval's lower end.
    pub elo_low: Option<f64>,
    /// Its interval's upper end.
    pub elo_high: Option<f64>,
}
