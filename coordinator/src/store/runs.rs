//! Runs: launching, pausing, resuming, stopping, finding.

use super::generations::{self, NewGeneration};
use super::{RunId, Store, StoreError};
use kembara_evolution::{Difference, ResolvedSpec};
use sqlx::{PgConnection, Row};

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunState {
    /// Games are handed out.
    Running,
    /// No new leases; what is out comes in.
    Paused,
    /// Ended by a person, for good.
    Stopped,
    /// Ended by its own stopping rule.
    Finished,
}

impl RunState {
    const ALL: [Self; 4] = [Self::Running, Self::Paused, Self::Stopped, Self::Finished];

    /// Its name in the database and for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
            Self::Finished => "finished",
        }
    }

    /// Whether the run is over.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Stopped | Self::Finished)
    }

    /// The state of this name.
    ///
    /// # Errors
    /// [`StoreError::Logic`] for any other text.
    pub fn from_name(name: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|state| state.name() == name)
            .ok_or_else(|| StoreError::Logic(format!("a run is `{name}`")))
    }
}

/// A run to be launched.
#[derive(Clone, Debug)]
pub struct NewRun<'a> {
    /// Its name, unique, 1..=64 characters.
    pub name: &'a str,
    /// Its resolved spec.
    pub spec: &'a ResolvedSpec,
    /// The first generation.
    pub first: &'a NewGeneration,
    /// Estimated core microseconds a game.
    pub game_us: f64,
}

/// What became of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Launched {
    /// It is a new run.
    Created(RunId),
    /// It was there with the same resolved spec and goes on; if it was paused, it no longer is.
    Resumed(RunId),
    /// It was there and is finished.
    Finished(RunId),
    /// It was there and is stopped, which is final.
    Stopped(RunId),
    /// A run of this name has another resolved spec; `ours` is the stored one's value.
    Conflict(Vec<Difference>),
}

/// What became of pausing, resuming or stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It is in that state now; it may have been before.
    Now(RunState),
    /// It is over already, in this state.
    Over(RunState),
    /// There is no run of this name.
    NoRun,
}

/// A run as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Its row.
    pub id: RunId,
    /// Its name.
    pub name: String,
    /// How far it is.
    pub state: RunState,
    /// Its resolved spec.
    pub spec: ResolvedSpec,
    /// The generation being played, or the last one.
    pub generation: u32,
    /// Core microseconds a game, estimated or measured.
    pub game_us: f64,
    /// Why it ended.
    pub stop_reason: Option<String>,
}

impl Store {
    /// Writes a run and its first generation, or finds the run that has this name already.
    ///
    /// # Errors
    /// [`StoreError`]; then nothing is half done.
    pub async fn launch(&self, new: &NewRun<'_>) -> Result<Launched, StoreError> {
        self.retry("launch", || self.launch_once(new)).await
    }

    async fn launch_once(&self, new: &NewRun<'_>) -> Result<Launched, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let created: Option<RunId> = sqlx::query_scalar(
            "INSERT INTO runs (name, state, spec, spec_hash, game, genome, engine_semantics, current_generation, game_us)
             VALUES ($1, 'running', $2, $3, $4, $5, $6, 1, $7)
             ON CONFLICT ON CONSTRAINT runs_name_key DO NOTHING RETURNING id",
        )
        .bind(new.name)
        .bind(new.spec.canonical_json())
        .bind(new.spec.hash().as_slice())
        .bind(&new.spec.game)
        .bind(&new.spec.genome)
        .bind(new.spec.semantics.engine.cast_signed())
        .bind(new.game_us)
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some(run) = created {
            let newborn: Vec<_> = new.first.generation.individuals.iter().collect();
            generations::write(&mut transaction, run, new.first, &newborn).await?;
            transaction.commit().await?;
            return Ok(Launched::Created(run));
        }
        let row = sqlx::query("SELECT id, state, spec, spec_hash FROM runs WHERE name = $1 FOR NO KEY UPDATE")
            .bind(new.name)
            .fetch_one(&mut *transaction)
            .await?;
        let id: RunId = row.try_get("id")?;
        if row.try_get::<&[u8], _>("spec_hash")? != new.spec.hash() {
            let stored = read_spec(row.try_get("spec")?)?;
            return Ok(Launched::Conflict(stored.differences(new.spec)));
        }
        match RunState::from_name(row.try_get("state")?)? {
            RunState::Finished => return Ok(Launched::Finished(id)),
            RunState::Stopped => return Ok(Launched::Stopped(id)),
            RunState::Running => return Ok(Launched::Resumed(id)),
            RunState::Paused => set_state(&mut transaction, id, RunState::Running).await?,
        }
        transaction.commit().await?;
        Ok(Launched::Resumed(id))
    }

    /// Pauses, resumes or stops a run by name. Stopping voids its open leases.
    ///
    /// # Errors
    /// [`StoreError`]; [`StoreError::Logic`] when asked to finish a run, which only a turnover can.
    pub async fn change(&self, name: &str, to: RunState) -> Result<Changed, StoreError> {
        if to == RunState::Finished {
            return Err(StoreError::Logic("only the last turnover finishes a run".to_owned()));
        }
        self.retry("change", || self.change_once(name, to)).await
    }

    async fn change_once(&self, name: &str, to: RunState) -> Result<Changed, StoreError> {
        let mut transaction = self.pool.begin().await?;
        let found: Option<(RunId, String)> =
            sqlx::query_as("SELECT id, state FROM runs WHERE name = $1 FOR NO KEY UPDATE")
                .bind(name)
                .fetch_optional(&mut *transaction)
                .await?;
        let Some((id, state)) = found else { return Ok(Changed::NoRun) };
        let now = RunState::from_name(&state)?;
        if now == to {
            return Ok(Changed::Now(to));
        }
        if now.is_over() {
            return Ok(Changed::Over(now));
        }
        set_state(&mut transaction, id, to).await?;
        if to == RunState::Stopped {
            void_leases(&mut transaction, id).await?;
        }
        transaction.commit().await?;
        Ok(Changed::Now(to))
    }

    /// The run of this name.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn run_named(&self, name: &str) -> Result<Option<StoredRun>, StoreError> {
        let row = sqlx::query(
            "SELECT id, name, state, spec, current_generation, game_us, stop_reason FROM runs WHERE name = $1",
        )
        .bind(name)
        .fetch_optional(&self.pool)
        .await?;
        row.map(stored).transpose()
    }

    /// The run of this row.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn run(&self, id: RunId) -> Result<Option<StoredRun>, StoreError> {
        let row = sqlx::query(
            "SELECT id, name, state, spec, current_generation, game_us, stop_reason FROM runs WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        row.map(stored).transpose()
    }
}

fn stored(row: sqlx::postgres::PgRow) -> Result<StoredRun, StoreError> {
    Ok(StoredRun {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        state: RunState::from_name(row.try_get("state")?)?,
        spec: read_spec(row.try_get("spec")?)?,
        generation: row.try_get::<i32, _>("current_generation")?.cast_unsigned(),
        game_us: row.try_get("game_us")?,
        stop_reason: row.try_get("stop_reason")?,
    })
}

fn read_spec(text: &str) -> Result<ResolvedSpec, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Logic(format!("a resolved spec cannot be read: {error}")))
}

async fn set_state(connection: &mut PgConnection, run: RunId, state: RunState) -> Result<(), StoreError> {
    sqlx::query("UPDATE runs SET state = $2, ended_at = CASE WHEN $3 THEN now() END WHERE id = $1")
        .bind(run)
        .bind(state.name())
        .bind(state.is_over())
        .execute(connection)
        .await?;
    Ok(())
}

/// Revokes every lease of a run; its ranges wait again, so that the books still balance.
async fn void_leases(connection: &mut PgConnection, run: RunId) -> Result<(), StoreError> {
    let locked: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM batches WHERE run_id = $1 AND state <> 'done' ORDER BY id FOR UPDATE")
            .bind(run)
            .fetch_all(&mut *connection)
            .await?;
    sqlx::query("UPDATE leases SET state = 'void' WHERE batch_id = ANY($1) AND state IN ('live', 'expired')")
        .bind(&locked)
        .execute(&mut *connection)
        .await?;
    sqlx::query("UPDATE batches SET state = 'waiting' WHERE id = ANY($1) AND state = 'leased'")
        .bind(&locked)
        .execute(connection)
        .await?;
    Ok(())
}
