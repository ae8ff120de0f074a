//! The 81 squares, the lines between them and the ground they stand on.
//!
//! A set of squares is a `u128`. Squares are numbered column by column, a1 a2 … a9 b1 … i9, so the
//! order of the bits is the order of the squares' names and, for moves, that of the referee's
//! sorted lists.

use std::fmt;

/// A side of the board, in squares.
pub(super) const SIZE: u8 = 9;

/// The number of squares.
pub(super) const SQUARES: usize = 81;

/// A square: a1 to i9, row 1 being the first row of a written board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in a column and row, both from 0.
    #[must_use]
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < SIZE && row < SIZE { Some(Self(column * SIZE + row)) } else { None }
    }

    /// Its column, 0 for a.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 / SIZE
    }

    /// Its row, 0 for row 1.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 % SIZE
    }

    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn bit(self) -> u128 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

/// The squares of a set, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squares(pub(super) u128);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = (self.0 != 0).then(|| Square(self.0.trailing_zeros() as u8));
        self.0 &= self.0.wrapping_sub(1);
        square
    }
}

/// The middle square.
pub(super) const THRONE: Square = Square(40);

/// A set given by the names of its squares, two letters each.
pub(super) const fn set(names: &str) -> u128 {
    let names = names.as_bytes();
    let (mut squares, mut place) = (0, 0);
    while place < names.len() {
        squares |= 1 << ((names[place] - b'a') * SIZE + names[place + 1] - b'1');
        place += 2;
    }
    squares
}

/// The camps, where the black pieces begin.
pub(super) const CAMPS: u128 = set("a4a5a6b5d1e1f1e2i4i5i6h5d9e9f9e8");

/// Camps in the middle of an edge: a black piece is not taken against them.
pub(super) const DEEP_CAMPS: u128 = set("a5e1i5e9");

/// The outermost squares.
pub(super) const EDGE: u128 = {
    let (mut squares, mut place) = (0, 0);
    while place < SIZE {
        squares |= Square(place).bit() | Square(8 * SIZE + place).bit();
        squares |= Square(place * SIZE).bit() | Square(place * SIZE + 8).bit();
        place += 1;
    }
    squares
};

/// Column and row steps of the four directions; those to lower bits come first.
const DIRECTIONS: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// The square some steps away, as a set: empty when that is off the board.
const fn away(square: usize, direction: usize, steps: i8) -> u128 {
    let column = (square / 9) as i8 + steps * DIRECTIONS[direction].0;
    let row = (square % 9) as i8 + steps * DIRECTIONS[direction].1;
    if column < 0 || column > 8 || row < 0 || row > 8 { 0 } else { 1 << (column * 9 + row) }
}

/// The squares from one number of steps to another, both included.
const fn between(square: usize, direction: usize, nearest: i8, farthest: i8) -> u128 {
    let (mut squares, mut steps) = (0, nearest);
    while steps <= farthest {
        squares |= away(square, direction, steps);
        steps += 1;
    }
    squares
}

/// For every square the squares so many steps away, by direction.
const fn by_direction(nearest: i8, farthest: i8) -> [[u128; 4]; SQUARES] {
    let mut table = [[0; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            table[square][direction] = between(square, direction, nearest, farthest);
            direction += 1;
        }
        square += 1;
    }
    table
}

/// For every square the same, all directions together.
const fn all_around(nearest: i8, farthest: i8) -> [u128; SQUARES] {
    let by_direction = by_direction(nearest, farthest);
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let [left, up, down, right] = by_direction[square];
        table[square] = left | up | down | right;
        square += 1;
    }
    table
}

/// For every square the eight squares around it, fewer at the edge.
static AROUND: [u128; SQUARES] = {
    let mut table = all_around(1, 1);
    let mut square = 0;
    while square < SQUARES {
        let (column, row) = (square / 9, square % 9);
        let mut corner = 0;
        while corner < 4 {
            let (right, down) = (corner % 2 * 2, corner / 2 * 2);
            if column + right >= 1 && column + right <= 9 && row + down >= 1 && row + down <= 9 {
                table[square] |= 1 << ((column + right - 1) * 9 + row + down - 1);
            }
            corner += 1;
        }
        square += 1;
    }
    table
};

/// For every square the number of directions in which neither camps nor throne are in the way.
static PATHS: [u32; SQUARES] = {
    let lines = by_direction(1, 8);
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            let line = lines[square][direction];
            table[square] += (line != 0 && line & (CAMPS | THRONE.bit()) == 0) as u32;
            direction += 1;
        }
        square += 1;
    }
    table
};

static LINES: [[u128; 4]; SQUARES] = by_direction(1, 8);
static ONE_AWAY: [[u128; 4]; SQUARES] = by_direction(1, 1);
static TWO_AWAY: [[u128; 4]; SQUARES] = by_direction(2, 2);
static NEIGHBOURS: [u128; SQUARES] = all_around(1, 1);
static BEYOND_FIVE: [u128; SQUARES] = all_around(6, 8);

/// The squares beside this one, along rows and columns.
#[inline]
pub(super) fn neighbours(square: Square) -> u128 {
    NEIGHBOURS[square.index()]
}

/// The squares of its row and column that are more than five steps away.
#[inline]
pub(super) fn beyond_five(square: Square) -> u128 {
    BEYOND_FIVE[square.index()]
}

/// The eight squares around this one, fewer at the edge.
#[inline]
pub(super) fn around(square: Square) -> u128 {
    AROUND[square.index()]
}

/// In how many directions the edge could be reached from here if there were no pieces, camps and
/// throne being in the way.
#[inline]
pub(super) fn paths(square: Square) -> u32 {
    PATHS[square.index()]
}

/// In each direction the square beside this one and the one behind that; empty off the board.
#[inline]
pub(super) fn beside_and_behind(square: Square) -> impl Iterator<Item = (u128, u128)> {
    ONE_AWAY[square.index()].into_iter().zip(TWO_AWAY[square.index()])
}

/// What can be seen along the four lines: the free squares, and the first blockers behind them.
#[inline]
pub(super) fn sight(from: Square, blockers: u128) -> (u128, u128) {
    let [left, up, down, right] = LINES[from.index()];
    let (mut free, mut first) = (0, 0);
    for line in [left, up] {
        let hit = line & blockers;
        let zeros = hit.leading_zeros();
        free |= line & !u128::MAX.checked_shr(zeros).unwrap_or(0);
        first |= (1_u128 << 127).checked_shr(zeros).unwrap_or(0);
    }
    for line in [down, right] {
        let hit = line & blockers;
        free |= line & !hit & hit.wrapping_sub(1);
        first |= hit & hit.wrapping_neg();
    }
    (free, first)
}

/// All squares beside those of a set, along rows and columns.
#[inline]
pub(super) fn spread(squares: u128) -> u128 {
    const ALL: u128 = (1 << SQUARES) - 1;
    const ROW_1: u128 = set("a1b1c1d1e1f1g1h1i1");
    const ROW_9: u128 = ROW_1 << 8;
    ((squares << 9) | (squares >> 9) | ((squares & !ROW_9) << 1) | ((squares & !ROW_1) >> 1)) & ALL
}

/// The square's image under one of the eight turns and mirrors of the board, 0 being none.
pub(super) fn image(square: Square, symmetry: u8) -> Square {
    let (mut column, mut row) = (square.column(), square.row());
    if symmetry & 1 != 0 {
        column = SIZE - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = SIZE - 1 - row;
    }
    if symmetry & 4 != 0 {
        (column, row) = (row, column);
    }
    Square(column * SIZE + row)
}
