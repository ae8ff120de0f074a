//! Every participant against the same given opponents.
//!
//! Games are counted round by round, in a round opponent by opponent, then participant by
//! participant; the two games of a meeting with both sides stand together, the participant moving
//! first in the first one.

use crate::format::GauntletSide;

/// Who meets whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gauntlet {
    pub participants: u32,
    pub opponents: u32,
    pub side: GauntletSide,
}

impl Gauntlet {
    /// The players of a game, first player first.
    pub fn seats(&self, game: u64) -> (u32, u32) {
        let meeting = game / u64::from(self.side.games());
        // Both are below numbers that came in as u32, and so is their sum by the format's check.
        let own = (meeting % u64::from(self.participants)) as u32;
        let opponent = (meeting / u64::from(self.participants) % u64::from(self.opponents)) as u32;
        let other = self.participants + opponent;
        let moves_first = match self.side {
            GauntletSide::First => true,
            GauntletSide::Second => false,
            GauntletSide::Both => game.is_multiple_of(2),
        };
        if moves_first { (own, other) } else { (other, own) }
    }

    /// The round of a game, from 0.
    pub fn round(&self, game: u64) -> u64 {
        game / (u64::from(self.side.games()) * u64::from(self.participants) * u64::from(self.opponents))
    }
}
