//! Runs: listing, showing, pausing, resuming, stopping.

use super::naming::{Named, Naming};
use super::problem::Problem;
use super::request::{Asked, Target, no_run};
use super::{Face, answer};
use crate::spec::RunName;
use crate::store::StoreError;
use crate::store::views::{Counts, Pace, RunRow};
use crate::store::{Changed, RunState};
use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use kembara_evolution::spec::Stop;
use serde::Serialize;
use std::time::Duration;

/// Speed is measured over this long.
const WINDOW: Duration = Duration::from_secs(10);

/// A run as it is listed.
#[derive(Debug, Serialize)]
pub(super) struct Run {
    name: String,
    state: String,
    game: String,
    genome: String,
    /// The generation being played, or the last one.
    generation: i32,
    /// Games of that generation, and those recorded.
    scheduled: i64,
    done: i64,
    /// Games recorded in all generations.
    games_recorded: i64,
    generations_finished: i32,
    best: Option<Best>,
    /// Workers heard of lately, of this coordinator's database.
    workers: i64,
    threads: i64,
    /// Whether it could go on if there were workers.
    waiting_for_workers: bool,
    stop: Stop,
    stop_reason: Option<String>,
    created_at: String,
    ended_at: Option<String>,
    seconds: f64,
}

/// The best individual of the last generation that was turned over.
#[derive(Debug, Serialize)]
struct Best {
    generation: i32,
    number: i64,
    #[serde(flatten)]
    named: Named,
    elo: f64,
}

/// A run as it is shown: the same, and how it goes on.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    #[serde(flatten)]
    run: Run,
    leased: i64,
    waiting: i64,
    /// Over the last ten seconds; `null` unless it runs.
    games_per_second: Option<f64>,
    /// Until the run's own rule ends it; `null` where that cannot be told. A best player that stays
    /// unchanged may end it earlier.
    seconds_left: Option<f64>,
    links: Links,
}

#[derive(Debug, Serialize)]
struct Links {
    spec: String,
    generations: String,
    leaderboard: String,
    /// Once the run is over and has a champion.
    report: Option<String>,
}

impl Run {
    fn new(row: RunRow, (workers, threads): (i64, i64)) -> Result<Self, StoreError> {
        let stop = serde_json::from_str(&row.stop)
            .map_err(|error| StoreError::Logic(format!("the rule for ending run {}: {error}", row.name)))?;
        let naming = Naming::new(&row.game, &row.genome);
        let best = row.best.zip(row.best_generation).zip(row.best_elo).zip(row.best_birth).zip(row.best_chromosome);
        let best = best.map(|((((number, generation), elo), birth), chromosome)| Best {
            generation,
            number,
            named: naming.name(birth, &chromosome),
            elo,
        });
        Ok(Self {
            generations_finished: best.as_ref().map_or(0, |best| best.generation),
            waiting_for_workers: row.state == RunState::Running.name() && workers == 0,
            name: row.name,
            state: row.state,
            game: row.game,
            genome: row.genome,
            generation: row.generation,
            scheduled: row.scheduled,
            done: row.done,
            games_recorded: row.games_before + row.done,
            best,
            workers,
            threads,
            stop,
            stop_reason: row.stop_reason,
            created_at: row.created_at,
            ended_at: row.ended_at,
            seconds: row.seconds,
        })
    }

    fn is_running(&self) -> bool {
        self.state == RunState::Running.name()
    }

    fn is_over(&self) -> bool {
        self.state == RunState::Stopped.name() || self.state == RunState::Finished.name()
    }

    /// Games until the rule for ending applies; the generations to come are taken to be like this
    /// one.
    fn games_left(&self) -> Option<i64> {
        let open = self.scheduled - self.done;
        let generations = self.stop.generations.map(|last| {
            let more = i64::from(last).saturating_sub(self.generation.into()).max(0);
            open.saturating_add(more.saturating_mul(self.scheduled))
        });
        // The generation in which the number is reached is played to its end.
        let games = self
            .stop
            .games
            .map(|most| i64::try_from(most).unwrap_or(i64::MAX).saturating_sub(self.games_recorded).max(open));
        generations.into_iter().chain(games).min()
    }
}

impl Shown {
    fn new(run: Run, counts: Counts, pace: Pace) -> Self {
        let speed = (run.is_running() && pace.seconds > 0.0).then(|| pace.games as f64 / pace.seconds);
        let left = speed.filter(|speed| *speed > 0.0).and_then(|speed| Some(run.games_left()? as f64 / speed));
        let at = |rest: &str| format!("/api/v1/runs/{}/{rest}", run.name);
        let links = Links {
            spec: at("spec"),
            generations: at("generations"),
            leaderboard: at("leaderboard"),
            report: (run.is_over() && run.best.is_some()).then(|| at("report")),
        };
        Self {
            // Both numbers come from one moment.
            run: Run { scheduled: counts.scheduled, done: counts.done, ..run },
            leased: counts.leased,
            waiting: counts.waiting,
            games_per_second: speed,
            seconds_left: left,
            links,
        }
    }
}

impl Face {
    /// The row of a run.
    pub(super) async fn run(&self, name: &RunName) -> Result<RunRow, Problem> {
        self.store().view_run(name.as_str()).await?.ok_or_else(|| no_run(name.as_str()))
    }

    /// A run as people see it.
    pub(super) async fn shown(&self, name: &RunName) -> Result<Shown, Problem> {
        loop {
            let row = self.run(name).await?;
            let (id, generation) = (row.id, row.generation.unsigned_abs());
            let run = Run::new(row, self.workforce().await?)?;
            let counts = self.store().view_counts(id, generation).await?;
            let pace = self.store().view_pace(id, WINDOW).await?;
            // A generation never goes away.
            if let Some(counts) = counts {
                return Ok(Shown::new(run, counts, pace));
            }
        }
    }

    async fn workforce(&self) -> Result<(i64, i64), Problem> {
        Ok(self.store().view_workforce(self.core.timings().recent()).await?)
    }
}

pub(super) async fn list(State(face): State<Face>, uri: Uri, mut asked: Asked) -> Result<Response, Problem> {
    let page = asked.page(100, 1000);
    asked.end()?;
    let (rows, total) = face.store().view_runs(page).await?;
    let workforce = face.workforce().await?;
    let runs = rows.into_iter().map(|row| Run::new(row, workforce)).collect::<Result<Vec<_>, _>>()?;
    Ok(answer::list(&runs, total, page, &uri))
}

pub(super) async fn show(State(face): State<Face>, target: Target, asked: Asked) -> Result<Json<Shown>, Problem> {
    asked.end()?;
    Ok(Json(face.shown(&target.run()?).await?))
}

pub(super) async fn spec(State(face): State<Face>, target: Target, asked: Asked) -> Result<Response, Problem> {
    asked.end()?;
    let name = target.run()?;
    let run = face.store().run_named(name.as_str()).await?.ok_or_else(|| no_run(name.as_str()))?;
    // The bytes that the run's hash covers.
    Ok(([(CONTENT_TYPE, "application/json")], run.spec.canonical_json()).into_response())
}

pub(super) async fn pause(State(face): State<Face>, target: Target, asked: Asked) -> Result<Json<Shown>, Problem> {
    change(face, target, asked, RunState::Paused).await
}

pub(super) async fn resume(State(face): State<Face>, target: Target, asked: Asked) -> Result<Json<Shown>, Problem> {
    change(face, target, asked, RunState::Running).await
}

pub(super) async fn stop(State(face): State<Face>, target: Target, asked: Asked) -> Result<Json<Shown>, Problem> {
    change(face, target, asked, RunState::Stopped).await
}

async fn change(face: Face, target: Target, asked: Asked, to: RunState) -> Result<Json<Shown>, Problem> {
    asked.end()?;
    let name = target.run()?;
    let changed = match to {
        RunState::Paused => face.core.pause(name.as_str()).await?,
        RunState::Running => face.core.resume(name.as_str()).await?,
        _ => face.core.stop(name.as_str()).await?,
    };
    match changed {
        Changed::Now(_) => Ok(Json(face.shown(&name).await?)),
        Changed::NoRun => Err(no_run(name.as_str())),
        Changed::Over(state) => {
            let state = state.name();
            Err(Problem::conflict(format!("run `{name}` is {state}, which is final; nothing was changed")))
        }
    }
}
