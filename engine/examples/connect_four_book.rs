//! Writes the book of the `perfect` Connect Four player to standard output.
//!
//! `cargo run --release -p kembara-engine --example connect_four_book > engine/src/connect_four/perfect/book.txt`
//! takes some ten minutes of one core. The positions are those before the first moves of `perfect`,
//! up to four stones, on either side and against any play; each is solved without the book.

use kembara_engine::connect_four::Solver;
use std::collections::BTreeSet;

/// Stones on the board in the latest positions of the book.
const LAST_PLY: usize = 4;

fn main() -> Result<(), String> {
    let mut solver = Solver::new(1 << 25);
    println!("# moves score columns");
    // Both sides' lines, those of fewer moves first: the longer ones find the table filled.
    let mut lines: BTreeSet<(usize, String)> = BTreeSet::new();
    lines.insert((0, String::new()));
    lines.extend((1..=7).map(|column| (1, column.to_string())));
    let mut written = BTreeSet::new();
    while let Some((length, line)) = lines.pop_first() {
        if written.contains(&mirrored(&line)) || !written.insert(line.clone()) {
            continue;
        }
        let solution = solver.solve(&line)?;
        let columns: String = solution.columns.iter().map(u8::to_string).collect();
        println!("{} {} {columns}", if line.is_empty() { "-" } else { &line }, solution.score);
        // `perfect` plays the left one; in the mirror image it is the other.
        for played in &solution.columns {
            lines.extend(
                (1..=7).filter(|_| length + 2 <= LAST_PLY).map(|reply| (length + 2, format!("{line}{played}{reply}"))),
            );
        }
    }
    Ok(())
}

fn mirrored(line: &str) -> String {
    line.bytes().map(|digit| char::from(b'1' + b'7' - digit)).collect()
}
