//! Learning: by hand on a few games, and what ships from the games it was learned from.

use super::*;
use crate::othello::pattern::{Table, shipped};
use crate::othello::record;

fn tally(shape: Shape, observations: &[(usize, i64)]) -> Tally {
    let mut tally = Tally { sums: vec![(0, 0); shape.configurations()], squares: 0 };
    for &(configuration, margin) in observations {
        tally.add(configuration, 1, margin);
    }
    tally
}

#[test]
fn means_shrink_by_the_moments_worked_out_by_hand() {
    // B = 30²/3 + (−12)²/2 + 6²/1 = 408, Q = 6² + 20² + 4² + 8² + 20² + 6² = 952. Within:
    // (952 − 408) / (6 − 3) = 181.33. Between: (408 − 3 · 181.33) / 6 < 0: nothing tells them apart.
    let alike = tally(Shape::Edge, &[(1, 6), (1, 20), (1, 4), (2, -20), (2, 8), (5, 6)]);
    assert_eq!(alike.shrink(), 1_000_000);

    // B = 36²/3 + (−24)²/2 = 720, Q = 6² + 10² + 20² + 4² + 28² = 1336. Within: 616 / 3 = 205.33.
    // Between: (720 − 410.67) / 5 = 61.87. k = 3.32, that is 3.
    let apart = tally(Shape::Edge, &[(1, 6), (1, 10), (1, 20), (2, 4), (2, -28)]);
    assert_eq!(apart.shrink(), 3);
    let (group, entries) = apart.valued(2);
    assert_eq!(group, Group { seen: 5, shrink: 3, kept: 2, rare: 0 });
    // 16 · 36 / (3 + 3) = 96; 16 · −24 / (2 + 3) = −76.8.
    assert_eq!(
        entries,
        [Entry { configuration: 1, count: 3, value: 96 }, Entry { configuration: 2, count: 2, value: -77 }]
    );
    let (group, entries) = apart.valued(3);
    assert_eq!((group.kept, group.rare, entries.len()), (1, 1, 1));
}

#[test]
fn what_was_never_or_only_once_seen_shrinks_away() {
    assert_eq!(tally(Shape::Corner, &[]).shrink(), 1_000_000);
    assert_eq!(tally(Shape::Corner, &[(1, 64), (2, -64)]).shrink(), 1_000_000);
    assert_eq!(tally(Shape::Corner, &[(1, 64), (1, 64), (1, 64)]).shrink(), 1);
}

/// A wipe-out in nine moves, 13-0, which touches no pattern but the corner of h8, by f6: white
/// places it in move 4 and black turns it in move 7.
const WIPE_OUT: &[u8] = b"e6f4e3f6g5d6e7f5c5";

fn learned(least: u32, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut learner = Learner::new(least, false);
    for (name, bytes) in files {
        learner.add(name, bytes, &record::read(bytes).unwrap()).unwrap();
    }
    learner.finish()
}

#[test]
fn a_game_counts_a_configuration_when_a_move_has_changed_it() {
    let game = record::read(WIPE_OUT).unwrap();
    let mut learner = Learner::new(1, false);
    learner.add("a game", WIPE_OUT, &game).unwrap();
    let f6 = 6_561;
    // White's disc counts as black's with the opposite margin.
    assert_eq!(learner.tallies[0][1].sums[f6], (2, 13 - 13));
    assert_eq!(learner.tallies[0][1].squares, 2 * 13 * 13);
    assert_eq!(learner.tallies[0][0].squares, 0, "no edge was touched");
    assert!(learner.tallies[1..].iter().flatten().all(|tally| tally.squares == 0), "the game has nine moves");
}

#[test]
fn the_order_of_collections_does_not_matter() {
    let other = b"f5d6c5f4e3f6g5e6e7";
    let files: [(&str, &[u8]); 2] = [("one", WIPE_OUT), ("two", other)];
    let turned = [files[1], files[0]];
    let mut learner = Learner::new(1, true);
    let mut backwards = Learner::new(1, true);
    for (file, back) in files.iter().zip(&turned) {
        learner.add(file.0, file.1, &record::read(file.1).unwrap()).unwrap();
        backwards.add(back.0, back.1, &record::read(back.1).unwrap()).unwrap();
    }
    assert_eq!(learner.finish(), backwards.finish());
}

#[test]
fn games_are_not_counted_twice_and_unfinished_ones_only_when_asked() {
    let mut learner = Learner::new(1, false);
    let game = record::read(WIPE_OUT).unwrap();
    learner.add("one", WIPE_OUT, &game).unwrap();
    assert_eq!(learner.add("two", WIPE_OUT, &game), Err(Unlearned::Twice("two".to_owned(), "one".to_owned())),);
    let short = b"f5d6c3";
    let unfinished = record::read(short).unwrap();
    assert_eq!(learner.add("short", short, &unfinished), Err(Unlearned::NoGame("short".to_owned())));
    let source = Learner::new(1, true).add("short", short, &unfinished).unwrap();
    assert_eq!((source.games, source.left_out), (1, 0));
}

#[test]
fn a_learned_table_reads_back_with_its_sources() {
    let bytes = learned(1, &[("a\ngame", WIPE_OUT)]);
    let table = Table::read(&bytes).unwrap();
    let about = table.about();
    assert_eq!((about.least, about.games(), about.sources[0].name.as_str()), (1, 1, "agame"));
    assert_eq!(about.groups[0][1], Group { seen: 2, shrink: 1_000_000, kept: 1, rare: 0 });
}

#[test]
fn the_shipped_table_comes_out_of_the_games_again() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello/wthor");
    let Ok(entries) = std::fs::read_dir(folder) else {
        println!("SKIPPED: the_shipped_table_comes_out_of_the_games_again: {folder} is not there");
        return;
    };
    let mut learner = Learner::new(LEAST, false);
    for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "wtb")) {
        let bytes = std::fs::read(&path).unwrap();
        learner.add(path.file_name().unwrap().to_str().unwrap(), &bytes, &record::read(&bytes).unwrap()).unwrap();
    }
    let bytes = learner.finish();
    let about = Table::read(&bytes).unwrap().about().clone();
    assert_eq!((about.sources.len(), about.games()), (41, 119_920));
    assert_eq!(about.sources.iter().map(|source| source.left_out).sum::<u32>(), 405);
    assert!(
        bytes == include_bytes!("../shipped.patterns"),
        "another table: {:?}",
        Table::read(&bytes).map(|table| table.id())
    );
    assert_eq!(Table::read(&bytes).as_ref(), Ok(&**shipped()));
}
