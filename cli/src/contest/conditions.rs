//! Search limits as people write them.

use crate::output::grouped;
use kembara_engine::{Conditions, Limit};
use std::str::FromStr;

/// The depths of both players.
#[derive(Clone, Copy, Debug)]
pub struct Depths(pub [u8; 2]);

impl Depths {
    /// The same depth for both.
    pub const fn both(depth: u8) -> Self {
        Self([depth; 2])
    }
}

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let depth = |word: &str| match word.trim().parse() {
            Ok(depth @ 1..=60) => Ok(depth),
            _ => Err("a depth is a whole number from 1 to 60, or two of them as in 9,5".to_owned()),
        };
        match text.split_once(',') {
            Some((first, second)) => Ok(Self([depth(first)?, depth(second)?])),
            None => depth(text).map(Self::both),
        }
    }
}

/// Reads a probability.
pub fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a probability is a number from 0 to 1".to_owned()),
    }
}

/// A limit in words.
pub fn describe(conditions: &Conditions) -> String {
    let mut text = match conditions.limit {
        Limit::Depth(depth) => format!("depth {depth}"),
        Limit::Nodes(nodes) => format!("{} nodes", grouped(nodes)),
        Limit::Time(time) => format!("{} s", time.as_secs_f64()),
    };
    if conditions.epsilon > 0.0 {
        text += &format!(", {} of moves random", crate::output::percent(Some(conditions.epsilon)));
    }
    text
}
