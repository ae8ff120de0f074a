//! Verifying a run on somebody's wish. It may take as long as the run's games did, so the answer is
//! a stream of lines, and ends when nobody listens any more.

use super::Face;
use super::problem::Problem;
use super::request::{Asked, Target};
use crate::replay::ReplayError;
use crate::store::Store;
use crate::verify::{self, Verification, VerifyError};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

/// How often a line says that the work goes on.
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);

/// Lets one verification run at a time: it may use all cores.
#[derive(Clone)]
pub(super) struct Turnstile(Arc<Semaphore>);

impl Default for Turnstile {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

/// A line of the answer; the last one is not `working`.
#[derive(Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
enum Line {
    Working,
    Done { agrees: bool, generations: u32, games: u64, replayed: u64, differing: u64, differences: Vec<String> },
    Failed { detail: String },
}

impl From<Result<Verification, VerifyError>> for Line {
    fn from(outcome: Result<Verification, VerifyError>) -> Self {
        match outcome {
            Ok(found) => Self::Done {
                agrees: found.agrees(),
                generations: found.generations,
                games: found.games,
                replayed: found.replayed,
                differing: found.differing,
                differences: found.differences,
            },
            Err(VerifyError::Store(error)) => {
                tracing::warn!(%error, "a run could not be verified");
                Self::Failed { detail: "the database does not answer; try again soon".to_owned() }
            }
            Err(error) => Self::Failed { detail: error.to_string() },
        }
    }
}

impl Line {
    fn bytes(&self) -> Bytes {
        // A flat record of numbers and texts always has a JSON form.
        Bytes::from(serde_json::to_string(self).unwrap_or_default() + "\n")
    }
}

pub(super) async fn verify(State(face): State<Face>, target: Target, mut asked: Asked) -> Result<Response, Problem> {
    let replay = asked.share("replay");
    asked.end()?;
    let name = target.run()?;
    face.run(&name).await?;
    let permit = Arc::clone(&face.turnstile.0).try_acquire_owned().map_err(|_| ReplayError::Busy)?;
    let (lines, told) = mpsc::channel(1);
    tokio::spawn(work(face.store().clone(), name.to_string(), replay, lines, permit));
    let body = Body::from_stream(ReceiverStream::new(told).map(Ok::<_, Infallible>));
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

/// Verifies, with a line now and then; stops after the generation in hand when nobody listens.
async fn work(store: Store, name: String, replay: f64, lines: mpsc::Sender<Bytes>, _permit: OwnedSemaphorePermit) {
    let mut outcome = pin!(verify::run(&store, &name, replay));
    let mut signs = tokio::time::interval(SIGN_OF_LIFE);
    loop {
        tokio::select! {
            outcome = &mut outcome => {
                let _ = lines.send(Line::from(outcome).bytes()).await;
                return;
            }
            _ = signs.tick() => {
                if lines.send(Line::Working.bytes()).await.is_err() {
                    return;
                }
            }
        }
    }
}
