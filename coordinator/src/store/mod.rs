//! All SQL.
//!
//! What is stored, and why: a run's resolved spec, since a run is a function of it; each
//! generation's population, since the next cannot be had without playing; the packed results of
//! each range of games, since they alone are what workers added; standings and individuals, since
//! people ask for them. Moves, pairings and single games are computed again when somebody wants
//! them. Leases and worker sessions are the only rows that go away.
//!
//! The database is the only state. Every public method that writes is one short transaction that
//! may be repeated: when the answer is lost, asking again gives the same answer. Transactions lock
//! in the order worker, run, generation, batches by id, leases, and run at READ COMMITTED. Deadlines
//! are compared on the Postgres clock only.

mod audit;
mod error;
mod generations;
mod grants;
mod ids;
mod leases;
mod migrate;
mod renewals;
mod reports;
mod retry;
mod runs;
mod second;
mod sweep;
mod turnover;
pub mod views;
mod workers;

pub use audit::{IndividualRow, StandingRow};
pub use error::StoreError;
pub use generations::{NewBatch, NewGeneration, StoredGeneration, StoredResults};
pub use ids::{BatchId, LeaseToken, RunId, Session};
pub use leases::{Granted, IdleReason, LeaseAnswer, LeaseCall};
pub use migrate::OLDEST_SERVER;
pub use renewals::{ReleaseCall, RenewAnswer, RenewCall};
pub use reports::{Recorded, ReportAnswer, ReportCall, Reported};
pub use runs::{Changed, Launched, NewRun, RunState, StoredRun};
pub use second::Patience;
pub use turnover::{Ending, TurnedOver, TurnoverWrite};
pub use workers::NewWorker;

use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::time::Duration;

/// The coordinator's hand on the database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: PgPool,
}

impl Store {
    /// Connects, checks that the server is new enough and brings the tables up to date; several
    /// coordinators may do so at the same time.
    ///
    /// # Errors
    /// [`StoreError`] when the server cannot be reached, is too old, or holds tables of a newer
    /// version of this program.
    pub async fn open(options: PgConnectOptions, connections: u32) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_secs(3))
            .connect_with(options)
            .await?;
        let store = Self { pool };
        store.migrate().await?;
        Ok(store)
    }

    /// [`Store::open`] with a `postgres://` address.
    ///
    /// # Errors
    /// As [`Store::open`]; also when the address cannot be read.
    pub async fn connect(url: &str, connections: u32) -> Result<Self, StoreError> {
        Self::open(url.parse()?, connections).await
    }

    /// Asks the database whether it is there.
    ///
    /// # Errors
    /// [`StoreError`] when it is not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Closes all connections; calls under way end first.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// The connections, for queries of this crate's other rooms of the store.
    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }
}
