//! The whole coordinator, put together: database, heart, routes, address, and the way out.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use kembara_proto::v1::dispatch_server::DispatchServer;
use tokio_util::sync::CancellationToken;
use tonic::server::NamedService;

use crate::config::CoordinatorArgs;
use crate::core::{Core, Timings};
use crate::database::Database;
use crate::server::{self, Limits};
use crate::store::Store;
use crate::{grpc, http, telemetry};

/// How long the database may take to answer before the coordinator counts as not ready.
const READY_LIMIT: Duration = Duration::from_secs(2);

/// Runs a coordinator as a program of its own: starts the log, takes SIGINT and SIGTERM as the wish
/// to end in order, and serves until then. A second signal ends the process at once, which loses
/// nothing that was answered.
///
/// # Errors
/// As [`serve`]; also when `KEMBARA_LOG` is malformed.
pub fn run(args: &CoordinatorArgs) -> anyhow::Result<()> {
    telemetry::init(args.log_format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start threads")?;
    runtime.block_on(async {
        let shutdown = shutdown_on_signals().context("cannot listen to signals")?;
        serve(args, shutdown).await
    })
}

/// Serves until `shutdown`, and prints `listening on http://ADDRESS:PORT` on standard output as
/// soon as requests are answered.
///
/// # Errors
/// One line, holding no password, when the address or the database cannot be had, or when a private
/// server ends by itself.
pub async fn serve(args: &CoordinatorArgs, shutdown: CancellationToken) -> anyhow::Result<()> {
    serve_and_tell(args, shutdown, |address| {
        // Whoever started us may have stopped reading.
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
    })
    .await
}

/// [`serve`], telling the address to `ready` instead of printing it.
///
/// # Errors
/// As [`serve`].
pub async fn serve_and_tell(
    args: &CoordinatorArgs,
    shutdown: CancellationToken,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    raise_file_limit();
    // The address first: a second coordinator by mistake must not touch the database.
    let bound = server::bind(args.listen, args.allow_insecure)?;
    let database = tokio::select! {
        opened = Database::open(args) => opened?,
        () = shutdown.cancelled() => return Ok(()),
    };
    let stop = shutdown.child_token();
    let core = Arc::new(Core::start(database.store.clone(), timings(args), stop.clone()));
    let router = routes(&core);

    let address = bound.address();
    let limits = Limits { grace: Duration::from_secs(args.grace.into()), ..Limits::default() };
    let serving = tokio::spawn(server::serve(bound, router, limits.clone(), stop.clone()));
    tracing::info!(%address, "serving");
    ready(address);

    let lost = tokio::select! {
        () = shutdown.cancelled() => None,
        how = database.lost() => Some(how),
    };
    tracing::info!("ending: no new connections; requests that are being answered are finished");
    stop.cancel();
    serving.await.context("the server broke off")?;
    if let Some(how) = lost {
        return Err(anyhow!(
            "the private Postgres ended by itself ({how}); its log is postgres.log in the data folder"
        ));
    }
    // Tasks may be waiting for a database that is away, and work begun for a request that was cut may
    // still hold the core. Leaving them is safe at any instruction.
    let ended = async {
        if let Some(core) = Arc::into_inner(core) {
            core.ended().await;
        }
    };
    if tokio::time::timeout(limits.grace, ended).await.is_err() {
        tracing::warn!("leaving tasks that still wait for the database");
    }
    database.close(limits.grace).await?;
    tracing::info!("ended");
    Ok(())
}

fn timings(args: &CoordinatorArgs) -> Timings {
    let lease = args.lease_term();
    // Four signs of life a term: two may get lost.
    Timings { lease, renew_every: lease / 4, ..Timings::default() }
}

/// Everything under one roof: gRPC for workers, HTTP for people, health for whoever watches.
fn routes(core: &Arc<Core>) -> Router {
    let workers = grpc::service(core.dispatch.clone());
    let router = Router::new()
        .route_service(&format!("/{}/{{*method}}", DispatchServer::<grpc::Face>::NAME), workers)
        .merge(health(core.store.clone()))
        .merge(http::router(http::Face::new(Arc::clone(core))));
    telemetry::traced(router)
}

/// `/healthz`: the process answers. `/readyz`: its database answers too.
fn health(store: Store) -> Router {
    let ready = move || {
        let store = store.clone();
        async move {
            match tokio::time::timeout(READY_LIMIT, store.ping()).await {
                Ok(Ok(())) => (StatusCode::OK, "ready\n"),
                _ => (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"),
            }
        }
    };
    Router::new().route("/healthz", get(|| async { "alive\n" })).route("/readyz", get(ready))
}

/// A token that the first SIGINT or SIGTERM cancels; the second ends the process with 130.
///
/// # Errors
/// When the system gives no signal handlers.
pub fn shutdown_on_signals() -> std::io::Result<CancellationToken> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let token = CancellationToken::new();
    let cancelled = token.clone();
    tokio::spawn(async move {
        let mut next = async || {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        };
        next().await;
        cancelled.cancel();
        next().await;
        std::process::exit(130);
    });
    Ok(token)
}

/// Workers, people and database connections each take a file descriptor, and the usual soft limit
/// of 1024 is meant for programs that use `select`.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Refused where an administrator said otherwise; then the old limit holds.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
}
