//! Files of lines that people write: openings, books, players.

use crate::failure::Failure;
use std::path::Path;

/// The longest file that is read, in bytes: some hundred thousand lines, which is a matter of seconds.
const LONGEST: u64 = 4 << 20;

/// A line that says something.
pub struct Line {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What it says, without blanks around it.
    pub text: String,
}

/// The lines of a file, without empty ones and those that begin with `#`. There is at least one.
pub fn read(path: &Path, holds: &str) -> Result<Vec<Line>, Failure> {
    let unreadable = |why: String| Failure::usage(format!("{} cannot be read: {why}", path.display()));
    let about = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !about.is_file() {
        return Err(unreadable("it is not a file".to_owned()));
    }
    if about.len() > LONGEST {
        return Err(unreadable(format!("it has {} bytes, and more than {LONGEST} are not read", about.len())));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().zip(1..).map(|(line, number)| Line { number, text: line.trim().to_owned() });
    let lines: Vec<_> = lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('#')).collect();
    if lines.is_empty() {
        return Err(Failure::usage(format!("{} is empty; it should hold {holds}, one a line", path.display())));
    }
    Ok(lines)
}
