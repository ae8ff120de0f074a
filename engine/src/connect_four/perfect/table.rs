//! What the solver remembers: bounds on the scores of positions it has searched.
//!
//! A place holds the whole key, so a memory is never another position's. Each bucket has one place
//! for the position that took the most work and one for the latest.

/// What is known of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    AtLeast(i32),
    AtMost(i32),
}

/// Key in the low 49 bits, then six bits of score, one that tells a lower bound, six of work.
#[derive(Clone, Copy, Default)]
struct Entry(u64);

const KEY_BITS: u32 = 49;
const SCORE_BITS: u32 = 6;
const SCORE_SHIFT: i32 = 32;

impl Entry {
    fn new(key: u64, bound: Bound, work: u64) -> Self {
        let (score, is_lower) = match bound {
            Bound::AtLeast(score) => (score, 1),
            Bound::AtMost(score) => (score, 0),
        };
        let score = (score + SCORE_SHIFT) as u64;
        let work = u64::from(64 - work.leading_zeros()).min(63);
        Self(key | score << KEY_BITS | is_lower << (KEY_BITS + SCORE_BITS) | work << (KEY_BITS + SCORE_BITS + 1))
    }

    const fn key(self) -> u64 {
        self.0 & ((1 << KEY_BITS) - 1)
    }

    const fn work(self) -> u64 {
        self.0 >> (KEY_BITS + SCORE_BITS + 1)
    }

    fn bound(self) -> Bound {
        let score = (self.0 >> KEY_BITS & ((1 << SCORE_BITS) - 1)) as i32 - SCORE_SHIFT;
        if self.0 >> (KEY_BITS + SCORE_BITS) & 1 == 1 { Bound::AtLeast(score) } else { Bound::AtMost(score) }
    }
}

pub(super) struct Table {
    /// A power of two of them.
    buckets: Vec<[u64; 2]>,
    /// What a hash of 64 bits is shifted by to be a bucket's number.
    shift: u32,
}

impl Table {
    /// Room for about this many positions. Pages that are never written cost no memory.
    pub(super) fn new(positions: u32) -> Self {
        let buckets = (positions as usize / 2).max(2).next_power_of_two();
        Self { buckets: vec![[0; 2]; buckets], shift: 64 - buckets.trailing_zeros() }
    }

    fn bucket(&self, key: u64) -> usize {
        // Fibonacci hashing: the top bits of a product with 2^64 / golden ratio depend on all bits.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    pub(super) fn get(&self, key: u64) -> Option<Bound> {
        self.buckets[self.bucket(key)]
            .iter()
            .map(|bits| Entry(*bits))
            .find(|entry| entry.key() == key)
            .map(Entry::bound)
    }

    /// Remembers a bound that took so many nodes.
    pub(super) fn put(&mut self, key: u64, bound: Bound, nodes: u64) {
        let place = self.bucket(key);
        let bucket = &mut self.buckets[place];
        let entry = Entry::new(key, bound, nodes);
        let kept = Entry(bucket[0]);
        if kept.key() == key || kept.work() <= entry.work() {
            // What gives way is still worth more than what was latest.
            if kept.key() != key {
                bucket[1] = kept.0;
            }
            bucket[0] = entry.0;
        } else {
            bucket[1] = entry.0;
        }
    }
}
