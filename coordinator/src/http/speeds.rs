//! How fast the best of each generation won: the fitness of runs that select by speed.
//!
//! It is not stored: each generation's standings are computed again from its recorded results.

use super::naming::{Named, Naming};
use super::problem::Problem;
use super::request::{Asked, Target};
use super::{Face, answer};
use crate::store::{RunId, StoreError};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use kembara_evolution::spec::SelectBy;
use kembara_evolution::{Run, Standing};
use kembara_tournament::packed;
use serde::Serialize;
use tokio::task::spawn_blocking;

#[derive(Serialize)]
struct Best {
    generation: u32,
    number: u64,
    #[serde(flatten)]
    named: Named,
    /// The genes in the author's notation.
    chromosome: String,
    /// The sum of the speeds of its games.
    speed: i64,
    games: u64,
}

pub(super) async fn list(
    State(face): State<Face>,
    target: Target,
    uri: Uri,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let page = asked.page(100, 1000);
    asked.end()?;
    let name = target.run()?;
    let row = face.run(&name).await?;
    let missing = || Problem::not_found(format!("there is no run `{name}`"));
    let stored = face.store().run(row.id).await?.ok_or_else(missing)?;
    if !matches!(stored.spec.select_by, SelectBy::Speed { .. }) {
        return Err(Problem::not_found(format!("run `{name}` does not select by speed, so its players have none")));
    }
    let run = computed(move || Run::new(stored.spec)).await?.map_err(|error| broken(&error))?;
    let naming = Naming::new(&row.game, &row.genome);
    let (generations, total) = face.store().view_generations(row.id, false, page).await?;
    let mut best = Vec::with_capacity(generations.len());
    for generation in generations.iter().filter(|generation| generation.fingerprint.is_some()) {
        let number = generation.number.unsigned_abs();
        let leader = face.leader(&run, row.id, number).await?;
        let individual = &leader.individual;
        best.push(Best {
            generation: number,
            number: individual.number,
            named: naming.name(individual.birth.cast_signed(), &individual.chromosome.to_bytes()),
            chromosome: individual.chromosome.to_string(),
            speed: leader.speed.unwrap_or(0),
            games: leader.tally.games(),
        });
    }
    Ok(answer::list(&best, total, page, &uri))
}

impl Face {
    /// The best of a generation that is over.
    async fn leader(&self, run: &Run, id: RunId, number: u32) -> Result<Standing, Problem> {
        let stored = self.store().generation(id, number).await?;
        let population = stored.ok_or_else(|| broken(&"a generation is missing"))?.population;
        let ranges = self.store().results(id, number, 0).await?;
        let run = run.clone();
        let leader = computed(move || -> Result<Standing, String> {
            let generation = run.read_generation(&population).map_err(|error| error.to_string())?;
            let mut turnover = run.begin(&generation);
            for range in &ranges {
                let results = packed::unpack(&range.packed, range.count).map_err(|error| error.to_string())?;
                if range.first != turnover.fed() || results.len() as u64 > turnover.pairings() - turnover.fed() {
                    return Err("the recorded ranges do not follow each other".to_owned());
                }
                turnover.feed(&results);
            }
            if turnover.fed() != turnover.pairings() {
                return Err("results are missing".to_owned());
            }
            turnover.finish().standings.into_iter().next().ok_or_else(|| "nobody played".to_owned())
        });
        leader.await?.map_err(|error| broken(&format!("generation {number}: {error}")))
    }
}

async fn computed<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    spawn_blocking(work).await.map_err(|error| broken(&error))
}

/// What is stored contradicts itself: a matter for the log.
fn broken(error: &dyn std::fmt::Display) -> Problem {
    Problem::from(StoreError::Logic(error.to_string()))
}
