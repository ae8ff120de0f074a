//! An `up` that goes on while a test talks to it.

use crate::support::{Ran, kembara, ran};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// `up` with a data folder, on a port of its own.
pub fn up(data: &Path, arguments: &[&str]) -> std::process::Command {
    let mut command = kembara();
    command.arg("up").args(arguments).arg("--data-dir").arg(data).args(["--listen", "127.0.0.1:0", "--lease", "2"]);
    command
}

/// An `up` that goes on in the background, and the address of its coordinator.
pub struct Up {
    /// The process itself.
    pub process: Child,
    /// The address of its coordinator.
    pub server: String,
}

impl Up {
    /// Starts it and waits until it says where it serves.
    pub fn start(data: &Path, arguments: &[&str]) -> Self {
        let mut process = up(data, arguments).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let server = lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| {
                let address = line.split_whitespace().find(|word| word.starts_with("http://"))?;
                Some(address.trim_end_matches([':', ';']).to_owned())
            })
            .expect("it says where it serves");
        // Somebody has to read what else it says.
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, server }
    }

    /// Runs a command that talks to its coordinator.
    pub fn ask(&self, arguments: &[&str]) -> Ran {
        ran(kembara().args(arguments).args(["--server", &self.server]).output().unwrap())
    }

    #[track_caller]
    /// The JSON that such a command prints.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let answer = self.ask(&[arguments, &["--json"]].concat());
        assert_eq!(answer.code, 0, "{arguments:?}: {}", answer.err);
        serde_json::from_str(&answer.out).unwrap()
    }

    /// The fingerprints of all generations of a run.
    pub fn fingerprints(&self, run: &str) -> Vec<Value> {
        let shown = self.json(&["run", "show", run]);
        shown["generations"].as_array().unwrap().iter().map(|generation| generation["fingerprint"].clone()).collect()
    }

    fn signal(&self, signal: &str) {
        let id = self.process.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Ends it as Ctrl-C does.
    pub fn end(mut self) -> Option<i32> {
        self.signal("-INT");
        self.process.wait().unwrap().code()
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until something holds.
#[track_caller]
pub fn eventually(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(120), "still not so: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes whose command line names this folder.
pub fn processes_on(folder: &Path) -> Vec<String> {
    let name = folder.to_str().unwrap();
    let lines = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|process| {
        let line = std::fs::read(process.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    });
    lines.filter(|line| line.contains(name)).collect()
}
