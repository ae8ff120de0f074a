//! Connect Four on a plain grid, written without a single bit trick: what the tests compare with.

use super::position::{Column, Position};
use crate::Side;
use crate::random::{Key, Stream};

/// Stones by column and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    cells: [[Option<Side>; 6]; 7],
    plies: u8,
}

/// What stands on some cells, in order.
type Cells = Vec<Option<Side>>;

/// Columns and rows, from 0.
type Places = Vec<(i8, i8)>;

/// The steps along which lines run: right, up, and both diagonals.
const STEPS: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Grid {
    pub(super) const EMPTY: Self = Self { cells: [[None; 6]; 7], plies: 0 };

    pub(super) fn of(moves: &[Column]) -> Self {
        moves.iter().fold(Self::EMPTY, |grid, column| grid.after(*column))
    }

    pub(super) const fn plies(&self) -> u8 {
        self.plies
    }

    pub(super) const fn to_move(self) -> Side {
        if self.plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn height(&self, column: usize) -> usize {
        self.cells[column].iter().flatten().count()
    }

    pub(super) fn has_room(&self, column: Column) -> bool {
        self.height(usize::from(column.number()) - 1) < 6
    }

    pub(super) fn after(&self, column: Column) -> Self {
        let mut next = *self;
        let column = usize::from(column.number()) - 1;
        next.cells[column][self.height(column)] = Some(self.to_move());
        next.plies += 1;
        next
    }

    fn cell(&self, column: i8, row: i8) -> Option<Option<Side>> {
        let column = self.cells.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    /// What stands on every straight run of `length` on the board, and where it is.
    fn runs(&self, length: i8) -> Vec<(Cells, Places)> {
        let mut runs = Vec::new();
        for column in 0..7 {
            for row in 0..6 {
                for step in STEPS {
                    let places: Vec<_> = (0..length).map(|k| (column + k * step.0, row + k * step.1)).collect();
                    let cells: Option<Vec<_>> = places.iter().map(|place| self.cell(place.0, place.1)).collect();
                    runs.extend(cells.map(|cells| (cells, places)));
                }
            }
        }
        runs
    }

    pub(super) fn winner(&self) -> Option<Side> {
        let full = |cells: &Cells| cells[0].filter(|_| cells.iter().all(|cell| *cell == cells[0]));
        self.runs(4).iter().find_map(|(cells, _)| full(cells))
    }

    /// Empty cells where a stone of `side` would complete four.
    fn threats(&self, side: Side) -> Places {
        let mut threats = Vec::new();
        for (cells, places) in self.runs(4) {
            let own = cells.iter().filter(|cell| **cell == Some(side)).count();
            let gap = cells.iter().position(Option::is_none);
            if let (3, Some(gap)) = (own, gap)
                && !threats.contains(&places[gap])
            {
                threats.push(places[gap]);
            }
        }
        threats
    }

    /// Runs of `length` own stones between two empty cells.
    fn open(&self, side: Side, length: i8) -> i32 {
        let is_open = |cells: &[Option<Side>]| {
            let (inner, last) = (&cells[1..cells.len() - 1], cells.len() - 1);
            cells[0].is_none() && cells[last].is_none() && inner.iter().all(|cell| *cell == Some(side))
        };
        self.runs(length + 2).iter().filter(|(cells, _)| is_open(cells)).count() as i32
    }

    /// The features of the last move for its mover, in the order t n h w o e c.
    pub(super) fn features(&self) -> [i32; 7] {
        let mover = self.to_move().other();
        let by_side = |count: &dyn Fn(Side) -> i32| count(mover) - count(mover.other());
        let is_playable = |place: &(i8, i8)| self.height(place.0 as usize) == place.1 as usize;
        let parity = |side: Side, remainder: i8| {
            let count = self.threats(side).iter().filter(|place| place.1 % 2 == remainder).count() as i32;
            if side == mover { count } else { -count }
        };
        let centre = |side: Side| {
            let stones = (0..7).map(|column: i8| {
                let own = self.cells[column as usize].iter().filter(|cell| **cell == Some(side)).count() as i32;
                own * i32::from(3 - (column - 3).abs())
            });
            stones.sum()
        };
        [
            by_side(&|side| self.threats(side).len() as i32),
            by_side(&|side| self.threats(side).iter().filter(|place| is_playable(place)).count() as i32),
            by_side(&|side| self.open(side, 3)),
            by_side(&|side| self.open(side, 2)),
            parity(Side::First, 0),
            parity(Side::Second, 1),
            by_side(&centre),
        ]
    }
}

/// The moves of random games, each cut at a random ply at which it is not over.
pub(super) fn random_lines(seed: u64, count: usize) -> impl Iterator<Item = Vec<Column>> {
    let key = Key::new(seed, 0, "connect-four tests");
    (0..count as u64).map(move |slot| {
        let mut stream = key.stream(slot);
        let length = stream.below(38);
        let mut moves = Vec::new();
        let mut position = Position::START;
        for _ in 0..length {
            let next = position.after(random_column(&position, &mut stream));
            if next.result().is_some() {
                break;
            }
            moves.push(last_column(&position, &next));
            position = next;
        }
        moves
    })
}

/// The positions of [`random_lines`].
pub(super) fn random_positions(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    random_lines(seed, count)
        .map(|moves| moves.into_iter().fold(Position::START, |position, column| position.after(column)))
}

pub(super) fn random_column(position: &Position, stream: &mut Stream) -> Column {
    let columns: Vec<_> = position.columns().collect();
    columns[stream.below(columns.len() as u64) as usize]
}

fn last_column(before: &Position, after: &Position) -> Column {
    Column::ALL.into_iter().find(|column| before.landing(*column) & after.other() != 0).unwrap()
}
