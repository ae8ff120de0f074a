//! The rules: columns, positions, wins, and the bit patterns that every player is built from.
//!
//! A position is two sets of squares: the stones of the side to move and all stones. A column
//! takes seven bits, the lowest square first; the seventh bit stays empty, so that no line of
//! shifted bits runs from the top of a column into the bottom of the next.

use crate::{GameResult, Outcome, Side};

/// Squares of the board.
pub(super) const SQUARES: u8 = 42;

const COLUMN_BITS: u8 = 7;
const ROWS: u8 = 6;
const COLUMNS: u8 = 7;

/// The lowest square of every column.
const BOTTOM: u64 = {
    let mut squares = 0;
    let mut column = 0;
    while column < COLUMNS {
        squares |= 1 << (column * COLUMN_BITS);
        column += 1;
    }
    squares
};

/// All 42 squares.
pub(super) const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The squares of the rows 1, 3 and 5, counted from 1 at the bottom.
pub(super) const ODD_ROWS: u64 = BOTTOM * 0b01_0101;

/// Steps between neighbours on a line that gravity does not fill from one end: along the row and
/// along both diagonals. The fourth direction, up the column, is the step 1.
const SLANTS: [u32; 3] = [COLUMN_BITS as u32 - 1, COLUMN_BITS as u32, COLUMN_BITS as u32 + 1];

/// One of the seven columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Column(u8);

impl Column {
    /// From left to right: the canonical order of moves.
    pub(super) const ALL: [Self; 7] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6)];

    /// The nearest to the centre first, of two as near the left one: the order in which players
    /// look at moves and in which equal ones are preferred.
    pub(super) const CENTRE_FIRST: [Self; 7] = [Self(3), Self(2), Self(4), Self(1), Self(5), Self(0), Self(6)];

    /// Counted from 1 at the left.
    pub(super) const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The column with this number, 1..=7.
    pub(super) const fn from_number(number: u8) -> Option<Self> {
        if number >= 1 && number <= COLUMNS { Some(Self(number - 1)) } else { None }
    }

    /// Its distance from the middle column, 0..=3.
    pub(super) const fn distance(self) -> u8 {
        self.0.abs_diff(COLUMNS / 2)
    }

    /// The column at the same distance on the other side of the middle.
    pub(super) const fn mirrored(self) -> Self {
        Self(COLUMNS - 1 - self.0)
    }

    /// All its squares.
    pub(super) const fn squares(self) -> u64 {
        ((1 << ROWS) - 1) << (self.0 * COLUMN_BITS)
    }
}

/// A position in a game: never one after a game's end except as the end itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Position {
    /// The stones of the side to move.
    own: u64,
    /// All stones.
    stones: u64,
    /// How many stones there are.
    plies: u8,
}

impl Position {
    /// The empty board.
    pub(super) const START: Self = Self { own: 0, stones: 0, plies: 0 };

    /// Who is to move, if the game is not over.
    pub(super) const fn to_move(self) -> Side {
        if self.plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Stones on the board: the moves made so far.
    pub(super) const fn plies(&self) -> u8 {
        self.plies
    }

    /// The stones of the side to move.
    pub(super) const fn own(&self) -> u64 {
        self.own
    }

    /// The stones of the side that moved last.
    pub(super) const fn other(&self) -> u64 {
        self.own ^ self.stones
    }

    /// The stones of one side.
    pub(super) fn stones_of(&self, side: Side) -> u64 {
        if side == self.to_move() { self.own } else { self.other() }
    }

    /// Squares without a stone.
    pub(super) const fn empty(&self) -> u64 {
        BOARD ^ self.stones
    }

    /// The squares that a stone falls to now, at most one a column.
    pub(super) const fn playable(&self) -> u64 {
        (self.stones + BOTTOM) & BOARD
    }

    /// The square that a stone thrown into the column falls to, as a set; empty when it is full.
    pub(super) const fn landing(&self, column: Column) -> u64 {
        self.playable() & column.squares()
    }

    /// Whether the column has room. A game that is over takes no move; callers check that.
    pub(super) const fn has_room(&self, column: Column) -> bool {
        self.landing(column) != 0
    }

    /// Columns with room, from left to right.
    pub(super) fn columns(&self) -> impl Iterator<Item = Column> {
        let playable = self.playable();
        Column::ALL.into_iter().filter(move |column| playable & column.squares() != 0)
    }

    /// Columns with room, the nearest to the centre first.
    pub(super) fn columns_centre_first(&self) -> impl Iterator<Item = Column> + use<> {
        let playable = self.playable();
        Column::CENTRE_FIRST.into_iter().filter(move |column| playable & column.squares() != 0)
    }

    /// The position after a stone fell on this playable square.
    pub(super) const fn with(&self, square: u64) -> Self {
        Self { own: self.other(), stones: self.stones | square, plies: self.plies + 1 }
    }

    /// The position after a move into a column that has room.
    pub(super) const fn after(&self, column: Column) -> Self {
        self.with(self.landing(column))
    }

    /// The squares on which the side to move wins at once.
    pub(super) const fn wins(&self) -> u64 {
        completions(self.own) & self.playable()
    }

    /// The squares on which the other side would win at once, were it to move.
    pub(super) const fn threatened(&self) -> u64 {
        completions(self.other()) & self.playable()
    }

    /// Whether the side that moved last has four in a line.
    pub(super) const fn just_won(&self) -> bool {
        has_four(self.other())
    }

    /// The result when the game is over here.
    pub(super) fn result(&self) -> Option<GameResult> {
        let outcome = if self.just_won() {
            match self.to_move() {
                Side::First => Outcome::SecondWins,
                Side::Second => Outcome::FirstWins,
            }
        } else if self.plies == SQUARES {
            Outcome::Draw
        } else {
            return None;
        };
        Some(GameResult { outcome, margin: 0, plies: u16::from(self.plies) })
    }

    /// A number that no other position has. It needs 49 bits and is never 0.
    ///
    /// Adding the bottom row carries a bit to the first empty square of each column, which tells
    /// stones of the other side from empty squares.
    pub(super) const fn key(&self) -> u64 {
        self.own + self.stones + BOTTOM
    }

    /// The position as a mirror shows it.
    #[cfg(test)]
    pub(super) const fn mirrored(&self) -> Self {
        Self { own: mirrored(self.own), stones: mirrored(self.stones), plies: self.plies }
    }

    /// The same number for a position and its mirror image, and for no other.
    pub(super) fn symmetric_key(&self) -> u64 {
        let key = self.key();
        key.min(mirrored(key))
    }
}

/// Puts the columns in opposite order.
const fn mirrored(bits: u64) -> u64 {
    const COLUMN: u64 = (1 << COLUMN_BITS) - 1;
    let outer = (bits & COLUMN) << 42 | bits >> 42 & COLUMN;
    let next = (bits & COLUMN << 7) << 28 | bits >> 28 & COLUMN << 7;
    let inner = (bits & COLUMN << 14) << 14 | bits >> 14 & COLUMN << 14;
    outer | next | inner | bits & COLUMN << 21
}

/// The 69 lines of four squares.
pub(super) const LINES: [u64; 69] = {
    let mut lines = [0; 69];
    let mut count = 0;
    let mut lowest = 0;
    while lowest < 49 {
        let mut direction = 0;
        while direction < 4 {
            let step = if direction == 0 { 1 } else { SLANTS[direction - 1] };
            if lowest + 3 * step < 49 {
                let line = (1 | 1 << step | 1 << (2 * step) | 1 << (3 * step)) << lowest;
                // A line that would wrap around meets the empty seventh row.
                if line & BOARD == line {
                    lines[count] = line;
                    count += 1;
                }
            }
            direction += 1;
        }
        lowest += 1;
    }
    assert!(count == 69);
    lines
};

/// These squares and all below them.
pub(super) const fn down_to_the_floor(squares: u64) -> u64 {
    let one = squares | squares >> 1 & BOARD;
    let two = one | one >> 1 & BOARD;
    let three = two | two >> 1 & BOARD;
    let four = three | three >> 1 & BOARD;
    four | four >> 1 & BOARD
}

/// Whether four of these stones stand in a line.
const fn has_four(stones: u64) -> bool {
    let mut fours = four_with_step(stones, 1);
    let mut slant = 0;
    while slant < SLANTS.len() {
        fours |= four_with_step(stones, SLANTS[slant]);
        slant += 1;
    }
    fours != 0
}

const fn four_with_step(stones: u64, step: u32) -> u64 {
    let pairs = stones & stones >> step;
    pairs & pairs >> (2 * step)
}

/// The squares that would complete four in a line with three of these stones, whoever stands there
/// now. Mask with the empty or the playable squares.
#[inline(always)]
pub(super) const fn completions(stones: u64) -> u64 {
    let mut squares = stones << 1 & stones << 2 & stones << 3;
    let mut slant = 0;
    while slant < SLANTS.len() {
        let step = SLANTS[slant];
        let two_below = stones << step & stones << (2 * step);
        squares |= two_below & (stones << (3 * step) | stones >> step);
        let two_above = stones >> step & stones >> (2 * step);
        squares |= two_above & (stones << step | stones >> (3 * step));
        slant += 1;
    }
    squares
}

/// How many times three of these stones stand side by side with a free square at both ends.
#[inline(always)]
pub(super) const fn open_threes(stones: u64, free: u64) -> u32 {
    let mut count = 0;
    let mut slant = 0;
    while slant < SLANTS.len() {
        let step = SLANTS[slant];
        let threes = stones & stones >> step & stones >> (2 * step);
        count += (threes & free << step & free >> (3 * step)).count_ones();
        slant += 1;
    }
    count
}

/// How many times two of these stones stand side by side with a free square at both ends.
#[inline(always)]
pub(super) const fn open_twos(stones: u64, free: u64) -> u32 {
    let mut count = 0;
    let mut slant = 0;
    while slant < SLANTS.len() {
        let step = SLANTS[slant];
        let twos = stones & stones >> step;
        count += (twos & free << step & free >> (2 * step)).count_ones();
        slant += 1;
    }
    count
}

#[cfg(test)]
mod tests;
