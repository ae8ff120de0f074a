//! A bounded run of the fuzz targets on the stable compiler: every seed, and changes of seeds drawn by
//! proptest. What it finds, `fuzz/` finds again with the same functions.

#[path = "../../fuzz/src/lib.rs"]
mod entries;

use proptest::prelude::*;
use proptest::sample::Index;
use std::path::Path;

/// The seeds of a target, each with its name, in the order of their names.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds")).join(target);
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no seeds", folder.display());
    files.iter().map(|file| (file.display().to_string(), std::fs::read(file).unwrap())).collect()
}

/// One change of a seed.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Cut(Index, Index),
    Repeat(Index, Index, u8),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (any::<Index>(), proptest::collection::vec(any::<u8>(), 1..8))
            .prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Change::Cut(from, to)),
        (any::<Index>(), any::<Index>(), 1..20_u8).prop_map(|(from, to, times)| Change::Repeat(from, to, times)),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let length = bytes.len() + 1;
        let range = |from: &Index, to: &Index| {
            let [from, to] = [from.index(length), to.index(length)];
            from.min(to)..from.max(to)
        };
        match change {
            Change::Set(at, byte) => {
                if let Some(place) = bytes.get_mut(at.index(length)) {
                    *place = *byte;
                }
            }
            Change::Insert(at, more) => {
                let at = at.index(length);
                bytes.splice(at..at, more.iter().copied());
            }
            Change::Cut(from, to) => drop(bytes.drain(range(from, to))),
            Change::Repeat(from, to, times) => {
                let range = range(from, to);
                let again = bytes[range.clone()].repeat(usize::from(*times));
                bytes.splice(range.end..range.end, again);
            }
        }
        bytes.truncate(1 << 16);
    }
    bytes
}

fn run(target: &str, entry: fn(&[u8]) -> bool, cases: u32) {
    let seeds = seeds(target);
    for (name, seed) in &seeds {
        assert!(entry(seed), "{name} should be read: changes of what is refused at once find little");
    }
    let input = (any::<Index>(), proptest::collection::vec(change(), 1..6));
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    proptest::test_runner::TestRunner::new(config)
        .run(&input, |(seed, changes)| {
            entry(&changed(seeds[seed.index(seeds.len())].1.clone(), &changes));
            Ok(())
        })
        .unwrap();
}

#[test]
fn records_survive_any_change() {
    run("records", entries::records, 3000);
}

#[test]
fn players_survive_any_change() {
    run("players", entries::players, 5000);
}

#[test]
fn specs_survive_any_change() {
    run("specs", entries::specs, 3000);
}

#[test]
fn packed_results_survive_any_change() {
    run("packed", entries::packed, 5000);
}

#[test]
fn definitions_survive_any_change() {
    run("definitions", entries::definitions, 2000);
}
