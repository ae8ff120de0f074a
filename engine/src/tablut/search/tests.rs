use super::*;
use crate::random::{Key, Stream};
use crate::variant::Bound;

/// Random games, each stopped at a random ply at which it is not over. Some shuffle to and fro at
/// the end, so that repetition is near.
fn random_courses(seed: u64, count: u64) -> impl Iterator<Item = (Course, Stream)> {
    let key = Key::new(seed, 0, "tablut search tests");
    (0..count).map(move |slot| {
        let mut stream = key.stream(slot);
        let mut course = Course::new();
        for _ in 0..stream.below(70) {
            let moves: Vec<_> = course.position().moves().collect();
            course.play(moves[stream.below(moves.len() as u64) as usize]);
            if course.outcome().is_some() {
                course.undo();
                break;
            }
        }
        if slot % 3 == 0 {
            shuffle_to_and_fro(&mut course, &mut stream);
        }
        (course, stream)
    })
}

/// Each side moves a piece away, and White moves his back: Black's way back repeats the position.
fn shuffle_to_and_fro(course: &mut Course, stream: &mut Stream) {
    let mut moved: Option<Move> = None;
    for step in 0..3 {
        let back = moved.map(|there| Move { from: there.to, to: there.from });
        let moves: Vec<_> = course.position().moves().collect();
        let action = match back {
            Some(back) if step == 2 && moves.contains(&back) => back,
            _ => moves[stream.below(moves.len() as u64) as usize],
        };
        if step == 0 {
            moved = Some(action);
        }
        course.play(action);
        if course.outcome().is_some() {
            course.undo();
            return;
        }
    }
}

fn random_evaluation(stream: &mut Stream) -> Evaluation {
    Evaluation::of(std::array::from_fn(|_| match stream.below(3) {
        // Whole weights make ties.
        0 => f64::from(stream.between(-1, 1)),
        _ => stream.uniform(-2.0, 4.0),
    }))
}

/// Plain minimax, everything seen by `side`.
fn minimax(evaluation: &Evaluation, course: &mut Course, side: Side, depth: u8) -> f64 {
    let plies = f64::from(course.plies());
    match course.outcome() {
        Some(Outcome::Draw) => return 0.0,
        Some(Outcome::FirstWins) if side == Side::First => return WON - plies,
        Some(Outcome::SecondWins) if side == Side::Second => return WON - plies,
        Some(_) => return plies - WON,
        None => {}
    }
    if depth == 0 {
        return evaluation.score(course.position(), side);
    }
    let mut values = Vec::new();
    for action in course.position().moves() {
        course.play(action);
        values.push(minimax(evaluation, course, side, depth - 1));
        course.undo();
    }
    let own = course.position().to_move() == side;
    values.into_iter().reduce(if own { f64::max } else { f64::min }).unwrap()
}

/// The first of the best moves, and its value.
fn best_by_minimax(evaluation: &Evaluation, course: &mut Course, depth: u8) -> (Move, f64) {
    let side = course.position().to_move();
    let mut best: Option<(Move, f64)> = None;
    for action in course.position().moves() {
        course.play(action);
        let value = minimax(evaluation, course, side, depth - 1);
        course.undo();
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((action, value));
        }
    }
    best.unwrap()
}

#[test]
fn all_variants_find_the_move_and_value_of_plain_minimax() {
    let (mut draws, mut wins) = (0, 0);
    for (place, (mut course, mut stream)) in random_courses(1, 10_000).enumerate() {
        let evaluation = random_evaluation(&mut stream);
        let depth = if place % 500 == 0 { 3 } else { 1 + (place % 2) as u8 };
        let expected = best_by_minimax(&evaluation, &mut course, depth);
        draws += u32::from(expected.1 == 0.0);
        wins += u32::from(expected.1.abs() > BOUND);
        let before = course.clone();
        for variant in Variant::ALL {
            let found = best(&evaluation, &mut course, Limit::Depth(depth), variant);
            assert_eq!((found.action, found.value), expected, "{variant:?} depth {depth}\n{course:?}");
            assert_eq!(course, before, "a search leaves the game as it was");
        }
    }
    assert!(draws > 0 && wins > 0, "{draws} drawn and {wins} decided searches");
}

#[test]
fn in_narrow_windows_fail_hard_stays_inside_and_fail_soft_returns_true_bounds() {
    let mut differ = 0;
    for (place, (mut course, mut stream)) in random_courses(2, 2000).enumerate() {
        let evaluation = random_evaluation(&mut stream);
        let depth = 1 + (place % 2) as u8;
        let side = course.position().to_move();
        let exact = minimax(&evaluation, &mut course, side, depth);
        let alpha = (exact.clamp(-60.0, 60.0) + stream.uniform(-6.0, 6.0)).floor();
        let window = (alpha, alpha + f64::from(stream.between(1, 4)));
        let mut values = Vec::new();
        for variant in Variant::ALL {
            let mut search = Search {
                evaluation: &evaluation,
                course: &mut course,
                side,
                variant,
                nodes: 0,
                budget: Budget::Endless,
                refutations: [None; DEEPEST as usize],
            };
            let value = search.value(depth, 0, window).unwrap();
            values.push(value);
            match variant.bound {
                Bound::Hard => assert_eq!(value, exact.clamp(window.0, window.1), "{variant:?}"),
                Bound::Soft if value <= window.0 => assert!(exact <= value, "{variant:?}: {exact} above {value}"),
                Bound::Soft if value >= window.1 => assert!(exact >= value, "{variant:?}: {exact} below {value}"),
                Bound::Soft => assert_eq!(value, exact, "{variant:?}"),
            }
        }
        differ += usize::from(values[0] != values[1]);
    }
    assert!(differ > 0, "fail-soft never told more than fail-hard");
}

#[test]
fn a_win_at_once_is_played_however_deep_the_search_looks() {
    let mut wins = 0;
    for (mut course, mut stream) in random_courses(4, 400) {
        let evaluation = random_evaluation(&mut stream);
        let at_once = best(&evaluation, &mut course, Limit::Depth(1), Variant::PLAY);
        if at_once.value < BOUND {
            continue;
        }
        wins += 1;
        assert_eq!(at_once.value, WON - f64::from(course.plies() + 1));
        for limit in [Limit::Depth(2), Limit::Depth(3), Limit::Nodes(10_000)] {
            let found = best(&evaluation, &mut course, limit, Variant::PLAY);
            assert_eq!((found.action, found.value), (at_once.action, at_once.value), "{limit:?}");
        }
    }
    assert!(wins > 20, "{wins} positions with a win");
}

#[test]
fn node_and_time_limits_deepen_and_always_give_a_move() {
    for (mut course, mut stream) in random_courses(3, 20) {
        let evaluation = random_evaluation(&mut stream);
        let mut depth = 0;
        for nodes in [1, 100, 5000] {
            let found = best(&evaluation, &mut course, Limit::Nodes(nodes), Variant::PLAY);
            assert!(course.position().allows(found.action) && found.depth >= depth);
            depth = found.depth;
            let exact = best(&evaluation, &mut course, Limit::Depth(found.depth), Variant::PLAY);
            assert_eq!((found.action, found.value), (exact.action, exact.value), "the last finished depth counts");
            let first_ply = u64::from(course.position().count_moves());
            assert!(found.nodes <= nodes.max(first_ply), "{} nodes of {nodes}", found.nodes);
        }
        let found = best(&evaluation, &mut course, Limit::Time(std::time::Duration::ZERO), Variant::PLAY);
        assert_eq!(found.depth, 1);
    }
}
