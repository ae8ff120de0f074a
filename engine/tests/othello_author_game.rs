//! The game that GeneThello's author published: both players search nine plies, and all 60 moves
//! come out as he printed them, with his score of 24-40.

use kembara_engine::{ArenaSpec, Conditions, GameResult, Meeting, Openings, Outcome, PlayerName, PlayerSpec, registry};

const BLACK: &str = "oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3";
const WHITE: &str = "oe_fmc_436_18:45:5:2:8:8:4:9:1:2:4";

const MOVES: &str = "d3 c3 c4 e3 d2 c2 c1 b4 b3 e1 e2 a3 a4 d1 f1 a5 b5 f2 g2 a6 f4 f3 g3 c5 d6 g4 f5 h3 h2 h1 \
                     g1 b1 h4 h5 b6 a7 b2 c6 g5 h6 g6 d7 d8 e7 f6 f8 c7 e6 f7 c8 b8 g8 g7 e8 h8 h7 a2 a1 b7 a8";

const RESULT: GameResult = GameResult { outcome: Outcome::SecondWins, margin: 24 - 40, plies: 60 };

fn players() -> [PlayerSpec; 2] {
    let othello = registry::game("othello").unwrap();
    [BLACK, WHITE].map(|name| PlayerName::parse(name, othello).unwrap().player)
}

#[test]
fn an_arena_plays_the_authors_game() {
    let spec = ArenaSpec {
        players: players().to_vec(),
        conditions: [Conditions::depth(9); 2],
        openings: Openings::Start,
        max_plies: None,
    };
    let arena = registry::game("othello").unwrap().arena(&spec).unwrap();
    let (moves, result) = arena.table().record(&Meeting { first: 0, second: 1, opening: 0, seed: 7 });
    let placed: Vec<_> = moves.iter().filter(|&action| action != "pass").map(String::as_str).collect();
    assert_eq!(placed.join(" "), MOVES);
    assert_eq!(result, RESULT);
}

#[test]
fn a_session_plays_the_authors_game_and_prints_it_his_way() {
    let players = players();
    let mut session = registry::game("othello").unwrap().session();
    while let Some(side) = session.to_move() {
        let choice = session.choose(&players[side.index()], &Conditions::depth(9), 0).unwrap();
        session.play(&choice.action).unwrap();
    }
    assert_eq!(session.result(), Some(RESULT));
    assert!(session.transcript().starts_with("1. d3 - c3\n2. c4 - e3\n3. d2 - c2\n"));
}
