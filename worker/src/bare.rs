//! Playing a generation without any server: what the cores can do when nothing else is in the way.
//! The benchmark compares a cluster with it.

use crate::definition::Prepared;
use crate::player::{core_time, play_range};
use kembara_engine::GameResult;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games taken at once by a thread.
const A_PIECE: u64 = 64;

/// A generation played.
#[derive(Clone, Debug)]
pub struct Played {
    /// In pairing order.
    pub results: Vec<GameResult>,
    /// Core time of all threads together.
    pub core: Duration,
    /// From the first game's beginning to the last one's end.
    pub wall: Duration,
}

/// Plays all games of a generation on so many threads.
///
/// # Panics
/// When a game does.
#[must_use]
pub fn play_generation(prepared: &Prepared, threads: u32) -> Played {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let piece = A_PIECE.min(prepared.pairings().div_ceil(u64::from(threads.max(1)) * 8)).max(1);
    let mut pieces = Vec::new();
    let mut core = Duration::ZERO;
    std::thread::scope(|scope| {
        let players: Vec<_> =
            (0..threads.max(1)).map(|_| scope.spawn(|| play_pieces(prepared, &next, piece))).collect();
        for player in players {
            let (played, took) = player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            pieces.extend(played);
            core += took;
        }
    });
    let wall = start.elapsed();
    pieces.sort_unstable_by_key(|(first, _)| *first);
    Played { results: pieces.into_iter().flat_map(|(_, results)| results).collect(), core, wall }
}

fn play_pieces(prepared: &Prepared, next: &AtomicU64, piece: u64) -> (Vec<(u64, Vec<GameResult>)>, Duration) {
    let start = core_time();
    let mut table = prepared.arena().table();
    let mut pieces = Vec::new();
    loop {
        let first = next.fetch_add(piece, Ordering::Relaxed);
        if first >= prepared.pairings() {
            return (pieces, core_time().saturating_sub(start));
        }
        // At most A_PIECE.
        let count = piece.min(prepared.pairings() - first) as u32;
        let mut results = Vec::with_capacity(count as usize);
        play_range(&mut *table, prepared, first, count, &mut results);
        pieces.push((first, results));
    }
}
