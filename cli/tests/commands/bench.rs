//! `bench`: the figures hold together; how large they are is the machine's affair.

use crate::house::processes_on;
use crate::support::{data_folder, kembara, ran};
use serde_json::Value;

#[test]
fn the_cluster_and_the_bare_loop_play_the_same_games_and_both_speeds_are_told() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let spec = folder.path().join("small.toml");
    // The search of the spec is replaced by --depth.
    std::fs::write(&spec, "genome = \"oe_fmc\"\nseed = 0\npopulation.size = 12\nplay.nodes = 100\n").unwrap();
    let mut command = kembara();
    command.args(["bench", "overhead"]).arg(&spec).args(["--generations", "3", "--rounds", "2", "--workers", "2"]);
    command.args(["--depth", "1", "--json", "--data-dir"]).arg(&data);
    let measured = ran(command.output().unwrap());
    assert_eq!(measured.code, 0, "{}", measured.err);
    let figures: Value = serde_json::from_str(&measured.out).unwrap();
    assert_eq!(figures["workers"], 2);
    let rounds = figures["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2);
    for round in rounds {
        assert_eq!((&round["generations"], &round["games"]), (&3.into(), &(3 * 12 * 11).into()));
        assert!(round["cluster_seconds"].as_f64().unwrap() > 0.0 && round["bare_seconds"].as_f64().unwrap() > 0.0);
    }
    let ratio = &figures["ratio"];
    let [low, median, high] = ["low", "median", "high"].map(|name| ratio[name].as_f64().unwrap());
    assert!(0.0 < low && low <= median && median <= high, "{ratio}");
    assert_eq!(processes_on(&data), Vec::<String>::new());
}

#[test]
fn a_spec_that_cannot_be_used_is_refused_before_anything_starts() {
    let folder = data_folder();
    let spec = folder.path().join("wrong.toml");
    std::fs::write(&spec, "genome = \"oe_fmc\"\npopulation.size = 1\n").unwrap();
    let data = folder.path().join("data");
    let mut command = kembara();
    command.args(["bench", "overhead"]).arg(&spec).arg("--data-dir").arg(&data);
    ran(command.output().unwrap()).refuses(2, "population.size");
    assert!(!data.exists());
}
