//! The ways to search a game tree. All of them give the same move and value.
//!
//! The games differ in what they search, so each has a search of its own; what makes a search one
//! of these variants is here: how a move is tried, and what comes back from outside a window.

use std::fmt;
use std::str::FromStr;

/// How the moves after a node's first are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Each move in the full window.
    AlphaBeta,
    /// In a null window, and again in the full one when they prove better (Reinefeld 1983, "An
    /// improvement to the Scout tree search algorithm").
    Negascout,
}

/// What a search returns when the value lies outside its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The window's edge.
    Hard,
    /// The best bound it has seen (Fishburn 1983, "Another optimization of alpha-beta search").
    Soft,
}

/// A search variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// How the moves after the first are tried.
    pub method: Method,
    /// What comes back from outside a window.
    pub bound: Bound,
}

impl Variant {
    /// What players of most games use.
    pub const PLAY: Self = Self { method: Method::Negascout, bound: Bound::Soft };

    /// All of them.
    pub const ALL: [Self; 4] = [
        Self { method: Method::AlphaBeta, bound: Bound::Hard },
        Self { method: Method::AlphaBeta, bound: Bound::Soft },
        Self { method: Method::Negascout, bound: Bound::Hard },
        Self::PLAY,
    ];

    /// The value of a node's move when within the window, else a bound of it. `search` looks below
    /// the move in the window it is given, for the node's side to move.
    #[inline(always)]
    pub(crate) fn try_move<V: Value, E>(
        self,
        first: bool,
        window: (V, V),
        mut search: impl FnMut((V, V)) -> Result<V, E>,
    ) -> Result<V, E> {
        let (alpha, beta) = window;
        let scouts = self.method == Method::Negascout && !first;
        let mut tried = if scouts { (alpha, alpha.next_up()) } else { window };
        loop {
            let value = search(tried)?;
            if tried == window || value <= alpha || value >= beta {
                return Ok(value);
            }
            tried = window;
        }
    }

    /// What a search of this variant returns for a value or bound that it has found.
    #[inline(always)]
    pub(crate) fn bounded<V: Value>(self, value: V, (alpha, beta): (V, V)) -> V {
        match self.bound {
            Bound::Hard if value < alpha => alpha,
            Bound::Hard if value > beta => beta,
            _ => value,
        }
    }
}

/// What positions are worth: a number with a next one above it.
pub(crate) trait Value: Copy + PartialOrd {
    /// The least value above this one.
    fn next_up(self) -> Self;
}

impl Value for i32 {
    #[inline(always)]
    fn next_up(self) -> Self {
        self + 1
    }
}

impl Value for f64 {
    #[inline(always)]
    fn next_up(self) -> Self {
        Self::next_up(self)
    }
}

/// How the players with an evaluation search. At a fixed depth every way plays the same games; by
/// nodes or by time a faster one sees further.
///
/// ```
/// use kembara_engine::Search;
///
/// let search: Search = "negascout-soft".parse().unwrap();
/// assert_eq!(search.to_string(), "negascout-soft");
/// assert!("minimax".parse::<Search>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Search {
    /// One of the four variants, with nothing kept from one node for another.
    Plain(Variant),
    /// With everything that makes a search faster and leaves its move and value as they are. Games
    /// that know no more than the variants use their usual one.
    Fast,
}

impl Search {
    /// All of them.
    pub const ALL: [Self; 5] = {
        let [first, second, third, fourth] = Variant::ALL;
        [Self::Plain(first), Self::Plain(second), Self::Plain(third), Self::Plain(fourth), Self::Fast]
    };

    /// The variant to search in, for games that know nothing faster than `usual`.
    pub(crate) const fn variant(self, usual: Variant) -> Variant {
        match self {
            Self::Plain(variant) => variant,
            Self::Fast => usual,
        }
    }
}

/// `alpha-beta-hard`, `negascout-soft`, `fast`.
impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain(Variant { method: Method::AlphaBeta, bound: Bound::Hard }) => "alpha-beta-hard",
            Self::Plain(Variant { method: Method::AlphaBeta, bound: Bound::Soft }) => "alpha-beta-soft",
            Self::Plain(Variant { method: Method::Negascout, bound: Bound::Hard }) => "negascout-hard",
            Self::Plain(Variant { method: Method::Negascout, bound: Bound::Soft }) => "negascout-soft",
            Self::Fast => "fast",
        })
    }
}

/// Text that names no way to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a search is one of alpha-beta-hard, alpha-beta-soft, negascout-hard, negascout-soft, fast")]
pub struct NotASearch;

impl FromStr for Search {
    type Err = NotASearch;

    fn from_str(text: &str) -> Result<Self, NotASearch> {
        Self::ALL.into_iter().find(|search| search.to_string() == text).ok_or(NotASearch)
    }
}
