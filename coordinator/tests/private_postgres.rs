//! The private Postgres against the real server programs: life, death by SIGKILL, and folders that
//! it must not touch.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kembara_coordinator::postgres::{PostgresError, PrivateConfig, PrivatePostgres, logs_folder};
use sqlx::{Connection, PgConnection};

/// A folder of the test's own that the server's account may enter.
fn scratch() -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("kb-pg-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

async fn start(data_dir: &Path) -> Result<PrivatePostgres, PostgresError> {
    PrivatePostgres::start(&PrivateConfig { data_dir: data_dir.to_owned() }).await
}

async fn refusal(data_dir: &Path) -> String {
    match start(data_dir).await {
        Ok(_) => panic!("{} was accepted", data_dir.display()),
        Err(error) => error.to_string(),
    }
}

async fn connect(server: &PrivatePostgres) -> PgConnection {
    PgConnection::connect(&server.url()).await.unwrap()
}

async fn number(connection: &mut PgConnection, question: &'static str) -> i64 {
    sqlx::query_scalar(question).fetch_one(connection).await.unwrap()
}

fn server_pid(data_dir: &Path) -> i32 {
    let text = std::fs::read_to_string(data_dir.join("postgres/postmaster.pid")).unwrap();
    text.lines().next().unwrap().parse().unwrap()
}

fn lives(pid: i32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !status.is_empty() && !status.contains(") Z ")
}

fn signal(pid: i32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().unwrap().success());
}

async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("gave up waiting until {what}");
}

#[tokio::test]
async fn data_is_still_there_after_a_stop_and_a_start() {
    let folder = scratch();
    let data = folder.path().join("data");
    let server = start(&data).await.unwrap();
    let mut connection = connect(&server).await;
    sqlx::raw_sql("CREATE TABLE kept AS SELECT 42::bigint AS n").execute(&mut connection).await.unwrap();
    let pid = server_pid(&data);
    server.stop().await.unwrap();
    assert!(!lives(pid), "a stopped server is gone");
    assert!(!data.join("postgres/postmaster.pid").exists(), "it ended in order");

    let server = start(&data).await.unwrap();
    assert_eq!(number(&mut connect(&server).await, "SELECT n FROM kept").await, 42);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn it_is_durable_and_cannot_be_reached_from_the_network() {
    let folder = scratch();
    let data = folder.path().join("data");
    let server = start(&data).await.unwrap();
    let mut connection = connect(&server).await;
    for (setting, wanted) in [
        ("SHOW fsync", "on"),
        ("SHOW full_page_writes", "on"),
        ("SHOW synchronous_commit", "on"),
        ("SHOW data_checksums", "on"),
        ("SHOW listen_addresses", ""),
        ("SHOW server_encoding", "UTF8"),
        ("SELECT datcollate FROM pg_database WHERE datname = 'kembara'", "C"),
    ] {
        let value: String = sqlx::query_scalar(setting).fetch_one(&mut connection).await.unwrap();
        assert_eq!(value, wanted, "{setting}");
    }
    for private in ["socket", "postgres"] {
        let mode = std::fs::metadata(data.join(private)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{private} is private");
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn two_programs_never_share_a_folder() {
    let folder = scratch();
    let data = folder.path().join("data");
    let server = start(&data).await.unwrap();
    let said = refusal(&data).await;
    assert!(said.contains("in use by another Kembara"), "{said}");
    assert!(said.contains(&std::process::id().to_string()), "it names the holder: {said}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn many_starts_at_once_make_one_cluster() {
    let folder = scratch();
    let data = folder.path().join("data");
    let started = futures::future::join_all((0..4).map(|_| start(&data))).await;
    let (running, refused): (Vec<_>, Vec<_>) = started.into_iter().partition(Result::is_ok);
    assert_eq!((running.len(), refused.len()), (1, 3));
    for server in running {
        server.unwrap().stop().await.unwrap();
    }
}

#[tokio::test]
async fn a_server_dropped_without_a_stop_is_adopted() {
    let folder = scratch();
    let data = folder.path().join("data");
    drop(start(&data).await.unwrap());
    let pid = server_pid(&data);
    let server = start(&data).await.unwrap();
    assert_eq!(server_pid(&data), pid, "the same server is still at work");
    assert_eq!(number(&mut connect(&server).await, "SELECT 1::bigint").await, 1);
    server.stop().await.unwrap();
    assert!(!lives(pid), "an adopted server is stopped too");
}

/// Not a test of its own: the program that the next tests kill.
#[tokio::test]
async fn starter_process() {
    let Some(data) = std::env::var_os("KEMBARA_TEST_STARTER") else { return };
    let _server = start(&PathBuf::from(data)).await.unwrap();
    println!("started");
    std::future::pending::<()>().await;
}

fn spawn_starter(data: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "starter_process", "--nocapture"])
        .env("KEMBARA_TEST_STARTER", data)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn after_the_starter_is_killed_the_next_start_finds_every_committed_row() {
    let folder = scratch();
    let data = folder.path().join("data");
    let server = start(&data).await.unwrap();
    sqlx::raw_sql("CREATE TABLE rounds (n bigint)").execute(&mut connect(&server).await).await.unwrap();
    server.stop().await.unwrap();

    for round in 0..3 {
        let mut starter = spawn_starter(&data);
        let socket = data.join("socket/.s.PGSQL.5432");
        until("the starter's server answers", || socket.exists()).await;
        starter.kill().unwrap();
        starter.wait().unwrap();
        let server = start(&data).await.unwrap();
        let mut connection = connect(&server).await;
        assert_eq!(number(&mut connection, "SELECT count(*) FROM rounds").await, round);
        sqlx::raw_sql("INSERT INTO rounds VALUES (1)").execute(&mut connection).await.unwrap();
        server.stop().await.unwrap();
    }
}

#[tokio::test]
async fn a_server_does_not_outlive_its_killed_starter() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = scratch();
    let data = folder.path().join("data");
    start(&data).await.unwrap().stop().await.unwrap();
    let mut starter = spawn_starter(&data);
    let pidfile = data.join("postgres/postmaster.pid");
    until("the server says it is ready", || std::fs::read_to_string(&pidfile).is_ok_and(|t| t.contains("ready"))).await;
    let pid = server_pid(&data);
    starter.kill().unwrap();
    starter.wait().unwrap();
    until("the server has ended", || !lives(pid)).await;
    assert!(!pidfile.exists(), "it shut down in order");
}

#[tokio::test]
async fn a_server_killed_with_its_pid_file_left_is_started_again() {
    let folder = scratch();
    let data = folder.path().join("data");
    let server = start(&data).await.unwrap();
    let pid = server_pid(&data);
    signal(pid, "KILL");
    let how = server.ended().await;
    assert!(how.contains("signal: 9"), "{how}");
    drop(server);
    assert!(data.join("postgres/postmaster.pid").exists());
    let server = start(&data).await.unwrap();
    assert_ne!(server_pid(&data), pid);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_pid_file_that_names_somebody_elses_process_is_no_server() {
    let folder = scratch();
    let data = folder.path().join("data");
    let server = start(&data).await.unwrap();
    let pidfile = data.join("postgres/postmaster.pid");
    let pid = server_pid(&data);
    let text = std::fs::read_to_string(&pidfile).unwrap();
    signal(pid, "KILL");
    server.ended().await;
    drop(server);
    // Process 1 is root's, the server's account may not signal it.
    std::fs::write(&pidfile, text.replacen(&pid.to_string(), "1", 1)).unwrap();
    start(&data).await.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn an_initdb_killed_half_way_is_done_again() {
    let folder = scratch();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("kembara.lock"), "").unwrap();
    let half = data.join("postgres.new-0123");
    std::fs::create_dir(&half).unwrap();
    std::fs::write(half.join("PG_VERSION"), "15\n").unwrap();
    let server = start(&data).await.unwrap();
    assert!(!half.exists());
    server.stop().await.unwrap();

    let other = folder.path().join("other");
    let mut starter = spawn_starter(&other);
    let unfinished = || {
        let entries = other.read_dir().into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("postgres.new-"))
    };
    until("initdb has begun", unfinished).await;
    starter.kill().unwrap();
    starter.wait().unwrap();
    start(&other).await.unwrap().stop().await.unwrap();
    assert!(!unfinished(), "nothing half-made is left");
}

#[tokio::test]
async fn folders_that_are_not_ours_are_refused_untouched() {
    let folder = scratch();
    let file = folder.path().join("file");
    std::fs::write(&file, "text").unwrap();
    assert!(refusal(&file).await.contains("is not a folder"));
    assert!(refusal(&file.join("below")).await.contains("cannot"));

    let foreign = folder.path().join("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("thesis.tex"), "\\end").unwrap();
    assert!(refusal(&foreign).await.contains("was not made by Kembara"));
    assert_eq!(foreign.read_dir().unwrap().count(), 1, "nothing was added");

    let dangling = folder.path().join("dangling");
    symlink(folder.path().join("nowhere"), &dangling).unwrap();
    assert!(refusal(&dangling).await.contains("cannot make the folder"));
}

#[tokio::test]
async fn logs_may_be_written_before_the_first_start() {
    let folder = scratch();
    let data = folder.path().join("data");
    let logs = logs_folder(&data).unwrap();
    std::fs::write(logs.join("coordinator.log"), "starting").unwrap();
    assert_eq!(logs_folder(&data).unwrap(), logs, "asking twice is fine");
    start(&data).await.unwrap().stop().await.unwrap();
    let foreign = folder.path().join("foreign");
    std::fs::create_dir_all(foreign.join("thesis")).unwrap();
    assert!(logs_folder(&foreign).unwrap_err().to_string().contains("was not made by Kembara"));
    assert_eq!(foreign.read_dir().unwrap().count(), 1, "nothing was added");
}

#[tokio::test]
async fn a_cluster_of_another_version_or_without_one_gets_a_sentence() {
    let folder = scratch();
    let data = folder.path().join("data");
    start(&data).await.unwrap().stop().await.unwrap();
    let version = data.join("postgres/PG_VERSION");
    let true_version = std::fs::read_to_string(&version).unwrap();
    std::fs::write(&version, "9\n").unwrap();
    let said = refusal(&data).await;
    assert!(said.contains("written by PostgreSQL 9") && said.contains("another data folder"), "{said}");
    std::fs::write(&version, "\u{1f980}").unwrap();
    let said = refusal(&data).await;
    assert!(said.contains("not a database cluster"), "{said}");
    std::fs::remove_file(&version).unwrap();
    let said = refusal(&data).await;
    assert!(said.contains("not a database cluster"), "{said}");
    std::fs::write(&version, true_version).unwrap();
    start(&data).await.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn a_closed_folder_on_the_way_is_named() {
    let folder = scratch();
    let closed = folder.path().join("closed");
    std::fs::create_dir(&closed).unwrap();
    let root = we_are_root(folder.path());
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(if root { 0o700 } else { 0o000 })).unwrap();
    let said = refusal(&closed.join("data")).await;
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o700)).unwrap();
    assert!(said.contains(&closed.canonicalize().unwrap().display().to_string()), "{said}");
    if root {
        assert!(said.contains("may not enter") && said.contains("/var/lib/kembara"), "{said}");
        assert!(!closed.join("data").exists(), "nothing is left behind");
    }
}

/// Whether the test runs as root: then what it makes belongs to user 0.
fn we_are_root(made: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    made.metadata().unwrap().uid() == 0
}

#[tokio::test]
async fn a_path_too_long_or_too_odd_for_a_socket_works_all_the_same() {
    let folder = scratch();
    for name in [format!("long-{}", "x".repeat(120)), "with space, ünd \"quotes\"".to_owned()] {
        let data = folder.path().join(name);
        let server = start(&data).await.unwrap();
        assert!(server.url().contains("host=/tmp/kembara-"), "{}", server.url());
        assert_eq!(number(&mut connect(&server).await, "SELECT 1::bigint").await, 1);
        server.stop().await.unwrap();
    }
}
