//! The exact scores of the seven first moves of Connect Four, and how long each takes.
//!
//! `cargo bench -p kembara-engine --bench first_moves` solves them one after another, without the
//! book of the `perfect` player, remembering what it has found; words behind `--` choose other lines
//! of moves, as in `-- 4453`. The known scores of the first moves are -2 -1 0 1 0 -1 -2.

use kembara_engine::connect_four::Solver;
use std::time::Instant;

/// 256 MiB of memory.
const REMEMBERED: u32 = 1 << 25;

fn main() {
    let chosen: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let lines = if chosen.is_empty() { (1..=7).map(|column| column.to_string()).collect() } else { chosen };
    let mut solver = Solver::new(REMEMBERED);
    println!("{:<12} {:>6} {:>14} {:>9}", "line", "score", "nodes", "seconds");
    for line in lines {
        let (begin, before) = (Instant::now(), solver.nodes());
        match solver.solve(&line) {
            // The solution is for the side to move; a line's score is for the side that made it.
            Ok(solution) => {
                let (seconds, nodes) = (begin.elapsed().as_secs_f64(), solver.nodes() - before);
                println!("{line:<12} {:>6} {nodes:>14} {seconds:>9.1}", -solution.score);
            }
            Err(error) => {
                eprintln!("{line}: {error}");
                std::process::exit(2);
            }
        }
    }
}
