//! What the worker tells people: one line in place on a terminal, otherwise a summary now and then.

use crate::coordinator::Coordinator;
use crate::desk::Desk;
use crate::lease::Lease;
use crate::outbox::Outbox;
use kembara_proto::v1;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between summaries where no terminal shows the line.
const BETWEEN_SUMMARIES: Duration = Duration::from_secs(60);

/// What a worker did in its life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Games in ranges that were recorded as this worker's.
    pub recorded: u64,
    /// Games in ranges that another worker had delivered before, or whose lease was void.
    pub unneeded: u64,
    /// Games in ranges that the coordinator did not accept.
    pub refused: u64,
    /// Games in finished ranges that could not be delivered before the end.
    pub undelivered: u64,
}

#[derive(Debug, Default)]
struct State {
    summary: Summary,
    /// The run and generation of the latest range.
    playing: Option<(Arc<str>, u32)>,
    /// Why there is no work.
    idle: Option<String>,
}

/// What there is to tell.
#[derive(Debug, Default)]
pub struct Board {
    state: Mutex<State>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing that runs under the lock can panic half way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A range came.
    pub fn playing(&self, lease: &Lease) {
        let mut state = self.lock();
        state.idle = None;
        if state.playing.as_ref().is_none_or(|(run, number)| *run != lease.run || *number != lease.generation) {
            tracing::debug!(run = %lease.run, generation = lease.generation, "first range of a generation");
            state.playing = Some((Arc::clone(&lease.run), lease.generation));
        }
    }

    /// There is no work; a new reason is logged.
    pub fn idle(&self, idle: &v1::Idle) {
        let short = match idle.reason() {
            v1::idle::Reason::Unspecified => "no work",
            v1::idle::Reason::NoRun => "no run is going on",
            v1::idle::Reason::Paused => "all runs are paused",
            v1::idle::Reason::AllLeased => "everything open is being played by others",
            v1::idle::Reason::Version => "the runs need another version of the worker",
        };
        let mut state = self.lock();
        let detail: String = idle.detail.chars().filter(|c| !c.is_control()).take(200).collect();
        let text = if detail.is_empty() || detail == short { short.to_owned() } else { format!("{short} ({detail})") };
        // Between two generations everything is leased for a moment; that is no news.
        if state.idle.as_ref() != Some(&text) && idle.reason() != v1::idle::Reason::AllLeased {
            tracing::info!("idle: {text}");
        }
        state.idle = Some(text);
    }

    /// The coordinator answered to a range of so many games.
    pub fn reported(&self, verdict: v1::Verdict, games: u32) {
        let summary = &mut self.lock().summary;
        let place = match verdict {
            v1::Verdict::Recorded => &mut summary.recorded,
            v1::Verdict::AlreadyRecorded | v1::Verdict::Void => &mut summary.unneeded,
            v1::Verdict::Malformed | v1::Verdict::Contradicts | v1::Verdict::Unspecified => &mut summary.refused,
        };
        *place += u64::from(games);
    }

    /// The counts so far, with the games played and those that still wait.
    pub fn summary(&self, games: u64, undelivered: u64) -> Summary {
        Summary { games, undelivered, ..self.lock().summary }
    }
}

/// The task that tells.
#[derive(Debug)]
pub struct Reporter {
    /// Counts of ranges.
    pub board: Arc<Board>,
    /// Games played, ranges in hand.
    pub desk: Arc<Desk>,
    /// Games that wait for delivery.
    pub outbox: Arc<Outbox>,
    /// Whether the coordinator is away.
    pub coordinator: Arc<Coordinator>,
    /// Whether the line is shown where people look, when that is a terminal.
    pub line: bool,
}

impl Reporter {
    /// Runs until it is dropped.
    pub async fn run(self) -> ! {
        let in_place = self.line && std::io::stderr().is_terminal();
        let every = if in_place { Duration::from_secs(1) } else { BETWEEN_SUMMARIES };
        let (mut games, mut since) = (0, Instant::now());
        let mut tick = tokio::time::interval(every);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        tick.tick().await;
        loop {
            tick.tick().await;
            let now = self.desk.games();
            let line = self.tell(now, (now - games) as f64 / since.elapsed().as_secs_f64());
            (games, since) = (now, Instant::now());
            if in_place {
                // A terminal that cannot be written to is no reason to stop playing.
                let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
            } else {
                tracing::info!("{line}");
            }
        }
    }

    fn tell(&self, games: u64, rate: f64) -> String {
        let (playing, idle) = {
            let state = self.board.lock();
            (state.playing.clone(), state.idle.clone())
        };
        let waiting = self.outbox.backlog();
        let what = match (self.coordinator.away(), self.desk.ranges(), idle, playing) {
            (Some(reason), ..) => format!("the coordinator is away ({reason})"),
            (None, 0, Some(idle), _) => format!("idle: {idle}"),
            (None, ranges, _, Some((run, generation))) => {
                format!("{run}, generation {generation}, {ranges} ranges in hand")
            }
            (None, ..) => "waiting for work".to_owned(),
        };
        let kept = if waiting > 0 { format!(", {} games to deliver", grouped(waiting)) } else { String::new() };
        format!("{} games, {} a second; {what}{kept}", grouped(games), grouped(rate.round() as u64))
    }
}

/// A number with its thousands apart: 1,234,567.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
