//! The games of an Othello run, which the coordinator plays again one by one, as records.

use crate::client::{self, GameView, Server};
use crate::command::records::Format;
use crate::failure::Failure;
use crate::output::{Status, grouped};
use kembara_engine::othello::notation::{Action, parse_action};
use kembara_engine::othello::record::{Record, Start};
use kembara_engine::player::shorten;
use std::time::Duration;

/// The one game whose records have formats of their own.
const GAME: &str = "othello";

/// Games when nobody says how many.
pub const USUAL: u64 = 1000;

/// The most games of one file. Such a file is well below the size that is still read.
pub const MOST: u64 = 50_000;

/// Writes so many games of a generation, or all of them when it has fewer; of the last generation
/// that is over when none is named.
pub fn write(
    server: &Server,
    name: &str,
    generation: Option<u32>,
    games: u64,
    format: Format,
) -> Result<String, Failure> {
    let run = client::show(server, name)?;
    if run.game != GAME {
        return Err(Failure::refused(format!(
            "run `{name}` plays {}; only games of {GAME} are written as records",
            shorten(&run.game)
        )));
    }
    let pairings = client::pairings(server, name, generation)?;
    let games = games.min(pairings.games);
    let mut status = Status::new(Duration::from_secs(10));
    let mut text = String::new();
    for place in 0..games {
        status.show(|| format!("{} of {} games", grouped(place), grouped(games)));
        let number = spread(place, games, pairings.games);
        let record = record(name, pairings.number, number, client::game(server, name, pairings.number, number)?)?;
        if place > 0 {
            text += format.between();
        }
        text += &format.write(&record);
    }
    Ok(text)
}

/// The pairing at a place of a selection that is spread evenly over all pairings.
fn spread(place: u64, selected: u64, all: u64) -> u64 {
    let number = u128::from(place) * u128::from(all) / u128::from(selected);
    u64::try_from(number).expect("it is below `all`, since the place is below `selected`")
}

fn record(run: &str, generation: u32, number: u64, game: GameView) -> Result<Record, Failure> {
    let about = format!("run {run}, generation {generation}, game {number}");
    if game.agrees == Some(false) {
        return Err(Failure::failed(format!(
            "{about} comes out differently than recorded; `kembara run verify {run} --replay 1` tells more"
        )));
    }
    let moves: Option<Vec<Action>> = game.moves.iter().map(|text| parse_action(text)).collect();
    let moves = moves.ok_or_else(|| Failure::failed(format!("{about}: the coordinator sent a move that is none")))?;
    let mut record = Record::new(Start::STANDARD, moves)
        .map_err(|illegal| Failure::failed(format!("{about}: the coordinator sent an illegal game: {illegal}")))?;
    record.players = [game.first.player, game.second.player];
    record.event = about;
    record.place = "Kembara".to_owned();
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[&str], agrees: Option<bool>) -> GameView {
        serde_json::from_value(serde_json::json!({
            "first": { "side": "black", "player": "greedy" }, "second": { "side": "white", "player": "random" },
            "moves": moves, "agrees": agrees,
        }))
        .unwrap()
    }

    #[test]
    fn a_selection_is_spread_over_all_games_and_takes_none_twice() {
        let numbers = |selected, all| (0..selected).map(|place| spread(place, selected, all)).collect::<Vec<_>>();
        assert_eq!(numbers(4, 10), [0, 2, 5, 7]);
        assert_eq!(numbers(3, 3), [0, 1, 2]);
        assert_eq!(numbers(2, u64::MAX), [0, u64::MAX / 2]);
    }

    #[test]
    fn games_that_cannot_be_are_named() {
        let tried = |game| record("a", 2, 7, game).map_err(|failure| failure.message);
        assert_eq!(tried(game(&["d3", "c3"], None)).unwrap().event, "run a, generation 2, game 7");
        for (game, reason) in [
            (game(&["d3", "z9"], None), "a move that is none"),
            (game(&["d3", "a1"], None), "an illegal game"),
            (game(&["d3"], Some(false)), "differently than recorded"),
        ] {
            let message = tried(game).unwrap_err();
            assert!(message.contains(reason) && message.contains("generation 2, game 7"), "{message}");
        }
    }
}
