//! Everything that reads bytes from outside, one function each: whatever the bytes, no panic, and
//! what is read means the same when it is written and read again. Each says whether anything was read.
//!
//! The targets in `fuzz_targets/` feed these under cargo-fuzz, without end; the test
//! `cli/tests/fuzz.rs` feeds them the seeds and a bounded number of changes of them, on the stable
//! compiler.
//!
//!     cargo +nightly fuzz run records seeds/records

use kembara_coordinator::spec::{Node, Outside, RunSpec};
use kembara_engine::othello::record::{self, wthor};
use kembara_engine::{PlayerName, registry};
use kembara_tournament::packed;
use kembara_worker::definition::{DefinitionHash, Prepared};

/// Records of Othello games: every format of files, and WTHOR's names.
pub fn records(bytes: &[u8]) -> bool {
    let _ = wthor::Names::read(bytes, bytes);
    let Ok(file) = record::read(bytes) else { return false };
    for game in &file.games {
        let record = match game {
            Ok(record) => record,
            Err(damage) => {
                let _ = damage.to_string();
                continue;
            }
        };
        for written in [record::sgf(record), record::ggf(record)] {
            let back = record::read(written.as_bytes()).expect("what was written is a file of games");
            assert!(back.records().next().is_some_and(|back| back.same_game(record)), "{written}");
        }
        let _ = (record::text(record), record::opening_names(record), record.boards());
    }
    file.records().next().is_some()
}

/// Names of players, of every game.
pub fn players(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut read = false;
    for game in registry::games() {
        match PlayerName::parse(&text, *game) {
            Ok(player) => {
                assert_eq!(PlayerName::parse(&player.to_string(), *game).as_ref(), Ok(&player));
                read |= game.check_player(&player.player).is_ok();
            }
            Err(error) => assert!(error.to_string().len() < 2000, "a short complaint about a long name"),
        }
    }
    read
}

/// Run specs as TOML and as JSON.
pub fn specs(bytes: &[u8]) -> bool {
    let mut read = false;
    for node in [Node::from_toml(bytes), Node::from_json(bytes)].into_iter().flatten() {
        let Ok(spec) = RunSpec::read(&node) else { continue };
        let json = node.to_json().to_string();
        let again = Node::from_json(json.as_bytes()).expect("what was written is JSON");
        assert_eq!(RunSpec::read(&again).as_ref(), Ok(&spec));
        read |= spec.resolve(Outside::default()).is_ok();
    }
    read
}

/// Packed results: the first byte says how many games, the rest are theirs.
pub fn packed(bytes: &[u8]) -> bool {
    let Some((&count, bytes)) = bytes.split_first() else { return false };
    let results = packed::unpack(bytes, count.into());
    if let Ok(results) = &results {
        assert_eq!(packed::pack(results), bytes, "one encoding for every list of results");
    }
    results.is_ok()
}

/// Definitions of generations, as workers get them.
pub fn definitions(bytes: &[u8]) -> bool {
    match Prepared::new(bytes, DefinitionHash::of(bytes), registry::games()) {
        Ok(prepared) => {
            assert!(prepared.pairings() > 0);
            true
        }
        Err(error) => {
            let _ = error.to_string();
            false
        }
    }
}
