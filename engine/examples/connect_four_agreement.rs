//! How often a Connect Four player plays a move that keeps the exact value of the position.
//!
//! `cargo run --release -p kembara-engine --example connect_four_agreement PLAYER DEPTH POSITIONS`
//! draws positions of 16 uniformly random plies in which moves differ in value, and solves each move.

use kembara_engine::connect_four::{ConnectFour, Solver};
use kembara_engine::random::Key;
use kembara_engine::{Conditions, Game, PlayerName};

/// Stones on the board: few enough to leave a game to play, enough to be solved at once.
const PLIES: usize = 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [player, depth, positions] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "expected PLAYER DEPTH POSITIONS, as in: greedy 4 1000")?;
    let player = PlayerName::parse(&player, &ConnectFour)?.player;
    let (conditions, positions) = (Conditions::depth(depth.parse()?), positions.parse::<u64>()?);
    let key = Key::new(0, 0, "agreement");
    let mut solver = Solver::default();
    let (mut asked, mut kept, mut slot) = (0_u64, 0_u64, 0_u64);
    while asked < positions {
        slot += 1;
        let mut stream = key.stream(slot);
        let mut session = ConnectFour.session();
        while session.to_move().is_some() && session.moves().len() < PLIES {
            let legal = session.legal();
            session.play(&legal[stream.below(legal.len() as u64) as usize])?;
        }
        if session.to_move().is_none() {
            continue;
        }
        let line = session.moves().concat();
        let best = solver.solve(&line)?.score;
        let keeps = |solver: &mut Solver, action: &str| -> bool {
            // A game that the move ends has no position to solve: it ends in its mover's favour or full.
            solver.solve(&format!("{line}{action}")).map_or(best > 0, |after| -after.score == best)
        };
        let good: Vec<String> = session.legal().into_iter().filter(|action| keeps(&mut solver, action)).collect();
        if good.len() == session.legal().len() {
            continue;
        }
        asked += 1;
        kept += u64::from(good.contains(&session.choose(&player, &conditions, slot)?.action));
    }
    println!("{kept} of {asked} moves keep the value: {:.1} %", 100.0 * kept as f64 / asked as f64);
    Ok(())
}
