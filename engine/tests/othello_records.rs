//! Game records against the real files: the federation's collections, and games that other programs
//! wrote.

use kembara_engine::othello::notation::Action;
use kembara_engine::othello::record::{self, Collection, Counting, Fault, Format, Record, wthor};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of the reference data; without it the test says so and ends.
fn reference(test: &str, folder: &str) -> Option<PathBuf> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/othello")).join(folder);
    if !path.exists() {
        println!("SKIPPED: {test}: {folder} is not there");
        return None;
    }
    Some(path)
}

fn wthor_files(test: &str) -> Option<Vec<Collection>> {
    let folder = reference(test, "wthor")?;
    let names = wthor::Names::read(
        &std::fs::read(folder.join("WTHOR.JOU")).unwrap(),
        &std::fs::read(folder.join("WTHOR.TRN")).unwrap(),
    )
    .unwrap();
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wtb"));
    files.sort();
    assert_eq!(files.len(), 41);
    Some(files.iter().map(|file| record::read_with_names(&std::fs::read(file).unwrap(), &names).unwrap()).collect())
}

fn game(test: &str, name: &str) -> Option<Collection> {
    let folder = reference(test, "games")?;
    Some(record::read(&std::fs::read(folder.join(name)).unwrap()).unwrap())
}

fn only(collection: &Collection) -> &Record {
    assert_eq!(collection.games.len(), 1);
    collection.games[0].as_ref().unwrap()
}

fn placed(record: &Record) -> usize {
    record.moves().iter().filter(|action| **action != Action::Pass).count()
}

#[test]
fn every_wthor_game_is_legal_and_the_finished_ones_have_the_recorded_score() {
    let Some(files) = wthor_files("WTHOR games") else { return };
    let records: Vec<_> = files.iter().flat_map(Collection::records).collect();
    assert_eq!(files.iter().flat_map(Collection::damaged).count(), 0);
    assert_eq!(records.len(), 120_325);
    assert_eq!(files.iter().flat_map(Collection::unfinished).count(), 405);
    let differs = |record: &&&Record| {
        record.written.as_ref().unwrap().margin != Some(record.counted().margin(Counting::EmptiesToWinner))
    };
    let (finished, unfinished): (Vec<_>, Vec<_>) = records.iter().partition(|record| record.is_over());
    assert_eq!(finished.len(), 119_920);
    assert_eq!(finished.iter().filter(|record| differs(record)).count(), 0);
    assert_eq!(unfinished.iter().filter(|record| differs(record)).count(), 375);
}

#[test]
fn every_wthor_game_reads_back_the_same_from_sgf_and_ggf() {
    let Some(files) = wthor_files("WTHOR round trip") else { return };
    for file in &files {
        for (write, format) in [(record::sgf as fn(&Record) -> String, Format::Sgf), (record::ggf, Format::Ggf)] {
            let written: String = file.records().map(write).collect();
            let back = record::read(written.as_bytes()).unwrap();
            assert_eq!(back.format, format);
            assert!(back.games.iter().map(|game| game.as_ref().unwrap()).eq(file.records()), "{format}");
        }
        let transcripts: Vec<_> = file.records().map(record::text).collect();
        let back = record::read(transcripts.join("\n").as_bytes()).unwrap();
        assert!(back.records().zip(file.records()).all(|(one, other)| one.same_game(other)));
    }
}

#[test]
fn wthor_names_are_latin_1() {
    let Some(files) = wthor_files("WTHOR names") else { return };
    let first = files[0].records().next().unwrap();
    assert_eq!((first.date.as_str(), first.event.as_str()), ("1977", "World Championship"));
    assert_eq!(first.players.iter().filter(|name| name.starts_with("player ")).count(), 0);
    let mut events = files.iter().flat_map(Collection::records).map(|record| record.event.as_str());
    assert!(events.any(|event| event == "Préqualif de Paris"));
}

#[test]
fn the_forms_of_one_game_read_to_the_same_game() {
    for name in [
        "edax_wthor2015_23_p15_m60",
        "edax_wthor2015_881_p0_m13",
        "edax_wthor2019_160_p0_m32",
        "edax_wthor2021_318_p0_m60",
    ] {
        let files = ["sgf", "ggf", "pgn", "txt"].map(|form| game("forms of a game", &format!("{name}.{form}")));
        let [Some(sgf), Some(ggf), Some(pgn), Some(text)] = files else { return };
        assert_eq!(
            [&sgf, &ggf, &pgn, &text].map(|file| file.format),
            [Format::Sgf, Format::Ggf, Format::Pgn, Format::Text]
        );
        let [sgf, ggf, pgn, text] = [&sgf, &ggf, &pgn, &text].map(only);
        for other in [ggf, pgn, text] {
            assert!(sgf.same_game(other), "{name}");
        }
        let count = |from: usize, to: usize| name[from..to].parse::<usize>().unwrap();
        let behind = name.rfind("_m").unwrap();
        assert_eq!(placed(sgf), count(behind + 2, name.len()));
        assert_eq!(sgf.moves().len() - placed(sgf), count(name.rfind("_p").unwrap() + 2, behind));
        assert!(sgf.is_over());
        // Edax gives the empties to the winner, but takes the wrong one when the last move ends the
        // game early and is black's. The board is right.
        let wrong = name.contains("p0_m13");
        assert_eq!([sgf, ggf].map(Record::agrees), [Some(!wrong); 2], "{name}");
        assert_eq!(pgn.agrees(), None, "PGN's result only tells who won");
        let margin = if wrong { -64 } else { sgf.counted().margin(Counting::EmptiesToWinner) };
        assert_eq!([sgf, ggf].map(|record| record.written.as_ref().unwrap().margin), [Some(margin); 2]);
    }
}

#[test]
fn games_of_servers_are_read_or_refused_with_the_reason() {
    let Some(six) = game("games of servers", "ggs_six_games.ggf") else { return };
    assert_eq!((six.format, six.records().count(), six.games.len()), (Format::Ggf, 6, 6));
    assert!(six.records().all(|record| record.is_over() && record.counted().margin(Counting::Discs) == 0));

    let three = game("games of servers", "nboard_test2.ggf").unwrap();
    let refused: Vec<_> = three.damaged().map(ToString::to_string).collect();
    assert_eq!(refused, ["game 1, line 1, column 104: a board of size 4; only 8x8 can be played"]);
    let handicap = three.games[1].as_ref().unwrap();
    assert_eq!(handicap.start().black().count() + handicap.start().white().count(), 20);
    assert_eq!(handicap.counted().margin(Counting::Discs), -26);
    let written = handicap.written.as_ref().unwrap();
    assert_eq!((written.text.as_str(), written.margin), ("-22.87", None), "the komi is in it");

    let one = game("games of servers", "nboard_test.WTB").unwrap();
    assert_eq!(only(&one).date, "1980");
    assert_eq!(only(&one).players, ["player 445", "player 556"]);
    let one = game("games of servers", "playok_sample.pgn").unwrap();
    let record = only(&one);
    assert_eq!(record.players, ["t7m4o1k9a", "cafego"]);
    assert_eq!((record.place.as_str(), record.written.as_ref().unwrap().margin), ("PlayOK", Some(12)));
    assert_eq!(record.counted().score(Counting::Discs), [38, 26]);
}

#[test]
fn an_independent_sgf_library_reads_what_we_write() {
    let Some(file) = game("independent SGF library", "edax_wthor2015_23_p15_m60.sgf") else { return };
    let folder = std::env::temp_dir().join(format!("kembara-sgf-{}", std::process::id()));
    let python = folder.join("bin/python");
    let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).output();
    let installed = made.is_ok_and(|made| made.status.success())
        && Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "sgfmill"])
            .output()
            .is_ok_and(|installed| installed.status.success());
    if !installed {
        println!("SKIPPED: independent SGF library: python3 with pip cannot install sgfmill");
        let _ = std::fs::remove_dir_all(&folder);
        return;
    }
    let mut record = only(&file).clone();
    record.players = ["a ] and a \\".to_owned(), "Frédéric".to_owned()];
    record.comment = "two\nlines [with brackets]".to_owned();
    let path = folder.join("game.sgf");
    std::fs::write(&path, record::sgf(&record)).unwrap();
    let script = "import sys\nfrom sgfmill import sgf\ngame = sgf.Sgf_game.from_bytes(open(sys.argv[1], 'rb').read())\n\
                  root = game.get_root()\n\
                  print(root.get('GM'), root.get('SZ'), root.get('FF'), root.get('PB'), root.get('PW'))\n\
                  print(repr(root.get('GC')), root.get_raw('AB').decode(), root.get_raw('RE').decode())\n\
                  print(' '.join((n.get_raw('B') if n.has_property('B') else n.get_raw('W')).decode() \
                  for n in game.get_main_sequence()[1:]))\n";
    let ran = Command::new(&python).args(["-c", script]).arg(&path).env("PYTHONIOENCODING", "utf-8").output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let moves: Vec<_> = record
        .moves()
        .iter()
        .map(|action| if *action == Action::Pass { "PA".to_owned() } else { action.to_string() })
        .collect();
    let expected = format!("2 8 4 a ] and a \\ Frédéric\n'two\\nlines [with brackets]' e4 B+64\n{}\n", moves.join(" "));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), expected, "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn an_illegal_move_is_named_with_game_ply_and_board() {
    let file = record::read(b"f5d6c3\n\nf5f6\na1\n\nf5d6c3d3\n").unwrap();
    assert_eq!(file.records().count(), 2);
    let damage = file.damaged().next().unwrap();
    assert!(matches!(&damage.fault, Fault::Illegal(illegal) if illegal.ply == 3 && illegal.action.to_string() == "a1"));
    assert_eq!(
        damage.to_string(),
        "game 2, line 4, column 1: ply 3: black cannot play `a1`; the legal moves are d3 c4 e6 f7; \
         board ........ ........ ........ ...OX... ...XOX.. .....O.. ........ ........ X"
    );
}
