//! Every pairing of a generation, counted.

use kembara_engine::Meeting;
use kembara_tournament::{Format, GauntletSide, Schedule, ScheduleError, ScheduleSpec};
use std::collections::{BTreeMap, BTreeSet};

fn spec(format: Format, participants: u32) -> ScheduleSpec {
    ScheduleSpec { format, participants, openings: 1, run_seed: 7, generation: 3 }
}

fn sample(opponents: u32) -> Format {
    Format::Sample { opponents }
}

fn all(spec: &ScheduleSpec) -> Vec<Meeting> {
    let schedule = Schedule::new(spec).unwrap();
    (0..schedule.pairings()).map(|k| schedule.pairing(k)).collect()
}

#[test]
fn in_a_double_round_robin_everybody_meets_everybody_once_with_each_side() {
    for participants in 2..=17 {
        let games = all(&spec(Format::DoubleRoundRobin, participants));
        let met: BTreeSet<_> = games.iter().map(|game| (game.first, game.second)).collect();
        let expected: BTreeSet<_> = (0..participants)
            .flat_map(|one| (0..participants).map(move |other| (one, other)))
            .filter(|(one, other)| one != other)
            .collect();
        assert_eq!(games.len(), expected.len(), "{participants} participants");
        assert_eq!(met, expected, "{participants} participants");
    }
}

#[test]
fn in_a_sample_everybody_meets_the_same_number_of_others_once_with_each_side() {
    for participants in 2..=16_u32 {
        for opponents in (1..participants).filter(|opponents| opponents % 2 == 0 || participants % 2 == 0) {
            let games = all(&spec(sample(opponents), participants));
            assert_eq!(games.len() as u32, participants * opponents);
            let met: BTreeSet<_> = games.iter().map(|game| (game.first, game.second)).collect();
            assert_eq!(met.len(), games.len(), "a game is there twice: {participants}, {opponents}");
            for slot in 0..participants {
                let count = |side: fn(&(u32, u32)) -> u32| met.iter().filter(|game| side(game) == slot).count() as u32;
                assert_eq!(count(|game| game.0), opponents, "{participants}, {opponents}");
                assert_eq!(count(|game| game.1), opponents, "{participants}, {opponents}");
            }
            assert!(met.iter().all(|(one, other)| one != other && met.contains(&(*other, *one))));
            assert!(opponents == 1 || connected(participants, &met), "{participants}, {opponents} falls apart");
        }
    }
}

fn connected(participants: u32, met: &BTreeSet<(u32, u32)>) -> bool {
    let mut reached = BTreeSet::from([0]);
    loop {
        let further: BTreeSet<u32> =
            met.iter().filter(|(one, _)| reached.contains(one)).map(|(_, other)| *other).collect();
        let before = reached.len();
        reached.extend(further);
        if reached.len() == before {
            return before == participants as usize;
        }
    }
}

#[test]
fn a_sample_of_all_others_is_the_double_round_robin() {
    let games = all(&spec(sample(9), 10));
    let met: BTreeSet<_> = games.iter().map(|game| (game.first, game.second)).collect();
    assert_eq!(met.len(), 90);
}

#[test]
fn both_games_of_a_meeting_share_an_opening_and_openings_are_used_up_before_any_comes_again() {
    for (format, openings) in [(Format::DoubleRoundRobin, 7), (sample(6), 13), (Format::DoubleRoundRobin, 1000)] {
        let games = all(&ScheduleSpec { openings, ..spec(format, 20) });
        let mut by_meeting: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for game in &games {
            assert!(game.opening < openings);
            let meeting = (game.first.min(game.second), game.first.max(game.second));
            by_meeting.entry(meeting).or_default().push(game.opening);
        }
        let mut uses = vec![0_usize; openings as usize];
        for dealt in by_meeting.values() {
            assert_eq!(dealt.len(), 2);
            assert_eq!(dealt[0], dealt[1]);
            uses[dealt[0] as usize] += 1;
        }
        let fewest = by_meeting.len() / openings as usize;
        assert!(uses.iter().all(|uses| (fewest..=fewest + 1).contains(uses)), "{uses:?}");
    }
}

#[test]
fn the_order_is_shuffled_so_nobody_plays_in_a_clump() {
    let games = all(&spec(Format::DoubleRoundRobin, 100));
    let busy: BTreeSet<u32> = games[..300].iter().flat_map(|game| [game.first, game.second]).collect();
    assert!(busy.len() > 95, "only {} of 100 play among the first 300 games", busy.len());
    let seconds = games.windows(2).filter(|pair| pair[0].first == pair[1].first).count();
    assert!(seconds < 200, "{seconds} of 9899 games follow one with the same first player");
}

#[test]
fn seed_and_generation_change_order_openings_seats_and_game_seeds() {
    let base = ScheduleSpec { openings: 60, ..spec(sample(4), 40) };
    let (here, other_seed, next) =
        (all(&base), all(&ScheduleSpec { run_seed: 8, ..base }), all(&ScheduleSpec { generation: 4, ..base }));
    let seeds: BTreeSet<u64> = here.iter().chain(&other_seed).chain(&next).map(|game| game.seed).collect();
    assert_eq!(seeds.len(), 3 * here.len());
    for other in [other_seed, next] {
        let met = |games: &[Meeting]| games.iter().map(|game| (game.first, game.second)).collect::<BTreeSet<_>>();
        assert_ne!(met(&here), met(&other));
    }
    assert_eq!(here, all(&base));
}

#[test]
fn the_players_of_a_pairing_can_be_had_alone() {
    let schedule = Schedule::new(&spec(sample(3), 12)).unwrap();
    for k in 0..schedule.pairings() {
        let meeting = schedule.pairing(k);
        assert_eq!(schedule.players(k), (meeting.first, meeting.second));
    }
}

#[test]
fn a_hundred_thousand_participants_and_more_are_no_strain() {
    let schedule = Schedule::new(&spec(Format::DoubleRoundRobin, 100_000)).unwrap();
    assert_eq!(schedule.pairings(), 9_999_900_000);
    for k in [0, 1, 4_999_950_000, 9_999_899_999] {
        let (first, second) = schedule.players(k);
        assert!(first != second && first < 100_000 && second < 100_000);
    }
    let schedule = Schedule::new(&ScheduleSpec { openings: 67_245, ..spec(sample(1000), 100_000) }).unwrap();
    assert_eq!(schedule.pairings(), 100_000_000);
    assert!(schedule.pairing(99_999_999).opening < 67_245);
    let schedule = Schedule::new(&spec(Format::DoubleRoundRobin, u32::MAX)).unwrap();
    let (first, second) = schedule.players(schedule.pairings() - 1);
    assert_ne!(first, second);
}

#[test]
fn what_cannot_be_played_is_refused_with_the_numbers() {
    let refused = |format, participants, openings| {
        Schedule::new(&ScheduleSpec { openings, ..spec(format, participants) }).unwrap_err()
    };
    for participants in [0, 1] {
        let error = refused(Format::DoubleRoundRobin, participants, 1);
        assert_eq!(error, ScheduleError::Participants { given: participants });
    }
    assert_eq!(refused(sample(0), 10, 1), ScheduleError::Opponents { given: 0, highest: 9 });
    assert_eq!(refused(sample(10), 10, 1), ScheduleError::Opponents { given: 10, highest: 9 });
    assert_eq!(refused(sample(3), 9, 1), ScheduleError::Odd { opponents: 3, participants: 9 });
    assert_eq!(refused(Format::DoubleRoundRobin, 10, 0), ScheduleError::Openings);
    assert_eq!(refused(sample(10), 10, 1).to_string(), "every participant can meet 1 to 9 others, not 10");
}

#[test]
fn pairings_are_pinned() {
    let schedule = Schedule::new(&ScheduleSpec { openings: 60, ..spec(Format::DoubleRoundRobin, 352) }).unwrap();
    let shown = |k| {
        let game = schedule.pairing(k);
        (game.first, game.second, game.opening, game.seed)
    };
    assert_eq!([shown(0), shown(1), shown(123_551)], ROUND_ROBIN);
    let schedule = Schedule::new(&ScheduleSpec { openings: 60, ..spec(sample(7), 352) }).unwrap();
    let shown = |k| {
        let game = schedule.pairing(k);
        (game.first, game.second, game.opening, game.seed)
    };
    assert_eq!([shown(0), shown(1), shown(2463)], SAMPLE);
}

const ROUND_ROBIN: [(u32, u32, u32, u64); 3] = [
    (50, 340, 12, 6_762_293_155_921_991_132),
    (280, 250, 54, 10_764_133_778_251_403_710),
    (156, 91, 51, 3_106_726_424_379_329_126),
];
const SAMPLE: [(u32, u32, u32, u64); 3] = [
    (78, 147, 54, 6_762_293_155_921_991_132),
    (21, 296, 34, 10_764_133_778_251_403_710),
    (179, 99, 15, 4_850_979_984_092_682_787),
];

#[test]
fn in_a_gauntlet_everybody_meets_every_given_opponent_from_the_same_openings() {
    for (side, games_each) in [(GauntletSide::First, 1), (GauntletSide::Second, 1), (GauntletSide::Both, 2)] {
        let format = Format::Gauntlet { opponents: 3, rounds: 4, side };
        let games = all(&ScheduleSpec { openings: 50, ..spec(format, 7) });
        assert_eq!(games.len() as u32, 7 * 3 * 4 * games_each);
        let mut openings: BTreeMap<(u32, u32), BTreeSet<u32>> = BTreeMap::new();
        for game in &games {
            let moves_first = game.first < 7;
            let (own, other) = if moves_first { (game.first, game.second) } else { (game.second, game.first) };
            assert!(own < 7 && (7..10).contains(&other), "{game:?}");
            assert!(side == GauntletSide::Both || moves_first == (side == GauntletSide::First), "{game:?}");
            openings.entry((own, other)).or_default().insert(game.opening);
        }
        assert_eq!(openings.len(), 21);
        let distinct: BTreeSet<_> = openings.values().collect();
        assert_eq!(distinct.len(), 1, "everybody has the same task");
        assert!(distinct.iter().all(|openings| openings.len() == 4));
        let seeds: BTreeSet<_> = games.iter().map(|game| game.seed).collect();
        assert_eq!(seeds.len(), games.len());
    }
}

#[test]
fn a_gauntlet_needs_opponents_and_rounds() {
    let side = GauntletSide::Both;
    for (opponents, rounds) in [(0, 1), (1, 0), (u32::MAX, 1)] {
        let format = Format::Gauntlet { opponents, rounds, side };
        assert_eq!(format.check(5), Err(ScheduleError::Gauntlet { opponents, rounds }));
    }
    assert!(Format::Gauntlet { opponents: 1, rounds: 1, side }.check(2).is_ok());
    assert_eq!(Format::Gauntlet { opponents: u32::MAX, rounds: u32::MAX, side }.games(u32::MAX), u64::MAX);
}
