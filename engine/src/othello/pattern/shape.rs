//! Where patterns lie on the board, and the number that the discs of one make.
//!
//! A configuration is a number in base 3: square `i` of the shape counts 3^i, times 0 when empty, 1
//! when own, 2 when the other side's. An edge is its eight squares in order and then the two
//! x-squares beside them: a1 b1 c1 d1 e1 f1 g1 h1 b2 g2. A corner is three rows of three: a1 b1 c1
//! a2 b2 c2 a3 b3 c3. The other three of each are turns and mirrors of these.

use crate::othello::bitboard::Bitboard;

/// A kind of pattern; each lies on the board four times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Eight squares of an edge and the two x-squares beside it.
    Edge,
    /// Three by three squares in a corner.
    Corner,
}

impl Shape {
    /// Both, in the order in which tables hold them.
    pub const ALL: [Self; 2] = [Self::Edge, Self::Corner];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Corner => "corner",
        }
    }

    /// How many ways there are to fill it: 3 to the power of its squares.
    #[must_use]
    pub const fn configurations(self) -> usize {
        match self {
            Self::Edge => 59_049,
            Self::Corner => 19_683,
        }
    }

    /// Where each square goes when the shape is mirrored onto itself.
    const fn mirrored(self) -> &'static [usize] {
        match self {
            Self::Edge => &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8],
            Self::Corner => &[0, 3, 6, 1, 4, 7, 2, 5, 8],
        }
    }

    /// The configuration seen in a mirror.
    pub(super) fn mirror(self, configuration: usize) -> usize {
        let mut left = configuration;
        let mut image = 0;
        for &place in self.mirrored() {
            image += left % 3 * POWERS[place];
            left /= 3;
        }
        image
    }

    /// The configuration with the colours of all discs changed.
    pub(super) fn swapped(self, configuration: usize) -> usize {
        let mut left = configuration;
        let mut image = 0;
        for power in &POWERS[..self.mirrored().len()] {
            image += (3 - left % 3) % 3 * power;
            left /= 3;
        }
        image
    }

    /// The configuration that stands for this one and its images in tables, and how their values
    /// relate: 1 when equal, -1 when opposite, 0 when both, so that the value can only be 0.
    pub(super) fn pooled(self, configuration: usize) -> (usize, i64) {
        let same = configuration.min(self.mirror(configuration));
        let swapped = self.swapped(configuration);
        let opposite = swapped.min(self.mirror(swapped));
        match same.cmp(&opposite) {
            std::cmp::Ordering::Less => (same, 1),
            std::cmp::Ordering::Equal => (same, 0),
            std::cmp::Ordering::Greater => (opposite, -1),
        }
    }
}

const POWERS: [usize; 10] = [1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19_683];

/// The four configurations of each shape on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Configurations {
    /// Of the edges: row 1, row 8, file a, file h.
    pub(super) edges: [usize; 4],
    /// Of the corners: a1, h1, a8, h8.
    pub(super) corners: [usize; 4],
}

impl Configurations {
    /// Reads them off a board.
    #[inline(always)]
    pub(super) fn of(own: Bitboard, other: Bitboard) -> Self {
        let (own, other) = (Taken::new(own), Taken::new(other));
        let edge = |place: usize| EDGES[own.edges[place]] + 2 * EDGES[other.edges[place]];
        let corner = |place: usize| {
            let digits = &CORNERS[place % 2];
            digits[own.corners[place]] + 2 * digits[other.corners[place]]
        };
        Self {
            edges: [edge(0), edge(1), edge(2), edge(3)].map(|index| index as usize),
            corners: [corner(0), corner(1), corner(2), corner(3)].map(|index| index as usize),
        }
    }

    /// All eight, each with its shape.
    pub(super) fn all(self) -> [(Shape, usize); 8] {
        let [a, b, c, d] = self.edges.map(|index| (Shape::Edge, index));
        let [e, f, g, h] = self.corners.map(|index| (Shape::Corner, index));
        [a, b, c, d, e, f, g, h]
    }
}

/// One side's squares in every pattern, a bit each.
struct Taken {
    edges: [usize; 4],
    corners: [usize; 4],
}

impl Taken {
    #[inline(always)]
    fn new(set: Bitboard) -> Self {
        let up = set.0;
        let down = up.swap_bytes();
        let bit = |word: u64, from: u32, to: u32| (word >> from & 1) << to;
        let row = |word: u64| word & 0xFF | bit(word, 9, 8) | bit(word, 14, 9);
        // The product moves the squares of a file side by side into the highest byte.
        let file = |word: u64| (word & Bitboard::FILE_A.0).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        let three = |word: u64, by: u32| word >> by & 7 | (word >> (by + 8) & 7) << 3 | (word >> (by + 16) & 7) << 6;
        Self {
            edges: [
                row(up),
                row(down),
                file(up) | bit(up, 9, 8) | bit(up, 49, 9),
                file(up >> 7) | bit(up, 14, 8) | bit(up, 54, 9),
            ]
            .map(|bits| (bits & 1023) as usize),
            corners: [three(up, 0), three(up, 5), three(down, 0), three(down, 5)].map(|bits| (bits & 511) as usize),
        }
    }
}

/// What each set of an edge's squares counts in base 3.
static EDGES: [u32; 1024] = counted([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
/// As [`EDGES`] for corners: on the a file's side, and on the h file's, where rows run backwards.
static CORNERS: [[u32; 512]; 2] = [counted([0, 1, 2, 3, 4, 5, 6, 7, 8]), counted([2, 1, 0, 5, 4, 3, 8, 7, 6])];

/// For every set of bits the sum of 3 to the power of each bit's place.
const fn counted<const BITS: usize, const SETS: usize>(places: [usize; BITS]) -> [u32; SETS] {
    let mut sums = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let mut bit = 0;
        while bit < BITS {
            if set >> bit & 1 == 1 {
                sums[set] += POWERS[places[bit]] as u32;
            }
            bit += 1;
        }
        set += 1;
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::bitboard::Square;
    use crate::random::Key;

    const EDGE_SQUARES: [&str; 4] = [
        "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
        "a8 b8 c8 d8 e8 f8 g8 h8 b7 g7",
        "a1 a2 a3 a4 a5 a6 a7 a8 b2 b7",
        "h1 h2 h3 h4 h5 h6 h7 h8 g2 g7",
    ];
    const CORNER_SQUARES: [&str; 4] = [
        "a1 b1 c1 a2 b2 c2 a3 b3 c3",
        "h1 g1 f1 h2 g2 f2 h3 g3 f3",
        "a8 b8 c8 a7 b7 c7 a6 b6 c6",
        "h8 g8 f8 h7 g7 f7 h6 g6 f6",
    ];

    fn counted_by_hand(squares: &str, own: Bitboard, other: Bitboard) -> usize {
        squares.split(' ').rev().fold(0, |sum, name| {
            let square: Square = name.parse().unwrap();
            sum * 3 + usize::from(own.contains(square)) + 2 * usize::from(other.contains(square))
        })
    }

    fn boards() -> impl Iterator<Item = (Bitboard, Bitboard)> {
        let key = Key::new(11, 0, "boards for patterns");
        (0..2_000).map(move |place| {
            let mut stream = key.stream(place);
            let (mut own, mut other) = (Bitboard::EMPTY, Bitboard::EMPTY);
            for index in 0..64 {
                let bit = Square::new(index).unwrap().bit();
                match stream.below(3) {
                    1 => own |= bit,
                    2 => other |= bit,
                    _ => {}
                }
            }
            (own, other)
        })
    }

    #[test]
    fn every_pattern_is_read_square_by_square_in_its_order() {
        for (own, other) in boards() {
            let read = Configurations::of(own, other);
            assert_eq!(read.edges, EDGE_SQUARES.map(|squares| counted_by_hand(squares, own, other)));
            assert_eq!(read.corners, CORNER_SQUARES.map(|squares| counted_by_hand(squares, own, other)));
        }
    }

    #[test]
    fn turning_and_mirroring_the_board_permutes_the_patterns() {
        let turned = |set: Bitboard| {
            set.into_iter().fold(Bitboard::EMPTY, |image, square| {
                let (column, row) = (square.index() % 8, square.index() / 8);
                image | Square::new((column * 8 + 7 - row) as u8).unwrap().bit()
            })
        };
        let upside_down = |set: Bitboard| Bitboard(set.0.swap_bytes());
        let pooled = |own, other| {
            let mut all =
                Configurations::of(own, other).all().map(|(shape, index)| (shape.name(), shape.pooled(index)));
            all.sort_unstable();
            all
        };
        for (own, other) in boards() {
            assert_eq!(pooled(own, other), pooled(turned(own), turned(other)));
            assert_eq!(pooled(own, other), pooled(upside_down(own), upside_down(other)));
            let swapped = pooled(other, own);
            for (shape, (index, sign)) in pooled(own, other) {
                assert!(swapped.contains(&(shape, (index, -sign))));
            }
        }
    }

    #[test]
    fn mirrors_and_swaps_undo_themselves_and_meet_in_one_configuration() {
        for shape in Shape::ALL {
            let mut standing = 0;
            for index in 0..shape.configurations() {
                let (mirror, swapped) = (shape.mirror(index), shape.swapped(index));
                assert_eq!((shape.mirror(mirror), shape.swapped(swapped)), (index, index));
                assert_eq!(shape.mirror(swapped), shape.swapped(mirror));
                let (pooled, sign) = shape.pooled(index);
                assert_eq!(shape.pooled(mirror), (pooled, sign));
                assert_eq!(shape.pooled(swapped), (pooled, -sign));
                standing += usize::from(pooled == index && sign != 0);
            }
            // Counted with Burnside's lemma: mirror classes, less those a colour change maps onto
            // themselves (of 243 edges and 27 corners, each with its mirror image), halved.
            let expected = match shape {
                Shape::Edge => ((59_049 + 243) / 2 - 122) / 2,
                Shape::Corner => ((19_683 + 729) / 2 - 14) / 2,
            };
            assert_eq!(standing, expected, "{shape:?}");
        }
    }
}
