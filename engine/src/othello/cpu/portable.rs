//! Plain 64-bit arithmetic, for every machine. It is also the rule book: the other levels are
//! tested against it, and it is tested against a walk over the squares.

use super::{Cpu, RAYS, Task};
use crate::othello::bitboard::{Bitboard, Square};

/// Instructions that every machine has.
#[derive(Clone, Copy, Debug)]
pub(in crate::othello) struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn moves(self, own: Bitboard, other: Bitboard) -> Bitboard {
        let (own, other) = (own.0, other.0);
        // Runs that leave the board sideways would come back on the far side; no disc on the a or
        // h file can be turned along a row or a diagonal.
        let inner = other & 0x7E7E_7E7E_7E7E_7E7E;
        let found = along(own, inner, 1) | along(own, inner, 7) | along(own, inner, 9) | along(own, other, 8);
        Bitboard(found & !(own | other))
    }

    #[inline(always)]
    fn flips(self, square: Square, own: Bitboard, other: Bitboard) -> Bitboard {
        let (own, other) = (own.0, other.0);
        let rays = &RAYS[square.index()].0;
        let mut flips = 0;
        for &ray in &rays[..4] {
            // Adding one to a word that is full outside the ray carries to the nearest square of
            // the ray without an opposing disc.
            let end = (other | !ray).wrapping_add(1) & own & ray;
            flips |= end.wrapping_sub(u64::from(end != 0)) & ray;
        }
        for &ray in &rays[4..] {
            let stops = ray & !other;
            let end = (1 << 63 >> (stops | 1).leading_zeros()) & own & ray;
            flips |= (end << 1).wrapping_neg() & ray;
        }
        Bitboard(flips)
    }

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // A function of its own, as on the other levels: recursion passes through here.
        #[inline(never)]
        fn entered<T: Task>(task: T) -> T::Output {
            task.run(Portable)
        }
        entered(task)
    }
}

/// The squares behind runs of `other` that start next to `own`, one step of `by` bits a square,
/// both ways. A run has at most six discs.
#[inline(always)]
fn along(own: u64, other: u64, by: u32) -> u64 {
    let mut up = other & (own << by);
    let mut down = other & (own >> by);
    up |= other & (up << by);
    down |= other & (down >> by);
    // Two discs in a row are stepped over at once.
    let pairs_up = other & (other << by);
    let pairs_down = pairs_up >> by;
    up |= pairs_up & (up << (2 * by));
    down |= pairs_down & (down >> (2 * by));
    up |= pairs_up & (up << (2 * by));
    down |= pairs_down & (down >> (2 * by));
    (up << by) | (down >> by)
}
