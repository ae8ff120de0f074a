//! The `forza4` player: the procedure that Forza4's author describes, step by step.
//!
//! 1. Every move is tried. It is discarded when the opponent can win with the reply, or can make
//!    with the reply a three whose both ends are free and playable at once, which no single move
//!    blocks.
//! 2. For each move that is left, one search looks for the nearest own win and another for the
//!    nearest win of the opponent, neither going deeper than the best depth it has found.
//! 3. A move whose own win is nearer than the opponent's ranks before one whose own win is not.
//! 4. Then the nearer own win ranks first,
//! 5. then the later win of the opponent,
//! 6. then the move nearer the centre; of two moves alike in all this, chance picks one.
//! 7. When every move was discarded, a move that does not lose with the very next reply is played,
//!    if there is one.
//!
//! Where the text leaves a choice:
//! - The searches are not minimax: his text has each tree look for one side's win and nothing stand
//!   in its way, so the depth found is that of the shortest line in which this side wins and the
//!   other has not won before. That is what is done here.
//! - Depths count plies from the position, the move tried being ply 1. The side's limit bounds them;
//!   his trees had no bound but memory. A win not found in reach is further than any other.
//!   By nodes and by time the whole procedure is repeated one ply deeper while the bound allows.
//! - The three of step 1 is three side by side, as in his example `_XXX_`; a gapped three is not
//!   meant. It is looked for after each reply, so a three that gets its second playable end by the
//!   reply counts. It counts even when the move would let the mover win before it is used.
//! - A move that wins the game at once gives the opponent no reply: it is never discarded.
//! - Step 4 compares with the best move so far in his text and goes on from there; comparing all of
//!   them in this order comes to the same, as at most two columns are equally near the centre.
//! - Step 7 says nothing of choosing among several moves: the one nearer the centre, then by chance,
//!   as in step 6. When all of them lose at once, the same is done with all.

use super::position::{Column, LINES, Position, SQUARES, down_to_the_floor, open_threes};
use crate::limit::Limit;
use crate::random::Stream;
use std::cmp::Reverse;
use std::time::Instant;

/// Further away than any win.
const NONE: u8 = SQUARES + 1;

/// What the procedure knows of a move that it did not discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Assessment {
    pub(super) column: Column,
    /// Plies to the nearest own win, the move included.
    pub(super) own_win: u8,
    /// Plies to the opponent's nearest win, the move included.
    pub(super) loss: u8,
}

impl Assessment {
    /// Smaller is better.
    fn rank(&self) -> (bool, u8, Reverse<u8>, u8) {
        (self.own_win >= self.loss, self.own_win, Reverse(self.loss), self.column.distance())
    }
}

/// The move, the positions looked at and the depth searched.
///
/// # Panics
/// When the game is over.
pub(super) fn choose(position: &Position, limit: Limit, chance: &mut Stream) -> (Column, u64, u8) {
    let kept: Vec<_> = position.columns().filter(|column| !is_discarded(position, *column)).collect();
    if kept.is_empty() {
        return (last_resort(position, chance), 0, 1);
    }
    let (assessed, nodes, depth) = assess(position, &kept, limit);
    let best = assessed.iter().map(Assessment::rank).min().expect("a move is left");
    let equals: Vec<_> = assessed.iter().filter(|move_| move_.rank() == best).map(|move_| move_.column).collect();
    (draw(&equals, chance), nodes, depth)
}

/// Step 1.
pub(super) fn is_discarded(position: &Position, column: Column) -> bool {
    let after = position.after(column);
    if after.result().is_some() {
        return false;
    }
    after.wins() != 0
        || after.columns().any(|reply| {
            let replied = after.after(reply);
            open_threes(replied.other(), replied.playable()) > 0
        })
}

/// Step 7.
fn last_resort(position: &Position, chance: &mut Stream) -> Column {
    let safe: Vec<_> = position.columns().filter(|column| position.after(*column).wins() == 0).collect();
    let candidates = if safe.is_empty() { position.columns().collect() } else { safe };
    let nearest = candidates.iter().map(|column| column.distance()).min();
    let equals: Vec<_> = candidates.into_iter().filter(|column| Some(column.distance()) == nearest).collect();
    draw(&equals, chance)
}

fn draw(columns: &[Column], chance: &mut Stream) -> Column {
    columns[chance.below(columns.len() as u64) as usize]
}

/// Step 2 for all moves that are left.
fn assess(position: &Position, kept: &[Column], limit: Limit) -> (Vec<Assessment>, u64, u8) {
    let deepest = SQUARES - position.plies();
    let mut search = Search { nodes: 0, budget: Budget::Endless };
    match limit {
        Limit::Depth(depth) => {
            let depth = depth.min(deepest);
            let assessed = search.assess(position, kept, depth);
            return (assessed.unwrap_or_default(), search.nodes, depth);
        }
        Limit::Nodes(nodes) => search.budget = Budget::Nodes(nodes),
        Limit::Time(time) => search.budget = Instant::now().checked_add(time).map_or(Budget::Endless, Budget::Until),
    }
    let budget = std::mem::replace(&mut search.budget, Budget::Endless);
    let mut assessed = search.assess(position, kept, 1).unwrap_or_default();
    let mut reached = 1;
    search.budget = budget;
    for depth in 2..=deepest {
        let Some(deeper) = search.assess(position, kept, depth) else { break };
        (assessed, reached) = (deeper, depth);
        if assessed.iter().all(|move_| move_.own_win < depth && move_.loss < depth) {
            break;
        }
    }
    (assessed, search.nodes, reached)
}

enum Budget {
    Endless,
    Nodes(u64),
    Until(Instant),
}

struct Search {
    nodes: u64,
    budget: Budget,
}

impl Search {
    fn is_spent(&self) -> bool {
        match self.budget {
            Budget::Endless => false,
            Budget::Nodes(nodes) => self.nodes >= nodes,
            Budget::Until(end) => self.nodes.is_multiple_of(256) && Instant::now() >= end,
        }
    }

    /// Both searches for each move, to `depth` plies; `None` when the budget ran out.
    fn assess(&mut self, position: &Position, kept: &[Column], depth: u8) -> Option<Vec<Assessment>> {
        let mut assessed = Vec::with_capacity(kept.len());
        for &column in kept {
            let after = position.after(column);
            let own_win = if after.just_won() { 1 } else { self.nearest(&after, 1, depth, true)?.min(NONE) };
            let loss = if after.just_won() { NONE } else { self.nearest(&after, 1, depth, false)?.min(NONE) };
            assessed.push(Assessment { column, own_win, loss });
        }
        Some(assessed)
    }

    /// Plies at which one side can first win, up to `within`; [`NONE`] when it cannot.
    ///
    /// The side is the one to move when `waits` is false, else the other. `made` plies were made.
    fn nearest(&mut self, position: &Position, made: u8, within: u8, waits: bool) -> Option<u8> {
        if self.is_spent() {
            return None;
        }
        self.nodes += 1;
        if made + 1 + u8::from(waits) > within {
            return Some(NONE);
        }
        let wins = position.wins();
        if !waits && wins != 0 {
            return Some(made + 1);
        }
        if made + soonest(position, waits) > within {
            return Some(NONE);
        }
        let mut best = NONE;
        for column in position.columns_centre_first() {
            let square = position.landing(column);
            // A win of the other side would end the line.
            if wins & square != 0 {
                continue;
            }
            // Never as deep again as what was found.
            let reach = within.min(best - 1);
            best = best.min(self.nearest(&position.with(square), made + 1, reach, !waits)?);
        }
        Some(best)
    }
}

/// At least so many plies pass until one side has four, and [`NONE`] if it never can.
///
/// For each line still open to the side: its missing stones are placed in turn with the other
/// side's, and every empty square below them is filled first. The bound only saves time: without it
/// a search for a far win, or for one that cannot be, looks at every way to fill the board.
fn soonest(position: &Position, waits: bool) -> u8 {
    let (own, other) = if waits { (position.other(), position.own()) } else { (position.own(), position.other()) };
    let wait = u32::from(waits);
    let plies = |line: &u64| {
        let missing = line & !own;
        let stones = missing.count_ones();
        let filled = (down_to_the_floor(missing) & position.empty()).count_ones();
        // The side's turns are the odd plies from here, or the even ones when it waits.
        let on_turn = filled + (filled + 1 + wait) % 2;
        on_turn.max(2 * stones - 1 + wait) as u8
    };
    LINES.iter().filter(|line| **line & other == 0).map(plies).min().unwrap_or(NONE)
}

#[cfg(test)]
mod tests;
