//! One game, printed move by move.

use crate::contest::record::{self, Save};
use crate::contest::{Contest, Field};
use crate::failure::Failure;
use kembara_engine::{Outcome, Side};
use serde::Serialize;

#[derive(Serialize)]
struct Game<'a> {
    game: &'static str,
    first: String,
    second: String,
    seed: u64,
    moves: &'a [String],
    winner: Option<&'static str>,
    margin: i16,
    plies: u16,
    score: Option<String>,
}

/// Plays the game and says how it went.
pub fn play(played: &Contest, save: Option<&mut Save>, json: bool) -> Result<String, Failure> {
    let field = Field::new(played)?;
    let meeting = field.meeting(0, 0);
    let (moves, result) = field.arena(0).table().record(&meeting);
    let written = record::write(played, &moves)?;
    if let Some(save) = save {
        save.add(&record::block(played, 1, 0, &moves, &result)?)?;
    }
    if json {
        let [first, second] = played.players.each_ref().map(ToString::to_string);
        let winner = match result.outcome {
            Outcome::FirstWins => Some("first"),
            Outcome::SecondWins => Some("second"),
            Outcome::Draw => None,
        };
        let game = Game {
            game: played.game.name(),
            first,
            second,
            seed: played.seed,
            moves: &moves,
            winner,
            margin: result.margin,
            plies: result.plies,
            score: written.score,
        };
        let text = serde_json::to_string_pretty(&game).map_err(|error| Failure::failed(error.to_string()))?;
        return Ok(text + "\n");
    }
    let heads = [Side::First, Side::Second].map(|side| record::player_line(played, side, side.index()));
    Ok(format!("{}\n\n{}\n{}\n", heads.join("\n"), written.transcript, record::ending(played, &written, &result)))
}
