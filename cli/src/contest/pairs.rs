//! Pairs of games on several threads.

use super::record::{self, Save};
use super::trial::{Judge, Trial};
use super::{Contest, Field};
use crate::failure::Failure;
use crate::output::{Status, grouped};
use kembara_engine::{GameResult, Table};
use kembara_tournament::{Decision, Pairs};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// What a match came to. Identical games count once: everything but `played` is about distinct
/// pairs.
#[derive(Debug, Default)]
pub struct MatchResult {
    /// Games played, repetitions included.
    pub played: u64,
    /// Games that differ from each other.
    pub distinct: u64,
    /// A's wins, draws and losses when moving first and when moving second.
    pub outcomes: [[u64; 3]; 2],
    /// A's scores of pairs.
    pub pairs: Pairs,
    /// What the match decided, when it was to decide something and did.
    pub decision: Option<Decision>,
}

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub struct Extent<'a> {
    /// The most pairs.
    pub pairs: u32,
    /// When to stop before.
    pub trial: Option<&'a Trial>,
}

/// Both games of a pair: A moves first in the first of them.
struct Pair {
    results: [GameResult; 2],
    hashes: [[u8; 16]; 2],
    text: String,
}

/// Plays the pairs. The result does not depend on the number of threads: pairs are looked at in
/// their order, and those beyond the one that decided are forgotten.
pub fn play(
    played: &Contest,
    extent: Extent<'_>,
    threads: u32,
    mut save: Option<&mut Save>,
) -> Result<MatchResult, Failure> {
    let field = Field::new(played)?;
    let next = AtomicU32::new(0);
    let pairs = extent.pairs;
    let keep = save.is_some();
    let mut judge = extent.trial.map(|trial| Judge::new(trial, field.arena(0).openings()));
    let mut count = Count::default();
    let mut status = Status::new(Duration::from_secs(10));
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let (field, next, sender) = (&field, &next, sender.clone());
            scope.spawn(move || {
                let mut tables = [field.arena(0).table(), field.arena(1).table()];
                loop {
                    let pair = next.fetch_add(1, Ordering::Relaxed);
                    if pair >= pairs || sender.send((pair, play_pair(played, field, pair, &mut tables, keep))).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = 0;
        for (pair, outcome) in receiver {
            waiting.insert(pair, outcome?);
            while let Some(pair) = waiting.remove(&expected) {
                expected += 1;
                let is_new = count.add(&pair);
                if let Some(save) = &mut save {
                    save.add(&pair.text)?;
                }
                // Leaving drops the receiver, and that stops the threads.
                if judge.as_mut().is_some_and(|judge| judge.stops(is_new, &count.result.pairs.0)) {
                    return Ok(());
                }
            }
            status.show(|| progress(&count.result, extent));
        }
        Ok::<(), Failure>(())
    })?;
    status.clear();
    count.result.decision = judge.and_then(|judge| judge.decision());
    Ok(count.result)
}

fn progress(result: &MatchResult, extent: Extent<'_>) -> String {
    let played = grouped(result.played);
    match extent.trial {
        None => format!("{played} of {} games", grouped(2 * u64::from(extent.pairs))),
        Some(trial) => {
            let [lower, higher] = trial.test.bounds();
            format!("{played} games, LLR {:+.2} ({lower:.2} to {higher:.2})", trial.test.ratio(&result.pairs.0))
        }
    }
}

fn play_pair(
    played: &Contest,
    field: &Field,
    pair: u32,
    tables: &mut [Box<dyn Table + '_>; 2],
    keep: bool,
) -> Result<Pair, Failure> {
    let mut text = String::new();
    let mut play = |first: u32| {
        let (moves, result) = tables[first as usize].record(&field.meeting(pair, first));
        if keep {
            let number = 2 * u64::from(pair) + u64::from(first) + 1;
            text += &record::block(played, number, first as usize, &moves, &result)?;
        }
        let mut hash = [0; 16];
        hash.copy_from_slice(&blake3::hash(format!("{first} {}", moves.join(" ")).as_bytes()).as_bytes()[..16]);
        Ok::<_, Failure>((result, hash))
    };
    let ((one, one_hash), (two, two_hash)) = (play(0)?, play(1)?);
    Ok(Pair { results: [one, two], hashes: [one_hash, two_hash], text })
}

/// The pairs so far. The sets are only asked for membership: their order never shows.
#[derive(Default)]
struct Count {
    result: MatchResult,
    games: HashSet<[u8; 16]>,
    pairs: HashSet<[[u8; 16]; 2]>,
}

impl Count {
    /// Whether the pair is a new one.
    fn add(&mut self, pair: &Pair) -> bool {
        let result = &mut self.result;
        result.played += 2;
        let points = [pair.results[0].outcome.half_points(), 2 - pair.results[1].outcome.half_points()];
        for (colour, (points, hash)) in points.into_iter().zip(pair.hashes).enumerate() {
            if self.games.insert(hash) {
                result.distinct += 1;
                result.outcomes[colour][usize::from(2 - points)] += 1;
            }
        }
        let is_new = self.pairs.insert(pair.hashes);
        if is_new {
            result.pairs.add(points[0] + points[1]);
        }
        is_new
    }
}
