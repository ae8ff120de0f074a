//! Every level of this machine against a walk over the squares.

use super::{Cpu, Level, Task};
use crate::othello::bitboard::{Bitboard, Square};
use crate::random::{Key, Stream};

/// The discs that a disc of `own` on `square` turns, found step by step.
fn walked(square: Square, own: Bitboard, other: Bitboard) -> Bitboard {
    let mut flips = Bitboard::EMPTY;
    for (right, up) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let (mut column, mut row) = (square.index() as i32 % 8 + right, square.index() as i32 / 8 + up);
        let mut run = Bitboard::EMPTY;
        while (0..8).contains(&column) && (0..8).contains(&row) {
            let here = Square::new((row * 8 + column) as u8).unwrap();
            if own.contains(here) {
                flips |= run;
            }
            if !other.contains(here) {
                break;
            }
            run |= here.bit();
            (column, row) = (column + right, row + up);
        }
    }
    flips
}

/// Discs strewn at random, as crowded as the draw says: most such boards never come up in a game.
fn strewn(stream: &mut Stream) -> (Bitboard, Bitboard) {
    let mut taken = stream.bits();
    for _ in 0..stream.below(4) {
        taken |= stream.bits();
    }
    let own = match stream.below(3) {
        0 => stream.bits(),
        1 => stream.bits() & stream.bits() & stream.bits(),
        _ => stream.bits() | stream.bits() | stream.bits(),
    };
    (Bitboard(taken & own), Bitboard(taken & !own))
}

struct Compare;

impl Task for Compare {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let mut stream = Key::new(5, 0, "strewn discs").stream(0);
        for _ in 0..5_000 {
            let (own, other) = strewn(&mut stream);
            let mut moves = Bitboard::EMPTY;
            for square in !(own | other) {
                let flips = walked(square, own, other);
                assert_eq!(cpu.flips(square, own, other), flips, "{square}: {own:?} against {other:?}");
                if !flips.is_empty() {
                    moves |= square.bit();
                }
            }
            assert_eq!(cpu.moves(own, other), moves, "{own:?} against {other:?}");
        }
    }
}

#[test]
fn every_level_agrees_with_a_walk_over_the_squares() {
    let levels = Level::available();
    assert_eq!(levels[0].name(), "baseline");
    assert_eq!(levels.last().map(|level| level.name()), Some(Level::best().name()));
    for level in levels {
        level.run(Compare);
    }
}
