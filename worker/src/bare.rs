//! Playing a generation without any server: what the cores can do when nothing else is in the way.
//! The benchmark compares a cluster with it.

use crate::definition::Prepared;
use crate::player::{core_time, play_range};
use kembara_engine::{Arena, GameResult};
use kembara_tournament::Schedule;
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

/// Plays all games of a prepared generation on so many threads.
///
/// # Panics
/// When a game does.
#[must_use]
pub fn play_generation(prepared: &Prepared, threads: u32) -> Played {
    play_all(prepared.arena(), prepared.schedule(), threads)
}

/// Plays all games of a schedule on so many threads.
///
/// # Panics
/// When a game does, or the schedule was made for other players or openings.
#[must_use]
pub fn play_all(arena: &dyn Arena, schedule: &Schedule, threads: u32) -> Played {
    let start = Instant::now();
    let threads = threads.max(1);
    let next = AtomicU64::new(0);
    let piece = A_PIECE.min(schedule.pairings().div_ceil(u64::from(threads) * 8)).max(1);
    let mut pieces = Vec::new();
    let mut core = Duration::ZERO;
    std::thread::scope(|scope| {
        let players: Vec<_> =
            (0..threads).map(|_| scope.spawn(|| play_pieces(arena, schedule, &next, piece))).collect();
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

/// What a thread played: the first pairing of each piece with its results, and its core time.
type Share = (Vec<(u64, Vec<GameResult>)>, Duration);

fn play_pieces(arena: &dyn Arena, schedule: &Schedule, next: &AtomicU64, piece: u64) -> Share {
    let start = core_time();
    let mut table = arena.table();
    let mut pieces = Vec::new();
    loop {
        let first = next.fetch_add(piece, Ordering::Relaxed);
        if first >= schedule.pairings() {
            return (pieces, core_time().saturating_sub(start));
        }
        // At most A_PIECE.
        let count = piece.min(schedule.pairings() - first) as u32;
        let mut results = Vec::with_capacity(count as usize);
        play_range(&mut *table, schedule, first, count, &mut results);
        pieces.push((first, results));
    }
}
