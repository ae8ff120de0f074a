//! Pairs of games on several threads.

use super::Match;
use super::record::{self, Save};
use crate::failure::Failure;
use crate::output::{Status, grouped};
use kembara_engine::random::{Key, Permutation};
use kembara_engine::{Arena, ArenaSpec, GameResult, Meeting, Openings};
use kembara_tournament::Pairs;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// The prepared players, and which games they play.
pub struct Field {
    /// One for A moving first; a second one when B plays under other conditions.
    arenas: Vec<Box<dyn Arena>>,
    openings: Key,
    games: Key,
}

impl Field {
    /// Prepares the players.
    pub fn new(played: &Match) -> Result<Self, Failure> {
        let openings = match played.plies {
            0 => Openings::Start,
            plies => Openings::Plies(plies),
        };
        let [a, b] = played.conditions;
        let mut arenas = Vec::new();
        for conditions in if a == b { vec![[a, b]] } else { vec![[a, b], [b, a]] } {
            let players = played.players.iter().map(|name| name.player.clone()).collect();
            let spec = ArenaSpec { players, conditions, openings: openings.clone() };
            arenas.push(played.game.arena(&spec).map_err(|error| Failure::usage(error.to_string()))?);
        }
        let key = |purpose| Key::new(played.seed, 0, purpose);
        Ok(Self { arenas, openings: key("match opening"), games: key("match game") })
    }

    /// The arena in which player `first` (0 for A, 1 for B) moves first.
    pub fn arena(&self, first: usize) -> &dyn Arena {
        self.arenas[first.min(self.arenas.len() - 1)].as_ref()
    }

    /// The game of a pair in which player `first` moves first. Openings are drawn without
    /// replacement until all were used, then all over again in another order.
    pub fn meeting(&self, pair: u32, first: u32) -> Meeting {
        let count = self.arenas[0].openings();
        let order = Permutation::new(count.into(), &self.openings, (pair / count).into());
        let opening = u32::try_from(order.at((pair % count).into())).expect("an opening's place is below their count");
        let seed = self.games.stream(2 * u64::from(pair) + u64::from(first)).bits();
        Meeting { first, second: 1 - first, opening, seed }
    }
}

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
pub fn play(played: &Match, pairs: u32, threads: u32, save: Option<&mut Save>) -> Result<MatchResult, Failure> {
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
    played: &Match,
    field: &Field,
    pair: u32,
    tables: &mut [Box<dyn kembara_engine::Table + '_>; 2],
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
