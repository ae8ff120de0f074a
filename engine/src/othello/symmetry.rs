//! The eight turns and mirrors of the board.

use super::bitboard::Bitboard;
use super::position::Position;

/// A position's least image among all eight: the same for positions that a turn or mirror of the
/// board makes equal, the side to move being the same.
pub(super) fn canonical(position: Position) -> Position {
    let mut image = position;
    let mut least = position;
    for step in 0..8 {
        image = if step % 2 == 0 { on_both(image, transposed) } else { on_both(image, upside_down) };
        least = least.min(image);
    }
    least
}

fn on_both(position: Position, change: impl Fn(Bitboard) -> Bitboard) -> Position {
    Position { own: change(position.own), other: change(position.other) }
}

/// Mirrors rows: a1 becomes a8.
fn upside_down(set: Bitboard) -> Bitboard {
    Bitboard(set.0.swap_bytes())
}

/// Mirrors along the diagonal a1–h8: b1 becomes a2. Blocks of 4, 2 and 1 squares change places.
fn transposed(set: Bitboard) -> Bitboard {
    let swap = |word: u64, mask: u64, by: u32| {
        let changed = (word ^ (word >> by)) & mask;
        word ^ changed ^ (changed << by)
    };
    let word = swap(set.0, 0x0000_0000_F0F0_F0F0, 28);
    let word = swap(word, 0x0000_CCCC_0000_CCCC, 14);
    Bitboard(swap(word, 0x00AA_00AA_00AA_00AA, 7))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::bitboard::Square;
    use std::collections::BTreeSet;

    #[test]
    fn the_two_mirrors_move_squares_as_their_names_say() {
        for index in 0..64_u8 {
            let (column, row) = (index % 8, index / 8);
            let set = Square::new(index).unwrap().bit();
            assert_eq!(transposed(set), Square::new(column * 8 + row).unwrap().bit());
            assert_eq!(upside_down(set), Square::new((7 - row) * 8 + column).unwrap().bit());
        }
    }

    #[test]
    fn eight_images_have_one_least_image() {
        let position = Position { own: Bitboard(0b1011), other: Bitboard(1 << 40) };
        let mut images = BTreeSet::new();
        let mut image = position;
        for step in 0..8 {
            image = if step % 2 == 0 { on_both(image, transposed) } else { on_both(image, upside_down) };
            images.insert(image);
            assert_eq!(canonical(image), canonical(position));
        }
        assert_eq!(images.len(), 8);
        assert_eq!(images.first(), Some(&canonical(position)));
    }
}
