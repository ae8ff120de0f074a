//! The whole coordinator as one: it starts, answers both kinds of peers, ends in order, and says in
//! one line what stands in its way.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use kembara_coordinator::config::{CoordinatorArgs, DatabaseUrl};
use kembara_coordinator::postgres::{PrivateConfig, PrivatePostgres};
use kembara_coordinator::serve_and_tell;
use kembara_proto::PROTOCOL_VERSION;
use kembara_proto::v1::RegisterRequest;
use kembara_proto::v1::dispatch_client::DispatchClient;
use sqlx::{Connection, PgConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

fn scratch() -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("kb-serve-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn private(folder: &Path) -> CoordinatorArgs {
    let data_dir = Some(folder.join("data"));
    CoordinatorArgs { data_dir, listen: "127.0.0.1:0".parse().unwrap(), lease: 2, ..CoordinatorArgs::default() }
}

fn named(url: &str) -> CoordinatorArgs {
    let database_url = Some(DatabaseUrl::new(url));
    CoordinatorArgs { database_url, listen: "127.0.0.1:0".parse().unwrap(), ..CoordinatorArgs::default() }
}

struct Running {
    address: SocketAddr,
    shutdown: CancellationToken,
    task: JoinHandle<anyhow::Result<()>>,
}

async fn start(args: CoordinatorArgs) -> Running {
    let shutdown = CancellationToken::new();
    let (tell, told) = oneshot::channel();
    let token = shutdown.clone();
    let task = tokio::spawn(async move { serve_and_tell(&args, token, |address| tell.send(address).unwrap()).await });
    match told.await {
        Ok(address) => Running { address, shutdown, task },
        Err(_) => panic!("{:#}", task.await.unwrap().unwrap_err()),
    }
}

/// Why these arguments do not give a coordinator.
async fn refusal(args: CoordinatorArgs) -> String {
    let never = |address| panic!("served at {address}");
    let said = format!("{:#}", serve_and_tell(&args, CancellationToken::new(), never).await.unwrap_err());
    assert!(!said.contains('\n'), "one line: {said}");
    said
}

async fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: kembara\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn people_and_workers_are_answered_and_the_end_is_orderly() {
    let folder = scratch();
    let running = start(private(folder.path())).await;
    assert!(get(running.address, "/healthz").await.starts_with("HTTP/1.1 200"));
    let ready = get(running.address, "/readyz").await;
    assert!(ready.starts_with("HTTP/1.1 200") && ready.contains("x-request-id"), "{ready}");
    assert!(get(running.address, "/api/v1/runs").await.starts_with("HTTP/1.1 200"));
    assert!(get(running.address, "/elsewhere").await.contains("application/problem+json"));

    let mut worker = DispatchClient::connect(format!("http://{}", running.address)).await.unwrap();
    let registered = worker
        .register(RegisterRequest {
            protocol: PROTOCOL_VERSION,
            engine_semantics: kembara_engine::SEMANTICS_VERSION,
            name: "test".into(),
            threads: 1,
            version: "0".into(),
            games: vec!["othello".into()],
            instance: uuid::Uuid::new_v4().to_string(),
        })
        .await
        .unwrap();
    assert_ne!(registered.into_inner().session, "");

    running.shutdown.cancel();
    running.task.await.unwrap().unwrap();
    assert!(!folder.path().join("data/postgres/postmaster.pid").exists(), "its database ended in order");
    assert!(TcpStream::connect(running.address).await.is_err());
}

#[tokio::test]
async fn it_ends_with_an_error_when_its_private_server_is_killed() {
    let folder = scratch();
    let running = start(private(folder.path())).await;
    let pid = std::fs::read_to_string(folder.path().join("data/postgres/postmaster.pid")).unwrap();
    let pid = pid.lines().next().unwrap();
    assert!(std::process::Command::new("kill").args(["-9", pid]).status().unwrap().success());
    let said = running.task.await.unwrap().unwrap_err().to_string();
    assert!(said.contains("ended by itself (signal: 9"), "{said}");
}

#[tokio::test]
async fn a_port_in_use_leaves_the_database_alone() {
    let folder = scratch();
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let args = CoordinatorArgs { listen: taken.local_addr().unwrap(), ..private(folder.path()) };
    assert!(refusal(args).await.contains("is in use by another program"));
    assert!(!folder.path().join("data").exists());
}

#[tokio::test]
async fn a_database_that_is_down_or_misnamed_is_told_without_its_password() {
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let said = refusal(named(&format!("postgres://me:s3cret@{unused}/db"))).await;
    assert!(said.starts_with(&format!("cannot reach the database at {unused}")), "{said}");
    for wrong in ["s3cret", "mysql://me:s3cret@host/db", "postgres://me:s3cret@host:port/db"] {
        let said = refusal(named(wrong)).await;
        assert!(said.starts_with("DATABASE_URL cannot be used") && !said.contains("s3cret"), "{said}");
    }
}

#[tokio::test]
async fn a_wrong_password_and_a_missing_database_are_told_apart() {
    let folder = scratch();
    let data_dir = folder.path().join("data");
    let server = PrivatePostgres::start(&PrivateConfig { data_dir: data_dir.clone() }).await.unwrap();
    let mut connection = PgConnection::connect(&server.url()).await.unwrap();
    sqlx::raw_sql("CREATE ROLE guest LOGIN PASSWORD 'right'").execute(&mut connection).await.unwrap();
    std::fs::write(data_dir.join("postgres/pg_hba.conf"), "local all guest scram-sha-256\nlocal all all trust\n")
        .unwrap();
    sqlx::raw_sql("SELECT pg_reload_conf()").execute(&mut connection).await.unwrap();

    let url = server.url();
    let guest = url.replace("kembara@", "guest:s3cret@");
    // The server reads its file anew in its own time.
    let mut said = refusal(named(&guest)).await;
    for _ in 0..200 {
        if said.contains("password") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        said = refusal(named(&guest)).await;
    }
    assert!(said.contains("does not let us in") && said.contains("guest") && !said.contains("s3cret"), "{said}");

    let said = refusal(named(&url.replace("/kembara?", "/elsewhere?"))).await;
    assert!(said.contains("\"elsewhere\" does not exist") && said.contains("createdb"), "{said}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn tables_of_a_newer_version_are_left_alone() {
    let folder = scratch();
    let running = start(private(folder.path())).await;
    running.shutdown.cancel();
    running.task.await.unwrap().unwrap();

    let data_dir = folder.path().join("data");
    let server = PrivatePostgres::start(&PrivateConfig { data_dir }).await.unwrap();
    let mut connection = PgConnection::connect(&server.url()).await.unwrap();
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (99999, 'later', true, '', 0)";
    sqlx::raw_sql(newer).execute(&mut connection).await.unwrap();
    server.stop().await.unwrap();
    let said = refusal(private(folder.path())).await;
    assert!(said.contains("newer version of Kembara"), "{said}");
    assert!(!folder.path().join("data/postgres/postmaster.pid").exists(), "and its server is stopped again");
}
