//! What people and machines read: text, tables, JSON and the one status line.

mod figures;
mod status;
mod style;
mod table;

pub use figures::{elo, grouped, percent, span};
pub use status::Status;
pub use style::Style;
pub use table::{Align, Table};

use crate::failure::{Done, Failure};
use std::io::{self, Write};

/// Writes to standard output. A reader that went away, as `head` does, ends the program quietly.
pub fn print(text: &str) -> Done {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::failed(format!("cannot write to standard output: {error}"))),
    }
}

/// Writes one value as JSON, indented, with a line break behind it.
pub fn print_json(value: &impl serde::Serialize) -> Done {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::failed(format!("cannot write the result as JSON: {error}")))?;
    print(&(text + "\n"))
}
