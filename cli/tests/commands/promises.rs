//! The promises that a run makes, kept by real processes over a real database: the same bits with
//! one worker or many, whoever dies whenever, and every game counted exactly once.
//!
//! The spec is the one the quickstart runs. Its last fingerprint covers all that came before it.

use crate::house::{Up, eventually, processes_on, up};
use crate::support::{data_folder, kembara, ran};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Stdio};

const FIRST_STEPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/first-steps.toml");
const GENERATIONS: u64 = 30;
const INDIVIDUALS: u64 = 64;

/// The fingerprint of the last generation. It may change only with a semantics version or the spec.
const LAST_FINGERPRINT: &str = "1ecc0d5c6217b0a96be2d6a305474a941f83f861d4e2ddc854ba558ad19dcc44";

/// A worker process of its own.
struct Worker(Child);

impl Worker {
    fn start(server: &str, threads: &str) -> Self {
        let mut command = kembara();
        command.args(["worker", "--server", server, "--threads", threads]);
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn state(house: &Up, run: &str) -> Value {
    house.json(&["run", "show", run])["state"].clone()
}

fn generation(house: &Up, run: &str) -> u64 {
    house.json(&["run", "show", run])["generation"].as_u64().unwrap()
}

/// Checks the last fingerprint, and that every generation counted every scheduled game once.
#[track_caller]
fn keeps_its_promises(house: &Up, run: &str) {
    let fingerprints = house.fingerprints(run);
    assert_eq!(fingerprints.len() as u64, GENERATIONS);
    assert_eq!(fingerprints.last().unwrap(), LAST_FINGERPRINT);
    for generation in ["1", "17", "30"] {
        let limit = INDIVIDUALS.to_string();
        let board = house.json(&["leaderboard", run, "--generation", generation, "--limit", &limit]);
        let sum = |name: &str| -> u64 {
            board["entries"].as_array().unwrap().iter().map(|entry| entry[name].as_u64().unwrap()).sum()
        };
        // Every game stands once on each of its two sides.
        assert_eq!(sum("wins"), sum("losses"));
        assert_eq!(sum("wins") + sum("draws") + sum("losses"), 2 * INDIVIDUALS * (INDIVIDUALS - 1));
    }
    let verified = house.ask(&["run", "verify", run, "--replay", "1"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
}

fn start(data: &Path, workers: &str) -> Up {
    Up::start(data, &[FIRST_STEPS, "--workers", workers])
}

#[test]
fn two_runs_under_two_names_in_one_database_are_the_same_run_on_one_thread() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let first = ran(up(&data, &[FIRST_STEPS, "--workers", "1", "--threads", "1"]).output().unwrap());
    assert_eq!(first.code, 0, "{}", first.err);
    let second = ran(up(&data, &[FIRST_STEPS, "--name", "second-steps"]).output().unwrap());
    assert_eq!(second.code, 0, "{}", second.err);
    let house = Up::start(&data, &["--workers", "0"]);
    keeps_its_promises(&house, "first-steps");
    keeps_its_promises(&house, "second-steps");
    assert_eq!(house.fingerprints("first-steps"), house.fingerprints("second-steps"));
}

#[test]
fn workers_come_late_from_another_address_are_killed_and_frozen_and_nothing_is_lost_or_counted_twice() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let house = start(&data, "0");
    eventually("the run is launched", || house.ask(&["run", "show", "first-steps"]).code == 0);
    let waits = house.ask(&["run", "show", "first-steps"]).out;
    assert!(waits.contains("none: the run waits"), "{waits}");
    let mut workers: Vec<Worker> = (0..4).map(|_| Worker::start(&house.server, "1")).collect();
    eventually("they play", || generation(&house, "first-steps") >= 3);
    workers[0].signal("-KILL");
    // Longer than a lease of two seconds, then it comes back with what it had.
    workers[1].signal("-STOP");
    let frozen = std::time::Instant::now();
    let late = Worker::start(&house.server, "2");
    eventually("a lease has run out", || frozen.elapsed().as_secs() >= 4);
    workers[1].signal("-CONT");
    workers.push(late);
    eventually("the run is over", || state(&house, "first-steps") == "finished");
    keeps_its_promises(&house, "first-steps");
}

#[test]
fn everything_is_killed_twenty_times_in_mid_generation_and_the_run_is_the_same() {
    let folder = data_folder();
    let data = folder.path().join("data");
    for round in 0..20_u64 {
        let mut house = start(&data, "2");
        // Somewhere in a generation, a little further each time: the instants are left to chance.
        eventually("the run gets on", || generation(&house, "first-steps") > round);
        std::thread::sleep(std::time::Duration::from_millis(round * 37 % 200));
        house.process.kill().unwrap();
        house.process.wait().unwrap();
        eventually("every process is gone", || processes_on(&data).is_empty());
    }
    let resumed = ran(up(&data, &[FIRST_STEPS]).output().unwrap());
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let house = Up::start(&data, &["--workers", "0"]);
    keeps_its_promises(&house, "first-steps");
}
