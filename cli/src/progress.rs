//! How a run goes on, seen from outside: speed and time left from one look to the next.

use crate::client::RunView;
use crate::output::{elo, grouped, span};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Speed is measured over this long.
const WINDOW: Duration = Duration::from_secs(15);

/// Looks at a run, the latest last.
#[derive(Debug, Default)]
pub struct Progress {
    looks: VecDeque<(Instant, u64)>,
}

impl Progress {
    /// Takes a look at the run.
    pub fn look(&mut self, run: &RunView) {
        let now = Instant::now();
        while self.looks.len() > 2 && self.looks.front().is_some_and(|(then, _)| now - *then > WINDOW) {
            self.looks.pop_front();
        }
        self.looks.push_back((now, run.games_recorded));
    }

    /// Games a second over the last looks; `None` before there were two.
    pub fn speed(&self) -> Option<f64> {
        let (&(begun, first), &(ended, last)) = (self.looks.front()?, self.looks.back()?);
        let seconds = (ended - begun).as_secs_f64();
        (seconds > 0.2).then(|| last.saturating_sub(first) as f64 / seconds)
    }

    /// One line: generation, games of it, speed, time left, best player.
    pub fn line(&self, run: &RunView) -> String {
        let mut parts = vec![match run.stop.generations {
            Some(last) => format!("generation {} of {last}", run.generation),
            None => format!("generation {}", run.generation),
        }];
        parts.push(format!("{} of {} games", grouped(run.done), grouped(run.scheduled)));
        match (run.state.as_str(), self.speed()) {
            ("running", Some(speed)) if speed > 0.0 => {
                parts.push(format!("{} games/s", grouped(speed.round() as u64)));
                parts.extend(games_left(run).map(|games| format!("{} left", span(games as f64 / speed))));
            }
            ("running", _) if run.workers == 0 => parts.push("waiting for workers".to_owned()),
            ("running", _) => (),
            (state, _) => parts.push(state.to_owned()),
        }
        parts.extend(run.best.as_ref().map(|best| format!("best {} Elo {}", best.player, elo(best.elo))));
        parts.join(", ")
    }
}

/// Games until the run's own rule ends it, where that can be known; convergence may come earlier.
fn games_left(run: &RunView) -> Option<u64> {
    let open = run.scheduled.saturating_sub(run.done);
    let by_generations =
        run.stop.generations.map(|last| u64::from(last.saturating_sub(run.generation)) * run.scheduled + open);
    let by_games = run.stop.games.map(|most| most.saturating_sub(run.games_recorded));
    by_generations.into_iter().chain(by_games).min()
}
