//! Pairs of games on several threads.

use super::record::{self, Save};
use super::{Contest, Field};
use crate::failure::Failure;
use crate::output::{Status, grouped};
use kembara_engine::{GameResult, Table};
use kembara_tournament::Pairs;
use std::collections::HashSet;
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
}

/// Both games of a pair: A moves first in the first of them.
struct Pair {
    results: [GameResult; 2],
    hashes: [[u8; 16]; 2],
    text: String,
}

/// Plays all pairs. The result does not depend on the number of threads.
pub fn play(played: &Contest, pairs: u32, threads: u32, save: Option<&mut Save>) -> Result<MatchResult, Failure> {
    let field = Field::new(played)?;
    let next = AtomicU32::new(0);
    let keep = save.is_some();
    let mut finished: Vec<Option<Pair>> = Vec::new();
    finished.resize_with(pairs as usize, || None);
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
        for (done, (pair, outcome)) in receiver.iter().enumerate() {
            finished[pair as usize] = Some(outcome?);
            status.show(|| format!("{} of {} games", grouped(2 * (done as u64 + 1)), grouped(2 * u64::from(pairs))));
        }
        Ok::<(), Failure>(())
    })?;
    status.clear();
    let finished: Vec<Pair> = finished.into_iter().flatten().collect();
    if let Some(save) = save {
        finished.iter().try_for_each(|pair| save.add(&pair.text))?;
    }
    Ok(count(&finished))
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

fn count(finished: &[Pair]) -> MatchResult {
    let mut result = MatchResult { played: 2 * finished.len() as u64, ..MatchResult::default() };
    let (mut games, mut pairs) = (HashSet::new(), HashSet::new());
    for pair in finished {
        let points = [pair.results[0].outcome.half_points(), 2 - pair.results[1].outcome.half_points()];
        for (colour, (points, hash)) in points.into_iter().zip(pair.hashes).enumerate() {
            if games.insert(hash) {
                result.distinct += 1;
                result.outcomes[colour][usize::from(2 - points)] += 1;
            }
        }
        if pairs.insert(pair.hashes) {
            result.pairs.add(points[0] + points[1]);
        }
    }
    result
}
