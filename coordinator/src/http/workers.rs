//! Workers: who is there, and what they did.

use super::problem::Problem;
use super::request::Asked;
use super::{Face, answer};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use serde::Serialize;

#[derive(Serialize)]
struct Worker {
    /// The name it gave itself.
    name: String,
    connected: bool,
    threads: i32,
    version: String,
    engine_semantics: i32,
    games: Vec<String>,
    games_played: i64,
    games_recorded: i64,
    /// Ranges it holds now.
    leases: i64,
    registered_at: String,
    seen_at: String,
    silent_seconds: f64,
}

pub(super) async fn list(State(face): State<Face>, uri: Uri, mut asked: Asked) -> Result<Response, Problem> {
    let page = asked.page(100, 1000);
    asked.end()?;
    let (rows, total) = face.store().view_workers(face.core.timings().recent(), page).await?;
    let workers: Vec<_> = rows
        .into_iter()
        .map(|row| Worker {
            name: row.name,
            connected: row.connected,
            threads: row.threads,
            version: row.version,
            engine_semantics: row.engine_semantics,
            games: row.games,
            games_played: row.games_played,
            games_recorded: row.games_recorded,
            leases: row.leases,
            registered_at: row.registered_at,
            seen_at: row.seen_at,
            silent_seconds: row.silent_seconds,
        })
        .collect();
    Ok(answer::list(&workers, total, page, &uri))
}
