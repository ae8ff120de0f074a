//! The coordinator's database: the one that was named, or a private server of its own.

use std::time::Duration;

use anyhow::{Context, anyhow};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};

use crate::config::CoordinatorArgs;
use crate::postgres::{PrivateConfig, PrivatePostgres, default_data_dir};
use crate::store::Store;

/// How long a database may take to take a first connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A private server takes 100 connections; some are left for people who want to look inside.
const PRIVATE_CONNECTIONS: u32 = 80;

/// An open database, and its server where that is ours.
pub(crate) struct Database {
    pub store: Store,
    private: Option<PrivatePostgres>,
}

impl Database {
    /// Opens the database, starting a private server when none is named, and brings its tables up
    /// to date. Every error is one line and holds no password.
    pub async fn open(args: &CoordinatorArgs) -> anyhow::Result<Self> {
        let (options, private) = match args.named_database() {
            Some(url) => (url.options()?, None),
            None => {
                let data_dir = args.data_dir.clone().map_or_else(default_data_dir, Ok)?;
                let server = PrivatePostgres::start(&PrivateConfig { data_dir }).await?;
                (server.url().parse().context("the private Postgres has an odd address")?, Some(server))
            }
        };
        let options = options.application_name("kembara");
        let connections = if private.is_some() { args.connections.min(PRIVATE_CONNECTIONS) } else { args.connections };
        match open_store(options, connections).await {
            Ok(store) => Ok(Self { store, private }),
            Err(error) => {
                stop(private).await?;
                Err(error)
            }
        }
    }

    /// Resolves when a private server has ended by itself, with what is known of it.
    pub async fn lost(&self) -> String {
        match &self.private {
            Some(server) => server.ended().await,
            None => std::future::pending().await,
        }
    }

    /// Closes the connections, cutting statements that take longer than this, then stops the server
    /// where it is ours.
    pub async fn close(self, grace: Duration) -> anyhow::Result<()> {
        let _ = tokio::time::timeout(grace, self.store.close()).await;
        stop(self.private).await
    }
}

async fn stop(private: Option<PrivatePostgres>) -> anyhow::Result<()> {
    match private {
        Some(server) => Ok(server.stop().await?),
        None => Ok(()),
    }
}

/// A pool reports no more than that it waited in vain, so a single connection is tried first.
async fn open_store(options: PgConnectOptions, connections: u32) -> anyhow::Result<Store> {
    let place = place(&options);
    let tried = tokio::time::timeout(CONNECT_LIMIT, PgConnection::connect_with(&options)).await;
    match tried {
        Ok(Ok(connection)) => connection.close().await.map_err(|error| refused(&options, &error))?,
        Ok(Err(error)) => return Err(refused(&options, &error)),
        Err(_) => return Err(anyhow!("the database at {place} did not answer within {} s", CONNECT_LIMIT.as_secs())),
    }
    Ok(Store::open(options, connections).await?)
}

fn refused(options: &PgConnectOptions, error: &sqlx::Error) -> anyhow::Error {
    let place = place(options);
    match error {
        sqlx::Error::Io(error) => {
            anyhow!("cannot reach the database at {place}: {error}; start it, or correct DATABASE_URL")
        }
        sqlx::Error::Database(said) => match said.code().as_deref() {
            Some("28P01" | "28000") => anyhow!(
                "the database at {place} does not let us in: {}; check the user and the password in DATABASE_URL",
                said.message()
            ),
            Some("3D000") => anyhow!(
                "the database server at {place} answers, but {}; make it with createdb, or correct DATABASE_URL",
                said.message()
            ),
            _ => anyhow!("the database at {place} refuses the connection: {}", said.message()),
        },
        other => anyhow!("cannot connect to the database at {place}: {other}"),
    }
}

fn place(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(socket) => format!("{}:{}", socket.display(), options.get_port()),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}
