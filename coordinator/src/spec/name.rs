//! Names of runs, given or made up.

use std::fmt;

/// A run's name: `[a-z0-9][a-z0-9._-]{0,63}`, fit for a URL and a file name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct RunName(String);

/// What a name must look like, for error messages.
pub const NAME_RULE: &str = "1 to 64 of the characters a-z, 0-9, `.`, `_` and `-`, the first a letter or a digit";

impl RunName {
    /// Reads a name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let first = text.bytes().next()?;
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let fits = text.len() <= 64
            && plain(first)
            && text.bytes().all(|byte| plain(byte) || matches!(byte, b'.' | b'_' | b'-'));
        fits.then(|| Self(text.to_owned()))
    }

    /// A name made up for a run that was given none, such as `quiet-atoll-482`: one of 921,600.
    #[must_use]
    pub fn made_up(draw: u64) -> Self {
        let first = FIRST[(draw % 32) as usize];
        let second = SECOND[(draw / 32 % 32) as usize];
        Self(format!("{first}-{second}-{}", draw / 1024 % 900 + 100))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a journey may be.
const FIRST: [&str; 32] = [
    "amber", "brave", "bright", "calm", "clear", "distant", "early", "eastern", "evening", "fair", "far", "gentle",
    "golden", "green", "hidden", "high", "late", "little", "long", "lucky", "misty", "morning", "northern", "open",
    "patient", "quiet", "silver", "slow", "southern", "steady", "western", "winding",
];

/// What a journey may pass.
const SECOND: [&str; 32] = [
    "atoll", "banyan", "bay", "bridge", "canyon", "cape", "cove", "crater", "delta", "ferry", "forest", "garden",
    "grove", "harbour", "hill", "island", "jungle", "lagoon", "lantern", "meadow", "monsoon", "mountain", "orchid",
    "palm", "reef", "ridge", "river", "shore", "strait", "temple", "valley", "volcano",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_names_are_names() {
        for draw in (0..u64::MAX).step_by(1 << 55) {
            let name = RunName::made_up(draw | draw >> 40);
            assert_eq!(RunName::parse(name.as_str()), Some(name));
        }
    }

    #[test]
    fn odd_names_are_refused() {
        let long = "a".repeat(65);
        for odd in ["", "-a", ".a", "_a", "A", "a b", "a/b", "ä", "a\n", "../x", "a%2fb", &long] {
            assert_eq!(RunName::parse(odd), None, "{odd:?}");
        }
        assert!(RunName::parse(&"a".repeat(64)).is_some());
    }
}
