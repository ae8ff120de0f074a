//! The HTTP face for people and their programs; docs/http-api.md describes it.
//!
//! Handlers are thin: they read the request, ask the store, the core or the replay pool, and write
//! the answer. Every error is a problem body, whatever goes wrong.

mod answer;
mod games;
mod generations;
mod individuals;
mod launch;
mod leaderboard;
mod naming;
mod problem;
mod report;
mod request;
mod runs;
mod speeds;
mod verify;
mod welcome;
mod workers;

use crate::core::Core;
use crate::replay::Pool;
use crate::store::Store;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use problem::Problem;
use std::sync::Arc;
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;

/// What the handlers work with. Cheap to clone.
#[derive(Clone)]
pub struct Face {
    core: Arc<Core>,
    replay: Pool,
    reports: report::Reports,
    turnstile: verify::Turnstile,
}

impl Face {
    /// A face of this coordinator. Games are played again on one core, or two where there are more
    /// than four.
    #[must_use]
    pub fn new(core: Arc<Core>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self::with_pool(core, Pool::new(if cores > 4 { 2 } else { 1 }, 16, Duration::from_secs(60)))
    }

    /// The same with a pool of another size.
    #[must_use]
    pub fn with_pool(core: Arc<Core>, replay: Pool) -> Self {
        Self { core, replay, reports: report::Reports::default(), turnstile: verify::Turnstile::default() }
    }

    fn store(&self) -> &Store {
        &self.core.store
    }
}

/// Everything people can ask, to be merged with what is for workers.
pub fn router(face: Face) -> Router {
    Router::new()
        .route("/", get(welcome::page))
        .route("/api/v1", get(welcome::index))
        .route("/api/v1/workers", get(workers::list))
        .route("/api/v1/runs", get(runs::list).post(launch::launch))
        .route("/api/v1/runs/{run}", get(runs::show))
        .route("/api/v1/runs/{run}/pause", post(runs::pause))
        .route("/api/v1/runs/{run}/resume", post(runs::resume))
        .route("/api/v1/runs/{run}/stop", post(runs::stop))
        .route("/api/v1/runs/{run}/spec", get(runs::spec))
        .route("/api/v1/runs/{run}/report", get(report::show))
        .route("/api/v1/runs/{run}/verify", post(verify::verify))
        .route("/api/v1/runs/{run}/leaderboard", get(leaderboard::of_run))
        .route("/api/v1/runs/{run}/speeds", get(speeds::list))
        .route("/api/v1/runs/{run}/generations", get(generations::list))
        .route("/api/v1/runs/{run}/generations/{generation}", get(generations::show))
        .route("/api/v1/runs/{run}/generations/{generation}/leaderboard", get(leaderboard::of_generation))
        .route("/api/v1/runs/{run}/generations/{generation}/games/{game}", get(games::show))
        .route("/api/v1/runs/{run}/individuals/{individual}", get(individuals::show))
        .fallback(|| async { Problem::not_found("nothing lies at this address; GET /api/v1 lists what does") })
        .method_not_allowed_fallback(|| async { Problem::method_not_allowed() })
        .layer(middleware::from_fn(refuse_web_pages))
        .layer(CatchPanicLayer::custom(panicked))
        .with_state(face)
}

/// A web page from anywhere can make its reader's browser send a POST here. The browser names the
/// page's origin then, and what such a request would change is left alone.
async fn refuse_web_pages(request: Request, next: Next) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && is_from_another_origin(request.headers(), request.uri()) {
        return Problem::forbidden("a web page of another origin changes nothing here").into_response();
    }
    next.run(request).await
}

fn is_from_another_origin(headers: &HeaderMap, uri: &Uri) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return false };
    let host = headers.get(HOST).map(HeaderValue::as_bytes);
    let own = host.or_else(|| uri.authority().map(|authority| authority.as_str().as_bytes()));
    let theirs = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    theirs.is_none_or(|(_, host)| own != Some(host.as_bytes()))
}

fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = text.unwrap_or("without a message"), "a handler broke off");
    Problem::internal().into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::Request;
    use tower::ServiceExt;

    #[tokio::test]
    async fn a_handler_that_breaks_off_is_a_problem_without_its_reason() {
        let broken = || async {
            if true {
                panic!("a secret");
            }
        };
        let router: Router = Router::new().route("/", get(broken)).layer(CatchPanicLayer::custom(panicked));
        let response = router.oneshot(Request::new(Body::empty())).await.unwrap();
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let body = axum::body::to_bytes(response.into_body(), 1 << 16).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }
}
