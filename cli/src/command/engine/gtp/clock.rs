//! Time as the other program grants it.

use kembara_engine::Side;
use std::time::Duration;

/// The share of the time granted that is used, so that talking does not cost the game.
const SHARE: f64 = 0.9;
const LEAST: Duration = Duration::from_millis(5);

/// What is left to one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    time: Duration,
    /// The moves that the time is for; 0 while it is for the whole game.
    stones: u32,
}

/// Main time for the game, then periods of so many moves each.
#[derive(Debug, Default)]
pub struct Clock {
    period: Option<Left>,
    left: [Option<Left>; 2],
}

impl Clock {
    /// From now on, for both sides.
    pub fn set(&mut self, main: Duration, period: Duration, stones: u32) {
        // The protocol's way of saying that there is no limit.
        if stones == 0 && !period.is_zero() {
            *self = Self::default();
            return;
        }
        self.period = (stones > 0).then_some(Left { time: period, stones });
        let first = if main.is_zero() { self.period } else { None };
        self.left = [Some(first.unwrap_or(Left { time: main, stones: 0 })); 2];
    }

    /// What a side has left, as the other program sees it.
    pub fn correct(&mut self, side: Side, time: Duration, stones: u32) {
        self.left[side.index()] = Some(Left { time, stones });
    }

    /// How long a side may think about its next move when it has so many to make; `None` without a
    /// limit.
    pub fn budget(&self, side: Side, moves: u32) -> Option<Duration> {
        let left = self.left[side.index()]?;
        let moves = if left.stones == 0 { moves } else { left.stones };
        Some(left.time.mul_f64(SHARE / f64::from(moves.max(1))).max(LEAST))
    }

    /// Takes the time that a move took.
    pub fn spend(&mut self, side: Side, time: Duration) {
        let Some(left) = &mut self.left[side.index()] else { return };
        left.time = left.time.saturating_sub(time);
        let over = match left.stones {
            0 => left.time.is_zero(),
            stones => {
                left.stones = stones - 1;
                stones == 1
            }
        };
        if let (true, Some(period)) = (over, self.period) {
            *left = period;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn main_time_is_shared_among_the_moves_left_and_periods_follow_it() {
        let mut clock = Clock::default();
        assert_eq!(clock.budget(Side::First, 30), None);
        clock.set(60 * SECOND, 10 * SECOND, 2);
        assert_eq!(clock.budget(Side::First, 30), Some((2 * SECOND).mul_f64(SHARE)));
        clock.spend(Side::First, 60 * SECOND);
        assert_eq!(clock.budget(Side::First, 30), Some((5 * SECOND).mul_f64(SHARE)));
        clock.spend(Side::First, 9 * SECOND);
        assert_eq!(clock.budget(Side::First, 30), Some(SECOND.mul_f64(SHARE)));
        clock.spend(Side::First, SECOND);
        assert_eq!(clock.budget(Side::First, 30), Some((5 * SECOND).mul_f64(SHARE)));
        assert_eq!(clock.budget(Side::Second, 30), Some((2 * SECOND).mul_f64(SHARE)));
        clock.set(Duration::ZERO, SECOND, 0);
        assert_eq!(clock.budget(Side::Second, 30), None);
    }
}
