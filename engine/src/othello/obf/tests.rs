use super::*;
use proptest::prelude::*;

const LINE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; B1:-4;";

#[test]
fn a_line_gives_the_board_as_the_side_to_move_sees_it() {
    let problem = parse_line(LINE).unwrap().unwrap();
    assert!(problem.black);
    assert_eq!(problem.position.empty().count(), 14);
    assert!(problem.position.own.contains("c1".parse().unwrap()));
    let scores: Vec<_> = problem.scores.iter().map(|(square, score)| (square.to_string(), *score)).collect();
    assert_eq!(scores, [("g8".to_owned(), 18), ("h1".to_owned(), 12), ("b1".to_owned(), -4)]);
    let swapped = parse_line(&LINE.replace(" X;", " O;")).unwrap().unwrap();
    assert_eq!(swapped.position, problem.position.passed());
}

#[test]
fn faults_are_named_with_their_line() {
    let text = |line: &str| format!("% positions\n\n{LINE}\n{line}\n");
    let fault = |line: &str| parse(&text(line)).unwrap_err().to_string();
    assert_eq!(parse(&text("")).unwrap()[0].0, 3);
    assert_eq!(fault("XO X;"), "line 4: a board is 64 squares of X, O and -, not 2");
    assert_eq!(fault(&LINE.replacen('O', "?", 1)), "line 4: square 10 of the board is '?'; a square is X, O or -");
    assert_eq!(
        fault(&LINE.replace(" X;", ";")),
        "line 4: `` does not say who is to move; write X or O behind the board"
    );
    for wrong in ["G9:+1", "G8", "G8:", "G8:+65", ":", "G8:99999999999999999999"] {
        let line = LINE.replace("G8:+18", wrong);
        assert_eq!(fault(&line), format!("line 4: `{wrong}` is not a move with its score as in G8:+18"));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
        let _ = parse(&text);
    }

    #[test]
    fn any_change_of_a_line_is_read_or_refused(place in 0..LINE.len(), mark in any::<char>()) {
        let mut text = LINE.to_owned();
        text.insert(place, mark);
        let _ = parse(&text);
    }
}
