//! AVX2 and the bit instructions of x86-64-v3: four directions at once.

use super::{Cpu, RAYS, Task};
use crate::othello::bitboard::{Bitboard, Square};
use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_extracti128_si256, _mm256_load_si256,
    _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_sub_epi64,
};

/// Proof that the CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(in crate::othello) struct Avx2(());

impl Avx2 {
    /// The proof, where the CPU has them all.
    pub(super) fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        all.then_some(Self(()))
    }
}

impl Cpu for Avx2 {
    #[inline(always)]
    fn moves(self, own: Bitboard, other: Bitboard) -> Bitboard {
        // SAFETY: a value of this type exists only where the features were detected.
        unsafe { moves(own, other) }
    }

    #[inline(always)]
    fn flips(self, square: Square, own: Bitboard, other: Bitboard) -> Bitboard {
        // SAFETY: a value of this type exists only where the features were detected.
        unsafe { flips(square, own, other) }
    }

    #[inline(always)]
    fn enter<T: Task>(self, task: T) -> T::Output {
        // SAFETY: a value of this type exists only where the features were detected.
        unsafe { entered(self, task) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn entered<T: Task>(cpu: Avx2, task: T) -> T::Output {
    task.run(cpu)
}

/// The step of each lane, in bits.
#[inline]
#[target_feature(enable = "avx2")]
fn steps() -> __m256i {
    _mm256_set_epi64x(9, 8, 7, 1)
}

/// See `portable::along`: here the lanes are the directions.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn moves(own: Bitboard, other: Bitboard) -> Bitboard {
    let inner = 0x7E7E_7E7E_7E7E_7E7E;
    let step = steps();
    let step2 = _mm256_add_epi64(step, step);
    let discs = _mm256_set1_epi64x(own.0 as i64);
    let rows = _mm256_and_si256(_mm256_set1_epi64x(other.0 as i64), _mm256_set_epi64x(inner, -1, inner, inner));
    let mut up = _mm256_and_si256(rows, _mm256_sllv_epi64(discs, step));
    let mut down = _mm256_and_si256(rows, _mm256_srlv_epi64(discs, step));
    up = _mm256_or_si256(up, _mm256_and_si256(rows, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(rows, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(rows, _mm256_sllv_epi64(rows, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)));
    let found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    Bitboard(joined(found) & !(own.0 | other.0))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn flips(square: Square, own: Bitboard, other: Bitboard) -> Bitboard {
    let rays: *const __m256i = RAYS[square.index()].0.as_ptr().cast();
    // SAFETY: a square's rays are 64 bytes aligned to 64, so both halves are there and aligned.
    let (rays_up, rays_down) = unsafe { (_mm256_load_si256(rays), _mm256_load_si256(rays.add(1))) };
    let own = _mm256_set1_epi64x(own.0 as i64);
    let other = _mm256_set1_epi64x(other.0 as i64);
    let zero = _mm256_setzero_si256();

    // Upwards the run's end is the lowest square of the ray without an opposing disc.
    let stops = _mm256_andnot_si256(other, rays_up);
    let nearest = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(nearest, own);
    let below = _mm256_sub_epi64(_mm256_add_epi64(end, _mm256_set1_epi64x(-1)), _mm256_cmpeq_epi64(end, zero));
    let turned_up = _mm256_and_si256(below, rays_up);

    // Downwards it is the highest; smearing the stops down the ray leaves the run uncovered.
    let step = steps();
    let step2 = _mm256_add_epi64(step, step);
    let mut covered = _mm256_andnot_si256(other, rays_down);
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, step));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, step2));
    covered = _mm256_or_si256(covered, _mm256_srlv_epi64(covered, _mm256_add_epi64(step2, step2)));
    let nearest = _mm256_andnot_si256(_mm256_srlv_epi64(covered, step), covered);
    let no_end = _mm256_cmpeq_epi64(_mm256_and_si256(nearest, own), zero);
    let turned_down = _mm256_andnot_si256(no_end, _mm256_andnot_si256(covered, rays_down));

    Bitboard(joined(_mm256_or_si256(turned_up, turned_down)))
}

/// The union of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn joined(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
}
