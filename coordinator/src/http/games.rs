//! One game of a generation, played again to show its moves.

use super::Face;
use super::answer;
use super::naming::{Named, Naming};
use super::problem::Problem;
use super::request::{Asked, Target};
use crate::replay::{GenerationKey, Played, Prepared, Seat};
use crate::store::views::RangeRow;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use kembara_engine::{GameResult, Side};
use kembara_tournament::packed;
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct Game {
    run: String,
    generation: u32,
    game: u64,
    first: Player,
    second: Player,
    /// The opening's place in the run's openings.
    opening: u32,
    /// Decimal text, since it may be beyond what JSON readers keep.
    seed: String,
    moves: Vec<String>,
    /// The score in the game's own words.
    score: Option<String>,
    result: Shown,
    /// What was recorded; `null` before it was.
    recorded: Option<Shown>,
    /// Whether the two are the same.
    agrees: Option<bool>,
    board: String,
}

#[derive(Serialize)]
struct Player {
    /// What the game calls this side.
    side: &'static str,
    /// `null` for a given opponent, who is none of the population.
    number: Option<u64>,
    #[serde(flatten)]
    named: Named,
}

/// A result in words and numbers.
#[derive(Serialize)]
struct Shown {
    /// `first`, `second` or `null` for a draw.
    winner: Option<&'static str>,
    /// Of the first player.
    margin: i16,
    plies: u16,
}

impl Shown {
    fn new(result: &GameResult) -> Self {
        let winner = result.outcome.winner().map(|side| match side {
            Side::First => "first",
            Side::Second => "second",
        });
        Self { winner, margin: result.margin, plies: result.plies }
    }
}

pub(super) async fn show(
    State(face): State<Face>,
    target: Target,
    headers: HeaderMap,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let text = asked.choice("format", &[("json", false), ("text", true)]);
    asked.end()?;
    let text = text.unwrap_or_else(|| answer::prefers(&headers, "text/plain"));
    let name = target.run()?;
    let run = face.run(&name).await?;
    let row = face.generation(run.id, target.generation()?).await?;
    let (generation, number) = (row.number.unsigned_abs(), target.number("game")?);
    if number >= row.games.unsigned_abs() {
        return Err(Problem::not_found(format!(
            "generation {generation} has the games 0 to {}, no game {number}",
            row.games - 1
        )));
    }
    let key = GenerationKey { run: run.id, generation };
    let prepared = match face.replay.ready(key) {
        Some(prepared) => prepared,
        None => {
            let missing = || Problem::not_found(format!("run `{name}` has no generation {generation}"));
            let stored = face.store().run(run.id).await?.ok_or_else(missing)?;
            let population = face.store().generation(run.id, generation).await?.ok_or_else(missing)?.population;
            face.replay.prepare(key, stored.spec, population).await?
        }
    };
    let played = face.replay.play(std::sync::Arc::clone(&prepared), number).await?;
    let recorded =
        face.store().view_range(run.id, generation, number).await?.and_then(|range| result_in(&range, number));
    let naming = Naming::new(&run.game, &run.genome);
    let game = write(&run.name, generation, number, &prepared, &played, recorded, &naming)?;
    Ok(if text { as_text(&game, &prepared, &played)?.into_response() } else { Json(game).into_response() })
}

/// The result of a pairing in its range, if that was played.
fn result_in(range: &RangeRow, pairing: u64) -> Option<GameResult> {
    let results = packed::unpack(range.results.as_deref()?, range.count.unsigned_abs()).ok()?;
    let place = pairing.checked_sub(range.first.unsigned_abs())?;
    results.get(usize::try_from(place).ok()?).copied()
}

fn write(
    run: &str,
    generation: u32,
    number: u64,
    prepared: &Prepared,
    played: &Played,
    recorded: Option<GameResult>,
    naming: &Naming,
) -> Result<Game, Problem> {
    let session = walk(prepared, played)?;
    let player = |side: Side, place: u32| {
        let (number, named) = match prepared.seat(place) {
            Seat::Individual(individual) => {
                let named = naming.name(individual.birth.cast_signed(), &individual.chromosome.to_bytes());
                (Some(individual.number), named)
            }
            Seat::Opponent(player) => (None, naming.opponent(player)),
        };
        Player { side: prepared.game().sides()[side.index()], number, named }
    };
    Ok(Game {
        run: run.to_owned(),
        generation,
        game: number,
        first: player(Side::First, played.meeting.first),
        second: player(Side::Second, played.meeting.second),
        opening: played.meeting.opening,
        seed: played.meeting.seed.to_string(),
        moves: played.moves.clone(),
        score: session.score(),
        result: Shown::new(&played.result),
        recorded: recorded.as_ref().map(Shown::new),
        agrees: recorded.map(|recorded| recorded == played.result),
        board: session.board(),
    })
}

/// The game's moves on a board.
fn walk(prepared: &Prepared, played: &Played) -> Result<Box<dyn kembara_engine::Session>, Problem> {
    let mut session = prepared.game().session();
    for action in &played.moves {
        if let Err(error) = session.play(action) {
            tracing::error!(%error, "a game's own moves cannot be played");
            return Err(Problem::internal());
        }
    }
    Ok(session)
}

fn as_text(game: &Game, prepared: &Prepared, played: &Played) -> Result<String, Problem> {
    let session = walk(prepared, played)?;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "run {}, generation {}, game {}", game.run, game.generation, game.game);
    for player in [&game.first, &game.second] {
        let _ = writeln!(text, "{:<7} {}  {}", player.side, player.named.player, player.named.nickname);
    }
    let winner = match played.result.outcome.winner() {
        Some(side) => format!("{} wins", prepared.game().sides()[side.index()]),
        None => "a draw".to_owned(),
    };
    let score = game.score.as_deref().map(|score| format!("{score}, ")).unwrap_or_default();
    let agrees = match game.agrees {
        Some(true) => "as recorded",
        Some(false) => "NOT as recorded",
        None => "not recorded yet",
    };
    let _ = writeln!(text, "result  {score}{winner}, {agrees}\n");
    let _ = writeln!(text, "{}\n\n{}", session.transcript().trim_end(), session.board().trim_end());
    Ok(text)
}
