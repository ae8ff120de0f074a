//! What a launch takes from other runs: champions to inject, and a population to start from.

use crate::store::{Store, StoreError};

/// A champion of the hall of fame.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Champion {
    /// Its genes.
    pub chromosome: Vec<u8>,
    /// The highest rating with which it led a generation.
    pub elo: f64,
}

/// The individuals of a generation that was turned over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Population {
    /// The run's game.
    pub game: String,
    /// The run's genome.
    pub genome: String,
    /// Their genes, the best first; empty until the generation was turned over.
    pub chromosomes: Vec<Vec<u8>>,
}

impl Store {
    /// The best of all generations' champions of a genome over all runs, by rating, each once.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_champions(&self, game: &str, genome: &str, most: u32) -> Result<Vec<Champion>, StoreError> {
        let champions = sqlx::query_as(
            "SELECT chromosome, max(elo_after) AS elo
             FROM (SELECT i.chromosome, s.elo_after
                   FROM runs r
                   JOIN generations g ON g.run_id = r.id AND g.fingerprint IS NOT NULL
                   JOIN standings s ON s.run_id = g.run_id AND s.generation = g.number AND s.rank = 1
                   JOIN individuals i ON i.run_id = g.run_id AND i.number = g.best
                   WHERE r.game = $1 AND r.genome = $2) AS champions
             GROUP BY chromosome ORDER BY elo DESC, chromosome LIMIT $3",
        )
        .bind(game)
        .bind(genome)
        .bind(i64::from(most))
        .fetch_all(self.pool())
        .await?;
        Ok(champions)
    }

    /// The population of a run's generation, `None` when there is no such run.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_population(
        &self,
        run: &str,
        generation: u32,
        most: u32,
    ) -> Result<Option<Population>, StoreError> {
        let found: Option<(i32, String, String)> = sqlx::query_as("SELECT id, game, genome FROM runs WHERE name = $1")
            .bind(run)
            .fetch_optional(self.pool())
            .await?;
        let Some((id, game, genome)) = found else { return Ok(None) };
        let chromosomes = sqlx::query_scalar(
            "SELECT i.chromosome FROM standings s JOIN individuals i ON i.run_id = s.run_id AND i.number = s.number
             WHERE s.run_id = $1 AND s.generation = $2 ORDER BY s.rank LIMIT $3",
        )
        .bind(id)
        .bind(generation.cast_signed())
        .bind(i64::from(most))
        .fetch_all(self.pool())
        .await?;
        Ok(Some(Population { game, genome, chromosomes }))
    }
}
