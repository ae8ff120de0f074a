//! Strategies: from a generation's standings to the next population.
//!
//! A turnover asks a strategy twice. [`Strategy::select`] makes the next population from the
//! ranked players; after that champions may be injected into it. [`Strategy::pool`] then says who
//! plays: the population itself, or more.

mod genethello;
mod jgap;
mod tablut;

use crate::ranking::Standing;
use crate::seats::{Breeding, Seats};
use crate::spec::Evolution;

/// One way of breeding.
pub(crate) trait Strategy {
    /// The most slots that can play, for a population of this size.
    fn largest_pool(&self, population: u32) -> u32;

    /// How many slots of a new population hold parents, at least.
    fn parents(&self, population: u32) -> u32;

    /// Whether so many individuals on so many slots can be a generation of it.
    fn plays(&self, population: u32, individuals: usize, slots: usize) -> bool;

    /// The canonical bytes it begins with. Empty for strategies that keep nothing beyond the
    /// population.
    fn initial_state(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Whether these bytes can be a state of it.
    fn accepts(&self, state: &[u8]) -> bool {
        state.is_empty()
    }

    /// Its next state and the next population, from everyone who played, best first.
    fn select(&self, state: &[u8], ranked: &[Standing], breeding: &mut Breeding) -> (Vec<u8>, Seats);

    /// Who plays, given the population of a generation: the population's slots come first.
    fn pool(&self, population: Seats, breeding: &mut Breeding) -> Seats;
}

/// The strategy that a spec names.
pub(crate) fn of(evolution: &Evolution) -> Box<dyn Strategy> {
    match *evolution {
        Evolution::Genethello { crossover, mutation } => Box::new(genethello::Genethello { crossover, mutation }),
        Evolution::Jgap { crossover, mutation, survivors } => Box::new(jgap::Jgap { crossover, mutation, survivors }),
        Evolution::Tablut { partners, best, immigrants, mutation, reach } => {
            Box::new(tablut::Tablut { partners, best, immigrants, mutation, reach })
        }
    }
}

/// A binary fraction lies a little beside the decimal share that was written; this much is granted
/// so that 0.35 of 180 is 63, not 62. Far below the distance of any product to the next integer
/// that a share with six decimals can have.
const GRACE: f64 = 1e-9;

/// ⌊share · whole⌋ for a share in 0..=1.
fn floor_share(share: f64, whole: u32) -> u32 {
    (share * f64::from(whole) + GRACE).floor() as u32
}

/// share · whole to the nearest whole number, halves up, for a share in 0..=1.
fn round_share(share: f64, whole: u32) -> u32 {
    (share * f64::from(whole) + 0.5 + GRACE).floor() as u32
}
