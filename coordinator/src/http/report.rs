//! The report of a run that is over, with the answer to the question that GeneThello's author left
//! open.

use super::Face;
use super::naming::{Named, Naming, hex};
use super::problem::Problem;
use super::request::{Asked, Target, Which};
use crate::replay::{Duel, DuelGame, OpeningsMatch, ReplayError, duel};
use crate::store::views::{GenerationRow, RunRow};
use crate::store::{RunId, RunState};
use axum::Json;
use axum::extract::State;
use kembara_engine::{Chromosome, Side, registry};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Duels that were played, by run. A duel is a function of its run, so nothing is lost when they are
/// forgotten.
#[derive(Clone, Default)]
pub(super) struct Reports(Arc<Mutex<BTreeMap<RunId, Arc<Duel>>>>);

/// Duels that are kept.
const KEPT: usize = 256;

impl Reports {
    fn get(&self, run: RunId) -> Option<Arc<Duel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&run).cloned()
    }

    fn put(&self, run: RunId, duel: Arc<Duel>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(run, duel);
    }
}

#[derive(Serialize)]
pub(super) struct Report {
    run: String,
    state: String,
    /// Why it ended.
    reason: Option<String>,
    game: String,
    /// Generations that were turned over, and their games.
    generations: i32,
    games: i64,
    seconds: f64,
    games_per_second: Option<f64>,
    fingerprint: Option<String>,
    first_champion: Champion,
    last_champion: Champion,
    duel: DuelShown,
}

#[derive(Serialize)]
struct Champion {
    generation: i32,
    number: i64,
    #[serde(flatten)]
    named: Named,
    elo: f64,
}

/// The last champion against generation 1's.
#[derive(Serialize)]
struct DuelShown {
    /// Whether the last champion won with both colours from the start position; `null` when the
    /// run's search is too deep to be played here.
    wins_with_both_colours: Option<bool>,
    /// From the start: the last champion moving first, then second.
    games: Option<[GameShown; 2]>,
    openings: Option<Openings>,
}

#[derive(Serialize)]
struct GameShown {
    /// What the game calls the last champion's side.
    side: &'static str,
    /// `won`, `drawn` or `lost`, by the last champion.
    outcome: &'static str,
    /// The last champion's margin.
    margin: i32,
    score: Option<String>,
    moves: Vec<String>,
}

/// Over drawn openings, both colours each; counts are the last champion's.
#[derive(Serialize)]
struct Openings {
    plies: u8,
    openings: u64,
    games: u64,
    distinct_games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Points a game, 0 to 1.
    score: Option<f64>,
    /// The difference of ratings that fits the score, and its 95 % interval; `null` where the games
    /// do not tell.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
}

pub(super) async fn show(State(face): State<Face>, target: Target, asked: Asked) -> Result<Json<Report>, Problem> {
    asked.end()?;
    let run = face.run(&target.run()?).await?;
    if run.state != RunState::Finished.name() && run.state != RunState::Stopped.name() {
        return Err(Problem::conflict(format!(
            "run `{}` is {}; its report comes when it is over",
            run.name, run.state
        )));
    }
    let latest = face.store().view_latest_generation(run.id).await?;
    let Some(latest) = latest else {
        return Err(Problem::conflict(format!("run `{}` was stopped before a generation was over", run.name)));
    };
    let first = face.generation(run.id, Which::Number(1)).await?;
    let duel = face.duel(&run, &first, &latest).await?;
    Ok(Json(write(run, &first, &latest, &duel)?))
}

impl Face {
    async fn duel(&self, run: &RunRow, first: &GenerationRow, latest: &GenerationRow) -> Result<Arc<Duel>, Problem> {
        if let Some(duel) = self.reports.get(run.id) {
            return Ok(duel);
        }
        let stored = self.store().run(run.id).await?.ok_or_else(Problem::internal)?;
        let champions = [latest, first].map(|row| row.best_chromosome.clone().unwrap_or_default());
        let played = self.replay.run(move || {
            let broken = |error: String| ReplayError::Broken(error);
            let game = registry::game(&stored.spec.game).ok_or_else(|| broken("there is no such game".to_owned()))?;
            let genome = game.genome(&stored.spec.genome).map_err(|error| broken(error.to_string()))?;
            let read = |bytes: &[u8]| {
                Chromosome::from_bytes(bytes, &genome.parameters).map_err(|error| broken(error.to_string()))
            };
            duel(game, &stored.spec, &read(&champions[0])?, &read(&champions[1])?)
                .map_err(|error| broken(error.to_string()))
        });
        let duel = Arc::new(played.await??);
        self.reports.put(run.id, Arc::clone(&duel));
        Ok(duel)
    }
}

fn write(run: RunRow, first: &GenerationRow, latest: &GenerationRow, duel: &Duel) -> Result<Report, Problem> {
    let naming = Naming::new(&run.game, &run.genome);
    // The generation that is left open when a run is stopped does not count.
    let games = if latest.number == run.generation { run.games_before + run.done } else { run.games_before };
    Ok(Report {
        reason: run.stop_reason,
        generations: latest.number,
        games,
        seconds: run.seconds,
        games_per_second: (run.seconds > 0.0).then(|| games as f64 / run.seconds),
        fingerprint: latest.fingerprint.as_deref().map(hex),
        first_champion: champion(first, &naming)?,
        last_champion: champion(latest, &naming)?,
        duel: show_duel(&run.game, duel),
        run: run.name,
        state: run.state,
        game: run.game,
    })
}

fn champion(row: &GenerationRow, naming: &Naming) -> Result<Champion, Problem> {
    let (Some(number), Some(elo), Some(birth), Some(chromosome)) =
        (row.best, row.best_elo, row.best_birth, &row.best_chromosome)
    else {
        tracing::error!(generation = row.number, "a generation that is over has no best individual");
        return Err(Problem::internal());
    };
    Ok(Champion { generation: row.number, number, named: naming.name(birth, chromosome), elo })
}

fn show_duel(game: &str, duel: &Duel) -> DuelShown {
    DuelShown {
        wins_with_both_colours: duel.games.as_ref().map(|games| games.iter().all(|game| game.half_points == 2)),
        games: duel
            .games
            .as_ref()
            .map(|[first, second]| [show_game(game, Side::First, first), show_game(game, Side::Second, second)]),
        openings: duel.openings.as_ref().map(show_openings),
    }
}

fn show_game(game: &str, side: Side, played: &DuelGame) -> GameShown {
    let game = registry::game(game);
    let score = game.and_then(|game| {
        let mut session = game.session();
        played.moves.iter().try_for_each(|action| session.play(action)).ok()?;
        session.score()
    });
    let margin = i32::from(played.result.margin);
    GameShown {
        side: game.map_or("", |game| game.sides()[side.index()]),
        outcome: match played.half_points {
            0 => "lost",
            1 => "drawn",
            _ => "won",
        },
        margin: if side == Side::First { margin } else { -margin },
        score,
        moves: played.moves.clone(),
    }
}

fn show_openings(played: &OpeningsMatch) -> Openings {
    let difference = played.pairs.difference();
    Openings {
        plies: played.plies,
        openings: played.openings,
        games: 2 * played.openings,
        distinct_games: played.distinct_games,
        wins: played.wins,
        draws: played.draws,
        losses: played.losses,
        score: played.pairs.score(),
        elo: difference.elo,
        elo_low: difference.low,
        elo_high: difference.high,
    }
}
