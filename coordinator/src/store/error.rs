//! What can go wrong with the database.

use sqlx::migrate::MigrateError;

/// Why the database did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or went away: worth another try later.
    #[error("the database cannot be reached: {0}")]
    Connection(#[source] sqlx::Error),
    /// Two transactions stood in each other's way: worth another try at once.
    #[error("the database was busy with conflicting work: {0}")]
    Conflict(#[source] sqlx::Error),
    /// It refused a statement.
    #[error("the database refused a statement: {0}")]
    Query(#[source] sqlx::Error),
    /// The server is too old.
    #[error("the database server is PostgreSQL {found}; Kembara needs {needed} or later")]
    TooOld {
        /// Its version as it tells it.
        found: String,
        /// The oldest major version that will do.
        needed: u32,
    },
    /// The tables were made by a later version of this program.
    #[error(
        "the database holds tables of a newer version of Kembara (migration {migration}); start that version, or use another database"
    )]
    Newer {
        /// The first migration this program does not know.
        migration: i64,
    },
    /// The tables could not be brought up to date.
    #[error("the tables could not be brought up to date: {0}")]
    Migrate(#[source] MigrateError),
    /// What is stored cannot be: somebody else wrote it, or this program is wrong.
    #[error("the database holds what it should not: {0}")]
    Logic(String),
}

impl StoreError {
    /// Whether the same call may succeed when made again.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Connection(_) | Self::Conflict(_))
    }

    /// Whether so much time went by already that the caller should hear of it.
    pub(super) const fn has_waited(&self) -> bool {
        matches!(self, Self::Connection(sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        match &error {
            E::Io(_) | E::Tls(_) | E::Protocol(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed => {
                Self::Connection(error)
            }
            E::Database(refusal) => match refusal.code().as_deref() {
                // Serialization failure, deadlock, lock not available.
                Some("40001" | "40P01" | "55P03") => Self::Conflict(error),
                // Connection class, shutdown of the server in its shapes, too many connections.
                Some(code)
                    if code.starts_with("08") || matches!(code, "57P01" | "57P02" | "57P03" | "57P05" | "53300") =>
                {
                    Self::Connection(error)
                }
                _ => Self::Query(error),
            },
            _ => Self::Query(error),
        }
    }
}

impl From<MigrateError> for StoreError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(migration) => Self::Newer { migration },
            MigrateError::Execute(inner) => inner.into(),
            other => Self::Migrate(other),
        }
    }
}
