//! The one line that says how things stand, on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A status line: updated in place on a terminal, plain lines now and then elsewhere.
#[derive(Debug)]
pub struct Status {
    terminal: bool,
    every: Duration,
    last: Option<Instant>,
    shown: bool,
}

impl Status {
    /// A line that is written at most every `plain` where there is no terminal.
    pub fn new(plain: Duration) -> Self {
        let terminal = io::stderr().is_terminal();
        // Where there is no terminal, short work needs no line at all.
        let last = (!terminal).then(Instant::now);
        Self { terminal, every: if terminal { Duration::from_millis(100) } else { plain }, last, shown: false }
    }

    /// Shows how things stand, unless that was done a moment ago.
    pub fn show(&mut self, line: impl FnOnce() -> String) {
        if self.last.is_none_or(|last| last.elapsed() >= self.every) {
            self.last = Some(Instant::now());
            self.write(&line());
        }
    }

    /// Writes a line that stays.
    pub fn say(&mut self, line: &str) {
        self.clear();
        // Nothing can be done when standard error is closed.
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Takes the status line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }

    fn write(&mut self, line: &str) {
        let mut err = io::stderr().lock();
        let _ = if self.terminal {
            // Some terminals do not know their width and say 0.
            let known = rustix::termios::tcgetwinsize(io::stderr()).ok().filter(|size| size.ws_col > 0);
            let width = known.map_or(80, |size| usize::from(size.ws_col));
            let fitting: String = line.chars().take(width - 1).collect();
            self.shown = true;
            write!(err, "\r\x1b[2K{fitting}").and_then(|()| err.flush())
        } else {
            writeln!(err, "{line}")
        };
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.clear();
    }
}
