//! The ways to search a game tree. All of them give the same move and value.

/// How a tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Each move in the full window.
    AlphaBeta,
    /// Moves after the first in a null window, again in the full one when they prove better
    /// (Reinefeld 1983, "An improvement to the Scout tree search algorithm").
    Negascout,
}

/// What a search returns when the value lies outside its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The window's edge.
    Hard,
    /// The best bound it has seen (Fishburn 1983, "Another optimization of alpha-beta search").
    Soft,
}

/// A search variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// How the moves after the first are tried.
    pub method: Method,
    /// What comes back from outside a window.
    pub bound: Bound,
}

impl Variant {
    /// What players use.
    pub const PLAY: Self = Self { method: Method::Negascout, bound: Bound::Soft };

    /// All of them.
    pub const ALL: [Self; 4] = [
        Self { method: Method::AlphaBeta, bound: Bound::Hard },
        Self { method: Method::AlphaBeta, bound: Bound::Soft },
        Self { method: Method::Negascout, bound: Bound::Hard },
        Self::PLAY,
    ];
}
