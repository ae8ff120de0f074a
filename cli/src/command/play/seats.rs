//! Who sits where.

use crate::playing::Machine;
use kembara_engine::{Game, Search, Side};

/// The two sides of the board.
pub struct Seats {
    /// The game.
    pub game: &'static dyn Game,
    /// The machine that plays each side; a person where there is none.
    pub machines: [Option<Machine>; 2],
    /// Who gives hints.
    pub adviser: Machine,
    /// How machines search.
    pub way: Search,
}

impl Seats {
    /// Whether anybody could type a move.
    pub fn has_person(&self) -> bool {
        self.machines.iter().any(Option::is_none)
    }

    /// The machine on this side.
    pub fn machine(&self, side: Side) -> Option<&Machine> {
        self.machines[side.index()].as_ref()
    }

    /// What the game calls this side.
    pub fn side(&self, side: Side) -> &'static str {
        self.game.sides()[side.index()]
    }

    /// Who plays this side.
    pub fn name(&self, side: Side) -> String {
        self.machine(side).map_or_else(|| "person".to_owned(), |machine| machine.name.to_string())
    }

    /// `black   oe_fmc_1_14:49:…  depth 9`
    pub fn line(&self, side: Side) -> String {
        let search = self.machine(side).map(|machine| format!("  {}", machine.search())).unwrap_or_default();
        format!("{:<6}  {}{search}", self.side(side), self.name(side))
    }
}
