//! `up` and the commands that talk to a coordinator, with real processes and a real database.

use crate::house::{Up, eventually, processes_on, up};
use crate::support::{data_folder, kembara, ran, run};
use serde_json::Value;
use std::path::Path;

const SPEC: &str = "\
genome = \"oe_fmc\"
seed = 0
population.size = 24
play.depth = 1
tournament.openings.plies = 8
stop.generations = 40
";

#[test]
fn a_spec_is_played_to_its_report_and_people_can_ask_about_it() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let spec = folder.path().join("tiny-journey.toml");
    std::fs::write(&spec, SPEC).unwrap();
    let spec = spec.to_str().unwrap();

    let first = ran(up(&data, &[spec]).output().unwrap());
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.starts_with("Run tiny-journey is finished"), "{}", first.out);
    assert!(first.out.contains("beat generation 1's champion with both colours?\n"), "{}", first.out);
    assert!(first.out.contains(" games after 8 random plies ("), "{}", first.out);
    assert!(first.out.lines().all(|line| line.chars().count() <= 80), "{}", first.out);
    let again = ran(up(&data, &[spec]).output().unwrap());
    assert_eq!((again.code, again.out), (0, first.out.clone()), "{}", again.err);
    let report = ran(up(&data, &[spec, "--json"]).output().unwrap());
    let report: Value = serde_json::from_str(&report.out).unwrap();
    assert_eq!(report["games"], 40 * 24 * 23);
    let another = ran(up(&data, &[spec, "--generations", "41"]).output().unwrap());
    another.refuses_amid_progress(3, "stop.generations");
    assert_eq!(processes_on(&data), Vec::<String>::new());

    let house = Up::start(&data, &["--workers", "0"]);
    asking_is_answered(&house, spec, &first.out);
    games_come_out_as_records(&house, folder.path());
    changing_state_is_harmless_to_repeat(&house, spec);
    let address = house.server.trim_start_matches("http://");
    let elsewhere = folder.path().join("elsewhere");
    let mut beside = kembara();
    beside.args(["up", "--listen", address, "--data-dir"]).arg(&elsewhere);
    ran(beside.output().unwrap()).refuses(1, "in use by another program");
    ran(up(&data, &[]).output().unwrap()).refuses(1, "in use by another Kembara");
    assert_eq!(house.end(), Some(0));
    assert_eq!(processes_on(&data), Vec::<String>::new());
}

fn asking_is_answered(house: &Up, spec: &str, report: &str) {
    let listed = house.ask(&["run", "list"]);
    assert!(
        listed.out.lines().nth(1).unwrap().starts_with("tiny-journey  finished  oe_fmc    40 of 40  22,080"),
        "{}",
        listed.out
    );
    let shown = house.ask(&["run", "show", "tiny-journey"]);
    assert!(shown.out.starts_with("tiny-journey is finished"), "{}", shown.out);
    assert!(shown.out.lines().all(|line| line.chars().count() <= 80), "{}", shown.out);
    let fingerprints = house.fingerprints("tiny-journey");
    assert_eq!(fingerprints.len(), 40);
    assert!(fingerprints.iter().all(|print| shown.out.contains(print.as_str().unwrap())));
    assert_eq!(house.json(&["run", "spec", "tiny-journey"])["stop"]["generations"], 40);
    let watched = house.ask(&["run", "watch", "tiny-journey"]).out;
    let before_next = |text: &str| text.split("\nNext:").next().unwrap().to_owned();
    assert_eq!(before_next(&watched), before_next(report));

    let table = house.ask(&["leaderboard", "tiny-journey", "--limit", "3", "--generation", "7"]);
    assert_eq!(table.out.lines().count(), 6, "{}{}", table.out, table.err);
    assert!(table.out.lines().all(|line| line.chars().count() <= 80), "{}", table.out);
    let csv = house.ask(&["leaderboard", "tiny-journey", "--format", "csv", "--limit", "24"]);
    assert_eq!(csv.out.lines().count(), 25, "{}{}", csv.out, csv.err);
    let board = house.json(&["leaderboard", "tiny-journey", "--limit", "24"]);
    let entries = board["entries"].as_array().unwrap();
    let games =
        |entry: &Value| ["wins", "draws", "losses"].map(|name| entry[name].as_u64().unwrap()).iter().sum::<u64>();
    assert_eq!(entries.iter().map(games).sum::<u64>(), 2 * 24 * 23);

    let best = board["entries"][0]["player"].as_str().unwrap();
    let played = house.ask(&["match", "best", "best@tiny-journey", "--depth", "1"]).out;
    assert_eq!(played.matches(best).count(), 2, "{played}");
    house.ask(&["match", "best@nobody", "random"]).refuses(3, "there is no run `nobody`");
    house.ask(&["match", "best", "random", "--game", "tablut"]).refuses(3, "no run of tablut has a best player yet");

    let launched = house.json(&["run", "launch", spec, "--name", "tiny-journey"]);
    assert_eq!((&launched["name"], &launched["state"]), (&"tiny-journey".into(), &"finished".into()));
    let other = house.ask(&["run", "launch", spec, "--name", "tiny-journey", "--generations", "3"]);
    other.refuses(3, "stop.generations");
    house.ask(&["run", "show", "nobody"]).refuses(3, "nobody");
    house.ask(&["leaderboard", "nobody"]).refuses(3, "nobody");
    house.ask(&["leaderboard", "tiny-journey", "--generation", "41"]).refuses(3, "41");
    house.ask(&["leaderboard", "tiny-journey", "--limit", "0"]).refuses(2, "--limit");

    let verified = house.ask(&["run", "verify", "tiny-journey", "--replay", "1"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    assert!(verified.out.contains("40 generations") && verified.out.contains("22,080"), "{}", verified.out);
}

fn games_come_out_as_records(house: &Up, folder: &Path) {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, table) = (path("games.sgf"), path("own.patterns"));
    let export = |arguments: &[&str]| house.ask(&[&["export", "tiny-journey"], arguments].concat());

    let saved = export(&["--format", "sgf", "--games", "20", "--output", &games]);
    assert_eq!((saved.code, saved.out.as_str()), (0, ""), "{}", saved.err);
    let written = std::fs::read_to_string(&games).unwrap();
    assert_eq!(written.matches("EV[run tiny-journey, generation 40, game ").count(), 20);
    assert!(written.contains("game 0]") && written.contains("game 276]") && written.contains("game 524]"), "{written}");
    let learned = run(&["patterns", "learn", &games, "--to", &table]);
    assert!(
        learned.out.starts_with("learned from 20 games in 1 files; left out: 0\n"),
        "{}{}",
        learned.out,
        learned.err
    );
    for format in ["ggf", "text"] {
        let converted = run(&["convert", &games, "--to", format]);
        assert_eq!(export(&["--format", format, "--games", "20"]).out, converted.out);
    }

    // All games of a generation are those that its standings count.
    let all = export(&["--format", "ggf", "--generation", "7"]).out;
    assert_eq!(all.lines().count(), 24 * 23);
    let board = house.json(&["leaderboard", "tiny-journey", "--generation", "7", "--limit", "24"]);
    let best = board["entries"][0]["player"].as_str().unwrap();
    let entries = board["entries"].as_array().unwrap().iter().filter(|entry| entry["player"] == best);
    let recorded: u64 = entries.map(|entry| entry["wins"].as_u64().unwrap()).sum();
    let wins = |colour: &str, sign: &str| {
        let won = |line: &&str| line.contains(&format!("{colour}[{best}]")) && line.contains(&format!("RE[{sign}"));
        all.lines().filter(won).filter(|line| !line.contains("RE[+0.000]")).count() as u64
    };
    assert_eq!(wins("PB", "+") + wins("PW", "-"), recorded);

    export(&["--format", "sgf", "--generation", "41"]).refuses(3, "41");
    export(&["--format", "sgf", "--games", "0"]).refuses(2, "--games");
    export(&["--format", "players", "--games", "3"]).refuses(2, "they go with --format sgf, ggf or text");
    export(&["--format", "sgf", "--output", &path("nowhere/games.sgf")]).refuses(1, "cannot write");
}

fn changing_state_is_harmless_to_repeat(house: &Up, spec: &str) {
    // Without workers nothing moves.
    let launched = house.json(&["run", "launch", spec]);
    let name = launched["name"].as_str().unwrap();
    assert_ne!(name, "tiny-journey", "a run without a name gets one of its own");
    let shown = house.ask(&["run", "show", name]);
    assert!(shown.out.contains("none: the run waits"), "{}", shown.out);
    for (verb, state) in
        [("pause", "paused"), ("pause", "paused"), ("resume", "running"), ("resume", "running"), ("stop", "stopped")]
    {
        assert_eq!(house.ask(&["run", verb, name]).out, format!("{name} is {state}\n"));
    }
    house.ask(&["run", "resume", name]).refuses(3, "stopped");
    house.ask(&["run", "pause", "nobody"]).refuses(3, "nobody");
    let watched = house.ask(&["run", "watch", name]);
    assert!(watched.out.contains("so it has no champion"), "{}{}", watched.out, watched.err);
}

#[test]
fn an_up_that_is_killed_takes_everything_with_it_and_the_same_command_goes_on_to_the_same_fingerprints() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let spec = folder.path().join("journey.toml");
    std::fs::write(&spec, SPEC).unwrap();
    let spec = spec.to_str().unwrap();
    let whole = ran(up(&data, &[spec, "--name", "whole"]).output().unwrap());
    assert_eq!(whole.code, 0, "{}", whole.err);

    for generation in [5, 15, 25] {
        let mut house = Up::start(&data, &[spec, "--name", "broken", "--workers", "2"]);
        eventually("the run gets on", || {
            house.json(&["run", "show", "broken"])["generation"].as_u64() >= Some(generation)
        });
        assert_eq!(house.json(&["run", "show", "broken"])["state"], "running", "it was over before it was killed");
        house.process.kill().unwrap();
        house.process.wait().unwrap();
        eventually("every process is gone", || processes_on(&data).is_empty());
    }
    let resumed = ran(up(&data, &[spec, "--name", "broken", "--workers", "3"]).output().unwrap());
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    let but_time = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("Time")).map(|line| line.replace("broken", "whole")).collect()
    };
    assert_eq!(but_time(&resumed.out), but_time(&whole.out));

    let house = Up::start(&data, &["--workers", "0"]);
    assert_eq!(house.fingerprints("whole"), house.fingerprints("broken"));
}

#[test]
fn processes_that_die_are_replaced_and_ctrl_c_ends_everything_in_order() {
    let folder = data_folder();
    let data = folder.path().join("data");
    let spec = folder.path().join("journey.toml");
    std::fs::write(&spec, SPEC.replace("40", "100000")).unwrap();
    let house = Up::start(&data, &[spec.to_str().unwrap()]);
    let generation = || {
        let shown = house.ask(&["run", "show", "journey", "--json"]);
        // No answer while there is no coordinator.
        serde_json::from_str(&shown.out).ok().and_then(|run: Value| run["generation"].as_u64())
    };
    eventually("the run gets on", || generation() >= Some(3));
    for what in [format!("worker --server {}", house.server), format!("--data-dir {}", data.display())] {
        let process = || {
            let found = std::process::Command::new("pgrep").args(["-f", &format!("^[^ ]*kembara .*{what}")]).output();
            let ids = String::from_utf8(found.unwrap().stdout).unwrap();
            let child = ids.split_whitespace().find(|id| **id != house.process.id().to_string());
            child.map(str::to_owned)
        };
        let old = process().expect("it runs");
        assert!(std::process::Command::new("kill").args(["-KILL", &old]).status().unwrap().success());
        eventually("another one comes", || process().is_some_and(|new| new != old));
        eventually("it answers", || generation().is_some());
        let now = generation();
        eventually("the run goes on", || generation() > now.map(|now| now + 3));
    }
    assert_eq!(house.end(), Some(130));
    assert_eq!(processes_on(&data), Vec::<String>::new());
}
