//! How far players that think for a given time go beyond it.
//!
//! `cargo bench -p kembara-engine --bench thinking` lets one player of each game think in positions
//! after random plies. Printed: the median and the worst overrun, in milliseconds and as a share of
//! the time allowed. A move that was not legal would end it with an error.

use kembara_engine::random::Key;
use kembara_engine::{Conditions, Game, Limit, PlayerName, registry};
use std::error::Error;
use std::time::{Duration, Instant};

const PLAYERS: [(&str, &str); 3] =
    [("othello", "oe_fmc_18:45:5:2:8:8:4:9:1:2:4"), ("connect-four", "c4_tc_14:29:5:1:5:1:5:1"), ("tablut", "classic")];
const TIMES: [u64; 3] = [10, 50, 200];
const MOVES: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    println!("game          allowed   median overrun    worst overrun");
    for (name, player) in PLAYERS {
        let game = registry::game(name).ok_or("a game is missing from the registry")?;
        for allowed in TIMES.map(Duration::from_millis) {
            let overruns = overruns(game, player, allowed)?;
            let show = |overrun: Duration| {
                format!("{:6.2} ms {:5.1} %", overrun.as_secs_f64() * 1e3, 100.0 * overrun.div_duration_f64(allowed))
            };
            let (median, worst) = (overruns[MOVES / 2], overruns[MOVES - 1]);
            println!("{name:12} {:5} ms  {}  {}", allowed.as_millis(), show(median), show(worst));
        }
    }
    Ok(())
}

/// Time beyond what was allowed, for each of the moves, ascending.
fn overruns(game: &dyn Game, player: &str, allowed: Duration) -> Result<Vec<Duration>, Box<dyn Error>> {
    let player = PlayerName::parse(player, game)?.player;
    let conditions = Conditions { limit: Limit::Time(allowed), epsilon: 0.0 };
    let key = Key::new(0, 0, "thinking");
    let mut overruns = Vec::with_capacity(MOVES);
    for slot in 0.. {
        let mut stream = key.stream(slot);
        let mut session = game.session();
        for _ in 0..stream.below(20) {
            let legal = session.legal();
            if !legal.is_empty() {
                session.play(&legal[stream.below(legal.len() as u64) as usize])?;
            }
        }
        if session.to_move().is_none() {
            continue;
        }
        let begun = Instant::now();
        let choice = session.choose(&player, &conditions, slot)?;
        overruns.push(begun.elapsed().saturating_sub(allowed));
        session.play(&choice.action)?;
        if overruns.len() == MOVES {
            break;
        }
    }
    overruns.sort_unstable();
    Ok(overruns)
}
