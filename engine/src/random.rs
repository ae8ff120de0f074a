//! Random numbers that come out the same everywhere.
//!
//! Every draw belongs to a [`Key`] (run seed, generation, purpose) and a slot, so no draw depends
//! on which thread or machine asks first. The generator is ChaCha with 8 rounds; the mappings to
//! integers, reals and orders are written out here and pinned by golden tests, so a library's
//! change cannot move a result. Nothing is drawn over `usize`.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The key of a family of streams, one stream a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The key for one purpose in one generation of a run.
    #[must_use]
    pub fn new(run_seed: u64, generation: u32, purpose: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("kembara random key, version 1");
        hasher.update(&run_seed.to_le_bytes());
        hasher.update(&generation.to_le_bytes());
        hasher.update(purpose.as_bytes());
        Self(*hasher.finalize().as_bytes())
    }

    /// The stream of one slot.
    #[must_use]
    pub fn stream(&self, slot: u64) -> Stream {
        let mut generator = ChaCha8Rng::from_seed(self.0);
        generator.set_stream(slot);
        Stream(generator)
    }
}

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform in `0..bound`: multiply and reject (Lemire 2019, "Fast random integer generation in
    /// an interval").
    ///
    /// # Panics
    /// When `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "nothing lies below 0");
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }

    /// Uniform in `low..=high`.
    ///
    /// # Panics
    /// When `low > high`.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        assert!(low <= high, "no whole number lies in {low}..={high}");
        let width = i64::from(high) - i64::from(low) + 1;
        (i64::from(low) + self.below(width as u64) as i64) as i32
    }

    /// Uniform in `[0, 1)`: the top 53 bits times 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform in `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// True with probability `chance`.
    pub fn chance(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Puts a list in uniformly random order (Fisher–Yates, from the end).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            list.swap(last, other);
        }
    }
}

/// The stream of a game's random choices: one for each side and ply.
#[must_use]
pub fn in_game(game_seed: u64, side: crate::Side, ply: u16) -> Stream {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&game_seed.to_le_bytes());
    seed[8..12].copy_from_slice(b"game");
    let mut generator = ChaCha8Rng::from_seed(seed);
    generator.set_stream((u64::from(ply) << 1) | side.index() as u64);
    Stream(generator)
}

/// A seeded order of `0..size` that can be asked anywhere without listing it.
///
/// A balanced Feistel network of six rounds over the smallest even number of bits that covers the
/// size, walking the cycle until the image falls inside (Black and Rogaway 2002, "Ciphers with
/// arbitrary finite domains").
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    size: u64,
    half_bits: u32,
    round_keys: [u64; 6],
}

impl Permutation {
    /// The order of `0..size` drawn by one slot of a key.
    #[must_use]
    pub fn new(size: u64, key: &Key, slot: u64) -> Self {
        let mut stream = key.stream(slot);
        let bits = 64 - size.saturating_sub(1).leading_zeros();
        Self { size, half_bits: bits.div_ceil(2).max(1), round_keys: std::array::from_fn(|_| stream.bits()) }
    }

    /// Where `place` goes.
    ///
    /// # Panics
    /// When `place` is not below the size.
    #[must_use]
    pub fn at(&self, place: u64) -> u64 {
        assert!(place < self.size, "place {place} is not below {}", self.size);
        let mut image = self.once(place);
        while image >= self.size {
            image = self.once(image);
        }
        image
    }

    fn once(&self, value: u64) -> u64 {
        let mask = (1_u64 << self.half_bits) - 1;
        let (mut left, mut right) = (value >> self.half_bits, value & mask);
        for key in self.round_keys {
            // The finaliser of SplitMix64 as the round function.
            let mut mixed = right.wrapping_add(key);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^= mixed >> 31;
            (left, right) = (right, left ^ (mixed & mask));
        }
        (left << self.half_bits) | right
    }
}
