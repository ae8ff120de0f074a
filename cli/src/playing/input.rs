//! Lines from the other end of standard input, which may be anybody.

use std::io::{BufRead, Read};

/// The longest line that is listened to, in bytes; a whole game in GGF is far shorter.
const LONGEST: u64 = 1 << 16;

/// What was heard.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, without its end; bytes that are no text are replaced.
    Line(String),
    /// A line too long to be meant; it is skipped.
    TooLong,
}

/// A stream of lines.
pub struct Input<R>(pub R);

impl<R: BufRead> Input<R> {
    /// The next line; `None` once nobody is there any more.
    pub fn next(&mut self) -> Option<Heard> {
        let mut line = Vec::new();
        let read = self.0.by_ref().take(LONGEST).read_until(b'\n', &mut line).ok()?;
        if read == 0 {
            return None;
        }
        if line.pop_if(|last| *last == b'\n').is_none() && read as u64 == LONGEST {
            self.skip_line();
            return Some(Heard::TooLong);
        }
        line.pop_if(|last| *last == b'\r');
        Some(Heard::Line(String::from_utf8_lossy(&line).into_owned()))
    }

    fn skip_line(&mut self) {
        while let Ok(buffer) = self.0.fill_buf() {
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.0.consume(used);
            if end.is_some() || used == 0 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_they_hold() {
        let mut text = b"one\r\n\n\xff\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', 200_000));
        text.extend(b"\nlast");
        let mut input = Input(text.as_slice());
        let line = |text: &str| Some(Heard::Line(text.to_owned()));
        assert_eq!(input.next(), line("one"));
        assert_eq!(input.next(), line(""));
        assert_eq!(input.next(), line("\u{fffd}"));
        assert_eq!(input.next(), Some(Heard::TooLong));
        assert_eq!(input.next(), line("last"));
        assert_eq!(input.next(), None);
    }
}
