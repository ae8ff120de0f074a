//! From games to a table.

use super::file::{self, Entry};
use super::shape::{Configurations, Shape};
use super::table::{About, Group, Source};
use super::{BANDS, UNITS, band, rounded};
use crate::othello::record::{Collection, Counting, Record};
use std::collections::BTreeMap;

/// The usual limit below which a configuration is too rare for a value.
pub const LEAST: u32 = 8;

/// The strongest shrinking: where nothing tells configurations apart.
const MOST_SHRINK: f64 = 1e6;

/// Why a collection was not learned from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlearned {
    /// The same bytes were there before.
    #[error("{0} has the same content as {1}; give each collection once, or its games count twice")]
    Twice(String, String),
    /// It adds nothing.
    #[error("{0} has no game to learn from: all are unfinished or damaged")]
    NoGame(String),
}

/// Collects what configurations led to. All sums are whole numbers, so the order in which
/// collections are added does not matter.
pub struct Learner {
    least: u32,
    unfinished: bool,
    sources: BTreeMap<[u8; 32], Source>,
    tallies: [[Tally; 2]; BANDS],
    /// For each shape and configuration the one that stands for it, and the sign.
    pooled: [Vec<(usize, i64)>; 2],
}

/// What was seen of one shape in one band.
#[derive(Clone, Debug)]
struct Tally {
    /// By configuration: how often, and the sum of the margins.
    sums: Vec<(u32, i64)>,
    /// The sum of the squared margins.
    squares: u64,
}

impl Learner {
    /// Values configurations that are seen `least` times or more, from finished games, or with
    /// `unfinished` also from games that stop early: those count by the result as written, else by
    /// their last board.
    #[must_use]
    pub fn new(least: u32, unfinished: bool) -> Self {
        let tally = |shape: Shape| Tally { sums: vec![(0, 0); shape.configurations()], squares: 0 };
        let pooled = |shape: Shape| (0..shape.configurations()).map(|index| shape.pooled(index)).collect();
        Self {
            least: least.max(1),
            unfinished,
            sources: BTreeMap::new(),
            tallies: std::array::from_fn(|_| Shape::ALL.map(tally)),
            pooled: Shape::ALL.map(pooled),
        }
    }

    /// Learns from the games of a file with these bytes.
    ///
    /// # Errors
    /// [`Unlearned`] when nothing new is in it; the learner is as before then.
    pub fn add(&mut self, name: &str, bytes: &[u8], games: &Collection) -> Result<Source, Unlearned> {
        let name: String = name.chars().filter(|letter| !letter.is_control()).take(200).collect();
        let hash = *blake3::hash(bytes).as_bytes();
        if let Some(known) = self.sources.get(&hash) {
            return Err(Unlearned::Twice(name, known.name.clone()));
        }
        let used: Vec<_> = games.records().filter(|record| self.unfinished || record.is_over()).collect();
        if used.is_empty() {
            return Err(Unlearned::NoGame(name));
        }
        used.iter().for_each(|record| self.add_game(record));
        let left_out = (games.games.len() - used.len()) as u32;
        let source = Source { hash, name, games: used.len() as u32, left_out };
        self.sources.insert(hash, source.clone());
        Ok(source)
    }

    fn add_game(&mut self, record: &Record) {
        let margin = i64::from(margin(record));
        let mut before: Option<(usize, [(Shape, usize); 8])> = None;
        let mut discs = record.start().black().count() + record.start().white().count();
        for board in record.boards() {
            let (black, white) = (board.black(), board.white());
            let now = black.count() + white.count();
            if now == discs {
                // The start, and boards after a pass.
                continue;
            }
            discs = now;
            let band = band(now.saturating_sub(4));
            let all = Configurations::of(black, white).all();
            for (place, &(shape, configuration)) in all.iter().enumerate() {
                let unchanged = before.is_some_and(|(then, old)| then == band && old[place] == (shape, configuration));
                if !unchanged {
                    let (standing, sign) = self.pooled[shape as usize][configuration];
                    self.tallies[band][shape as usize].add(standing, sign, margin);
                }
            }
            before = Some((band, all));
        }
    }

    /// The table as a file; [`Table::read`](super::Table::read) reads it.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut groups = [[Group { seen: 0, shrink: 0, kept: 0, rare: 0 }; 2]; BANDS];
        let mut entries: [[Vec<Entry>; 2]; BANDS] = Default::default();
        for band in 0..BANDS {
            for shape in 0..Shape::ALL.len() {
                (groups[band][shape], entries[band][shape]) = self.tallies[band][shape].valued(self.least);
            }
        }
        let about = About { least: self.least, sources: self.sources.into_values().collect(), groups };
        file::write(&about, &entries)
    }
}

/// Black's final margin.
fn margin(record: &Record) -> i16 {
    let written = record.written.as_ref().and_then(|written| written.margin).filter(|_| !record.is_over());
    written.unwrap_or_else(|| record.counted().margin(Counting::Discs))
}

impl Tally {
    fn add(&mut self, standing: usize, sign: i64, margin: i64) {
        // What equals its own opposite is worth 0 whatever happens.
        if sign != 0 {
            let (count, sum) = &mut self.sums[standing];
            *count += 1;
            *sum += sign * margin;
            self.squares += (margin * margin) as u64;
        }
    }

    fn valued(&self, least: u32) -> (Group, Vec<Entry>) {
        let shrink = self.shrink();
        let mut rare = 0;
        let mut entries = Vec::new();
        for (configuration, &(count, sum)) in self.sums.iter().enumerate().filter(|(_, (count, _))| *count > 0) {
            if count < least {
                rare += 1;
                continue;
            }
            // At most 64 discs, since the divisor is above the count.
            let value = rounded(UNITS * sum, i64::from(count) + i64::from(shrink)) as i16;
            entries.push(Entry { configuration, count, value });
        }
        let seen = self.sums.iter().map(|&(count, _)| u64::from(count)).sum();
        (Group { seen, shrink, kept: entries.len() as u32, rare }, entries)
    }

    /// k: the variance of margins within configurations over the variance of configurations' true
    /// means, from 1 up.
    ///
    /// With G configurations, N observations, Q the sum of squares and B the sum of s²/n, the
    /// expectation of B is G·within + N·between, because the mean of all is 0; and of Q − B it is
    /// (N − G)·within. The sum runs in the order of configurations, so it is always the same.
    fn shrink(&self) -> u32 {
        let observed = || self.sums.iter().filter(|(count, _)| *count > 0);
        let groups = observed().count() as f64;
        let seen = observed().map(|&(count, _)| u64::from(count)).sum::<u64>() as f64;
        let explained: f64 = observed().map(|&(count, sum)| (sum * sum) as f64 / f64::from(count)).sum();
        let within = (self.squares as f64 - explained) / (seen - groups);
        let between = (explained - groups * within) / seen;
        // Not a number where there is one observation for each configuration, or none at all.
        let shrink = if between > 0.0 && within >= 0.0 { within / between } else { MOST_SHRINK };
        shrink.round().clamp(1.0, MOST_SHRINK) as u32
    }
}

#[cfg(test)]
mod tests;
