//! The log: where it goes, what is in it, and the span around each request.
//!
//! Events carry the ids of their run, generation, batch and worker from the spans they happen in.
//! An error is logged once, where it is handled.

use std::io::IsTerminal;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, Request, Response};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::classify::ServerErrorsFailureClass;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;
use tracing_subscriber::EnvFilter;

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    Text,
    /// One JSON object a line, with the fields of the spans, for machines.
    Json,
}

impl std::fmt::Display for LogFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

/// The variable that chooses what is logged.
const FILTER: &str = "KEMBARA_LOG";

/// Why no log could be started.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter cannot be read.
    #[error("{FILTER} cannot be used ({0}): write a level or targets with levels, such as info,sqlx=warn")]
    Filter(String),
    /// There is a log already.
    #[error("the log was started twice")]
    Twice,
}

/// Starts the log of this process on standard error. `KEMBARA_LOG` chooses what is in it; the
/// default is `info`, and warnings only from sqlx.
///
/// # Errors
/// When `KEMBARA_LOG` is malformed, or when the process has a log already.
pub fn init(format: LogFormat) -> Result<(), TelemetryError> {
    let filter = match std::env::var(FILTER) {
        Ok(text) if !text.trim().is_empty() => {
            EnvFilter::try_new(&text).map_err(|error| TelemetryError::Filter(error.to_string()))?
        }
        _ => EnvFilter::new("info,sqlx=warn"),
    };
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colour);
    let started = match format {
        LogFormat::Text => log.with_target(false).try_init(),
        LogFormat::Json => log.json().flatten_event(true).with_current_span(false).try_init(),
    };
    started.map_err(|_| TelemetryError::Twice)
}

/// Gives each request an id (kept when the client sends one, and sent back as `x-request-id`), a
/// span with it, a line in the log, and a plain 500 where a handler panics.
pub fn traced(router: Router) -> Router {
    let id = HeaderName::from_static("x-request-id");
    let trace = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_request(())
        .on_response(answered)
        .on_body_chunk(())
        .on_eos(())
        .on_failure(failed);
    router.layer(
        ServiceBuilder::new()
            .layer(SetRequestIdLayer::new(id.clone(), MakeRequestUuid))
            .layer(trace)
            .layer(PropagateRequestIdLayer::new(id))
            .layer(CatchPanicLayer::new()),
    )
}

fn span<B>(request: &Request<B>) -> Span {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).unwrap_or("-");
    // The path alone: a query may hold what people would not like to find in a log.
    tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path())
}

fn answered<B>(response: &Response<B>, took: Duration, _: &Span) {
    let status = response.status().as_u16();
    tracing::debug!(status, took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX), "answered");
}

fn failed(failure: ServerErrorsFailureClass, _: Duration, _: &Span) {
    match failure {
        // Busy is an answer like others: it says when to come back.
        ServerErrorsFailureClass::StatusCode(status) if status.as_u16() == 503 => tracing::debug!("too busy to answer"),
        ServerErrorsFailureClass::StatusCode(status) => tracing::error!(status = status.as_u16(), "failed"),
        ServerErrorsFailureClass::Error(error) => tracing::debug!(%error, "the peer went away"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::routing::get;
    use tower::ServiceExt;

    fn router() -> Router {
        traced(Router::new().route("/", get(|| async { "fine" })).route("/panic", get(panicking)))
    }

    async fn panicking() -> &'static str {
        if true {
            panic!("a handler that panics");
        }
        "never"
    }

    async fn ask(path: &str, id: Option<&str>) -> Response<Body> {
        let mut request = Request::builder().uri(path);
        if let Some(id) = id {
            request = request.header("x-request-id", id);
        }
        router().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn each_answer_carries_the_id_of_its_request() {
        assert_eq!(ask("/", Some("mine")).await.headers()["x-request-id"], "mine");
        let (one, two) = (ask("/", None).await, ask("/", None).await);
        assert_ne!(one.headers()["x-request-id"], two.headers()["x-request-id"]);
    }

    #[tokio::test]
    async fn a_panic_in_a_handler_is_a_500() {
        assert_eq!(ask("/panic", None).await.status(), 500);
    }
}
