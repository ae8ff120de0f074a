//! The exact search.
//!
//! The score is closed in on by searches in a null window, halving what is left and favouring values
//! near 0, which are cheap to prove. A search is negamax that never considers a move after which
//! the opponent wins at once, tries first the moves that make most threats, and remembers bounds in
//! a table.

use super::table::{Bound, Table};
use crate::connect_four::position::{Column, Position, SQUARES, completions};

/// Positions with fewer stones are remembered together with their mirror image.
const SYMMETRIC_BELOW: u8 = 18;

/// In positions with fewer stones all moves' memories are asked before any move is searched.
const CHILDREN_BELOW: u8 = 28;

/// An exact solver and what it remembers of the positions it has searched.
pub struct Solver {
    table: Table,
    nodes: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(1 << 23)
    }
}

impl Solver {
    /// A solver that remembers about this many positions, eight bytes each; the number is raised to
    /// a power of two. Memory is taken as it fills.
    #[must_use]
    pub fn new(positions: u32) -> Self {
        Self { table: Table::new(positions), nodes: 0 }
    }

    /// Positions looked at since the solver was made.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact score of a position in which the game is not over.
    pub(super) fn score(&mut self, position: &Position) -> i32 {
        if position.wins() != 0 {
            return win_in_one(position);
        }
        let (mut low, mut high) = (lowest(position), highest(position));
        while low < high {
            let middle = low + (high - low) / 2;
            let probe = if middle <= 0 && low / 2 < middle {
                low / 2
            } else if middle >= 0 && high / 2 > middle {
                high / 2
            } else {
                middle
            };
            let value = self.bound(position, probe);
            if value <= probe {
                high = value;
            } else {
                low = value;
            }
        }
        low
    }

    /// The first move with the position's score, in the order from the centre.
    pub(super) fn first_best(&mut self, position: &Position, score: i32) -> Column {
        position
            .columns_centre_first()
            .find(|column| self.reaches(position, *column, score))
            .expect("some move has the position's score")
    }

    /// Whether a move's score, for its mover, is at least this.
    pub(super) fn reaches(&mut self, position: &Position, column: Column, score: i32) -> bool {
        let after = position.after(column);
        if after.just_won() {
            return win_in_one(position) >= score;
        }
        if after.plies() == SQUARES {
            return 0 >= score;
        }
        if after.wins() != 0 {
            return -win_in_one(&after) >= score;
        }
        self.bound(&after, -score) <= -score
    }

    /// A bound on the score: when above `alpha` the score is at least that, else at most that.
    ///
    /// The side to move must not be able to win at once.
    fn bound(&mut self, position: &Position, alpha: i32) -> i32 {
        self.nodes += 1;
        let Some(squares) = not_losing(position) else { return lowest(position) };
        if position.plies() >= SQUARES - 2 {
            return 0;
        }
        // Two plies from here nobody has won.
        let (floor, ceiling) = (lowest(position) + 1, highest(position) - 1);
        if floor > alpha {
            return floor;
        }
        if ceiling <= alpha {
            return ceiling;
        }
        if squares & (squares - 1) == 0 {
            // The one answer to a threat: what follows is remembered anyway.
            return -self.bound(&position.with(squares), -alpha - 1);
        }
        let key = remembered_as(position);
        match self.table.get(key) {
            Some(Bound::AtLeast(score)) if score > alpha => return score,
            Some(Bound::AtMost(score)) if score <= alpha => return score,
            _ => {}
        }
        let before = self.nodes;
        let squares = ordered(position, squares);
        let squares = squares.into_iter().take_while(|square| *square != 0);
        if position.plies() < CHILDREN_BELOW {
            for square in squares.clone() {
                let child = remembered_as(&position.with(square));
                if let Some(Bound::AtMost(score)) = self.table.get(child)
                    && -score > alpha
                {
                    return -score;
                }
            }
        }
        let mut best = floor;
        for square in squares {
            best = best.max(-self.bound(&position.with(square), -alpha - 1));
            if best > alpha {
                self.table.put(key, Bound::AtLeast(best), self.nodes - before);
                return best;
            }
        }
        self.table.put(key, Bound::AtMost(best), self.nodes - before);
        best
    }
}

fn remembered_as(position: &Position) -> u64 {
    if position.plies() < SYMMETRIC_BELOW { position.symmetric_key() } else { position.key() }
}

/// The score of winning with the next stone.
fn win_in_one(position: &Position) -> i32 {
    (i32::from(SQUARES) + 1 - i32::from(position.plies())) / 2
}

/// No score is higher.
fn highest(position: &Position) -> i32 {
    win_in_one(position)
}

/// No score is lower: that of losing to the opponent's next stone.
fn lowest(position: &Position) -> i32 {
    -(i32::from(SQUARES) - i32::from(position.plies())) / 2
}

/// Playable squares after which the opponent does not win at once; `None` when there are none.
fn not_losing(position: &Position) -> Option<u64> {
    let danger = completions(position.other()) & position.empty();
    let mut squares = position.playable();
    let forced = squares & danger;
    if forced != 0 {
        if forced & (forced - 1) != 0 {
            return None;
        }
        squares = forced;
    }
    // Nor may a stone be put right below a square where the opponent wins.
    squares &= !(danger >> 1);
    (squares != 0).then_some(squares)
}

/// The squares one by one, those that make most threats first, then those nearer the centre; the
/// places after the last are 0.
fn ordered(position: &Position, squares: u64) -> [u64; 7] {
    let mut sorted = [0; 7];
    let mut threats = [0; 7];
    let mut count = 0;
    let own = position.own();
    let empty = position.empty();
    for column in Column::CENTRE_FIRST {
        let square = squares & column.squares();
        if square == 0 {
            continue;
        }
        let made = (completions(own | square) & empty).count_ones();
        let mut place = count;
        while place > 0 && threats[place - 1] < made {
            sorted[place] = sorted[place - 1];
            threats[place] = threats[place - 1];
            place -= 1;
        }
        sorted[place] = square;
        threats[place] = made;
        count += 1;
    }
    sorted
}
