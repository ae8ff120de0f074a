//! The game as the rest of the system sees it.

use super::*;
use crate::{Conditions, Meeting, Openings, Outcome, PlayerName, registry};

fn player(name: &str) -> PlayerSpec {
    PlayerName::parse(name, &ConnectFour).unwrap().player
}

fn spec(players: &[&str], depth: u8, openings: Openings) -> ArenaSpec {
    let players = players.iter().map(|name| player(name)).collect();
    ArenaSpec { players, conditions: [Conditions::depth(depth); 2], openings }
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

#[test]
fn the_registry_knows_the_game() {
    let game = registry::game("connect-four").unwrap();
    assert_eq!(game.sides(), ["yellow", "red"]);
    assert!(game.genome(game.default_genome()).is_ok());
}

#[test]
fn perft_agrees_with_the_counted_numbers() {
    let counted = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, sequences) in (1..).zip(counted) {
        assert_eq!(ConnectFour.perft(depth, true), sequences, "depth {depth}");
    }
}

#[test]
fn stronger_players_beat_weaker_ones() {
    for (stronger, weaker) in
        [("greedy", "random"), ("forza4", "random"), ("forza4", "greedy"), ("c4_tc_14:29:5:1:5:1:5:1", "greedy")]
    {
        let (won, of) = points(&spec(&[stronger, weaker], 4, Openings::Plies(4)), 100);
        println!("{stronger} {won} of {of} against {weaker}");
        assert!(won > 0.6 * f64::from(of), "{stronger} has {won} of {of} points against {weaker}");
    }
    assert_eq!(Outcome::FirstWins.half_points(), 2);
}
