//! The promises that a run makes, kept by real processes over a real database: the same bits with
//! one worker or many, whoever dies whenever, and every game counted exactly once.
//!
//! Most use the spec that the quickstart runs. Its last fingerprint covers all that came before it.

use crate::house::{Up, eventually, processes_on, up};
use crate::support::{data_folder, kembara, ran};
use serde_json::Value;
use std::process::{Child, Stdio};

const FIRST_STEPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/first-steps.toml");
const GENERATIONS: u64 = 30;
const INDIVIDUALS: u64 = 64;

/// The fingerprint of the last generation. It may change only with a semantics version or the spec.
const LAST_FINGERPRINT: &str = "1ecc0d5c6217b0a96be2d6a305474a941f83f861d4e2ddc854ba558ad19dcc44";

/// A run of many short generations.
const LONG: &str = "\
genome = \"oe_fmc\"
seed = 1
population.size = 32
play.depth = 2
tournament.openings.plies = 8
stop.generations = 400
";

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

fn generation(house: &Up, run: &str) -> u64 {
    house.json(&["run", "show", run])["generation"].as_u64().unwrap()
}

/// Checks that every generation counted every scheduled game once, and gives the last fingerprint.
#[track_caller]
fn counts_every_game_once(house: &Up, run: &str, individuals: u64, generations: u64) -> Value {
    let fingerprints = house.fingerprints(run);
    assert_eq!(fingerprints.len() as u64, generations);
    for generation in [1, generations / 2, generations] {
        let (generation, limit) = (generation.to_string(), individuals.to_string());
        let board = house.json(&["leaderboard", run, "--generation", &generation, "--limit", &limit]);
        let sum = |name: &str| -> u64 {
            board["entries"].as_array().unwrap().iter().map(|entry| entry[name].as_u64().unwrap()).sum()
        };
        // Every game stands once on each of its two sides.
        assert_eq!(sum("wins"), sum("losses"));
        assert_eq!(sum("wins") + sum("draws") + sum("losses"), 2 * individuals * (individuals - 1));
    }
    let verified = house.ask(&["run", "verify", run, "--replay", "1"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    fingerprints.last().unwrap().clone()
}

#[track_caller]
fn is_the_pinned_run(house: &Up, run: &str) {
    assert_eq!(counts_every_game_once(house, run, INDIVIDUALS, GENERATIONS), LAST_FINGERPRINT);
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
    is_the_pinned_run(&house, "first-steps");
    is_the_pinned_run(&house, "second-steps");
    assert_eq!(house.fingerprints("first-steps"), house.fingerprints("second-steps"));
}

#[test]
fn workers_come_late_from_another_address_are_killed_and_frozen_and_nothing_is_lost_or_counted_twice() {
    let folder = data_folder();
    let data = folder.path().join("data");
    // Without a spec it serves on when the run is over.
    let house = Up::start(&data, &["--workers", "0"]);
    assert_eq!(house.ask(&["run", "launch", FIRST_STEPS]).code, 0);
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
    eventually("the run is over", || house.json(&["run", "show", "first-steps"])["state"] == "finished");
    is_the_pinned_run(&house, "first-steps");
}

#[test]
fn everything_is_killed_twenty_times_in_mid_generation_and_the_run_is_the_same() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let spec = folder.path().join("journey.toml");
    // Long enough not to be over before the last kill.
    std::fs::write(&spec, LONG).unwrap();
    let spec = spec.to_str().unwrap();
    let whole = ran(up(&data, &[spec, "--name", "whole"]).output().unwrap());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let mut reached = 0;
    for round in 0..20_u64 {
        let mut house = Up::start(&data, &[spec, "--name", "broken", "--workers", "2"]);
        eventually("the run gets on", || {
            house.ask(&["run", "show", "broken"]).code == 0 && generation(&house, "broken") > reached
        });
        reached = generation(&house, "broken");
        // Somewhere in a generation: the instants are left to chance.
        std::thread::sleep(std::time::Duration::from_millis(round * 37 % 200));
        assert!(house.process.try_wait().unwrap().is_none(), "it was over before it was killed");
        house.process.kill().unwrap();
        house.process.wait().unwrap();
        eventually("every process is gone", || processes_on(&data).is_empty());
    }
    let resumed = ran(up(&data, &[spec, "--name", "broken"]).output().unwrap());
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let house = Up::start(&data, &["--workers", "0"]);
    assert_eq!(
        counts_every_game_once(&house, "broken", 32, 400),
        house.fingerprints("whole").pop().expect("it has generations")
    );
}
