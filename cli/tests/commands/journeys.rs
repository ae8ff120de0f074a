//! The journeys on a real cluster: the same bits with any workers, and what is written of them.

use crate::house::{Up, up};
use crate::support::{data_folder, ran, run};
use serde_json::Value;
use std::path::Path;

const TABLUT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/tablut.toml");
const KEMBARA_1: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/kembara-1.toml");
const FORZA4: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/forza4.toml");

/// The fingerprints of the last generation played here. They may change only with a semantics version
/// or the specs.
const TABLUT_AFTER_5: &str = "31eb9d37cf3086d7fa242c11132462069e0716df3a42677519b21d119690b88d";
const FORZA4_AFTER_1: &str = "d78a85bd5b92e0e80d308be32aaac08d2d3c0a11141f319b03dbd1d0cd310c2a";

const KEMBARA_1_AFTER_1: &str = "738bb786beced4898dd5bce2bae517034f5e5b4a4bb7cb952a9a2f211935ed87";

/// Plays some generations to the end and returns the fingerprint of the last one.
fn played(data: &Path, spec: &str, name: &str, generations: &str, workers: [&str; 2]) -> String {
    let [workers, threads] = workers;
    let arguments =
        [spec, "--name", name, "--generations", generations, "--workers", workers, "--threads", threads, "--json"];
    let ran = ran(up(data, &arguments).output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    report["fingerprint"].as_str().unwrap().to_owned()
}

#[test]
fn every_journey_breeds_the_same_with_any_workers() {
    let folder = data_folder();
    let data = folder.path().join("data");
    for (journey, spec, generations, pinned) in [
        ("tablut", TABLUT, "5", TABLUT_AFTER_5),
        ("forza4", FORZA4, "1", FORZA4_AFTER_1),
        ("kembara-1", KEMBARA_1, "1", KEMBARA_1_AFTER_1),
    ] {
        let played = |name: &str, workers| played(&data, spec, &format!("{journey}-{name}"), generations, workers);
        assert_eq!(played("alone", ["1", "1"]), pinned, "{journey}");
        assert_eq!(played("many", ["3", "2"]), pinned, "{journey}");
    }
}

#[test]
fn a_tablut_run_is_written_as_its_authors_did_and_its_champions_can_be_played() {
    let folder = data_folder();
    let data = folder.path().join("data");
    played(&data, TABLUT, "tablut", "4", ["1", "2"]);
    let house = Up::start(&data, &["--workers", "0"]);

    let results = house.ask(&["export", "tablut", "--format", "tablut-results"]);
    assert_eq!(results.code, 0, "{}", results.err);
    house.ask(&["export", "tablut", "--format", "sgf"]).refuses(3, "run `tablut` plays tablut; only games of othello");
    let file = folder.path().join("players.txt");
    let saved = house.ask(&["export", "tablut", "--format", "players", "--output", file.to_str().unwrap()]);
    assert_eq!((saved.code, saved.out.as_str()), (0, ""), "{}", saved.err);
    let champions = std::fs::read_to_string(&file).unwrap();
    assert_eq!(champions.lines().count(), 4);

    let blocks: Vec<_> = results.out.split_terminator("\n\n").collect();
    assert_eq!(blocks.len(), 4, "{}", results.out);
    let mut last = -1;
    for ((place, block), champion) in blocks.iter().enumerate().zip(champions.lines()) {
        let lines: Vec<_> = block.lines().collect();
        assert_eq!(lines[0], format!("Generation: {place}"));
        let fitness: i64 = lines[1].strip_prefix("Best fitness: ").unwrap().parse().unwrap();
        // The best one stays and plays the same game again.
        assert!(fitness >= last && fitness < 30, "{}", results.out);
        last = fitness;
        let genes = lines[2].strip_prefix("Best parameters: [").unwrap().strip_suffix(']').unwrap();
        assert_eq!(genes.replace(", ", ":"), champion.rsplit('_').next().unwrap());
    }

    let named = format!("{}#4", file.display());
    let met = run(&["match", "--game", "tablut", &named, "random", "--depth", "1"]);
    assert_eq!(met.code, 0, "{}", met.err);
    house.ask(&["export", "nobody", "--format", "players"]).refuses(3, "nobody");
    let verified = house.ask(&["run", "verify", "tablut", "--replay", "1"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
}
