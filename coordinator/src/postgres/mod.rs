//! A private Postgres from installed server binaries, for people who have no database at hand.
//!
//! It listens on a Unix socket in a folder that only one account may enter, and is started and
//! stopped with the program. Layout of the data folder:
//!
//! | name | what |
//! |---|---|
//! | `kembara.lock` | held (flock) by the program that uses the folder; also the mark that the folder is ours |
//! | `postgres/` | the database cluster; it appears by a rename, so it is whole or absent |
//! | `postgres.log` | what the server says; the previous one is `postgres.log.old` |
//! | `logs/` | logs of the programs that `kembara up` starts |
//! | `socket/` | the Unix socket, unless its path would be too long |
//!
//! Ways to end: [`PrivatePostgres::stop`] shuts down in order. If this program is killed, the server
//! gets its fast shutdown from the kernel (Linux), and where that does not happen the next start
//! adopts the living server. The server's own `postmaster.pid` is never deleted by us.

mod account;
mod binaries;
mod cluster;
mod error;
mod folder;
mod keeper;
mod pidfile;
mod socket;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use sqlx::{ConnectOptions, Connection, PgConnection, postgres::PgConnectOptions};

pub use binaries::OLDEST_MAJOR;
pub use error::PostgresError;
pub use folder::{default_data_dir, logs_folder};

use binaries::Binaries;
use folder::DataFolder;
use keeper::Keeper;
use pidfile::PidFile;

/// The database role and the database's name inside a private server.
const NAME: &str = "kembara";

/// Recovery after a crash may replay much log; a start that takes longer than this is given up.
const START_LIMIT: Duration = Duration::from_secs(300);

/// How long a server found alive may take to answer or to end before we give up on it.
const ADOPT_LIMIT: Duration = Duration::from_secs(60);

/// How long an orderly shutdown may take before the server is told to stop at once, which is safe
/// but makes the next start replay its log.
const STOP_LIMIT: Duration = Duration::from_secs(60);

/// Where a private server keeps its data.
#[derive(Debug, Clone)]
pub struct PrivateConfig {
    /// The data folder; made when it does not exist. See [`default_data_dir`].
    pub data_dir: PathBuf,
}

/// A running private Postgres.
///
/// Dropping it without [`stop`](Self::stop) leaves the server running and lets go of the data
/// folder: a later start in this process adopts it, and when this process ends the server shuts
/// down in order (Linux) or waits to be adopted. Nothing is ever killed half-way by a drop.
#[derive(Debug)]
pub struct PrivatePostgres {
    url: String,
    server: Server,
    /// Dropped last: while the server may still write, the folder stays locked.
    folder: DataFolder,
}

#[derive(Debug)]
enum Server {
    Started(Keeper),
    Adopted(PidFile),
}

impl Server {
    fn socket(&self) -> &str {
        match self {
            Self::Started(keeper) => keeper.socket(),
            Self::Adopted(living) => living.socket(),
        }
    }

    fn port(&self) -> u16 {
        match self {
            Self::Started(_) => socket::PORT,
            Self::Adopted(living) => living.port(),
        }
    }

    fn pid(&self) -> u32 {
        match self {
            Self::Started(keeper) => keeper.pid(),
            Self::Adopted(living) => living.pid(),
        }
    }

    fn signal(&self, signal: Signal) {
        match self {
            Self::Started(keeper) => keeper.signal(signal),
            Self::Adopted(living) => living.signal(signal),
        }
    }
}

impl PrivatePostgres {
    /// Starts a private server on the folder, or adopts the one that lives on it, and makes sure
    /// that its database exists.
    ///
    /// # Errors
    /// Every error is one sentence saying what stands in the way and what to do.
    pub async fn start(config: &PrivateConfig) -> Result<Self, PostgresError> {
        let wanted = config.data_dir.clone();
        let (folder, binaries) = blocking(move || {
            let folder = DataFolder::open(&wanted)?;
            let binaries = Binaries::find(folder.cluster_version()?, &folder)?;
            folder.check_entry(&binaries)?;
            Ok((folder, binaries))
        })
        .await?;
        let (folder, binaries) = blocking(move || {
            cluster::create_if_absent(&folder, &binaries)?;
            Ok((folder, binaries))
        })
        .await?;

        let server = match adopt(&folder).await? {
            Some(living) => {
                tracing::info!(pid = living.pid(), "adopted the private Postgres that was already running");
                Server::Adopted(living)
            }
            None => Server::Started(launch(&folder, &binaries).await?),
        };
        let (socket, port) = (server.socket(), server.port());
        ensure_database(socket, port).await?;
        let url = format!("postgres://{NAME}@localhost:{port}/{NAME}?host={socket}&sslmode=disable");
        tracing::debug!(data_dir = %folder.path().display(), version = binaries.version(), "private Postgres is ready");
        Ok(Self { url, server, folder })
    }

    /// The connection URL. It holds no secret: whoever may enter the socket's folder may connect.
    #[must_use]
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// The data folder, absolute.
    #[must_use]
    pub fn data_dir(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Resolves when the server has ended without having been asked to, with what is known of it.
    pub async fn ended(&self) -> String {
        match &self.server {
            Server::Started(keeper) => keeper.ended().await,
            Server::Adopted(living) => {
                while living.lives() {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                "the adopted server is gone".into()
            }
        }
    }

    /// Shuts the server down in order and waits until it is gone: open connections are cut, all
    /// committed data is on disk. Then lets go of the folder.
    ///
    /// # Errors
    /// When the server is still there after it was asked twice.
    pub async fn stop(self) -> Result<(), PostgresError> {
        for (signal, limit) in [(Signal::INT, STOP_LIMIT), (Signal::QUIT, Duration::from_secs(10))] {
            self.server.signal(signal);
            if tokio::time::timeout(limit, self.gone()).await.is_ok() {
                // Empty now, and in /tmp nobody else would tidy it away.
                let _ = std::fs::remove_dir(self.server.socket());
                return Ok(());
            }
        }
        Err(PostgresError::WillNotStop { pid: self.server.pid() })
    }

    async fn gone(&self) {
        match &self.server {
            Server::Started(keeper) => {
                keeper.ended().await;
            }
            Server::Adopted(living) => {
                while living.lives() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }
}

/// Looks for a living server on the folder. One that is just ending is waited for.
async fn adopt(folder: &DataFolder) -> Result<Option<PidFile>, PostgresError> {
    let cluster = folder.cluster();
    let deadline = Instant::now() + ADOPT_LIMIT;
    let mut answers = 0;
    loop {
        let Some(found) = PidFile::read(&cluster)? else { return Ok(None) };
        if !found.lives_as(folder.server_uid()) {
            // Postgres recognises the leftover file and replaces it itself.
            return Ok(None);
        }
        answers = if found.is_ready() && found.answers_for(&cluster).await { answers + 1 } else { 0 };
        // A server whose starter was killed a moment ago may have its shutdown signal under way, so
        // it has to answer twice.
        if answers == 2 {
            return Ok(Some(found));
        }
        if Instant::now() > deadline {
            return Err(PostgresError::Stuck { pid: found.pid(), file: cluster.join(pidfile::NAME) });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Starts the server and waits until it answers. Right after a kill the old server's processes may
/// still be ending; the server then refuses to start, and is tried again for a while.
async fn launch(folder: &DataFolder, binaries: &Binaries) -> Result<Keeper, PostgresError> {
    let deadline = Instant::now() + START_LIMIT;
    let patience = Instant::now() + Duration::from_secs(20);
    let socket = socket::prepare(folder)?;
    loop {
        let keeper = cluster::spawn(folder, binaries, &socket)?;
        match until_ready(&keeper, deadline).await {
            Ok(()) => return Ok(keeper),
            Err(PostgresError::Died { said }) if cluster::remains_of_another(&said) && Instant::now() < patience => {
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
            Err(error) => return Err(error),
        }
    }
}

async fn until_ready(keeper: &Keeper, deadline: Instant) -> Result<(), PostgresError> {
    let mut told = false;
    let begun = Instant::now();
    loop {
        if connect(keeper.socket(), socket::PORT, "postgres").await.is_ok() {
            return Ok(());
        }
        if keeper.has_ended() {
            return Err(PostgresError::Died { said: keeper.last_words() });
        }
        if Instant::now() > deadline {
            keeper.signal(Signal::INT);
            return Err(PostgresError::Slow { seconds: START_LIMIT.as_secs(), log: keeper.log().to_owned() });
        }
        if !told && begun.elapsed() > Duration::from_secs(5) {
            tracing::info!("waiting for the private Postgres, which may be recovering after a crash");
            told = true;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

async fn connect(socket: &str, port: u16, database: &str) -> Result<PgConnection, sqlx::Error> {
    let options = PgConnectOptions::new_without_pgpass()
        .socket(socket)
        .port(port)
        .username(NAME)
        .database(database)
        .ssl_mode(sqlx::postgres::PgSslMode::Disable)
        .disable_statement_logging();
    let limit = Duration::from_secs(5);
    tokio::time::timeout(limit, PgConnection::connect_with(&options))
        .await
        .map_err(|_| sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))?
}

async fn ensure_database(socket: &str, port: u16) -> Result<(), PostgresError> {
    let mut connection = connect(socket, port, "postgres").await?;
    let known: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_database WHERE datname = 'kembara')")
        .fetch_one(&mut connection)
        .await?;
    if !known {
        sqlx::raw_sql("CREATE DATABASE kembara").execute(&mut connection).await?;
    }
    connection.close().await?;
    Ok(())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PostgresError> + Send + 'static,
) -> Result<T, PostgresError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}
