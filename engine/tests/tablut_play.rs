//! Tablut as the rest of the system sees it: players, sessions, arenas, and what comes from outside.

use kembara_engine::arena::ArenaError;
use kembara_engine::player::PlayerError;
use kembara_engine::tablut::{BoardError, Cell, Position, Turn};
use kembara_engine::{
    Arena, ArenaSpec, Conditions, Game, Limit, Meeting, Openings, Outcome, PlayerName, PlayerSpec, Side, registry,
};
use proptest::prelude::*;

fn tablut() -> &'static dyn Game {
    registry::game("tablut").unwrap()
}

fn player(name: &str) -> PlayerSpec {
    PlayerName::parse(name, tablut()).unwrap().player
}

fn spec(players: &[&str], depth: u8, openings: Openings) -> ArenaSpec {
    let players = players.iter().map(|name| player(name)).collect();
    ArenaSpec { players, conditions: [Conditions::depth(depth); 2], openings, max_plies: None }
}

/// Points of the player at place 0 against the one at place 1, both colours from each opening.
fn points(arena: &dyn Arena, openings: u32) -> (f64, f64) {
    let mut table = arena.table();
    let mut half_points = 0;
    for opening in 0..openings {
        let mut play = |first: u32| {
            let meeting = Meeting { first, second: 1 - first, opening: opening * 7, seed: opening.into() };
            table.play(&meeting).outcome.half_points()
        };
        half_points += u32::from(play(0)) + 2 - u32::from(play(1));
    }
    (f64::from(half_points) / 2.0, f64::from(2 * openings))
}

#[test]
fn the_registry_knows_the_game_its_players_and_its_genome() {
    assert_eq!(tablut().sides(), ["white", "black"]);
    assert!(tablut().genome(tablut().default_genome()).is_ok());
    for name in tablut().named_players() {
        assert!(tablut().check_player(&player(name)).is_ok());
    }
    let name = "tablut_12_0.5:1.25:-3.0:0.1:1e300";
    assert_eq!(PlayerName::parse(name, tablut()).unwrap().to_string(), name);
}

#[test]
fn what_is_no_player_is_refused_with_the_reason() {
    for name in ["", "best", "tablut", "tablut_", "tablut_1:2:3:4", "tablut_1:2:3:4:5:6", "tablut_1:2:3:4:x"] {
        assert!(PlayerName::parse(name, tablut()).is_err(), "{name}");
    }
    for name in ["tablut_1:2:3:4:NaN", "tablut_1:2:3:4:inf", "tablut_1:2:3:4:1e999"] {
        assert!(PlayerName::parse(name, tablut()).is_err(), "{name}");
    }
    let other = PlayerName::parse("oe_fmc_14:49:3:2:2:3:3:9:1:10:3", registry::game("othello").unwrap()).unwrap();
    assert!(matches!(tablut().check_player(&other.player), Err(PlayerError::UnknownGenome { .. })));
    let refused = tablut().check_player(&PlayerSpec::Named("perfect".to_owned())).unwrap_err();
    assert!(refused.to_string().contains("random, greedy, classic and the genome tablut"), "{refused}");
}

#[test]
fn stronger_players_beat_weaker_ones() {
    for (stronger, weaker) in [("greedy", "random"), ("classic", "random"), ("classic", "greedy")] {
        let arena = tablut().arena(&spec(&[stronger, weaker], 2, Openings::Plies(2))).unwrap();
        let (won, of) = points(&*arena, 40);
        println!("{stronger} {won} of {of} against {weaker}");
        assert!(won > 0.6 * of, "{stronger} has {won} of {of} points against {weaker}");
    }
}

#[test]
fn what_an_arena_records_replays_in_a_session_to_the_same_result() {
    let names = ["random", "greedy", "classic", "tablut_0.4:1.9:8.0:0.3:2.0"];
    let mut conditions = [Conditions::depth(1), Conditions { limit: Limit::Nodes(300), epsilon: 0.1 }];
    for openings in [Openings::Start, Openings::Plies(3), Openings::Lines(vec!["e3-b3 a4-a2".to_owned()])] {
        conditions.reverse();
        let arena = tablut().arena(&ArenaSpec { conditions, ..spec(&names, 1, openings) }).unwrap();
        let mut table = arena.table();
        for game in 0..32 {
            let opening = game * 977 % arena.openings();
            let meeting = Meeting { first: game % 4, second: game / 4 % 4, opening, seed: game.into() };
            let (moves, result) = table.record(&meeting);
            assert_eq!(table.play(&meeting), result);
            let mut session = tablut().session();
            for action in &moves {
                assert!(session.legal().contains(action));
                session.play(action).unwrap();
            }
            assert_eq!(session.result(), Some(result));
            assert_eq!((result.margin, usize::from(result.plies)), (0, moves.len()));
            let mut again = tablut().session();
            again.play_line(&session.transcript()).unwrap();
            assert_eq!(again.moves(), session.moves());
        }
    }
}

#[test]
fn an_arena_can_break_games_off_in_every_game() {
    for (game, most) in [("tablut", 6), ("connect-four", 6), ("othello", 9)] {
        let game = registry::game(game).unwrap();
        let arena = |max_plies| {
            let players = vec![PlayerSpec::Named("random".to_owned())];
            let openings = Openings::Plies(2);
            game.arena(&ArenaSpec { players, conditions: [Conditions::depth(1); 2], openings, max_plies }).unwrap()
        };
        let (free, capped) = (arena(None), arena(Some(most)));
        for seed in 0..50 {
            let meeting = Meeting { first: 0, second: 0, opening: 1, seed };
            let (moves, result) = capped.table().record(&meeting);
            let whole = free.table().record(&meeting);
            assert!(whole.1.plies > most, "{} is longer", game.name());
            assert_eq!((result.outcome, result.margin, result.plies), (Outcome::Draw, 0, most));
            assert_eq!(moves, whole.0[..moves.len()]);
        }
        let short = arena(Some(1000));
        let meeting = Meeting { first: 0, second: 0, opening: 0, seed: 3 };
        assert_eq!(short.table().play(&meeting), free.table().play(&meeting), "a cap beyond the end changes nothing");
    }
}

#[test]
fn a_session_plays_shows_and_takes_back() {
    let mut session = tablut().session();
    assert_eq!((session.to_move(), session.result(), session.legal().len()), (Some(Side::First), None, 56));
    assert!(session.legal().is_sorted());
    session.play("E3E2").unwrap_err();
    session.play("From e3 to a3").unwrap();
    session.play("a4b4").unwrap();
    session.play(" e4 - a4 ").unwrap_err();
    assert_eq!(session.moves(), ["e3-a3", "a4-b4"]);
    assert_eq!(session.transcript(), "1. e3-a3 a4-b4");
    assert_eq!(
        session.board(),
        "  a b c d e f g h i\n\
         1 . . . B B B . . .\n\
         2 . . . . B . . . .\n\
         3 W . . . . . . . .\n\
         4 . B . . W . . . B\n\
         5 B B W W K W W B B\n\
         6 B . . . W . . . B\n\
         7 . . . . W . . . .\n\
         8 . . . . B . . . .\n\
         9 . . . B B B . . .\n"
    );
    assert!(session.undo() && session.undo() && !session.undo());
    assert_eq!(session.legal().len(), 56);
    assert_eq!(session.score(), None);
}

#[test]
fn a_move_that_cannot_be_played_is_refused_and_changes_nothing() {
    let mut session = tablut().session();
    for (given, reason) in [
        ("", "a move is two squares"),
        ("e4", "stands alone"),
        ("e4-f4 a4-b4", "a move is two squares"),
        ("e4-e4", "the piece on e4 cannot go to e4; legal moves: e4-b4 e4-c4 e4-d4 e4-f4 e4-g4 e4-h4"),
        ("e5-e6", "no piece of the side to move can leave e5"),
        ("a4-b4", "no piece of the side to move can leave a4"),
        ("c1-c2", "no piece of the side to move can leave c1"),
        ("e4-j4", "`j4` is not a move"),
        ("e4-f44", "not a move"),
        ("e4é4", "not a move"),
        ("\u{0}\u{1b}[2J", "not a move"),
        ("1. ", "a move is two squares"),
        ("from null to null", "not a move"),
    ] {
        let refused = session.play(given).unwrap_err();
        assert!(refused.reason.contains(reason), "{given:?}: {refused}");
        assert_eq!((refused.ply, session.moves().len()), (1, 0));
    }
    assert!(session.play_line(&"e3-a3 ".repeat(10_000)).unwrap_err().reason.contains("at most"));
    let refused = session.play_line("1. e3-a3 a4-b4 2. a3-a3").unwrap_err();
    assert_eq!((refused.ply, session.moves().len()), (3, 2));
}

#[test]
fn a_session_chooses_and_explains_legal_moves_within_any_limit() {
    let mut session = tablut().session();
    let classic = player("classic");
    for limit in [Limit::Depth(2), Limit::Nodes(1), Limit::Nodes(5000), Limit::Time(std::time::Duration::ZERO)] {
        let choice = session.choose(&classic, &Conditions { limit, epsilon: 0.0 }, 1).unwrap();
        session.play(&choice.action).unwrap();
        let scores = session.evaluate(&classic).unwrap();
        assert_eq!(scores.iter().map(|score| score.action.clone()).collect::<Vec<_>>(), session.legal());
        for score in scores.iter().filter(|score| score.score.abs() < 1e6) {
            let sum: f64 = score.features.iter().map(|(_, value, weight)| value * weight).sum();
            assert!((sum - score.score).abs() < 1e-9);
        }
        let best = session.choose(&classic, &Conditions::depth(1), 1).unwrap();
        let most = scores.iter().map(|score| score.score).fold(f64::MIN, f64::max);
        assert_eq!(best.value, Some(most), "one ply deep the search and the explanation agree");
    }
    assert!(matches!(session.evaluate(&player("greedy")), Err(PlayerError::NoEvaluation(_))));
}

#[test]
fn conditions_out_of_range_are_refused() {
    for (limit, epsilon) in [
        (Limit::Depth(0), 0.0),
        (Limit::Depth(61), 0.0),
        (Limit::Nodes(0), 0.0),
        (Limit::Depth(1), -0.1),
        (Limit::Depth(1), 1.1),
        (Limit::Depth(1), f64::NAN),
    ] {
        let conditions = Conditions { limit, epsilon };
        let spec = ArenaSpec { conditions: [Conditions::depth(1), conditions], ..spec(&[], 1, Openings::Start) };
        let Err(ArenaError::Limit(reason)) = tablut().arena(&spec) else { panic!("{conditions:?}") };
        assert!(reason.starts_with("second player: "), "{reason}");
        assert!(tablut().session().choose(&player("random"), &conditions, 0).is_err());
    }
}

/// The start position's cells, to be spoilt.
fn start() -> Vec<Vec<Cell>> {
    Position::START.to_cells().iter().map(|row| row.to_vec()).collect()
}

#[test]
fn boards_that_no_game_has_are_refused() {
    assert_eq!(Position::from_cells(&start(), Side::First), Ok(Position::START));
    let spoilt = |spoil: &dyn Fn(&mut Vec<Vec<Cell>>)| {
        let mut cells = start();
        spoil(&mut cells);
        Position::from_cells(&cells, Side::First).unwrap_err()
    };
    assert!(matches!(spoilt(&|cells| cells.clear()), BoardError::Size(_)));
    assert!(matches!(spoilt(&|cells| cells.push(vec![Cell::Empty; 9])), BoardError::Size(_)));
    assert!(matches!(spoilt(&|cells| cells[8].truncate(8)), BoardError::Size(_)));
    assert!(matches!(spoilt(&|cells| cells[0].resize(1000, Cell::Empty)), BoardError::Size(_)));
    assert_eq!(spoilt(&|cells| cells[4][4] = Cell::Throne).to_string(), "0 pieces are KING, but there are exactly 1");
    assert!(matches!(spoilt(&|cells| cells[0][0] = Cell::King), BoardError::Count { given: 2, .. }));
    assert!(matches!(spoilt(&|cells| cells[0][0] = Cell::White), BoardError::Count { given: 9, .. }));
    assert!(matches!(spoilt(&|cells| cells[0][0] = Cell::Black), BoardError::Count { given: 17, .. }));
    for (row, column, cell) in
        [(4, 4, Cell::White), (4, 4, Cell::Black), (0, 3, Cell::White), (4, 0, Cell::King), (0, 0, Cell::Throne)]
    {
        let refused = spoilt(&|cells| cells[row][column] = cell);
        assert!(matches!(refused, BoardError::Place { .. }), "{refused}");
    }
}

#[test]
fn the_referees_words_read_back() {
    for cell in [Cell::Empty, Cell::White, Cell::Black, Cell::King, Cell::Throne] {
        assert_eq!((Cell::from_word(cell.word()), Cell::from_letter(cell.letter())), (Some(cell), Some(cell)));
    }
    for turn in [Turn::White, Turn::Black, Turn::WhiteWins, Turn::BlackWins, Turn::Draw] {
        assert_eq!((Turn::from_word(turn.word()), Turn::from_letters(turn.letters())), (Some(turn), Some(turn)));
    }
    assert_eq!((Cell::from_word("KNIGHT"), Turn::from_word(""), Cell::from_letter('w')), (None, None, None));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}", moves in "[a-j0-9 ,.-]{0,60}", genes in "tablut_[0-9.:e-]{0,40}") {
        for text in [&text, &moves, &genes] {
            let mut session = tablut().session();
            let _ = session.play_line(text);
            let played = session.moves().len();
            prop_assert!(session.play(text).is_err() || session.moves().len() == played + 1);
            let _ = kembara_engine::tablut::log::read(text);
            if let Ok(read) = PlayerName::parse(text, tablut()) {
                prop_assert!(tablut().check_player(&read.player).is_ok());
                prop_assert_eq!(PlayerName::parse(&read.to_string(), tablut()), Ok(read));
            }
            let _ = tablut().arena(&spec(&["random"], 1, Openings::Lines(vec![text.clone()])));
        }
    }

    #[test]
    fn any_board_is_refused_or_playable(cells in proptest::collection::vec(0_usize..12, 81), black: bool) {
        let kinds = [Cell::White, Cell::Black, Cell::King, Cell::Throne];
        let mut cells: Vec<_> = cells.iter().map(|kind| *kinds.get(*kind).unwrap_or(&Cell::Empty)).collect();
        // Mostly one king, or hardly any board would be let in.
        let mut kings = 0;
        for cell in &mut cells {
            kings += usize::from(*cell == Cell::King);
            if *cell == Cell::Throne || (*cell == Cell::King && kings > 1) {
                *cell = Cell::Empty;
            }
        }
        let rows: Vec<_> = cells.chunks(9).collect();
        let side = if black { Side::Second } else { Side::First };
        if let Ok(position) = Position::from_cells(&rows, side) {
            prop_assert_eq!(Position::from_cells(&position.to_cells(), side), Ok(position));
            prop_assert_eq!(position.moves().count(), position.count_moves() as usize);
            prop_assert_eq!(position.can_move(), position.count_moves() > 0);
            for action in position.moves() {
                prop_assert!(position.allows(action));
                prop_assert_eq!(position.move_to(&position.after(action)), Some(action));
            }
        }
    }
}
