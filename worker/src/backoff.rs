//! How long to wait before trying again.

use std::time::Duration;

/// Decorrelated jitter: every wait is drawn between the base and three times the wait before, up to
/// a cap, so that workers that lost their coordinator together do not come back together.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    base: Duration,
    cap: Duration,
    last: Duration,
}

impl Backoff {
    /// Waits between `base` and `cap`.
    #[must_use]
    pub const fn new(base: Duration, cap: Duration) -> Self {
        Self { base, cap, last: base }
    }

    /// The next wait.
    pub fn wait(&mut self) -> Duration {
        let span = (self.last * 3).saturating_sub(self.base);
        self.last = (self.base + span.mul_f64(unit())).min(self.cap);
        self.last
    }

    /// A success: the next wait is short again.
    pub const fn reset(&mut self) {
        self.last = self.base;
    }
}

/// A number in 0..1 from the system's randomness; it decides waits only, never a result.
fn unit() -> f64 {
    (uuid::Uuid::new_v4().as_u64_pair().1 & 0xFFFF_FFFF) as f64 / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Duration = Duration::from_millis(100);
    const CAP: Duration = Duration::from_secs(10);

    #[test]
    fn waits_stay_between_base_and_cap_and_reach_far_beyond_the_base() {
        let mut backoff = Backoff::new(BASE, CAP);
        let waits: Vec<_> = (0..200).map(|_| backoff.wait()).collect();
        assert!(waits.iter().all(|wait| (BASE..=CAP).contains(wait)), "{waits:?}");
        assert!(waits.iter().any(|wait| *wait > BASE * 20), "{waits:?}");
    }

    #[test]
    fn two_workers_do_not_wait_alike() {
        let (mut one, mut other) = (Backoff::new(BASE, CAP), Backoff::new(BASE, CAP));
        let pairs: Vec<_> = (0..10).map(|_| (one.wait(), other.wait())).collect();
        assert!(pairs.iter().any(|(one, other)| one != other), "{pairs:?}");
    }

    #[test]
    fn a_success_makes_the_next_wait_short() {
        let mut backoff = Backoff::new(BASE, CAP);
        for _ in 0..50 {
            backoff.wait();
        }
        backoff.reset();
        assert!(backoff.wait() <= BASE * 3);
    }
}
