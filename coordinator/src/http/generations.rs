//! Generations: fingerprints, times, games, the best, and where the games are.

use super::naming::{Named, Naming, hex};
use super::problem::Problem;
use super::request::{Asked, Target, Which};
use super::{Face, answer};
use crate::store::RunId;
use crate::store::views::GenerationRow;
use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Generation {
    number: i32,
    individuals: i32,
    slots: i32,
    games: i64,
    /// Hexadecimal; `null` until the generation is turned over.
    fingerprint: Option<String>,
    best: Option<Best>,
    created_at: String,
    turned_over_at: Option<String>,
    seconds: f64,
}

#[derive(Serialize)]
struct Best {
    number: i64,
    #[serde(flatten)]
    named: Named,
    elo: f64,
}

#[derive(Serialize)]
pub(super) struct Shown {
    run: String,
    #[serde(flatten)]
    generation: Generation,
    /// Where its games are: done + leased + waiting = scheduled.
    scheduled: i64,
    done: i64,
    leased: i64,
    waiting: i64,
}

impl Generation {
    fn new(row: GenerationRow, naming: &Naming) -> Self {
        let best = row.best.zip(row.best_elo).zip(row.best_birth).zip(row.best_chromosome);
        Self {
            number: row.number,
            individuals: row.individuals,
            slots: row.slots,
            games: row.games,
            fingerprint: row.fingerprint.as_deref().map(hex),
            best: best.map(|(((number, elo), birth), chromosome)| Best {
                number,
                named: naming.name(birth, &chromosome),
                elo,
            }),
            created_at: row.created_at,
            turned_over_at: row.turned_over_at,
            seconds: row.seconds,
        }
    }
}

impl Face {
    /// A generation of a run.
    pub(super) async fn generation(&self, run: RunId, which: Which) -> Result<GenerationRow, Problem> {
        let found = match which {
            Which::Latest => self.store().view_latest_generation(run).await?,
            Which::Number(number) => self.store().view_generation(run, number).await?,
        };
        found.ok_or_else(|| match which {
            Which::Latest => Problem::not_found("no generation of this run is over yet"),
            Which::Number(number) => Problem::not_found(format!("the run has no generation {number} yet")),
        })
    }
}

pub(super) async fn list(
    State(face): State<Face>,
    target: Target,
    uri: Uri,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let page = asked.page(1000, 10_000);
    let latest_first = asked.choice("order", &[("asc", false), ("desc", true)]).unwrap_or(false);
    asked.end()?;
    let run = face.run(&target.run()?).await?;
    let naming = Naming::new(&run.game, &run.genome);
    let (rows, total) = face.store().view_generations(run.id, latest_first, page).await?;
    let generations: Vec<_> = rows.into_iter().map(|row| Generation::new(row, &naming)).collect();
    Ok(answer::list(&generations, total, page, &uri))
}

pub(super) async fn show(State(face): State<Face>, target: Target, asked: Asked) -> Result<Json<Shown>, Problem> {
    asked.end()?;
    let run = face.run(&target.run()?).await?;
    let row = face.generation(run.id, target.generation()?).await?;
    let counts = face.store().view_counts(run.id, row.number.unsigned_abs()).await?;
    let counts = counts.ok_or_else(|| Problem::not_found("the run has no such generation"))?;
    let generation = Generation::new(row, &Naming::new(&run.game, &run.genome));
    Ok(Json(Shown {
        run: run.name,
        generation,
        scheduled: counts.scheduled,
        done: counts.done,
        leased: counts.leased,
        waiting: counts.waiting,
    }))
}
