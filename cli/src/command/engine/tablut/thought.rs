//! Thinking within the time there is.

use kembara_engine::tablut::{Course, Move, Tablut};
use kembara_engine::{Conditions, Game, Limit, PlayerSpec};
use std::sync::mpsc;
use std::time::Duration;

/// The most that is kept back of the time for a move.
const MOST_KEPT: Duration = Duration::from_secs(5);

/// A player that answers in time.
pub struct Thinker {
    player: PlayerSpec,
    /// The search ends by itself after this time.
    search: Duration,
    /// Nobody waits longer than this for it.
    wait: Duration,
    seed: u64,
}

impl Thinker {
    /// A player with so much time for a move. A fourth of it, five seconds at most, is kept for the
    /// wire and for a machine that has other things to do.
    pub fn new(player: PlayerSpec, timeout: Duration, seed: u64) -> Self {
        let kept = (timeout / 4).min(MOST_KEPT);
        Self { player, search: timeout - kept, wait: timeout - kept / 2, seed }
    }

    /// A legal move after these moves: the player's own, or `otherwise` when it does not come in time.
    pub fn choose(&self, moves: &[String], otherwise: Move) -> Move {
        let (answer, chosen) = mpsc::channel();
        let (player, seed, moves) = (self.player.clone(), self.seed, moves.to_vec());
        let conditions = Conditions { limit: Limit::Time(self.search), epsilon: 0.0 };
        // A search that is not waited for ends soon by itself; its answer finds nobody.
        std::thread::spawn(move || _ = answer.send(choice(&player, &conditions, seed, &moves)));
        match chosen.recv_timeout(self.wait) {
            Ok(Some(action)) => action,
            _ => {
                eprintln!("warning: no move was found in time; {otherwise} is played instead");
                otherwise
            }
        }
    }
}

fn choice(player: &PlayerSpec, conditions: &Conditions, seed: u64, moves: &[String]) -> Option<Move> {
    let mut session = Tablut.session();
    let mut course = Course::new();
    let legal = |course: &Course, text: &str| course.position().moves().find(|action| action.to_string() == text);
    for text in moves {
        session.play(text).ok()?;
        course.play(legal(&course, text)?);
    }
    let chosen = session.choose(player, conditions, seed).ok()?;
    legal(&course, &chosen.action)
}
