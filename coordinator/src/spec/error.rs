//! What is wrong with a spec: every error at once, each naming its field.

use serde::Serialize;
use std::fmt;

/// More errors than this are counted, not listed.
pub const MOST_ERRORS: usize = 100;

/// A place in the text of a spec, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

/// One thing wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// The dotted path of the field, `population.players[3]`; empty for the spec as a whole.
    pub field: String,
    /// Where it stands, when the spec was TOML text.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// What was given, shortened; `None` when something is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl FieldError {
    /// An error of a field that has no place in a text.
    #[must_use]
    pub fn new(field: impl Into<String>, value: Option<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), place: None, value, message: message.into() }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Place { line, column }) = self.place {
            write!(f, "line {line}, column {column}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

/// Why a spec is refused: at least one error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecErrors {
    /// The first [`MOST_ERRORS`] of them, in reading order.
    pub errors: Vec<FieldError>,
    /// How many more there are.
    pub more: usize,
}

impl SpecErrors {
    /// One error and no more.
    #[must_use]
    pub fn one(error: FieldError) -> Self {
        Self { errors: vec![error], more: 0 }
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, error) in self.errors.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{error}")?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for SpecErrors {}
