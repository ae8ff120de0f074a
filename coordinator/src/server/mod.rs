//! One address: the accept loop that serves gRPC and HTTP.
//!
//! A connection is told apart by its first bytes: HTTP/2 with prior knowledge (gRPC) or HTTP/1.1.
//! Both reach the same router. `axum::serve` sets no timers, so the loop is our own: each
//! connection has a task, silence is timed out, and connections and streams are capped.

mod accept;
mod bind;
mod connection;

use std::time::Duration;

pub use accept::serve;
pub use bind::{BindError, Bound, bind};

/// What one peer, and all of them together, may ask of the server.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections at a time; further ones wait in the system's queue.
    pub connections: usize,
    /// Requests at a time on one HTTP/2 connection.
    pub streams: u32,
    /// How long a peer may take to say anything, and to send a request's headers. An HTTP/1.1
    /// connection may idle as long between two requests.
    pub headers: Duration,
    /// How often a silent HTTP/2 peer is asked whether it is still there.
    pub ping_every: Duration,
    /// How long it may take to answer that.
    pub ping_answer: Duration,
    /// At shutdown, how long requests that are being answered may take.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            streams: 256,
            headers: Duration::from_secs(15),
            ping_every: Duration::from_secs(20),
            ping_answer: Duration::from_secs(20),
            grace: Duration::from_secs(10),
        }
    }
}
