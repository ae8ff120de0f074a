//! Bringing the tables up to date.

use super::{Store, StoreError};
use sqlx::migrate::Migrator;

/// The migrations this program knows, embedded in it.
static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// The oldest major version of the server that will do: the first whose columns have a choice of
/// compression.
pub const OLDEST_SERVER: u32 = 14;

impl Store {
    /// Checks the server's version, then applies what is missing under the migrator's advisory
    /// lock, so coordinators that start together wait for one another.
    pub(super) async fn migrate(&self) -> Result<(), StoreError> {
        let (number, found): (i32, String) =
            sqlx::query_as("SELECT current_setting('server_version_num')::int, current_setting('server_version')")
                .fetch_one(&self.pool)
                .await?;
        if number.unsigned_abs() / 10_000 < OLDEST_SERVER {
            return Err(StoreError::TooOld { found, needed: OLDEST_SERVER });
        }
        MIGRATIONS.run(&self.pool).await?;
        Ok(())
    }
}
