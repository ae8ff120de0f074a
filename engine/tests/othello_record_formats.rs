//! Every way in which programs and people write the same game, and what is refused.

use kembara_engine::othello::notation::{Action, parse_line};
use kembara_engine::othello::record::{self, Counting, Format, Record, Start, Unreadable, diagram};
use kembara_engine::{Side, othello};

fn read(text: &str) -> record::Collection {
    record::read(text.as_bytes()).unwrap()
}

/// The moves of the only game of a text.
fn moves(text: &str) -> String {
    let file = read(text);
    assert_eq!(file.games.len(), 1, "{text}: {:?}", file.games);
    let record = file.games[0].as_ref().unwrap_or_else(|damage| panic!("{text}: {damage}"));
    record.moves().iter().map(Action::to_string).collect::<Vec<_>>().join(" ")
}

/// Why the only game of a text is refused.
fn refusal(text: &str) -> String {
    let file = read(text);
    assert_eq!(file.games.len(), 1, "{text}");
    file.games[0].as_ref().expect_err(text).to_string()
}

fn game(moves: &str) -> Record {
    Record::new(Start::STANDARD, parse_line(moves).unwrap()).unwrap()
}

/// A short game: black wipes white out.
const PASSING: &str = "f5 d6 c3 d3 c4 f4 d7 e3 f2 f3 g3 g2 h1";

#[test]
fn sgf_is_read_as_programs_write_it() {
    for text in [
        "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])",
        "(;FF[4]GM[2]SZ[8]B[f5];W[d6];B[c3];;)",
        "(;GM[2];B[fe]\n;W[df];B[cc])",
        "(;GM[2];B[F5];W[D6];B[C3];\n)\n",
        "some words before (;GM[2]AB[e4][d5]AW[d4][e5]PL[B];B[f5];W[d6](;B[c3])(;B[d7];W[a1]))",
        "(;GameM[2]BlackP[x];b[f5];w[d6];b[c3])",
        "(;GM[2]AB[e4:e4]AB[d5]AW[d4][e5];B[f5]C[good \\] move (;];W[d6];B[c3])",
        "\u{feff}( ;GM[2] ; B [f5] ; W [d6] ; B [c3] )",
    ] {
        assert_eq!(read(text).format, Format::Sgf, "{text}");
        assert_eq!(moves(text), "f5 d6 c3", "{text}");
    }
    let with_variations = read("(;GM[2];B[f5](;W[d6];B[c3](;W[d3])(;W[f6]))(;W[f6]))");
    let record = with_variations.games[0].as_ref().unwrap();
    assert_eq!((record.moves().len(), record.variations), (4, 2));
}

#[test]
fn passes_are_named_in_every_way_or_left_out() {
    let position = "AB[a1][a8]AW[b1][b8]";
    // Black takes c1, white has no move, black takes c8.
    let expected = "c1 pass";
    for pass in ["", "PA", "pa", "pass", "PASS", "tt", "--"] {
        let text = format!("(;GM[2]{position}PL[B];B[c1];W[{pass}])");
        assert_eq!(moves(&text), expected, "{text}");
    }
    let start = "XO...... ........ ........ ........ ........ ........ ........ XO...... X";
    let [named, left_out] = ["c1 pass c8", "c1 c8"].map(|line| moves(&format!("{start}\n{line}")));
    assert_eq!((named.as_str(), left_out.as_str()), ("c1 pass c8", "c1 pass c8"));
    assert_eq!(moves(&format!("(;GM[2]{position}PL[B];B[c1];B[c8])")), named);
    assert_eq!(moves("(;GM[2];B[f5];W[d6])"), moves("f5 d6"));
    // After the end of a game a pass says nothing.
    assert_eq!(moves(&format!("{PASSING} pass pass")), PASSING);
    assert!(refusal("f5 pass").contains("ply 2: white cannot play `pass`; the legal moves are f4 d6 f6"));
    assert!(refusal(&format!("{PASSING} a1")).contains("ply 14: `a1` comes after the end of the game"));
}

#[test]
fn set_up_boards_are_played_on() {
    let text = "(;GM[2]SZ[8]AB[d4][e5][d5]AW[e4]PL[W];W[c6])";
    let file = read(text);
    let record = file.games[0].as_ref().unwrap();
    assert_eq!((record.start().to_move(), record.start().black().count()), (Side::Second, 3));
    // Nobody said who moves: the first mover does.
    let silent = text.replace("PL[W]", "");
    assert!(read(&silent).games[0].as_ref().unwrap().same_game(record));
    for written in [record::sgf(record), record::ggf(record), record::text(record)] {
        assert!(read(&written).games[0].as_ref().unwrap().same_game(record), "{written}");
    }
    let empty = Record::new(".".repeat(64).parse().unwrap(), []).unwrap();
    for written in [record::sgf(&empty), record::ggf(&empty), record::text(&empty)] {
        assert!(read(&written).games[0].as_ref().unwrap().same_game(&empty), "{written}");
    }
    assert!(refusal("(;GM[2]AB[d4]AW[d4])").contains("d4 has a black and a white disc"));
    assert!(refusal("(;GM[2];B[d3]AB[a1])").contains("set up after the first move"));
    assert!(refusal("(;GM[2]AB[z9])").contains("AB[z9]: a square is written as in d4"));
    assert!(refusal("(;GM[2]PL[green])").contains("names nobody"));
    assert!(refusal("(;GM[2]SZ[6])").contains("a board of size 6; only 8x8"));
    assert!(refusal("(;GM[1])").contains("GM[1] is another game"));
}

#[test]
fn ggf_is_read_in_either_case_with_and_without_blanks() {
    let rows = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------";
    for board in
        [format!("8 {rows} *"), format!("8 {}*", rows.replace(' ', "")), format!("8{}", rows.replace(' ', "") + " *")]
    {
        let text =
            format!("1 (;GM[Othello]PC[GGS/os]PB[a]PW[b]RE[+0.000]TY[8]BO[{board}]b[F5//1.0]w[d6/0.5/2]B[C3];)\n");
        assert_eq!(read(&text).format, Format::Ggf);
        assert_eq!(moves(&text), "f5 d6 c3");
    }
    let both = format!("2 (;GM[Othello]PB[a]PW[b]BO[8 {rows} *]B[F5];)(;GM[Othello]PB[b]PW[a]BO[8 {rows} *]B[D3];)");
    let match_ = read(&both);
    assert_eq!(match_.records().map(|record| record.players[0].as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(refusal("(;GM[Othello]BO[8 --- *])").contains("a board has 64 squares"));
    assert!(refusal("(;GM[Othello]BO[10 -])").contains("a board of size 10"));
    assert!(refusal("(;GM[Othello]B[d3]B[c3];)").contains("ply 2: black plays `c3`, but it is white's turn"));
}

#[test]
fn lists_of_moves_are_read_as_people_write_them() {
    for text in [
        "f5d6c3",
        "F5D6C3\n",
        "f5 d6 c3",
        "f5, d6, c3",
        "f5-d6-c3",
        "1. f5 - d6\n2. c3",
        "1.f5 d6 2.c3",
        "1 f5 d6 2 c3",
        "1) F5 D6 2) C3",
        "# a comment\n\nf5\nd6\nc3\n\n",
        "f5 d6 c3\r\n",
    ] {
        assert_eq!(moves(text), "f5 d6 c3", "{text:?}");
    }
    let games = |text: &str| read(text).records().map(|record| record.moves().len()).collect::<Vec<_>>();
    assert_eq!(games("f5d6c3\nf5f6\nd3c3c4\n"), [3, 2, 3], "a line is a game");
    assert_eq!(games("1. f5 - d6\n2. c3\n1. d3 - c3\n"), [3, 2], "number 1 begins a game");
    assert_eq!(games("f5\n\nf5 d6\n"), [1, 2], "an empty line ends a game");
    let long = "f5f6e6f4f3c5c6e3g5e7d7g6g4h5e8f2h6h4b5d6c4b4d3c7b6f8f7c8d8c2a3b7h3g3d2d1e2c3f1e1h2g1b2a5b3a4c1a1h1g2a7a6a8b8a2h7g7b1h8g8";
    let wrapped = |at: usize| format!("{}\n{}", &long[..at], &long[at..]);
    for at in (40..long.len()).step_by(2) {
        assert_eq!(games(&wrapped(at)), [60], "wrapped at {at}");
    }
}

#[test]
fn games_that_a_match_saved_keep_their_names_and_results() {
    let text = "Game 1\nblack   oe_fmc_1_14:49  depth 1\nwhite   greedy\nresult  24-40, white wins\n1. d3 - c3\n2. c4\n\n\
                Game 2\nblack   greedy\nwhite   random\nresult  a draw\n1. f5 - d6\n\n1. f5 - d6\n24-40, white wins\n";
    let file = read(text);
    let records: Vec<_> = file.games.iter().map(|game| game.as_ref().unwrap()).collect();
    assert_eq!(records.iter().map(|record| record.moves().len()).collect::<Vec<_>>(), [3, 2, 2]);
    assert_eq!(records[0].players, ["oe_fmc_1_14:49  depth 1", "greedy"]);
    assert_eq!(records[0].written.as_ref().unwrap().margin, Some(-16));
    assert_eq!(records[1].players, ["greedy", "random"]);
    assert_eq!(records[2].written, records[0].written);
}

#[test]
fn damage_does_not_reach_the_games_around_it() {
    let text = "f5d6\n\nf5xx\n\n1. d3 - c3\n2. c4 - zz\n3. e3 - d2\n\nc4\n";
    let file = read(text);
    let said: Vec<_> = file.games.iter().map(|game| game.as_ref().err().map(ToString::to_string)).collect();
    assert_eq!(file.games.len(), 4);
    assert_eq!(
        said[1].as_deref(),
        Some("game 2, line 3, column 3: `xx` is not a move; a move is a square as in f5, or pass")
    );
    assert_eq!(
        said[2].as_deref(),
        Some("game 3, line 6, column 9: `zz` is not a move; a move is a square as in f5, or pass")
    );
    assert_eq!((&said[0], &said[3]), (&None, &None));

    let good = "(;GM[2];B[f5])";
    for broken in
        ["(;GM[2]PB[x] ;B[f5", "(;GM[2];B[f5]", "(;GM[2];B[f5];W[zz])", "(;GM[2] ?)", "(;GM[2] [x])", "(;GM[2];B[a1])"]
    {
        let file = read(&format!("{good}\n{broken}\n{good}\n"));
        let fine: Vec<_> = file.games.iter().map(Result::is_ok).collect();
        assert_eq!(fine, [true, false, true], "{broken}");
        assert!(file.damaged().next().unwrap().to_string().starts_with("game 2, line "), "{broken}");
    }
    let tags = "[Black \"a\"]\n[White \"b\"]\n\n";
    for broken in ["1. f5 zz", "1. f5 {open", "1. f5 (d6)", "1. a1"] {
        let file = read(&format!("{tags}1. f5 1-0\n\n{tags}{broken}\n\n{tags}1. d3 c3 38-26\n"));
        assert!(file.games[0].is_ok() && file.games.last().unwrap().is_ok(), "{broken}");
        assert_eq!(file.damaged().count(), 1, "{broken}");
    }
}

#[test]
fn boards_are_read_in_a_line_in_rows_and_from_our_own_diagrams() {
    let rows = ["........", "........", "...X....", "...XX...", "...XO...", "........", "........", "........"];
    let line = rows.concat();
    for text in [
        format!("{line} O"),
        format!("{line}O\n"),
        format!("{} O; c3:+2; c5:-1;", rows.concat().replace('.', "-")),
        format!("{} O", line.replace('X', "*")),
        format!("{}\nO\n", rows.join("\n")),
        record::text(&Record::new(rows.concat().parse::<Start>().unwrap(), []).unwrap()).replace(" X\n", " O\n"),
    ] {
        let file = read(&text);
        let start = file.games[0].as_ref().unwrap().start();
        assert_eq!((file.games.len(), start.to_move(), start.black().count()), (1, Side::Second, 4), "{text}");
        assert_eq!(start.to_string(), format!("{} O", rows.join(" ")));
    }
    let board = game("d3").end();
    let drawn = diagram(board, "d3".parse().ok()) + "O\nc3 c4\n";
    assert_eq!(moves(&drawn), "c3 c4");
    assert!(refusal("........\n.....X..\n\n").contains("a board has 64 squares, but here are 16"));
    assert!(refusal(&format!("{line} O\na1")).contains("ply 1: white cannot play `a1`; the legal moves are c3 e3 c5"));
    // Two boards are two positions.
    assert_eq!(read(&format!("{line} X\n{line} O\n")).games.len(), 2);
}

#[test]
fn records_keep_names_comments_and_results_whatever_letters_they_have() {
    let mut record = game("f5 d6 c3");
    record.players = ["a ] b \\ c".to_owned(), "Jørgen (;GM".to_owned()];
    record.event = "[x]".to_owned();
    record.comment = "first line\nsecond [line]".to_owned();
    for written in [record::sgf(&record), record::ggf(&record)] {
        let file = read(&written);
        let back = file.games[0].as_ref().unwrap();
        assert_eq!((&back.players, &back.event, &back.comment), (&record.players, &record.event, &record.comment));
        assert_eq!(back.written, None, "nothing is known of the result");
    }
    // Latin-1, as old files have it.
    let file = record::read(b"(;GM[2]PB[Fr\xe9d\xe9ric];B[f5])").unwrap();
    assert_eq!(file.games[0].as_ref().unwrap().players[0], "Frédéric");
}

#[test]
fn a_finished_game_is_counted_in_both_ways() {
    let record = game(PASSING);
    assert!(record.is_over());
    assert_eq!(record.counted().score(Counting::Discs), [17, 0]);
    assert_eq!(record.counted().score(Counting::EmptiesToWinner), [64, 0]);
    assert!(record::sgf(&record).contains("RE[B+17]") && record::ggf(&record).contains("RE[+17.000]"));
    assert_eq!(record.boards().len(), 14);
    assert_eq!(record.boards().last(), Some(&record.end()));
    assert_eq!(record.positions()[0], (othello::Position::START, Side::First));
}

#[test]
fn files_that_hold_no_game_say_what_is_read() {
    for bytes in [&b""[..], b" \n\n", b"# only a comment\n", b"\xef\xbb\xbf"] {
        assert_eq!(record::read(bytes).unwrap_err(), Unreadable::NoGame);
    }
    assert_eq!(record::read(b"f5d6\0c3").unwrap_err(), Unreadable::Binary(4));
    assert_eq!(
        record::read(&vec![b'x'; record::MAX_BYTES + 1]).unwrap_err(),
        Unreadable::TooLong(record::MAX_BYTES + 1)
    );
}

#[test]
fn a_wthor_file_that_is_cut_off_or_damaged_gives_the_rest() {
    let mut file = vec![20, 4, 4, 5, 2, 0, 0, 0, 0, 0, 0xbc, 7, 0, 0, 0, 0];
    let mut one = [0_u8; 68];
    one[6] = 20;
    one[8..11].copy_from_slice(&[56, 64, 33]);
    file.extend(one);
    let cut = record::read(&file).unwrap();
    assert_eq!(cut.records().count(), 1);
    assert_eq!(
        cut.damaged().next().unwrap().to_string(),
        "game 2, byte 84: the file is cut off: it should have 2 games and has 1"
    );
    for (place, byte, words) in [
        (9, 99, "game 2, byte 93: 99 is not a square"),
        (9, 11, "game 2, byte 93: ply 2: white cannot play `a1`"),
        (6, 65, "game 2, byte 90: a score of 65"),
        (30, 44, "game 2, byte 114: a move behind the end"),
    ] {
        let mut other = one;
        other[place] = byte;
        let damaged = record::read(&[&file[..], &other].concat()).unwrap();
        assert_eq!(damaged.records().count(), 1);
        assert!(damaged.damaged().next().unwrap().to_string().starts_with(words), "{:?}", damaged.damaged().next());
    }
    file[12] = 10;
    assert_eq!(
        record::read(&file).unwrap_err().to_string(),
        "a WTHOR file, but its board is of size 10; only 8x8 can be played"
    );
}
