//! Othello's players beside plain search: named players, chance, limits by time, and the scores
//! that people see.

use kembara_engine::othello::{Judge, Level, Position, Square, record};
use kembara_engine::{
    ArenaSpec, Conditions, Game, Limit, Meeting, Openings, PlayerName, PlayerSpec, Session, random, registry,
};
use std::collections::BTreeMap;
use std::time::Duration;

fn othello() -> &'static dyn Game {
    registry::game("othello").unwrap()
}

fn player(name: &str) -> PlayerSpec {
    PlayerName::parse(name, othello()).unwrap().player
}

fn after(line: &str) -> Box<dyn Session> {
    let mut session = othello().session();
    session.play_line(line).unwrap();
    session
}

const EVERYTHING: &str = "oe_fdmxycr_10:50:1:2:3:4:5:6:7:1:2:3:4:5:6:7:1:2:3:4:5:6:7";

#[test]
fn a_score_is_shown_feature_by_feature_with_signed_weights() {
    // After d3 c3 white has turned d4, both have three discs, and black can play b3, c4, f5 or e6.
    let scores = after("d3").evaluate(&player(EVERYTHING)).unwrap();
    let c3 = &scores[0];
    assert_eq!(c3.action, "c3");
    assert_eq!(
        c3.features,
        [
            ("flips", 1.0, 1.0),
            ("discs", 0.0, 2.0),
            ("mobility", 4.0, -3.0),
            ("x-squares", 0.0, -4.0),
            ("open x-squares", 0.0, -5.0),
            ("corners", 0.0, 6.0),
            ("parity", 1.0, 7.0),
        ]
    );
    assert_eq!(c3.score, 1.0 - 12.0 + 7.0);
    assert_eq!(scores.iter().map(|score| score.action.as_str()).collect::<Vec<_>>(), ["c3", "e3", "c5"]);
}

#[test]
fn an_x_square_beside_a_taken_corner_is_no_longer_open() {
    // In the author's game black sits on b2 when white takes a1 behind it.
    let line = "d3 c3 c4 e3 d2 c2 c1 b4 b3 e1 e2 a3 a4 d1 f1 a5 b5 f2 g2 a6 f4 f3 g3 c5 d6 g4 f5 h3 h2 h1 \
                g1 b1 h4 h5 b6 a7 b2 c6 g5 h6 g6 d7 d8 e7 f6 f8 c7 e6 f7 c8 b8 g8 g7 e8 h8 h7 a2";
    let scores = after(line).evaluate(&player(EVERYTHING)).unwrap();
    let a1 = scores.iter().find(|score| score.action == "a1").unwrap();
    let raw: BTreeMap<_, _> = a1.features.iter().map(|&(name, value, _)| (name, value)).collect();
    assert_ne!(raw["x-squares"], raw["open x-squares"], "{raw:?}");
    // Only b7, still empty, stands beside an empty corner.
    assert_eq!(raw["open x-squares"], 0.0);
}

#[test]
fn the_scores_shown_are_what_one_ply_of_search_sees() {
    let spec = player(EVERYTHING);
    let mut stream = random::Key::new(3, 0, "scores").stream(0);
    let mut session = othello().session();
    while session.to_move().is_some() {
        let scores = session.evaluate(&spec).unwrap();
        let choice = session.choose(&spec, &Conditions::depth(1), 0).unwrap();
        match choice.value {
            Some(value) if value.abs() < 1e6 => {
                let best = scores.iter().find(|score| score.score == value).unwrap();
                assert_eq!(best.action, choice.action);
                assert!(scores.iter().all(|score| score.score <= value));
            }
            Some(_) => assert!(scores.iter().any(|score| score.action == choice.action)),
            None => assert_eq!((choice.action.as_str(), scores.len()), ("pass", 0)),
        }
        let legal = session.legal();
        session.play(&legal[stream.below(legal.len() as u64) as usize]).unwrap();
    }
}

#[test]
fn greedy_turns_the_most_discs_and_the_first_of_equals() {
    let greedy = player("greedy");
    let choose = |line: &str| after(line).choose(&greedy, &Conditions::depth(1), 0).unwrap().action;
    assert_eq!(choose(""), "d3");
    let mut session = after("d3 c3 c4");
    for _ in 0..20 {
        let scores = session.evaluate(&player("oe_f_1:41:1:1:1")).unwrap();
        let most = scores.iter().map(|score| score.score).fold(0.0, f64::max);
        let first = scores.iter().find(|score| score.score == most).unwrap();
        let choice = session.choose(&greedy, &Conditions::depth(1), 0).unwrap();
        assert_eq!((choice.action.as_str(), choice.value), (first.action.as_str(), None));
        session.play(&choice.action).unwrap();
    }
}

#[test]
fn random_and_epsilon_draw_every_legal_move_alike() {
    let session = after("d3 c3 c4");
    let legal = session.legal();
    let evolved = player("oe_fmc_14:49:3:2:2:3:3:9:1:10:3");
    let own = session.choose(&evolved, &Conditions::depth(1), 0).unwrap().action;
    let counts = |player: &PlayerSpec, epsilon: f64| {
        let mut counts = BTreeMap::new();
        for seed in 0..6_000 {
            let conditions = Conditions { epsilon, ..Conditions::depth(1) };
            *counts.entry(session.choose(player, &conditions, seed).unwrap().action).or_insert(0) += 1;
        }
        counts
    };
    let fair = 6_000 / legal.len();
    for counts in [counts(&player("random"), 0.0), counts(&evolved, 1.0)] {
        assert_eq!(counts.len(), legal.len());
        assert!(counts.values().all(|&count: &usize| count.abs_diff(fair) < fair / 5), "{counts:?}");
    }
    let half = counts(&evolved, 0.5);
    assert!(half[&own].abs_diff(3_000 + fair / 2) < 200, "{half:?}");
    assert_eq!(counts(&evolved, 0.0).into_iter().collect::<Vec<_>>(), [(own, 6_000)]);
}

#[test]
fn a_session_with_the_seed_of_a_meeting_plays_the_meeting_again() {
    let players = [player("oe_fmc_14:49:3:2:2:3:3:9:1:10:3"), player("random")];
    let conditions = [Conditions { limit: Limit::Nodes(300), epsilon: 0.2 }, Conditions::depth(1)];
    let spec = ArenaSpec { players: players.to_vec(), conditions, openings: Openings::Start, max_plies: None };
    let arena = othello().arena(&spec).unwrap();
    for seed in 0..40 {
        let (moves, result) = arena.table().record(&Meeting { first: 0, second: 1, opening: 0, seed });
        let mut session = othello().session();
        while let Some(side) = session.to_move() {
            let choice = session.choose(&players[side.index()], &conditions[side.index()], seed).unwrap();
            session.play(&choice.action).unwrap();
        }
        assert_eq!((session.moves(), session.result()), (moves.as_slice(), Some(result)));
    }
}

#[test]
fn a_time_limit_always_gives_a_move_of_a_depth_searched_in_full() {
    let spec = player(EVERYTHING);
    let session = after("d3 c3 c4");
    for time in [Duration::ZERO, Duration::from_millis(20)] {
        let limited = Conditions { limit: Limit::Time(time), epsilon: 0.0 };
        let choice = session.choose(&spec, &limited, 0).unwrap();
        let fixed = session.choose(&spec, &Conditions::depth(choice.depth), 0).unwrap();
        assert_eq!((choice.action, choice.value), (fixed.action, fixed.value));
    }
}

#[test]
fn a_judge_values_moves_as_its_own_search_does() {
    let othello = registry::game("othello").unwrap();
    let player = PlayerName::parse("oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3", othello).unwrap().player;
    let mut judge = Judge::new(Level::best(), &player).unwrap();
    let mut session = othello.session();
    let mut position = Position::START;
    assert_eq!(judge.judge(position, "a1".parse().unwrap(), 3), None, "an illegal move");
    for (ply, action) in ["f5", "d6", "c3", "d3", "c4"].into_iter().enumerate() {
        let depth = 1 + ply as u8;
        let chosen = session.choose(&player, &Conditions::depth(depth), 0).unwrap();
        for name in session.legal() {
            let square: Square = name.parse().unwrap();
            let judged = judge.judge(position, square, depth).unwrap();
            assert_eq!(
                (judged.best.to_string(), Some(f64::from(judged.best_value))),
                (chosen.action.clone(), chosen.value)
            );
            assert!(judged.value <= judged.best_value, "{name} at depth {depth}");
            if depth > 1 {
                // What the move is worth is what the answer to it is worth to the opponent.
                session.play(&name).unwrap();
                let answer = session.choose(&player, &Conditions::depth(depth - 1), 0).unwrap();
                assert_eq!(Some(f64::from(-judged.value)), answer.value, "{name} at depth {depth}");
                session.undo();
            }
        }
        session.play(action).unwrap();
        position =
            record::read(session.moves().join("").as_bytes()).unwrap().records().next().unwrap().end().position();
    }
}
