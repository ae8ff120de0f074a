//! One individual: its life, its parents and its children.

use super::Face;
use super::naming::{Named, Naming};
use super::problem::Problem;
use super::request::{Asked, Target};
use axum::Json;
use axum::extract::State;
use serde::Serialize;

/// Children that are listed.
const MOST_CHILDREN: u32 = 1000;

#[derive(Serialize)]
pub(super) struct Individual {
    run: String,
    number: i64,
    #[serde(flatten)]
    named: Named,
    chromosome: String,
    origin: String,
    birth: i32,
    /// The last generation it took part in; `null` while it lives.
    death: Option<i32>,
    parents: Vec<i64>,
    children: Vec<i64>,
    wins: i64,
    draws: i64,
    losses: i64,
    elo: f64,
    /// How many generations it has played; the page of them follows.
    generations_played: i64,
    generations: Vec<Life>,
}

#[derive(Serialize)]
struct Life {
    generation: i32,
    rank: i32,
    wins: i64,
    draws: i64,
    losses: i64,
    elo: f64,
    elo_before: f64,
}

pub(super) async fn show(
    State(face): State<Face>,
    target: Target,
    mut asked: Asked,
) -> Result<Json<Individual>, Problem> {
    let page = asked.page(1000, 10_000);
    asked.end()?;
    let run = face.run(&target.run()?).await?;
    let number = target.number("individual")?;
    let found = face.store().view_individual(run.id, number).await?;
    let found = found.ok_or_else(|| Problem::not_found(format!("run `{}` has no individual {number}", run.name)))?;
    let children = face.store().view_children(run.id, found.number, MOST_CHILDREN).await?;
    let (life, total) = face.store().view_life(run.id, found.number, page).await?;
    let naming = Naming::new(&run.game, &run.genome);
    Ok(Json(Individual {
        run: run.name,
        number: found.number,
        named: naming.name(found.birth, &found.chromosome),
        chromosome: naming.genes(&found.chromosome),
        origin: found.origin,
        birth: found.birth,
        death: found.death,
        parents: found.parents,
        children,
        wins: found.wins,
        draws: found.draws,
        losses: found.losses,
        elo: found.elo,
        generations_played: total,
        generations: life
            .into_iter()
            .map(|row| Life {
                generation: row.generation,
                rank: row.rank,
                wins: row.wins,
                draws: row.draws,
                losses: row.losses,
                elo: row.elo,
                elo_before: row.elo_before,
            })
            .collect(),
    }))
}
