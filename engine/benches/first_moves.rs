//! The exact scores of the seven first moves of Connect Four, and how long each takes.
//!
//! `cargo bench -p kembara-engine --bench first_moves` solves them one after another; words behind
//! `--` choose other lines of moves to solve, as in `-- 4453`. The known scores, for yellow, are
//! -2 -1 0 1 0 -1 -2.

use kembara_engine::{Conditions, PlayerSpec, registry};
use std::time::Instant;

fn main() {
    let chosen: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let lines = if chosen.is_empty() { (1..=7).map(|column| column.to_string()).collect() } else { chosen };
    let game = registry::game("connect-four").expect("connect-four is in the registry");
    let perfect = PlayerSpec::Named("perfect".to_owned());
    println!("{:<12} {:>6} {:>14} {:>9}", "line", "score", "nodes", "seconds");
    for line in lines {
        let mut session = game.session();
        if let Err(error) = session.play_line(&line) {
            eprintln!("{line}: {error}");
            std::process::exit(2);
        }
        let begin = Instant::now();
        match session.choose(&perfect, &Conditions::depth(1), 0) {
            Ok(choice) => {
                // The value is for the side to move; a line's score is for the side that made it.
                let score = -choice.value.unwrap_or_default();
                let seconds = begin.elapsed().as_secs_f64();
                println!("{line:<12} {score:>6} {:>14} {seconds:>9.1}", choice.nodes);
            }
            Err(error) => eprintln!("{line}: {error}"),
        }
    }
}
