//! The prepared players, and which games they play.

use super::Contest;
use crate::failure::Failure;
use kembara_engine::random::{Key, Permutation};
use kembara_engine::{Arena, ArenaSpec, Meeting};

/// The prepared players, and which games they play.
pub struct Field {
    /// One for A moving first; a second one when B plays under other conditions.
    arenas: Vec<Box<dyn Arena>>,
    openings: Key,
    games: Key,
}

impl Field {
    /// Prepares the players.
    pub fn new(played: &Contest) -> Result<Self, Failure> {
        let [a, b] = played.conditions;
        let mut arenas = Vec::new();
        for conditions in if a == b { vec![[a, b]] } else { vec![[a, b], [b, a]] } {
            let players = played.players.iter().map(|name| name.player.clone()).collect();
            let spec = ArenaSpec { players, conditions, openings: played.openings.clone(), max_plies: None };
            let arena = match played.way {
                None => played.game.arena(&spec),
                Some(way) => played.game.arena_with(&spec, way),
            };
            arenas.push(arena.map_err(|error| Failure::usage(error.to_string()))?);
        }
        let key = |purpose| Key::new(played.seed, 0, purpose);
        Ok(Self { arenas, openings: key("match opening"), games: key("match game") })
    }

    /// The arena in which player `first` (0 for A, 1 for B) moves first.
    pub fn arena(&self, first: usize) -> &dyn Arena {
        self.arenas[first.min(self.arenas.len() - 1)].as_ref()
    }

    /// The game of a pair in which player `first` moves first. Openings are drawn without
    /// replacement until all were used, then all over again in another order.
    pub fn meeting(&self, pair: u32, first: u32) -> Meeting {
        let count = self.arenas[0].openings();
        let order = Permutation::new(count.into(), &self.openings, (pair / count).into());
        let opening = u32::try_from(order.at((pair % count).into())).expect("an opening's place is below their count");
        let seed = self.games.stream(2 * u64::from(pair) + u64::from(first)).bits();
        Meeting { first, second: 1 - first, opening, seed }
    }
}
