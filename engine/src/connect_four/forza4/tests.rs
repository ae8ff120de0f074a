use super::*;
use crate::Side;
use crate::connect_four::naive::random_positions;
use crate::connect_four::notation;
use crate::random::in_game;

fn position(line: &str) -> Position {
    notation::line(line).unwrap().1
}

/// The numbers of the columns that step 1 leaves.
fn kept(line: &str) -> Vec<u8> {
    let position = position(line);
    position.columns().filter(|column| !is_discarded(&position, *column)).map(Column::number).collect()
}

fn chosen(position: &Position, seed: u64) -> Column {
    choose(position, Limit::Depth(4), &mut in_game(seed, Side::First, 0)).0
}

fn assessment(column: u8, own_win: u8, loss: u8) -> Assessment {
    Assessment { column: Column::from_number(column).unwrap(), own_win, loss }
}

#[test]
fn step_1_discards_moves_after_which_the_opponent_wins_at_once() {
    // Red has 4, 5 and 6 of the bottom row, 7 is yellow's.
    assert_eq!(kept("147516"), [3]);
}

#[test]
fn step_1_discards_moves_that_let_an_open_three_be_made() {
    // Red has 3 and 4 of the bottom row. Only next to them is the three kept from having two ends.
    assert_eq!(kept("7374"), [2, 5]);
}

#[test]
fn a_three_with_an_end_that_cannot_be_played_yet_is_no_reason_to_discard() {
    // As before, one row higher: red's pair 3-4 stands on row 2, and of its ends 2 and 5, 1 and 6
    // no square can be reached.
    let position = position("334477");
    let red = position.own();
    assert_eq!(open_threes(red, position.playable()), 0);
    assert!(position.columns().all(|column| !is_discarded(&position, column)));
}

#[test]
fn a_move_that_wins_is_never_discarded() {
    // Yellow wins with 4; red, too, has a three there, one row higher.
    let position = position("112233");
    assert!(!is_discarded(&position, Column::from_number(4).unwrap()));
    assert!((0..20).all(|seed| chosen(&position, seed).number() == 4));
}

#[test]
fn step_3_ranks_moves_whose_own_win_is_nearer_before_all_others() {
    assert!(assessment(1, 5, 6).rank() < assessment(4, 3, 2).rank());
    assert!(assessment(1, 5, 6).rank() < assessment(4, 5, 4).rank());
    assert!(assessment(1, 5, NONE).rank() < assessment(4, NONE, NONE).rank());
}

#[test]
fn step_4_prefers_the_nearer_own_win() {
    assert!(assessment(1, 3, 4).rank() < assessment(4, 5, 8).rank());
}

#[test]
fn step_5_prefers_the_later_win_of_the_opponent() {
    assert!(assessment(1, 3, 8).rank() < assessment(4, 3, 6).rank());
}

#[test]
fn step_6_prefers_the_centre_and_leaves_the_rest_to_chance() {
    assert!(assessment(3, 3, 8).rank() < assessment(6, 3, 8).rank());
    assert_eq!(assessment(3, 3, 8).rank(), assessment(5, 3, 8).rank());
    // The middle column is full and the board is its own mirror image.
    let position = position("444444");
    let columns: Vec<_> = (0..40).map(|seed| chosen(&position, seed).number()).collect();
    assert!(columns.contains(&3) && columns.contains(&5), "{columns:?}");
    assert!(columns.iter().all(|column| [3, 5].contains(column)), "{columns:?}");
    assert_eq!(columns, (0..40).map(|seed| chosen(&position, seed).number()).collect::<Vec<_>>());
}

#[test]
fn step_7_plays_on_when_everything_loses() {
    // Red has an open three on the bottom row: no move helps.
    let lost = position("141375");
    assert!(lost.columns().all(|column| is_discarded(&lost, column)));
    assert_eq!(chosen(&lost, 0).number(), 4);
}

#[test]
fn step_7_does_not_lose_with_the_next_reply_when_it_can_help_it() {
    let mut met = 0;
    for position in random_positions(3, 20_000) {
        let all_discarded = position.columns().all(|column| is_discarded(&position, column));
        let is_safe = |column: Column| position.after(column).wins() == 0;
        if all_discarded && position.columns().any(is_safe) {
            met += 1;
            assert!(is_safe(chosen(&position, 0)), "{}", notation::board(&position));
        }
    }
    assert!(met > 20, "only {met} positions had such a choice");
}

#[test]
fn it_never_misses_a_win_at_once_or_the_block_of_one() {
    let (mut wins, mut blocks) = (0, 0);
    for (position, seed) in random_positions(4, 5000).zip(0..) {
        let after = position.after(chosen(&position, seed));
        if position.wins() != 0 {
            wins += 1;
            assert!(after.just_won(), "{}", notation::board(&position));
        } else if position.threatened().count_ones() == 1 {
            let block = position.threatened();
            // A block may open the square above it to another win, then it is all the same.
            if position.with(block).wins() == 0 {
                blocks += 1;
                assert_eq!(after, position.with(block), "{}", notation::board(&position));
            }
        }
    }
    assert!(wins > 100 && blocks > 100, "{wins} wins, {blocks} blocks");
}

/// The shortest line in which `winner` wins, looked for breadth first.
fn shortest(position: &Position, winner: Side, within: u8) -> u8 {
    let mut level = vec![*position];
    for made in 2..=within {
        let mut next = Vec::new();
        for position in &level {
            for column in position.columns() {
                let after = position.after(column);
                if after.just_won() {
                    if position.to_move() == winner {
                        return made;
                    }
                } else {
                    next.push(after);
                }
            }
        }
        next.sort_unstable_by_key(Position::key);
        next.dedup();
        level = next;
    }
    NONE
}

#[test]
fn the_searches_find_the_nearest_wins_of_both_sides() {
    for position in random_positions(5, 300) {
        let kept: Vec<_> = position.columns().collect();
        let mut search = Search { nodes: 0, budget: Budget::Endless };
        for depth in 1..=5 {
            for found in search.assess(&position, &kept, depth).unwrap() {
                let after = position.after(found.column);
                let side = position.to_move();
                let (own, loss) = if after.just_won() {
                    (1, NONE)
                } else {
                    (shortest(&after, side, depth), shortest(&after, side.other(), depth))
                };
                assert_eq!((found.own_win, found.loss), (own, loss), "{found:?}\n{}", notation::board(&position));
            }
        }
    }
}

#[test]
fn late_in_the_game_the_searches_agree_to_the_last_square() {
    let mut never = 0;
    for position in random_positions(14, 4000).filter(|position| position.plies() >= 30) {
        let side = position.to_move();
        for (waits, winner) in [(false, side), (true, side.other())] {
            let mut search = Search { nodes: 0, budget: Budget::Endless };
            let found = search.nearest(&position, 1, 13, waits).unwrap();
            assert_eq!(found, shortest(&position, winner, 13), "{winner:?}\n{}", notation::board(&position));
            never += u32::from(found == NONE);
        }
    }
    assert!(never > 0);
}

#[test]
fn the_deepest_search_ends_soon() {
    for position in random_positions(15, 300) {
        let (column, nodes, _) = choose(&position, Limit::Depth(60), &mut in_game(1, Side::First, 0));
        assert!(position.has_room(column));
        assert!(nodes < 3_000_000, "{nodes} nodes\n{}", notation::board(&position));
    }
}

#[test]
fn a_bound_on_nodes_is_kept_and_a_move_always_comes_back() {
    for nodes in [1, 10, 1000, 100_000] {
        let (_, visited, depth) = choose(&Position::START, Limit::Nodes(nodes), &mut in_game(1, Side::First, 0));
        assert!(visited <= nodes.max(14), "{visited} of {nodes}");
        assert!(depth >= 1);
    }
}
