//! Trying again, in one place.

use super::{Store, StoreError};
use std::time::Duration;

/// Waits before the second, third, … try; together well below a worker's patience.
const WAITS: [Duration; 6] = [
    Duration::from_millis(2),
    Duration::from_millis(10),
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1000),
];

impl Store {
    /// Runs a transaction again when it met another one or the connection was lost. What is run has
    /// to be harmless when it had been committed and only the answer was lost.
    pub(super) async fn retry<T, F>(&self, what: &'static str, mut attempt: impl FnMut() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        for wait in WAITS {
            match attempt().await {
                Err(error) if error.is_passing() && !error.has_waited() => {
                    tracing::debug!(what, %error, "trying again");
                    tokio::time::sleep(wait).await;
                }
                done => return done,
            }
        }
        attempt().await
    }
}
