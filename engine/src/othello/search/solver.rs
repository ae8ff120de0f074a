//! Solving positions: the best move and the final margin.

use super::endgame::ALL_DISCS;
use super::{Choices, Searcher};
use crate::othello::bitboard::Square;
use crate::othello::cpu::{Cpu, Level, Task};
use crate::othello::position::Position;
use crate::othello::record::Counting;
use crate::variant::Search;

/// What is to be known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// A best move; `None` where the side to move has to pass or the game is over.
    pub best: Option<Square>,
    /// The final margin of the side to move, both sides playing their best, -64..=64.
    pub score: i32,
    /// Positions looked at.
    pub nodes: u64,
}

/// An exact solver. What it does not depend on what it solved before.
///
/// Time grows about threefold with every empty square: twenty take seconds.
///
/// ```
/// use kembara_engine::othello::{Level, Position, Solver, record::Counting};
///
/// let obf = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
/// let position = kembara_engine::othello::obf::parse_line(obf).unwrap().unwrap().position;
/// let solved = Solver::new(Level::best(), Counting::EmptiesToWinner).solve(position);
/// assert_eq!((solved.best.unwrap().to_string().as_str(), solved.score), ("g8", 18));
/// ```
pub struct Solver {
    level: Level,
    searcher: Searcher,
}

/// Pairs of entries of the table, as a power of two: 64 MiB.
const PAIRS: u32 = 20;

impl Solver {
    /// A solver for this CPU level and way of counting. All levels solve alike.
    #[must_use]
    pub fn new(level: Level, counting: Counting) -> Self {
        let mut searcher = Searcher::new(Search::Fast);
        searcher.counting = counting;
        Self { level, searcher }
    }

    /// Solves a position.
    pub fn solve(&mut self, position: Position) -> Solved {
        self.searcher.begin(u64::MAX, None, PAIRS);
        let (best, score) = self.level.run(Solve { searcher: &mut self.searcher, position });
        Solved { best, score, nodes: self.searcher.nodes }
    }

    /// The mover's final margin behind one move, -64..=64; `None` when the move is illegal.
    pub fn score_of(&mut self, position: Position, square: Square) -> Option<i32> {
        self.searcher.begin(u64::MAX, None, PAIRS);
        self.level.run(ScoreOf { searcher: &mut self.searcher, position, square })
    }
}

struct ScoreOf<'t> {
    searcher: &'t mut Searcher,
    position: Position,
    square: Square,
}

impl Task for ScoreOf<'_> {
    type Output = Option<i32>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<i32> {
        let Self { searcher, position, square } = self;
        let after = position.after(square, position.flips(cpu, square));
        position.moves(cpu).contains(square).then(|| -searcher.end(cpu, after, -ALL_DISCS, ALL_DISCS))
    }
}

struct Solve<'t> {
    searcher: &'t mut Searcher,
    position: Position,
}

impl Task for Solve<'_> {
    type Output = (Option<Square>, i32);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Self::Output {
        let Self { searcher, position } = self;
        let moves = position.moves(cpu);
        if moves.is_empty() {
            return (None, searcher.end(cpu, position, -ALL_DISCS, ALL_DISCS));
        }
        let start = searcher.expand_end(cpu, Choices { position, moves }, None);
        let end = searcher.children.len();
        let mut best = (Square::A1, -ALL_DISCS);
        for place in start..end {
            let child = searcher.easiest(place, end);
            let value = searcher.try_end(cpu, child, (best.1, ALL_DISCS), place == start);
            if value > best.1 {
                best = (child.square, value);
            }
        }
        searcher.children.truncate(start);
        (Some(best.0), best.1)
    }
}
