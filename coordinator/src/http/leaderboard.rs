//! The standings of a generation, as JSON and as CSV.

use super::Face;
use super::answer::{self, Cell, Csv};
use super::naming::{Named, Naming, hex};
use super::problem::Problem;
use super::request::{Asked, Target, Which};
use crate::store::views::{Order, Sort, StandingRow};
use axum::Json;
use axum::extract::State;
use axum::http::header::{ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

#[derive(Serialize)]
struct Leaderboard {
    run: String,
    generation: i32,
    fingerprint: String,
    total: i64,
    limit: u32,
    offset: u64,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    rank: i32,
    number: i64,
    #[serde(flatten)]
    named: Named,
    birth: i32,
    origin: String,
    chromosome: String,
    games: i64,
    points: f64,
    wins: i64,
    draws: i64,
    losses: i64,
    elo: f64,
    elo_before: f64,
}

impl Entry {
    fn new(row: StandingRow, naming: &Naming) -> Self {
        let (wins, draws, losses) = (row.wins, row.draws, row.losses);
        Self {
            rank: row.rank,
            number: row.number,
            named: naming.name(row.birth, &row.chromosome),
            birth: row.birth,
            origin: row.origin,
            chromosome: naming.genes(&row.chromosome),
            games: wins + draws + losses,
            points: wins as f64 + draws as f64 * 0.5,
            wins,
            draws,
            losses,
            elo: row.elo,
            elo_before: row.elo_before,
        }
    }

    const COLUMNS: [&str; 13] = [
        "rank",
        "player",
        "nickname",
        "number",
        "birth",
        "origin",
        "games",
        "points",
        "wins",
        "draws",
        "losses",
        "elo",
        "elo_before",
    ];

    fn cells(self) -> [Cell; 13] {
        [
            Cell::Whole(self.rank.into()),
            Cell::Text(self.named.player),
            Cell::Text(self.named.nickname),
            Cell::Whole(self.number),
            Cell::Whole(self.birth.into()),
            Cell::Text(self.origin),
            Cell::Whole(self.games),
            Cell::Real(self.points),
            Cell::Whole(self.wins),
            Cell::Whole(self.draws),
            Cell::Whole(self.losses),
            Cell::Real(self.elo),
            Cell::Real(self.elo_before),
        ]
    }
}

/// The leaderboard of the generation that the query names, of the latest when it names none.
pub(super) async fn of_run(
    State(face): State<Face>,
    target: Target,
    uri: Uri,
    headers: HeaderMap,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let which = asked.generation();
    show(&face, &target, which, &uri, &headers, asked).await
}

pub(super) async fn of_generation(
    State(face): State<Face>,
    target: Target,
    uri: Uri,
    headers: HeaderMap,
    asked: Asked,
) -> Result<Response, Problem> {
    show(&face, &target, target.generation()?, &uri, &headers, asked).await
}

async fn show(
    face: &Face,
    target: &Target,
    which: Which,
    uri: &Uri,
    headers: &HeaderMap,
    mut asked: Asked,
) -> Result<Response, Problem> {
    let page = asked.page(100, 10_000);
    let sort = asked.choice("sort", &Sort::NAMES).unwrap_or(Sort::Rank);
    let order = asked.choice("order", &[("asc", Order::Ascending), ("desc", Order::Descending)]);
    let csv = asked.choice("format", &[("json", false), ("csv", true)]);
    asked.end()?;
    let csv = csv.unwrap_or_else(|| answer::prefers(headers, "text/csv"));
    let run = face.run(&target.run()?).await?;
    let generation = face.generation(run.id, which).await?;
    let Some(fingerprint) = generation.fingerprint.as_deref().map(hex) else {
        return Err(Problem::not_found(format!(
            "generation {} is still being played; its leaderboard comes with its last game, and `latest` is there before",
            generation.number
        )));
    };
    // A generation that is over never changes, so its fingerprint and the question name the answer.
    let question = format!("{csv} {:?}", (sort, order, page));
    let tag = blake3::hash(format!("{} {} {fingerprint} {question}", run.name, generation.number).as_bytes());
    let tag = format!("\"{}\"", hex(&tag.as_bytes()[..12]));
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut response =
        if known.flat_map(|list| list.split(',')).any(|known| known.trim().trim_start_matches("W/") == tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let number = generation.number.unsigned_abs();
            let rows = face.store().view_leaderboard(run.id, number, sort, order.unwrap_or(sort.usual()), page).await?;
            let naming = Naming::new(&run.game, &run.genome);
            let (shown, total) = (rows.len(), i64::from(generation.individuals));
            let entries = rows.into_iter().map(|row| Entry::new(row, &naming));
            let mut response = if csv {
                let mut table = Csv::new(&Entry::COLUMNS);
                entries.for_each(|entry| table.row(entry.cells()));
                table.into_response()
            } else {
                Json(Leaderboard {
                    run: run.name,
                    generation: generation.number,
                    fingerprint,
                    total,
                    limit: page.limit,
                    offset: page.offset,
                    entries: entries.collect(),
                })
                .into_response()
            };
            answer::add_page(&mut response, shown, total, page, uri);
            response
        };
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    Ok(response)
}
