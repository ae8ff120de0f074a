//! How a run goes on, in one line.

use crate::client::RunView;
use crate::output::{elo, grouped, span};

/// Generation, games of it, speed, time left, best player. Time left is what the run's own rule for
/// ending allows; a best player that stays unchanged may end it earlier.
pub fn line(run: &RunView) -> String {
    let mut parts = vec![match run.stop.generations {
        Some(last) => format!("generation {} of {last}", run.generation),
        None => format!("generation {}", run.generation),
    }];
    parts.push(format!("{} of {} games", grouped(run.done), grouped(run.scheduled)));
    match run.state.as_str() {
        "running" if run.workers == 0 => parts.push("waiting for workers".to_owned()),
        "running" => {
            parts.extend(run.games_per_second.map(|speed| format!("{} games/s", grouped(speed.round() as u64))));
            parts.extend(run.seconds_left.map(|seconds| format!("{} left", span(seconds))));
        }
        state => parts.push(state.to_owned()),
    }
    parts.extend(run.best.as_ref().map(|best| format!("best {} Elo {}", best.player, elo(best.elo))));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(state: &str, workers: u32) -> RunView {
        let text = serde_json::json!({
            "name": "a", "state": state, "game": "othello", "genome": "oe_fmc", "generation": 12,
            "scheduled": 123_552, "done": 45_120, "games_recorded": 1_404_192, "workers": workers,
            "best": { "player": "oe_fmc_9_14:49", "elo": 1781.44 }, "stop": { "generations": 40 },
            "stop_reason": null, "games_per_second": 61_203.7, "seconds_left": 58.3,
        });
        serde_json::from_value(text).unwrap()
    }

    #[test]
    fn the_line_tells_what_people_watch() {
        assert_eq!(
            line(&run("running", 2)),
            "generation 12 of 40, 45,120 of 123,552 games, 61,204 games/s, 58 s left, best oe_fmc_9_14:49 Elo 1781.4"
        );
        assert!(line(&run("running", 0)).contains("games, waiting for workers, best"));
        assert!(line(&run("paused", 2)).contains("games, paused, best"));
    }
}
