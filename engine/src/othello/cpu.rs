//! Board arithmetic compiled for several CPU levels, chosen once at start.
//!
//! One binary runs everywhere: [`Level::best`] looks at the CPU and the whole game loop then runs
//! in code compiled for it. All levels compute the same sets, so they give the same games.
//!
//! A hot loop is a [`Task`]: it is written once over any [`Cpu`] and compiled into each level's
//! instructions when [`Cpu::enter`] takes it. Everything that a task calls must be inlined into it
//! or enter again.

use super::bitboard::{Bitboard, Square};

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
#[cfg(test)]
mod tests;

/// Work that is compiled anew for every level. Implement [`Task::run`] with `#[inline(always)]`.
pub(super) trait Task {
    /// What comes out.
    type Output;

    /// Does the work with the level's instructions.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Instructions that are known to be there: a value of such a type is the proof.
pub(super) trait Cpu: Copy {
    /// The legal moves of the side that owns `own`.
    fn moves(self, own: Bitboard, other: Bitboard) -> Bitboard;

    /// The discs that a disc of `own` placed on the empty `square` turns.
    fn flips(self, square: Square, own: Bitboard, other: Bitboard) -> Bitboard;

    /// Runs a task in code compiled for this level.
    fn enter<T: Task>(self, task: T) -> T::Output;
}

/// The rays of each square: first the four towards higher bits (steps 1, 7, 8, 9), then the four
/// towards lower ones, the square itself left out. One cache line a square.
#[repr(align(64))]
struct Rays([u64; 8]);

static RAYS: [Rays; 64] = rays();

const fn rays() -> [Rays; 64] {
    // (columns, rows) of one step, in the order of the lanes.
    const STEPS: [(i32, i32); 8] = [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut table = [const { Rays([0; 8]) }; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let (mut column, mut row) = (square % 8 + STEPS[lane].0, square / 8 + STEPS[lane].1);
            while column >= 0 && column < 8 && row >= 0 && row < 8 {
                table[square as usize].0[lane] |= 1 << (row * 8 + column);
                column += STEPS[lane].0;
                row += STEPS[lane].1;
            }
            lane += 1;
        }
        square += 1;
    }
    table
}

/// A set of instructions that this machine has.
#[derive(Clone, Copy, Debug)]
pub struct Level(Kind);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Portable(portable::Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
}

impl Level {
    /// All levels of this machine, the slowest first. The first is always the portable one.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let levels = vec![Self(Kind::Portable(portable::Portable))];
        #[cfg(target_arch = "x86_64")]
        let levels = levels.into_iter().chain(avx2::Avx2::detect().map(|cpu| Self(Kind::Avx2(cpu)))).collect();
        levels
    }

    /// The fastest level of this machine.
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(cpu) = avx2::Avx2::detect() {
            return Self(Kind::Avx2(cpu));
        }
        Self(Kind::Portable(portable::Portable))
    }

    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable(_) => "baseline",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "x86-64-v3",
        }
    }

    /// Runs a task in code compiled for this level.
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Kind::Portable(cpu) => cpu.enter(task),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(cpu) => cpu.enter(task),
        }
    }
}
