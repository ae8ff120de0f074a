//! A spec's text as a tree of values that remember where they stand.
//!
//! TOML and JSON end in the same tree, so everything after this module knows one form. Numbers keep
//! what was written: an integer too large for any field is still an integer.

use super::error::{FieldError, Place, SpecErrors};
use super::{MOST_BYTES, reader};
use kembara_engine::player::shorten;
use serde::de::{self, MapAccess, SeqAccess, Visitor};
use std::fmt;
use toml::de::{DeTable, DeValue};

/// A value and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands; `None` in JSON.
    pub place: Option<Place>,
}

/// What people can write.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// JSON's null: the same as leaving the field out.
    Null,
    /// True or false.
    Flag(bool),
    /// A whole number; beyond 128 bits the nearest end.
    Whole(i128),
    /// A number with a point or an exponent, or one of TOML's `nan` and `inf`.
    Real(f64),
    /// Text.
    Text(String),
    /// TOML's dates and times, which no field takes.
    Date(String),
    /// A list.
    List(Vec<Node>),
    /// Named values, in the order of the text or of their names, names distinct.
    Table(Vec<Entry>),
}

/// One named value of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub place: Option<Place>,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// A value without a place.
    #[must_use]
    pub const fn of(value: Value) -> Self {
        Self { value, place: None }
    }

    /// Reads TOML text.
    ///
    /// # Errors
    /// Everything wrong with the text as TOML, a name given twice included.
    pub fn from_toml(bytes: &[u8]) -> Result<Self, SpecErrors> {
        let text = as_text(bytes)?;
        let lines = Lines::new(text);
        let (table, wrong) = DeTable::parse_recoverable(text);
        let errors: Vec<_> = wrong
            .iter()
            .map(|error| FieldError {
                field: String::new(),
                place: error.span().map(|span| lines.place(span.start)),
                value: None,
                message: format!("not TOML: {}", error.message()),
            })
            .collect();
        if errors.is_empty() {
            return Ok(Self { value: toml_table(table.into_inner(), &lines), place: None });
        }
        Err(reader::capped(errors))
    }

    /// Reads JSON text.
    ///
    /// # Errors
    /// The first thing wrong with the text as JSON, a name given twice included.
    pub fn from_json(bytes: &[u8]) -> Result<Self, SpecErrors> {
        let text = as_text(bytes)?;
        serde_json::from_str(text).map_err(|error| {
            let place = Place { line: to_u32(error.line()), column: to_u32(error.column().max(1)) };
            SpecErrors::one(FieldError {
                field: String::new(),
                place: Some(place),
                value: None,
                // The place is told in our own words.
                message: format!("not JSON: {}", error.to_string().split(" at line ").next().unwrap_or_default()),
            })
        })
    }

    /// The same tree as JSON. Numbers that JSON cannot write become text.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Flag(flag) => (*flag).into(),
            Value::Whole(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => number.into(),
                (_, Ok(number)) => number.into(),
                _ => number.to_string().into(),
            },
            Value::Real(number) => serde_json::Number::from_f64(*number)
                .map_or_else(|| number.to_string().into(), serde_json::Value::Number),
            Value::Text(text) | Value::Date(text) => text.as_str().into(),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Table(entries) => serde_json::Value::Object(
                entries.iter().map(|entry| (entry.name.clone(), entry.node.to_json())).collect(),
            ),
        }
    }

    /// The text here, if it is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Where a field stands, or the nearest table around it.
    #[must_use]
    pub fn place_of(&self, path: &str) -> Option<Place> {
        let (mut node, mut place) = (self, None);
        for part in path.split(['.', '[', ']']).filter(|part| !part.is_empty()) {
            let next = match &node.value {
                Value::Table(entries) => entries.iter().find(|entry| entry.name == part).map(|entry| &entry.node),
                Value::List(items) => part.parse::<usize>().ok().and_then(|at| items.get(at)),
                _ => None,
            };
            let Some(next) = next else { break };
            (node, place) = (next, next.place.or(place));
        }
        place
    }

    /// Sets a field of a table of tables, making the tables on the way. False when something on
    /// the way is not a table.
    pub fn set(&mut self, path: &[&str], value: Value) -> bool {
        let Some((name, rest)) = path.split_first() else {
            self.value = value;
            return true;
        };
        let Value::Table(entries) = &mut self.value else { return false };
        let at = entries.iter().position(|entry| entry.name == *name).unwrap_or_else(|| {
            let node = Self::of(Value::Table(Vec::new()));
            entries.push(Entry { name: (*name).to_owned(), place: None, node });
            entries.len() - 1
        });
        entries[at].node.set(rest, value)
    }
}

impl fmt::Display for Node {
    /// The value as people would write it, shortened.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Null => f.write_str("null"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Whole(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number:?}"),
            Value::Text(text) => write!(f, "\"{}\"", shorten(text)),
            Value::Date(text) => f.write_str(text),
            Value::List(items) => write!(f, "a list of {}", items.len()),
            Value::Table(_) => f.write_str("a table"),
        }
    }
}

/// Checks size and encoding.
fn as_text(bytes: &[u8]) -> Result<&str, SpecErrors> {
    let refuse = |message: String| SpecErrors::one(FieldError::new("", None, message));
    if bytes.len() > MOST_BYTES {
        return Err(refuse(format!("the spec has {} bytes; at most {MOST_BYTES} are allowed", bytes.len())));
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_err(|error| refuse(format!("the spec is not UTF-8 text: byte {} does not fit", error.valid_up_to() + 1)))
}

/// Where the lines of a text begin.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let start = self.starts[line - 1];
        // A long line costs at most this much, however many values stand in it.
        const LOOKED_AT: usize = 4096;
        let end = offset.min(self.text.len());
        let column = if end - start <= LOOKED_AT {
            self.text.get(start..end).map_or(end - start, |before| before.chars().count())
        } else {
            end - start
        };
        Place { line: to_u32(line), column: to_u32(column + 1) }
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn toml_table(table: DeTable<'_>, lines: &Lines<'_>) -> Value {
    let entries = table
        .into_iter()
        .map(|(key, value)| {
            let place = Some(lines.place(key.span().start));
            // A table header spans only its own line; its name is the better place.
            let at = if matches!(value.get_ref(), DeValue::Table(_)) { key.span().start } else { value.span().start };
            let node = Node { place: Some(lines.place(at)), value: toml_value(value.into_inner(), lines) };
            Entry { name: key.into_inner().into_owned(), place, node }
        })
        .collect();
    Value::Table(entries)
}

fn toml_value(value: DeValue<'_>, lines: &Lines<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(number) => {
            let end = if number.as_str().starts_with('-') { i128::MIN } else { i128::MAX };
            Value::Whole(i128::from_str_radix(number.as_str(), number.radix()).unwrap_or(end))
        }
        DeValue::Float(number) => Value::Real(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(items) => Value::List(
            items
                .into_iter()
                .map(|item| Node {
                    place: Some(lines.place(item.span().start)),
                    value: toml_value(item.into_inner(), lines),
                })
                .collect(),
        ),
        DeValue::Table(table) => toml_table(table, lines),
    }
}

impl<'de> de::Deserialize<'de> for Node {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reading).map(Self::of)
    }
}

/// Builds the tree from JSON; unlike `serde_json::Value` it notices a name given twice.
struct Reading;

impl<'de> Visitor<'de> for Reading {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Whole(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Whole(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut names = std::collections::BTreeSet::new();
        let mut entries = Vec::new();
        while let Some((name, node)) = items.next_entry::<String, Node>()? {
            if !names.insert(name.clone()) {
                return Err(de::Error::custom(format!("the name `{}` is given twice", shorten(&name))));
            }
            entries.push(Entry { name, place: None, node });
        }
        Ok(Value::Table(entries))
    }
}
