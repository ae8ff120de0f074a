//! The standings of a generation, in any order.

use super::Page;
use crate::store::{RunId, Store, StoreError};

/// One individual's generation.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct StandingRow {
    /// From 1, the best first.
    pub rank: i32,
    /// The individual's number.
    pub number: i64,
    /// Its birth.
    pub birth: i32,
    /// How it came about.
    pub origin: String,
    /// Games won in this generation.
    pub wins: i64,
    /// Games drawn.
    pub draws: i64,
    /// Games lost.
    pub losses: i64,
    /// Its rating before the generation.
    pub elo_before: f64,
    /// Its rating after it.
    pub elo: f64,
    /// Its genes.
    pub chromosome: Vec<u8>,
}

/// What a leaderboard is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The rank by which the run selects.
    Rank,
    /// The rating after the generation.
    Elo,
    /// What the generation did to the rating.
    Gain,
    /// Wins, and half of the draws.
    Points,
    /// Games won.
    Wins,
    /// Games drawn.
    Draws,
    /// Games lost.
    Losses,
    /// The generation of birth.
    Birth,
    /// The individual's number.
    Number,
}

impl Sort {
    /// The names that people use.
    pub const NAMES: [(&'static str, Self); 9] = [
        ("rank", Self::Rank),
        ("elo", Self::Elo),
        ("gain", Self::Gain),
        ("points", Self::Points),
        ("wins", Self::Wins),
        ("draws", Self::Draws),
        ("losses", Self::Losses),
        ("birth", Self::Birth),
        ("number", Self::Number),
    ];

    /// The order people expect first: the best on top.
    #[must_use]
    pub const fn usual(self) -> Order {
        match self {
            Self::Rank | Self::Birth | Self::Number | Self::Losses => Order::Ascending,
            Self::Elo | Self::Gain | Self::Points | Self::Wins | Self::Draws => Order::Descending,
        }
    }

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, sort)| *sort == self).map_or("rank", |(name, _)| name)
    }
}

/// Which end of a sorted list comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The lowest first.
    Ascending,
    /// The highest first.
    Descending,
}

impl Store {
    /// A page of a generation's standings. Equals stand by rank. Empty until the generation was
    /// turned over.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn view_leaderboard(
        &self,
        run: RunId,
        generation: u32,
        sort: Sort,
        order: Order,
        page: Page,
    ) -> Result<Vec<StandingRow>, StoreError> {
        let sign = match order {
            Order::Ascending => 1.0,
            Order::Descending => -1.0,
        };
        let rows = sqlx::query_as(
            "SELECT s.rank, s.number, i.birth, i.origin, s.wins, s.draws, s.losses, s.elo_before, s.elo_after AS elo,
                    i.chromosome
             FROM standings s JOIN individuals i ON i.run_id = s.run_id AND i.number = s.number
             WHERE s.run_id = $1 AND s.generation = $2
             ORDER BY $4 * CASE $3
                 WHEN 'elo' THEN s.elo_after
                 WHEN 'gain' THEN s.elo_after - s.elo_before
                 WHEN 'points' THEN (2 * s.wins::bigint + s.draws)::float8
                 WHEN 'wins' THEN s.wins::float8
                 WHEN 'draws' THEN s.draws::float8
                 WHEN 'losses' THEN s.losses::float8
                 WHEN 'birth' THEN i.birth::float8
                 WHEN 'number' THEN s.number::float8
                 ELSE s.rank::float8 END, s.rank
             LIMIT $5 OFFSET $6",
        )
        .bind(run)
        .bind(generation.cast_signed())
        .bind(sort.name())
        .bind(sign)
        .bind(page.limit())
        .bind(page.offset())
        .fetch_all(self.pool())
        .await?;
        Ok(rows)
    }
}
