//! Launching a run: from a spec's text to a run that goes on. Repeating a launch is harmless.

use super::Face;
use super::naming::Naming;
use super::problem::Problem;
use super::request::Asked;
use super::runs::Shown;
use crate::core::LaunchError;
use crate::spec::{FieldError, MOST_BYTES, Node, Outside, RunName, RunSpec, SpecErrors, draw, written};
use crate::store::{Launched, StoredRun};
use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use kembara_engine::player::shorten;
use kembara_evolution::{Difference, ResolvedSpec};
use serde::Serialize;
use serde_json::json;
use std::time::Duration;

/// How long a spec may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// Times that a launch is tried when another one of the same name comes between.
const TRIES: u32 = 5;

#[derive(Serialize)]
struct Answer {
    /// created, resumed, finished or stopped.
    outcome: &'static str,
    #[serde(flatten)]
    run: Shown,
}

pub(super) async fn launch(
    State(face): State<Face>,
    asked: Asked,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    asked.end()?;
    let spec = read(&headers, body).await?;
    let (name, outcome) = face.start(&spec).await?;
    let status = if outcome == "created" { StatusCode::CREATED } else { StatusCode::OK };
    let run = face.shown(&name).await?;
    Ok((status, [(LOCATION, format!("/api/v1/runs/{name}"))], Json(Answer { outcome, run })).into_response())
}

async fn read(headers: &HeaderMap, body: Body) -> Result<RunSpec, Problem> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let parse = match kind.as_str() {
        "application/toml" | "text/toml" | "text/x-toml" => Node::from_toml,
        "application/json" => Node::from_json,
        _ => {
            let said = "a spec is sent as application/toml or application/json";
            return Err(Problem::unsupported(format!("{said}, not as `{}`", shorten(&kind))));
        }
    };
    let bytes =
        tokio::time::timeout(PATIENCE, to_bytes(body, MOST_BYTES)).await.map_err(|_| Problem::body_timeout())?;
    let bytes =
        bytes.map_err(|_| Problem::too_large(format!("a spec may have {MOST_BYTES} bytes, or it broke off")))?;
    // A large spec takes a while to check.
    let read = tokio::task::spawn_blocking(move || RunSpec::read(&parse(&bytes)?));
    match read.await {
        Ok(spec) => Ok(spec?),
        Err(error) => {
            tracing::error!(%error, "reading a spec broke off");
            Err(Problem::internal())
        }
    }
}

impl Face {
    async fn start(&self, spec: &RunSpec) -> Result<(RunName, &'static str), Problem> {
        for _ in 0..TRIES {
            let name = spec.name.clone().unwrap_or_else(|| RunName::made_up(draw()));
            let there = self.store().run_named(name.as_str()).await?;
            if there.is_some() && spec.name.is_none() {
                continue;
            }
            let resolved = self.resolve(spec, there.as_ref()).await?;
            match self.core.launch(name.as_str(), resolved).await.map_err(problem)? {
                Launched::Created(_) => return Ok((name, "created")),
                // The made-up name was taken a moment ago.
                _ if spec.name.is_none() => {}
                Launched::Resumed(_) => return Ok((name, "resumed")),
                Launched::Finished(_) => return Ok((name, "finished")),
                Launched::Stopped(_) => return Ok((name, "stopped")),
                // Another launch came first; its draws are to be taken over.
                Launched::Conflict(_) if there.is_none() => {}
                Launched::Conflict(differences) => return Err(another_spec(&name, &differences)),
            }
        }
        Err(Problem::conflict("others are launching runs of the same name at this moment; try again"))
    }

    /// The literal spec. What was drawn or looked up when a run of this name was launched is taken
    /// from it, so that the same text means the same run.
    async fn resolve(&self, spec: &RunSpec, there: Option<&StoredRun>) -> Result<ResolvedSpec, Problem> {
        let wanted = spec.injected();
        let same_hall = there.filter(|run| run.spec.inject.count == wanted && run.spec.genome == spec.genome());
        let outside = Outside {
            seed: there.map_or_else(draw, |run| run.spec.seed),
            start: self.population(spec).await?,
            hall: match same_hall {
                Some(run) => run.spec.inject.hall.clone(),
                None => self.hall(spec).await?,
            },
        };
        Ok(spec.resolve(outside)?)
    }

    async fn hall(&self, spec: &RunSpec) -> Result<Vec<String>, Problem> {
        if spec.injected() == 0 {
            return Ok(Vec::new());
        }
        let champions = self.store().view_champions(spec.game(), spec.genome(), spec.injected()).await?;
        let naming = Naming::new(spec.game(), spec.genome());
        Ok(champions.iter().map(|champion| naming.genes(&champion.chromosome)).collect())
    }

    async fn population(&self, spec: &RunSpec) -> Result<Vec<String>, Problem> {
        let Some((run, generation)) = &spec.start else { return Ok(Vec::new()) };
        let refuse = |field: &str, value: String, message: String| {
            Problem::from(SpecErrors::one(FieldError::new(format!("population.start.{field}"), Some(value), message)))
        };
        let found = self.store().view_population(run.as_str(), *generation, spec.population()).await?;
        let Some(found) = found else {
            return Err(refuse("run", run.to_string(), format!("there is no run named `{run}`")));
        };
        if (found.game.as_str(), found.genome.as_str()) != (spec.game(), spec.genome()) {
            let message = format!(
                "run `{run}` evolves {} of {}; this run evolves {} of {}",
                found.genome,
                found.game,
                spec.genome(),
                spec.game()
            );
            return Err(refuse("run", run.to_string(), message));
        }
        if found.chromosomes.is_empty() {
            let message = format!("generation {generation} of run `{run}` is not over, or never was");
            return Err(refuse("generation", generation.to_string(), message));
        }
        let naming = Naming::new(spec.game(), spec.genome());
        Ok(found.chromosomes.iter().map(|chromosome| naming.genes(chromosome)).collect())
    }
}

fn problem(error: LaunchError) -> Problem {
    match error {
        LaunchError::Store(error) => error.into(),
        // The spec was checked before; what is left is told all the same.
        other => Problem::bad_request(other.to_string()),
    }
}

/// The refusal of a name that is taken: every field that differs.
fn another_spec(name: &RunName, differences: &[Difference]) -> Problem {
    const TOLD: usize = 5;
    const LISTED: usize = 100;
    let told: Vec<String> = differences
        .iter()
        .take(TOLD)
        .map(|difference| {
            let (there, here) = (shorten(&difference.ours), shorten(&difference.theirs));
            format!("{} is {there} there and {here} here", written(&difference.field))
        })
        .collect();
    let rest = differences.len() - told.len();
    let more = if rest > 0 { format!("; and {rest} more") } else { String::new() };
    let detail =
        format!("there is a run `{name}` with another spec: {}{more}; give this one another name", told.join("; "));
    let listed = differences.iter().take(LISTED).map(|difference| {
        json!({
            "field": written(&difference.field),
            "theirs": shorten(&difference.ours),
            "yours": shorten(&difference.theirs),
        })
    });
    Problem::another_spec(detail, listed.collect())
}
