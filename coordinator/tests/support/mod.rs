//! A database of its own for each test: cloned from a migrated template on the server named by
//! DATABASE_URL, or on a private one that this process starts.

use kembara_coordinator::postgres::{PrivateConfig, PrivatePostgres};
use kembara_coordinator::store::Store;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, mpsc};
use uuid::Uuid;

/// A database of one test.
pub struct TestDatabase {
    server: PgConnectOptions,
    name: String,
}

impl TestDatabase {
    /// An empty database with all tables.
    pub async fn create() -> Self {
        let server = tokio::task::spawn_blocking(server).await.unwrap();
        let name = format!("kembara_test_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect_with(&server).await.unwrap();
        let sql = format!("CREATE DATABASE {name} TEMPLATE {}", template());
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        Self { server, name }
    }

    /// How to reach it.
    pub fn options(&self) -> PgConnectOptions {
        self.server.clone().database(&self.name)
    }

    /// A store of its own connections on it.
    pub async fn store(&self) -> Store {
        Store::open(self.options(), 8).await.unwrap()
    }

    /// A plain connection, to look behind the store.
    pub async fn connection(&self) -> PgConnection {
        PgConnection::connect_with(&self.options()).await.unwrap()
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // A private server goes away as a whole; dropping makes it write everything down, which is
        // slow among other tests.
        if std::env::var("DATABASE_URL").is_err() {
            return;
        }
        let (server, name) = (self.server.clone(), self.name.clone());
        let dropped = std::thread::spawn(move || {
            runtime().block_on(async {
                let mut connection = PgConnection::connect_with(&server).await?;
                let sql = format!("DROP DATABASE {name} WITH (FORCE)");
                sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await
            })
        });
        if let Ok(Err(error)) = dropped.join() {
            eprintln!("a test database is left behind: {error}");
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Each process migrates a template of its own, so that no other's tables are cloned.
fn template() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| format!("kembara_template_{}", std::process::id()))
}

/// The server with the template on it; started by the first test that asks.
fn server() -> PgConnectOptions {
    static SERVER: Mutex<Option<PgConnectOptions>> = Mutex::new(None);
    let mut server = SERVER.lock().unwrap();
    server
        .get_or_insert_with(|| {
            let (ready, options) = mpsc::channel();
            // The server lives as long as this thread and its runtime, that is, as this process.
            std::thread::spawn(move || {
                runtime().block_on(async {
                    let (_kept, options) = start().await;
                    prepare(&options).await;
                    ready.send(options).unwrap();
                    std::future::pending::<()>().await;
                });
            });
            options.recv().expect("a database server for the tests")
        })
        .clone()
}

async fn start() -> (Option<PrivatePostgres>, PgConnectOptions) {
    if let Ok(url) = std::env::var("DATABASE_URL") {
        return (None, url.parse().unwrap());
    }
    let folder = own_folder();
    let private = PrivatePostgres::start(&PrivateConfig { data_dir: folder.join("data") }).await.unwrap();
    let options = private.url().parse().unwrap();
    (Some(private), options)
}

/// A folder of this process for its server, after those of processes that are gone were removed.
fn own_folder() -> PathBuf {
    let all = std::env::temp_dir().join(format!("kembara-tests-{}", rustix::process::getuid().as_raw()));
    let own = all.join(std::process::id().to_string());
    std::fs::create_dir_all(&own).unwrap();
    for folder in [&all, &own] {
        // The server may run under another account.
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for other in std::fs::read_dir(&all).unwrap().flatten() {
        let process = other.file_name().to_str().and_then(|name| rustix::process::Pid::from_raw(name.parse().ok()?));
        if process.is_some_and(|process| rustix::process::test_kill_process(process).is_err()) {
            // Another test process may be removing it as well.
            let _ = std::fs::remove_dir_all(other.path());
        }
    }
    own
}

/// Makes the template.
async fn prepare(server: &PgConnectOptions) {
    let mut connection = PgConnection::connect_with(server).await.unwrap();
    for sql in [format!("DROP DATABASE IF EXISTS {}", template()), format!("CREATE DATABASE {}", template())] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    Store::open(server.clone().database(template()), 2).await.unwrap().close().await;
}
