//! Files made to hurt: no panic, no endless work, no memory beyond the bound, whatever the bytes.

use kembara_engine::othello::record::{self, Collection, MAX_GAMES, Unreadable, wthor};
use proptest::prelude::*;

/// Reads; what can be read must be written and read back.
fn survive(bytes: &[u8]) -> Result<Collection, Unreadable> {
    let file = record::read(bytes)?;
    assert!(!file.games.is_empty() && file.games.len() <= MAX_GAMES + 1);
    for (game, number) in file.games.iter().zip(1..) {
        match game {
            Ok(record) => {
                assert!(record.moves().len() <= 200);
                for written in [record::sgf(record), record::ggf(record)] {
                    let back = record::read(written.as_bytes()).unwrap();
                    assert!(back.games[0].as_ref().unwrap().same_game(record), "{written}");
                }
                let _ = (record::text(record), record::opening_names(record), record.boards(), record.agrees());
            }
            Err(damage) => {
                assert_eq!(damage.game, number);
                let _ = damage.to_string();
            }
        }
    }
    Ok(file)
}

/// Pieces that formats are made of, so that random texts get far into the parsers.
const PIECES: &[&str] = &[
    "(;",
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    "GM[2]",
    "GM[Othello]",
    "FF[4]",
    "SZ[8]",
    "SZ[",
    "B[f5]",
    "W[d6]",
    "B[]",
    "W[PA]",
    "B[tt]",
    "AB[a1:h8]",
    "AW[e4]",
    "AE[d4]",
    "PL[W]",
    "BO[8 ",
    "BO[4 ---- *]",
    "RE[+64.000]",
    "C[",
    "/",
    "[Black \"x\"]\n",
    "[Result \"1-0\"]\n",
    "\"",
    "{",
    "}",
    "1. ",
    "2. ",
    "12...",
    "f5",
    "d6",
    "c3",
    "D3",
    "a1",
    "h8",
    "pass",
    "--",
    "-",
    "X",
    "O",
    "*",
    ".",
    "........",
    "XOXOXOXO\n",
    " ",
    "\n",
    "\r\n",
    "é",
    "\u{feff}",
    "Game 2\n",
    "black  x\n",
    "result  24-40\n",
    "24-40",
    "999999999999999999999",
    "\u{1b}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = survive(&bytes);
    }

    #[test]
    fn any_wthor_like_bytes_are_read_or_refused(
        head in proptest::collection::vec(any::<u8>(), 15),
        games in proptest::collection::vec(0_u8..90, 0..300),
    ) {
        let mut bytes = vec![20];
        bytes.extend(head);
        bytes[12] = 8;
        bytes[5..8].fill(0);
        bytes.extend(games);
        let _ = survive(&bytes);
        let _ = wthor::Names::read(&bytes, &bytes);
    }

    #[test]
    fn any_pieces_of_games_are_read_or_refused(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        let _ = survive(pieces.concat().as_bytes());
    }

    #[test]
    fn a_good_file_with_bytes_changed_is_read_or_refused(
        kind in 0..4_usize,
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let good = [
            "(;FF[4]GM[2]SZ[8]PB[a]AB[e4][d5]AW[d4][e5]PL[B]RE[B+2]\n;B[f5];W[d6];B[c3](;W[d3])(;W[f4]))(;GM[2];B[d3])",
            "1 (;GM[Othello]PB[a]PW[b]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5//1]W[D6];)",
            "[Black \"a\"]\n[Result \"1-0\"]\n\n1. f5 d6 2. c3 -- {x} 1-0\n\n[Black \"b\"]\n\n1. d3 c3 *\n",
            "1. f5 - d6\n2. c3\n\nf5d6c3\n........\n........\n........\n...OX...\n...XO...\n........\n........\n........\nX\nd3\n",
        ];
        let mut bytes = good[kind].as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = survive(&bytes);
    }
}

#[test]
fn huge_repetitions_end() {
    let huge = |piece: &str, bytes: usize| piece.repeat(bytes / piece.len());
    for piece in [
        "(",
        "(;",
        "(;GM[",
        "(;GM[2",
        "(;GM[2]",
        "(;GM[2]B[f5",
        "(;GM[2])",
        "[",
        "]",
        ")",
        "B[",
        "\\",
        "(;\\[",
        "f5",
        "f5\n",
    ] {
        let _ = record::read(huge(piece, 1 << 20).as_bytes());
    }
    for piece in [
        "[a \"b\"]\n",
        "[a \"b",
        "[a \"b\"]\nx\n",
        "{",
        "(( ",
        "(   ",
        "........\n",
        "X\n",
        "1.\n",
        "24-40\n",
        "Game\n",
        "-",
        "é",
    ] {
        let _ = record::read(huge(piece, 1 << 20).as_bytes());
    }
    for start in ["(;GM[2]", "(;GM[2]C[", "[a \"b\"]\n", "{", "1. "] {
        for piece in [";B[]", "C[x]", "(;W[d6]", "\\", "d6 ", "(", "a"] {
            let _ = record::read((start.to_owned() + &huge(piece, 1 << 20)).as_bytes());
        }
    }
}

#[test]
fn more_games_than_are_read_say_so() {
    let file = record::read("(;GM[2])".repeat(MAX_GAMES + 5).as_bytes()).unwrap();
    assert_eq!((file.records().count(), file.games.len()), (MAX_GAMES, MAX_GAMES + 1));
    assert!(file.games[MAX_GAMES].as_ref().unwrap_err().to_string().contains("more than 1000000 games"));
}
