//! What the help and docs/cli.md promise, and that they promise the same.

use crate::support::run;
use std::collections::BTreeSet;

const COMMANDS: &[&[&str]] = &[
    &["up"],
    &["worker"],
    &["coordinator"],
    &["run", "launch"],
    &["run", "list"],
    &["run", "show"],
    &["run", "spec"],
    &["run", "watch"],
    &["run", "pause"],
    &["run", "resume"],
    &["run", "stop"],
    &["run", "verify"],
    &["leaderboard"],
    &["export"],
    &["match"],
    &["play"],
    &["eval"],
    &["engine"],
    &["replay"],
    &["convert"],
    &["analyze"],
    &["solve"],
    &["patterns", "learn"],
    &["patterns", "show"],
    &["bench", "overhead"],
];

fn help(command: &[&str]) -> String {
    let help = run(&[command, &["--help"]].concat());
    assert_eq!((help.code, help.err.as_str()), (0, ""), "{command:?}");
    help.out
}

/// The options, `--like-this`, that a text names.
fn options(text: &str) -> BTreeSet<&str> {
    let ends = |letter: char| !letter.is_ascii_lowercase() && letter != '-';
    let words = text.match_indices("--").map(|(place, _)| text[place..].split(ends).next().unwrap_or_default());
    words.filter(|word| word.len() > 3).collect()
}

#[test]
fn help_documents_the_exit_codes_and_fits_eighty_columns() {
    let all = help(&[]);
    assert!(all.contains("Exit codes:"), "{all}");
    for command in COMMANDS {
        let text = help(command);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn the_reference_and_the_help_know_the_same_commands_and_options() {
    let reference = include_str!("../../../docs/cli.md");
    let documented = options(reference);
    let mut known: BTreeSet<String> = options(&help(&["perft"])).into_iter().map(str::to_owned).collect();
    for command in COMMANDS {
        assert!(reference.contains(&format!("kembara {}", command.join(" "))), "{command:?} is missing");
        let text = help(command);
        for option in options(&text) {
            // These two commands belong to services; the reference points to their help.
            let elsewhere = matches!(command, ["worker" | "coordinator"]) || option == "--help";
            assert!(elsewhere || documented.contains(option), "{command:?}: {option} is missing");
            known.insert(option.to_owned());
        }
    }
    let unknown: Vec<_> = documented.into_iter().filter(|option| !known.contains(*option)).collect();
    assert_eq!(unknown, Vec::<&str>::new(), "documented, but there are no such options");
}
