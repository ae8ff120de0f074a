//! Endgames, solved and compared with what a file says.

use crate::support::run;
use std::path::Path;

const PROBLEM: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; B1:-4;";

fn file(text: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problems.obf");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn published_endgames_are_solved_and_agree() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello/fforum-1-19.obf"));
    if !path.exists() {
        println!("SKIPPED: published_endgames_are_solved_and_agree: the published endgames are not here");
        return;
    }
    let ran = run(&["solve", path.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.matches("agrees").count(), 19, "{}", ran.out);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
    let json = run(&["solve", path.to_str().unwrap(), "--json"]).out;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&first["best"], &first["score"], &first["agrees"]), (&"g8".into(), &18.into(), &true.into()));
}

#[test]
fn a_file_that_says_otherwise_is_told_and_fails() {
    let wrong = PROBLEM.replace("G8:+18", "G8:+16");
    let (_folder, path) = file(format!("{PROBLEM}\n{wrong}\n").as_bytes());
    let ran = run(&["solve", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("agrees") && ran.out.contains("gives +16"), "{}", ran.out);
    assert_eq!(ran.err, "error: 1 of 2 positions differ from the file's scores\n");
}

#[test]
fn a_file_without_positions_is_refused_with_the_place() {
    let solve = |text: &[u8]| {
        let (folder, path) = file(text);
        (run(&["solve", &path]), folder)
    };
    solve(b"").0.refuses(2, "there is no position in it");
    solve(b"\0\xff\xfe").0.refuses(2, "cannot be read");
    solve(format!("{PROBLEM}\nXO X;\n").as_bytes()).0.refuses(2, "line 2: a board is 64 squares");
    run(&["solve", "/nowhere.obf"]).refuses(2, "cannot be read");
    run(&["solve", "/"]).refuses(2, "cannot be read");
}
