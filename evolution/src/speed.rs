//! Fitness by the speed of win, see [`SelectBy::Speed`].

use crate::spec::SelectBy;
use kembara_engine::{GameResult, Side};

/// What a game is worth that was not won in time.
const NOTHING: i64 = -1;

/// The sums of a generation, by place of the tournament.
#[derive(Clone, Debug)]
pub(crate) struct Speeds {
    base: u16,
    sums: Vec<i64>,
}

impl Speeds {
    /// Nobody has played; `None` when the run selects by something else.
    pub fn new(select_by: SelectBy, players: usize) -> Option<Self> {
        match select_by {
            SelectBy::Speed { base } => Some(Self { base, sums: vec![0; players] }),
            SelectBy::Points | SelectBy::Elo | SelectBy::Chance => None,
        }
    }

    /// Adds a game.
    pub fn add(&mut self, first: u32, second: u32, result: &GameResult) {
        self.sums[first as usize] += worth(self.base, Side::First, result);
        self.sums[second as usize] += worth(self.base, Side::Second, result);
    }

    /// The sum of a player.
    pub fn of(&self, place: usize) -> i64 {
        self.sums[place]
    }
}

/// What a game is worth to one side.
fn worth(base: u16, side: Side, result: &GameResult) -> i64 {
    if result.outcome.winner() != Some(side) {
        return NOTHING;
    }
    let own = match side {
        Side::First => result.plies.div_ceil(2),
        Side::Second => result.plies / 2,
    };
    (i64::from(base) - i64::from(own)).max(NOTHING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kembara_engine::Outcome;

    #[test]
    fn a_win_is_worth_the_moves_that_were_left_and_everything_else_minus_one() {
        let game = |outcome, plies| GameResult { outcome, margin: 0, plies };
        let first = |plies| worth(30, Side::First, &game(Outcome::FirstWins, plies));
        let second = |plies| worth(30, Side::Second, &game(Outcome::SecondWins, plies));
        // The first player's tenth move is ply 19, the second player's is ply 20.
        assert_eq!((first(19), second(20)), (20, 20));
        assert_eq!((first(59), second(60)), (0, 0));
        assert_eq!((first(61), first(63), second(62), second(1000)), (-1, -1, -1, -1));
        assert_eq!(worth(30, Side::First, &game(Outcome::SecondWins, 10)), -1);
        assert_eq!(worth(30, Side::Second, &game(Outcome::FirstWins, 10)), -1);
        assert_eq!(worth(30, Side::First, &game(Outcome::Draw, 60)), -1);
    }
}
