//! The accept loop: who may connect when, and how everybody leaves.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::connection::{Server, serve_connection};
use super::{Bound, Limits};

/// Serves the router until `shutdown`, then refuses new connections, lets requests that are being
/// answered finish within the grace time, and returns when every connection is closed.
pub async fn serve(bound: Bound, router: Router, limits: Limits, shutdown: CancellationToken) {
    let seats = Arc::new(Semaphore::new(limits.connections));
    let server = Arc::new(Server::new(&limits));
    let mut connections = JoinSet::new();
    loop {
        // A seat first: when all are taken the system's queue holds the next peers.
        let seat = tokio::select! {
            seat = Arc::clone(&seats).acquire_owned() => seat,
            () = shutdown.cancelled() => break,
        };
        let Ok(seat) = seat else { break };
        let accepted = tokio::select! {
            accepted = bound.listener.accept() => accepted,
            () = shutdown.cancelled() => break,
        };
        while connections.try_join_next().is_some() {}
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Most errors concern one peer; lack of file descriptors concerns us, and passes.
                tracing::warn!(%error, "could not accept a connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Small answers go out at once.
        let _ = stream.set_nodelay(true);
        let (server, shutdown) = (Arc::clone(&server), shutdown.clone());
        let service = TowerToHyperService::new(router.clone());
        connections.spawn(async move {
            if let Err(error) = serve_connection(&server, stream, service, shutdown).await {
                tracing::debug!(%peer, %error, "a connection ended badly");
            }
            drop(seat);
        });
    }
    drop(bound);
    let all_closed = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.grace, all_closed).await.is_err() {
        tracing::warn!(open = connections.len(), "cutting connections whose requests outlast the grace time");
        connections.shutdown().await;
    }
}
