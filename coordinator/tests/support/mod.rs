//! A database of its own for each test: cloned from a migrated template on the server named by
//! DATABASE_URL, or on a private one that this process starts and later test runs use again.

use kembara_coordinator::postgres::{PrivateConfig, PrivatePostgres};
use kembara_coordinator::store::Store;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Mutex, OnceLock, mpsc};
use uuid::Uuid;

/// A database that goes away with this value.
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
    // Several test programs may run at once: each takes the first folder that nobody holds.
    let mut refusal = String::new();
    for place in 0..16 {
        let folder = std::env::temp_dir().join(format!("kembara-tests-{}-{place}", rustix::process::getuid().as_raw()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        match PrivatePostgres::start(&PrivateConfig { data_dir: folder.join("data") }).await {
            Ok(private) => {
                let options = private.url().parse().unwrap();
                return (Some(private), options);
            }
            Err(error) => refusal = error.to_string(),
        }
    }
    panic!("no private server for the tests: {refusal}")
}

/// Drops what killed test runs left behind on a private server, and makes the template.
async fn prepare(server: &PgConnectOptions) {
    let mut connection = PgConnection::connect_with(server).await.unwrap();
    if std::env::var("DATABASE_URL").is_err() {
        let left: Vec<String> = sqlx::query_scalar(
            "SELECT datname FROM pg_database WHERE datname LIKE 'kembara\\_test\\_%' OR datname LIKE 'kembara\\_template\\_%'",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        for name in left {
            let sql = format!("DROP DATABASE {name} WITH (FORCE)");
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        }
    }
    for sql in [format!("DROP DATABASE IF EXISTS {}", template()), format!("CREATE DATABASE {}", template())] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    Store::open(server.clone().database(template()), 2).await.unwrap().close().await;
}
