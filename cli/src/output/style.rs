//! Colour, only on a terminal and never as the only sign.

use std::io::IsTerminal;

/// Whether text may be dressed up.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    colour: bool,
}

impl Style {
    /// For standard output: colour when it is a terminal that can, and `NO_COLOR` is not set.
    pub fn of_stdout() -> Self {
        Self::new(std::io::stdout().is_terminal())
    }

    fn new(terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { colour: terminal && !refused && !dumb }
    }

    /// Whether text stays as it is.
    pub const fn is_plain(self) -> bool {
        !self.colour
    }

    /// A heading.
    pub fn heading(self, text: &str) -> String {
        self.dress("1", text)
    }

    /// The one thing to look at.
    pub fn accent(self, text: &str) -> String {
        self.dress("32", text)
    }

    fn dress(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
