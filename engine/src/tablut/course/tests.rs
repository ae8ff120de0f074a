use super::*;
use crate::tablut::{Cell, notation};

fn game_from(board: &str, to_move: Side) -> Course {
    let rows: Vec<Vec<_>> =
        board.split_whitespace().map(|row| row.chars().filter_map(Cell::from_letter).collect()).collect();
    let position = Position::from_cells(&rows, to_move).unwrap();
    let steps = vec![Step { position, outcome: None }];
    Course { keys: vec![position.key()], steps }
}

fn play(course: &mut Course, line: &str) {
    for action in notation::line(line).unwrap() {
        assert_eq!(course.outcome(), None, "before {action}");
        assert!(course.position().allows(action), "{action}");
        course.play(action);
    }
}

#[test]
fn a_position_seen_before_is_a_draw_but_the_start_does_not_count() {
    let start = "OOOOOOOOO OOOOOOOOO OOWOOOOOO OOOOOOOOO OOOOKOOOO OOOOOOOOO OOOOOOBOO OOOOOOOOO OOOOOOOOO";
    let mut course = game_from(start, Side::First);
    let first = *course.position();
    play(&mut course, "c3-c2 g7-g8 c2-c3 g8-g7");
    assert_eq!(*course.position(), first);
    play(&mut course, "c3-c2");
    assert_eq!(course.result(), Some(GameResult { outcome: Outcome::Draw, margin: 0, plies: 5 }));
    assert!(course.undo());
    play(&mut course, "c3-b3 g7-f7 b3-c3 f7-g7");
    assert_eq!(course.outcome(), Some(Outcome::Draw), "now the first position was seen as well");
}

#[test]
fn a_board_seen_with_the_other_side_to_move_is_no_draw() {
    let start = "OOOOOOOOO OOOOOOOOO OOWOOOOOO OOOOOOOOO OOOOKOOOO OOOOOOOOO OOOOOOBOO OOOOOOOOO OOOOOOOOO";
    let mut course = game_from(start, Side::First);
    play(&mut course, "c3-c4 g7-g6");
    let cells = course.position().to_cells();
    play(&mut course, "c4-c3 g6-g7 c3-c2 g7-g6 c2-c4");
    assert_eq!(course.position().to_cells(), cells);
    assert_eq!(course.outcome(), None);
}

#[test]
fn a_capture_forgets_what_was_seen_and_counts_as_seen_itself() {
    let mut course = Course::new();
    // White takes d2 between d3 and the camp d1.
    play(&mut course, "e4-f4 e2-d2 f4-e4 a4-a3 e3-d3");
    assert_eq!(course.position().cell(crate::tablut::Square::at(3, 1).unwrap()), Cell::Empty);
    let after_capture = *course.position();
    play(&mut course, "a3-a2 d3-c3 a2-a3 c3-d3");
    assert_eq!(*course.position(), after_capture);
    assert_eq!(course.outcome(), Some(Outcome::Draw));
    while course.undo() {}
    assert_eq!(course, Course::new(), "undoing a capture remembers again");
}

#[test]
fn a_player_without_a_move_loses() {
    // Black's only piece stands in the corner; White shuts it in and cannot take it there.
    let mut course = game_from(
        "BOWOOOOOO WOOOOOOOO OOOOOOOOO OOOOOWOOO OOOOTOOOO OOKOOOOOO OOOOOOOOO OOOOOOOOO OOOOOOOOO",
        Side::First,
    );
    play(&mut course, "c1-b1");
    assert_eq!(course.position().winner(), None);
    assert!(!course.position().can_move());
    assert_eq!(course.position().count_moves(), 0);
    assert_eq!(course.outcome(), Some(Outcome::FirstWins));
    // From outside nobody may enter the free camp a4.
    let mut course = game_from(
        "OOOOOOOOO WOOOOOOOO BOWOOOOOO OOOOOWOOO OOOOTOOOO OOKOOOOOO OOOOOOOOO OOOOOOOOO OOOOOOOOO",
        Side::First,
    );
    play(&mut course, "c3-b3");
    assert_eq!(course.outcome(), Some(Outcome::FirstWins));
    // From the camp a4 there is still the way to a5.
    let mut course = game_from(
        "OOOOOOOOO OOOOOOOOO WOOOOOOOO BOOOWOOOO OOOOTOOOO OOKOOOOOO OOOOOOOOO OOOOOOOOO OOOOOOOOO",
        Side::First,
    );
    play(&mut course, "e4-b4");
    assert_eq!(course.outcome(), None);
}

#[test]
fn a_game_of_a_thousand_plies_is_a_draw() {
    let mut stream = crate::random::Key::new(1, 0, "long tablut games").stream(0);
    let mut course = Course::new();
    while course.outcome().is_none() {
        let moves: Vec<_> = course.position().moves().collect();
        let mut ends_early = |action: Move| {
            course.play(action);
            let ends = course.outcome().is_some() && course.plies() < LONGEST_GAME;
            course.undo();
            ends
        };
        let choices: Vec<_> = moves.into_iter().filter(|action| !ends_early(*action)).collect();
        course.play(choices[stream.below(choices.len() as u64) as usize]);
    }
    assert_eq!(course.result(), Some(GameResult { outcome: Outcome::Draw, margin: 0, plies: LONGEST_GAME }));
}
