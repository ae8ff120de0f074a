//! Errors as people's programs can read them: problem details (RFC 9457).

use crate::replay::ReplayError;
use crate::spec::SpecErrors;
use crate::store::StoreError;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};

/// A request that was not done, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    status: StatusCode,
    kind: &'static str,
    title: &'static str,
    detail: String,
    errors: Vec<Value>,
    retry_after: Option<u32>,
}

impl Problem {
    const fn new(status: StatusCode, kind: &'static str, title: &'static str, detail: String) -> Self {
        Self { status, kind, title, detail, errors: Vec::new(), retry_after: None }
    }

    /// The request itself is malformed.
    pub fn bad_request(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", "The request is malformed", detail.into())
    }

    /// Whoever asks may not do that.
    pub fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "That is not allowed", detail.into())
    }

    /// There is no such thing.
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "There is no such thing", detail.into())
    }

    /// It is there, but not in a state in which that can be done.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", "That cannot be done now", detail.into())
    }

    /// The run of this name has another spec.
    pub fn another_spec(detail: String, differences: Vec<Value>) -> Self {
        let title = "A run of this name has another spec";
        Self { errors: differences, ..Self::new(StatusCode::CONFLICT, "another-spec", title, detail) }
    }

    /// The method is not one of the resource.
    pub fn method_not_allowed() -> Self {
        let title = "The method is not allowed here";
        let detail = "see the Allow header for those that are".to_owned();
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", title, detail)
    }

    /// The body is too large.
    pub fn too_large(detail: String) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The body is too large", detail)
    }

    /// The body did not arrive.
    pub fn body_timeout() -> Self {
        let detail = "the body did not arrive in time".to_owned();
        Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", "The request took too long", detail)
    }

    /// The body is of a kind that is not read here.
    pub fn unsupported(detail: String) -> Self {
        let title = "The body is of a kind that is not read here";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", title, detail)
    }

    /// Something is wrong with this program or its database. The cause is logged, not shown.
    pub fn internal() -> Self {
        let detail = "the coordinator's log says more".to_owned();
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "Something went wrong here", detail)
    }

    /// Try again later.
    fn later(kind: &'static str, title: &'static str, detail: String, seconds: u32) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, kind, title, detail);
        Self { retry_after: Some(seconds), ..problem }
    }

    /// The same with a list of single errors.
    #[must_use]
    pub fn with_errors(mut self, errors: &[impl Serialize]) -> Self {
        self.errors = errors.iter().filter_map(|error| serde_json::to_value(error).ok()).collect();
        self
    }
}

impl From<SpecErrors> for Problem {
    fn from(errors: SpecErrors) -> Self {
        /// Errors that one line can hold; all of them are listed beside it.
        const TOLD: usize = 5;
        let mut told: Vec<String> = errors.errors.iter().take(TOLD).map(ToString::to_string).collect();
        let rest = errors.errors.len() - told.len() + errors.more;
        if rest > 0 {
            told.push(format!("and {rest} more"));
        }
        let title = "The spec cannot be run";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid-spec", title, told.join("; ")).with_errors(&errors.errors)
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        if error.is_passing() {
            tracing::warn!(%error, "a request could not be answered");
            let title = "The database does not answer";
            return Self::later("database-away", title, "the database does not answer; try again soon".to_owned(), 5);
        }
        tracing::error!(%error, "a request could not be answered");
        Self::internal()
    }
}

impl From<ReplayError> for Problem {
    fn from(error: ReplayError) -> Self {
        let detail = error.to_string();
        match error {
            ReplayError::Busy => Self::later("busy", "Too many games are being played again", detail, 5),
            ReplayError::Slow(_) => Self::later("busy", "The game takes long", detail, 60),
            ReplayError::TooDeep { .. } => {
                let title = "The game is too deep to be played here";
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "too-deep", title, detail)
            }
            ReplayError::Broken(reason) => {
                tracing::error!(reason, "a game could not be played again");
                Self::internal()
            }
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut body = json!({
            "type": format!("urn:kembara:problem:{}", self.kind),
            "title": self.title,
            "status": self.status.as_u16(),
            "detail": self.detail,
        });
        if !self.errors.is_empty() {
            body["errors"] = Value::Array(self.errors);
        }
        let mut response = (self.status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
