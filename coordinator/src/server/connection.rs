//! One connection, from its first byte to its close.

use std::error::Error;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::Limits;

/// What every HTTP/2 connection begins with.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The protocols' settings, shared by all connections.
pub(super) struct Server {
    http: Builder<TokioExecutor>,
    first_bytes: Duration,
}

impl Server {
    pub fn new(limits: &Limits) -> Self {
        let mut http = Builder::new(TokioExecutor::new());
        http.http1().timer(TokioTimer::new()).header_read_timeout(limits.headers);
        http.http2()
            .timer(TokioTimer::new())
            .max_concurrent_streams(limits.streams)
            .max_header_list_size(16 << 10)
            .keep_alive_interval(limits.ping_every)
            .keep_alive_timeout(limits.ping_answer);
        Self { http, first_bytes: limits.headers }
    }
}

/// Serves one connection until it is closed or `shutdown`, after which requests that are being
/// answered are finished. TLS belongs in front of this: it takes any byte stream, and a handshake
/// happens in the connection's own task.
pub(super) async fn serve_connection<S>(
    server: &Server,
    stream: S,
    service: TowerToHyperService<Router>,
    shutdown: CancellationToken,
) -> Result<(), Box<dyn Error + Send + Sync>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut reader, writer) = tokio::io::split(stream);
    // The builder tells the protocols apart but has no timer for it.
    let begin = tokio::select! {
        begin = tokio::time::timeout(server.first_bytes, first_bytes(&mut reader)) => begin??,
        () = shutdown.cancelled() => return Ok(()),
    };
    if begin.is_empty() {
        return Ok(());
    }
    let stream = tokio::io::join(std::io::Cursor::new(begin).chain(reader), writer);
    let mut connection = pin!(server.http.serve_connection(TokioIo::new(stream), service));
    tokio::select! {
        ended = connection.as_mut() => return ended,
        () = shutdown.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    connection.await
}

/// Reads until it is certain whether the peer speaks HTTP/2.
async fn first_bytes(reader: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Vec<u8>> {
    let mut begin = Vec::with_capacity(1024);
    while PREFACE.starts_with(&begin) && begin.len() < PREFACE.len() {
        if reader.read_buf(&mut begin).await? == 0 {
            break;
        }
    }
    Ok(begin)
}
