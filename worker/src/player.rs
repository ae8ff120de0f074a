//! The threads that play.

use crate::definition::Prepared;
use crate::desk::{Desk, Piece};
use kembara_engine::{GameResult, Table};
use kembara_tournament::Schedule;
use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// The playing threads of one worker. When dropped they end after the game they are in.
#[derive(Debug)]
pub struct Players {
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
}

impl Players {
    /// Starts the threads, at this nice level.
    ///
    /// # Errors
    /// When the system gives no further thread.
    pub fn start(desk: &Arc<Desk>, threads: u32, nice: u8) -> io::Result<Self> {
        let mut players = Self { desk: Arc::clone(desk), threads: Vec::new() };
        for number in 0..threads {
            let desk = Arc::clone(desk);
            let thread = std::thread::Builder::new().name(format!("player-{number}")).spawn(move || {
                step_back(nice);
                play(&desk);
            })?;
            players.threads.push(thread);
        }
        Ok(players)
    }

    /// Waits for the threads of a stopped desk.
    pub fn join(mut self) {
        for thread in std::mem::take(&mut self.threads) {
            if thread.join().is_err() {
                tracing::error!("a playing thread ended in a panic outside a game");
            }
        }
    }
}

impl Drop for Players {
    fn drop(&mut self) {
        drop(self.desk.stop());
    }
}

/// Lets everything else on the machine go first. On Linux the level belongs to the thread, so
/// heartbeats keep theirs.
fn step_back(nice: u8) {
    if nice > 0
        && let Err(error) = rustix::process::setpriority_process(None, i32::from(nice))
    {
        tracing::warn!("playing at the usual priority: the system refused nice level {nice} ({error})");
    }
}

fn play(desk: &Desk) {
    let mut next = desk.claim();
    while let Some(piece) = next {
        let prepared = Arc::clone(&piece.prepared);
        next = sit_down(desk, &prepared, piece);
    }
}

/// Plays pieces of one generation at one table; returns the first piece of another one.
fn sit_down(desk: &Desk, prepared: &Prepared, mut piece: Piece) -> Option<Piece> {
    let mut table = None;
    let mut results = Vec::new();
    loop {
        let start = core_time();
        let played = catch_unwind(AssertUnwindSafe(|| {
            let table = table.get_or_insert_with(|| prepared.arena().table());
            play_range(&mut **table, prepared.schedule(), piece.first, piece.count, &mut results);
        }));
        match played {
            Ok(()) => desk.settle(&piece, &results, core_time().saturating_sub(start)),
            Err(panic) => {
                // The table may be in any state: the next piece gets a new one.
                table = None;
                desk.fail(&piece, &message(&*panic));
            }
        }
        let next = desk.claim()?;
        if next.prepared.hash != prepared.hash {
            return Some(next);
        }
        piece = next;
    }
}

/// Plays pairings `first .. first + count` into an emptied list.
pub(crate) fn play_range(
    table: &mut dyn Table,
    schedule: &Schedule,
    first: u64,
    count: u32,
    results: &mut Vec<GameResult>,
) {
    results.clear();
    results.extend((first..first + u64::from(count)).map(|k| table.play(&schedule.pairing(k))));
}

/// Core time of this thread: unlike the clock on the wall it stands still while the process is
/// stopped or others use the core.
pub(crate) fn core_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

fn message(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}
