//! The game as the rest of the system sees it.

use super::*;
use crate::random::Key;
use crate::{Arena, Conditions, Limit, Meeting, Openings, PlayerName, Side, registry};

const EVOLVED: &str = "c4_tnhwoec_10:30:3:9:4:1:2:2:3:5:9:5:2:6:4:2:6:9:1:0:7:7:1";
const SIGNED: &str = "c4s_thc_3:40:-4:2:9:10:-3:1:5:5:-1";

fn player(name: &str) -> PlayerSpec {
    PlayerName::parse(name, &ConnectFour).unwrap().player
}

fn spec(players: &[&str], depth: u8, openings: Openings) -> ArenaSpec {
    let players = players.iter().map(|name| player(name)).collect();
    ArenaSpec { players, conditions: [Conditions::depth(depth); 2], openings, max_plies: None }
}

fn played(line: &str) -> Box<dyn Session> {
    let mut session = ConnectFour.session();
    session.play_line(line).unwrap();
    session
}

/// Points of the player at place 0 against the one at place 1, both colours from each opening.
fn points(spec: &ArenaSpec, openings: u32) -> (f64, u32) {
    let arena = ConnectFour.arena(spec).unwrap();
    let mut table = arena.table();
    let mut half_points = 0;
    for opening in 0..openings {
        let seed = u64::from(opening);
        let first = table.play(&Meeting { first: 0, second: 1, opening, seed }).outcome;
        let second = table.play(&Meeting { first: 1, second: 0, opening, seed }).outcome;
        half_points += u32::from(first.half_points()) + 2 - u32::from(second.half_points());
    }
    (f64::from(half_points) / 2.0, 2 * openings)
}

/// Meetings of all players over all openings in a random order.
fn meetings(arena: &dyn Arena, count: u64) -> Vec<Meeting> {
    let mut stream = Key::new(1, 0, "connect-four meetings").stream(0);
    let mut below = |bound: u32| stream.below(u64::from(bound)) as u32;
    let meeting = |seed| Meeting {
        first: below(arena.players()),
        second: below(arena.players()),
        opening: below(arena.openings()),
        seed,
    };
    (0..count).map(meeting).collect()
}

#[test]
fn the_registry_knows_the_game() {
    let game = registry::game("connect-four").unwrap();
    assert_eq!(game.sides(), ["yellow", "red"]);
    assert!(game.genome(game.default_genome()).is_ok());
    assert!(game.named_players().iter().all(|name| game.check_player(&player(name)).is_ok()));
}

#[test]
fn perft_agrees_with_the_counted_numbers() {
    let counted = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, sequences) in (1..).zip(counted) {
        assert_eq!(ConnectFour.perft(depth, true), sequences, "depth {depth}");
    }
    assert_eq!(ConnectFour.perft(0, false), 1);
}

#[test]
fn stronger_players_beat_weaker_ones() {
    for (stronger, weaker) in [("greedy", "random"), ("forza4", "random"), ("forza4", "greedy"), (EVOLVED, "greedy")] {
        let (won, of) = points(&spec(&[stronger, weaker], 4, Openings::Plies(4)), 100);
        assert!(won > 0.7 * f64::from(of), "{stronger} has {won} of {of} points against {weaker}");
    }
}

#[test]
fn nobody_takes_more_from_the_perfect_player_than_the_position_is_worth() {
    let lines = ["21672412734672276714664157", "2254747773652216662132735345"];
    let mut solver = Solver::default();
    for line in lines {
        let score = solver.solve(line).unwrap().score;
        for other in ["random", "greedy", "forza4", EVOLVED, "perfect"] {
            let spec = spec(&["perfect", other], 6, Openings::Lines(vec![line.to_owned()]));
            let arena = ConnectFour.arena(&spec).unwrap();
            let result = arena.table().play(&Meeting { first: 0, second: 1, opening: 0, seed: 3 });
            // Both lines have an even number of moves: yellow, who is perfect, is to move.
            let margin = i32::from(result.outcome.half_points()) - 1;
            assert!(margin >= score.signum(), "{other} from {line}: {result:?}, solved as {score}");
        }
    }
}

/// Raise `SEMANTICS_VERSION` when this has to change.
#[test]
fn thousands_of_games_stay_what_they_are() {
    let players = ["random", "greedy", "forza4", EVOLVED, SIGNED];
    let mut hasher = blake3::Hasher::new();
    for (depth, openings, count) in
        [(1, Openings::Start, 1000), (2, Openings::Plies(8), 2000), (4, Openings::Plies(3), 400)]
    {
        let arena = ConnectFour.arena(&spec(&players, depth, openings)).unwrap();
        let mut table = arena.table();
        for meeting in meetings(arena.as_ref(), count) {
            let (moves, result) = table.record(&meeting);
            assert_eq!(table.play(&meeting), result);
            assert_eq!(moves.len(), usize::from(result.plies));
            hasher.update(moves.concat().as_bytes());
            hasher.update(&[result.outcome as u8]);
        }
    }
    assert_eq!(hasher.finalize().to_hex().as_str(), "180d26f6d829489422586987def36664f00d075dac96d01d8e062caff919e99d");
}

#[test]
fn a_game_does_not_depend_on_the_games_before_it() {
    let mut spec = spec(&["random", "greedy", "forza4", EVOLVED], 3, Openings::Plies(5));
    spec.conditions[1] = Conditions { limit: Limit::Nodes(300), epsilon: 0.2 };
    let arena = ConnectFour.arena(&spec).unwrap();
    let mut long_used = arena.table();
    for meeting in meetings(arena.as_ref(), 300) {
        assert_eq!(long_used.record(&meeting), arena.table().record(&meeting));
    }
    let meeting = Meeting { first: 0, second: 1, opening: 0, seed: 1 };
    let lines: std::collections::HashSet<_> =
        (0..20).map(|seed| long_used.record(&Meeting { seed, ..meeting }).0).collect();
    assert!(lines.len() > 15, "the seed chooses the random moves");
}

#[test]
fn a_game_played_move_by_move_is_the_game_of_the_table() {
    let spec = spec(&["random", "forza4", EVOLVED], 3, Openings::Plies(2));
    let arena = ConnectFour.arena(&spec).unwrap();
    let mut table = arena.table();
    for meeting in meetings(arena.as_ref(), 60) {
        let (moves, result) = table.record(&meeting);
        let mut session = played(&moves[..2].concat());
        while let Some(side) = session.to_move() {
            let place = if side == Side::First { meeting.first } else { meeting.second };
            let conditions = &spec.conditions[side.index()];
            let choice = session.choose(&spec.players[place as usize], conditions, meeting.seed).unwrap();
            session.play(&choice.action).unwrap();
        }
        assert_eq!((session.moves(), session.result()), (&moves[..], Some(result)));
    }
}

#[test]
fn epsilon_one_makes_every_player_random() {
    let mut spec = spec(&["random", "greedy"], 1, Openings::Start);
    spec.conditions = [Conditions { limit: Limit::Depth(1), epsilon: 1.0 }; 2];
    let arena = ConnectFour.arena(&spec).unwrap();
    let mut table = arena.table();
    for seed in 0..50 {
        let mut game = |place| table.record(&Meeting { first: place, second: place, opening: 0, seed });
        assert_eq!(game(0), game(1));
    }
}

#[test]
fn greedy_wins_blocks_or_goes_to_the_centre() {
    let chosen = |line: &str| played(line).choose(&player("greedy"), &Conditions::depth(1), 0).unwrap().action;
    assert_eq!(chosen("112233"), "4", "it wins");
    assert_eq!(chosen("71727"), "7", "it blocks the column");
    assert_eq!(chosen("172737"), "4", "it wins rather than block");
    assert_eq!(chosen(""), "4");
    assert_eq!(chosen("444444"), "3", "left of two as near");
}

#[test]
fn a_session_shows_takes_back_and_refuses() {
    let mut session = played("44 5,3");
    assert_eq!(session.transcript(), "4453");
    assert_eq!(session.score(), None);
    assert_eq!(played("1. d D 2. 5 3").transcript(), "4453");
    let board = "6 . . . . . . .\n5 . . . . . . .\n4 . . . . . . .\n3 . . . . . . .\n2 . . . R . . .\n1 . . R Y Y . .\n  1 2 3 4 5 6 7\n";
    assert_eq!(session.board(), board);
    assert_eq!(session.to_move(), Some(Side::First));
    session.play("g").unwrap();
    session.play(" D ").unwrap();
    assert_eq!(session.moves().concat(), "445374");
    for _ in 0..6 {
        assert!(session.undo());
    }
    assert!(!session.undo());
    assert_eq!(session.legal(), ["1", "2", "3", "4", "5", "6", "7"]);
}

#[test]
fn a_finished_game_takes_no_move() {
    let mut session = played("1122334");
    assert_eq!(session.to_move(), None);
    assert_eq!(session.result().unwrap().outcome.winner(), Some(Side::First));
    assert!(session.legal().is_empty());
    assert_eq!(session.play("5").unwrap_err().reason, "the game is over");
    assert!(session.evaluate(&player(EVOLVED)).unwrap().is_empty());
    assert!(session.undo());
    assert!(session.result().is_none());
}

#[test]
fn hostile_moves_are_refused_and_change_nothing() {
    let mut session = played("444444");
    let hostile = [
        "",
        " ",
        "0",
        "8",
        "9",
        "h",
        "44",
        "-1",
        "+1",
        "1.",
        "4",
        "１",
        "\0",
        "\u{1F600}",
        "d4",
        "pass",
        &"1".repeat(1 << 20),
    ];
    for given in hostile {
        let error = session.play(given).unwrap_err();
        assert_eq!(error.ply, 7);
        assert!(error.to_string().len() < 400, "{error}");
        assert!(error.reason.contains("1 2 3 5 6 7"), "{error}");
    }
    assert_eq!(session.transcript(), "444444");
    let error = session.play_line("1 2 x 3").unwrap_err();
    assert_eq!((error.ply, error.given.as_str()), (9, "x"));
    assert_eq!(session.transcript(), "44444412", "the moves before it stay played");
    assert!(session.play_line(&"1".repeat(1 << 20)).is_err());
}

#[test]
fn an_evaluation_is_shown_feature_by_feature() {
    let session = played("4453");
    let shown = session.evaluate(&player(SIGNED)).unwrap();
    assert_eq!(shown.len(), 7);
    for (place, shown) in shown.iter().enumerate() {
        assert_eq!(shown.action, (place + 1).to_string());
        let names: Vec<_> = shown.features.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, ["threats", "open threes", "centre"]);
        assert_eq!(shown.score, shown.features.iter().map(|(_, value, weight)| value * weight).sum::<f64>());
    }
    let best = session.choose(&player(SIGNED), &Conditions::depth(1), 0).unwrap();
    let highest = shown.iter().map(|shown| shown.score).fold(f64::MIN, f64::max);
    assert_eq!(best.value, Some(highest));
    for name in ConnectFour.named_players() {
        assert!(matches!(session.evaluate(&player(name)), Err(PlayerError::NoEvaluation(_))));
    }
}

#[test]
fn what_does_not_fit_the_game_is_refused() {
    let refused = |spec: &ArenaSpec| ConnectFour.arena(spec).err().unwrap().to_string();
    let mut wrong = spec(&["random"], 1, Openings::Start);
    wrong.players.push(PlayerSpec::Named("edax".to_owned()));
    assert!(refused(&wrong).starts_with("player 1: connect-four has no player or genome named `edax`"));
    for limit in [Limit::Depth(0), Limit::Depth(61), Limit::Nodes(0)] {
        let conditions = Conditions { limit, epsilon: 0.0 };
        let wrong = ArenaSpec { conditions: [Conditions::depth(1), conditions], ..spec(&[], 1, Openings::Start) };
        assert!(refused(&wrong).contains("must be"));
        assert!(played("").choose(&player("random"), &conditions, 0).is_err());
    }
    for epsilon in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let conditions = Conditions { limit: Limit::Depth(1), epsilon };
        let wrong = ArenaSpec { conditions: [conditions, conditions], ..spec(&[], 1, Openings::Start) };
        assert!(refused(&wrong).contains("must be in 0..=1"));
    }
    assert!(PlayerName::parse("oe_fmc_1_14:49:3:2:2:3:3:9:1:10:3", &ConnectFour).is_err());
    assert!(PlayerName::parse("c4_t_14:29:1:2", &ConnectFour).unwrap_err().to_string().contains("wt1:wt2:wt3"));
}

#[test]
fn the_four_ways_to_search_play_the_same_games() {
    let spec = spec(&[EVOLVED, SIGNED], 5, Openings::Plies(6));
    let games = |method, bound| {
        let arena = ConnectFour.arena_with(&spec, Search::Plain(Variant { method, bound })).unwrap();
        let mut table = arena.table();
        meetings(arena.as_ref(), 30).iter().map(|meeting| table.record(meeting)).collect::<Vec<_>>()
    };
    let usual = games(Method::Negascout, Bound::Soft);
    assert_eq!(games(Method::Negascout, Bound::Hard), usual);
    assert_eq!(games(Method::AlphaBeta, Bound::Soft), usual);
    assert_eq!(games(Method::AlphaBeta, Bound::Hard), usual);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}", digits in "[0-9a-h ,.]{0,60}", name in "c4s?_[tnhwoec]{0,8}_?[0-9:-]{0,40}") {
        for text in [&text, &digits, &name] {
            let mut session = ConnectFour.session();
            if session.play_line(text).is_ok() {
                proptest::prop_assert!(session.moves().len() <= 42);
            }
            let _ = session.play(text);
            let _ = ConnectFour.genome(text);
            if let Ok(read) = PlayerName::parse(text, &ConnectFour) {
                proptest::prop_assert!(ConnectFour.check_player(&read.player).is_ok());
                proptest::prop_assert_eq!(PlayerName::parse(&read.to_string(), &ConnectFour), Ok(read));
            }
            let _ = ConnectFour.arena(&spec(&["random"], 1, Openings::Lines(vec![text.clone()])));
        }
    }
}
