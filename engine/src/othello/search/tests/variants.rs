//! The variants against minimax without windows, and what they return inside and outside of one.

use super::super::{Choices, INFINITY, Searcher, finished};
use crate::chromosome::{Chromosome, Gene};
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Level, Task};
use crate::othello::evaluation::{Evaluation, Made};
use crate::othello::genome::Type;
use crate::othello::position::Position;
use crate::parameter::Domain;
use crate::random::{Key, Stream};
use crate::variant::{Bound, Search, Variant};

/// A player of a random type; half of them have few distinct weights, so that ties abound.
fn player(stream: &mut Stream) -> Evaluation {
    let name = ["oe_fmc", "oe_fdmxc", "oes_fdmxycr", "oes_dm"][stream.below(4) as usize];
    let coarse = stream.chance(0.5);
    let gene = |domain| match domain {
        Domain::Int { initial: (low, high), .. } => match stream.between(low, high) {
            value if coarse && value.abs() <= 10 => Gene::Int(value.signum()),
            value => Gene::Int(value),
        },
        Domain::Real { .. } => unreachable!("Othello's genes are whole numbers"),
    };
    let genes = Type::parse(name).unwrap().genome().parameters.iter().map(|gene| gene.domain).map(gene).collect();
    Evaluation::new(name, &Chromosome(genes)).unwrap()
}

/// A position with a move and `empty` or more empty squares, after random moves.
fn position<C: Cpu>(cpu: C, stream: &mut Stream, empty: u32) -> Choices {
    loop {
        let mut choices = Choices { position: Position::START, moves: Position::START.moves(cpu) };
        loop {
            if choices.position.empty().count() <= empty {
                return choices;
            }
            let square = choices.moves.nth(stream.below(choices.moves.count().into()) as u32).unwrap();
            let mut position = choices.position.after(square, choices.position.flips(cpu, square));
            if position.moves(cpu).is_empty() {
                position = position.passed();
            }
            choices = Choices { position, moves: position.moves(cpu) };
            if choices.moves.is_empty() {
                break;
            }
        }
    }
}

/// The value of a move for its mover.
fn plain_move<C: Cpu>(cpu: C, player: &Evaluation, position: Position, square: Square, depth: u8) -> i32 {
    let flips = position.flips(cpu, square);
    let after = position.after(square, flips);
    let replies = after.moves(cpu);
    let passes = after.passed().moves(cpu);
    if replies.is_empty() && passes.is_empty() {
        finished(after.passed())
    } else if depth == 1 {
        let number = after.number();
        let made = Made { after, flips: flips.count(), mobility: replies.count() };
        player.score(player.weights(number), number, made)
    } else if replies.is_empty() {
        plain(cpu, player, after.passed(), depth - 1).1
    } else {
        -plain(cpu, player, after, depth - 1).1
    }
}

/// The first of the best moves, and its value.
fn plain<C: Cpu>(cpu: C, player: &Evaluation, position: Position, depth: u8) -> (Square, i32) {
    let mut best = (Square::A1, -INFINITY);
    for square in position.moves(cpu) {
        let value = plain_move(cpu, player, position, square, depth);
        if value > best.1 {
            best = (square, value);
        }
    }
    best
}

struct Agree;

impl Task for Agree {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut stream = Key::new(30, 0, "search positions").stream(0);
        let mut searchers = Search::ALL.map(Searcher::new);
        for place in 0..10_000 {
            let player = player(&mut stream);
            let (empty, depth) = match place {
                0..5000 => (stream.between(1, 58), stream.between(1, 3)),
                5000..5100 => (stream.between(20, 50), stream.between(4, 5)),
                5100..8000 => (stream.between(1, 8), stream.between(2, 5)),
                // Beyond the end of the game.
                _ => (stream.between(1, 6), stream.between(5, 60)),
            };
            let choices = position(cpu, &mut stream, empty as u32);
            let depth = depth as u8;
            let expected = plain(cpu, &player, choices.position, depth);
            for (search, searcher) in Search::ALL.into_iter().zip(&mut searchers) {
                let found = searcher.at_depth(cpu, &player, choices, depth);
                let said = (found.square, found.value, found.depth);
                assert_eq!(said, (expected.0, expected.1, depth), "{search} at {choices:?}");
            }
        }
    }
}

#[test]
fn on_ten_thousand_positions_every_search_finds_the_move_and_value_of_minimax() {
    Level::best().run(Agree);
}

struct Deep;

impl Task for Deep {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut stream = Key::new(32, 0, "search positions").stream(0);
        let [mut exact, mut fast] = [super::super::DEFAULT, Search::Fast].map(Searcher::new);
        let (mut exact_nodes, mut fast_nodes) = (0, 0);
        for place in 0..2000 {
            let player = player(&mut stream);
            let (empty, depth) = match place % 20 {
                0 => (stream.between(15, 55), 7),
                1..12 => (stream.between(12, 58), stream.between(4, 5)),
                // Some below the root see the end and some do not.
                _ => (stream.between(7, 10), stream.between(6, 8)),
            };
            let choices = position(cpu, &mut stream, empty as u32);
            let expected = exact.at_depth(cpu, &player, choices, depth as u8);
            assert_eq!(fast.at_depth(cpu, &player, choices, depth as u8), expected, "depth {depth} at {choices:?}");
            (exact_nodes, fast_nodes) = (exact_nodes + exact.nodes(), fast_nodes + fast.nodes());
        }
        assert!(fast_nodes < exact_nodes, "{fast_nodes} nodes where the exact mode needs {exact_nodes}");
    }
}

#[test]
fn deep_searches_in_the_fast_mode_end_as_in_the_exact_one_with_fewer_nodes() {
    Level::best().run(Deep);
}

struct Windows;

impl Task for Windows {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut stream = Key::new(31, 0, "search positions").stream(0);
        let mut searchers = Variant::ALL.map(|variant| Searcher::new(Search::Plain(variant)));
        let mut differed = 0;
        for place in 0..10_000 {
            let player = player(&mut stream);
            let depth = if place % 50 == 0 { 4 } else { stream.between(1, 3) as u8 };
            let empty = stream.between(1, if place % 2 == 0 { 56 } else { 9 });
            let choices = position(cpu, &mut stream, empty as u32);
            let (_, exact) = plain(cpu, &player, choices.position, depth);
            let alpha = exact + stream.between(-40, 40);
            let window @ (alpha, beta) = (alpha, alpha + stream.between(1, 12));
            let values = [0, 1, 2, 3].map(|place| {
                searchers[place].at_depth(cpu, &player, choices, 1);
                searchers[place].value(cpu, &player, choices, depth, alpha, beta)
            });
            for (variant, value) in Variant::ALL.into_iter().zip(values) {
                match variant.bound {
                    Bound::Hard => assert_eq!(value, exact.clamp(alpha, beta), "{variant:?} {window:?} {choices:?}"),
                    Bound::Soft if value <= alpha => assert!(exact <= value, "{variant:?} {window:?} {choices:?}"),
                    Bound::Soft if value >= beta => assert!(exact >= value, "{variant:?} {window:?} {choices:?}"),
                    Bound::Soft => assert_eq!(value, exact, "{variant:?} {window:?} {choices:?}"),
                }
            }
            differed += usize::from(values[0] != values[1]);
        }
        assert!(differed > 0, "fail-soft never told more than fail-hard");
    }
}

#[test]
fn in_narrow_windows_fail_hard_stays_inside_and_fail_soft_returns_true_bounds() {
    Level::best().run(Windows);
}
