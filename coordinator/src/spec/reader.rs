//! Reading a tree of values field by field, collecting every error.
//!
//! A [`Section`] hands out the fields it is asked for and remembers their names; whatever is left
//! when it is closed is unknown, and the names asked for are the ones to suggest.

use super::error::{FieldError, MOST_ERRORS, SpecErrors};
use super::node::{Entry, Node, Value};
use kembara_engine::player::shorten;
use std::cell::{Cell, RefCell};
use std::ops::RangeInclusive;

/// Where all sections of a spec put their errors.
#[derive(Debug, Default)]
pub struct Errors {
    listed: RefCell<Vec<FieldError>>,
    more: Cell<usize>,
}

impl Errors {
    /// Notes an error.
    pub fn push(&self, error: FieldError) {
        let mut listed = self.listed.borrow_mut();
        if listed.len() < MOST_ERRORS {
            listed.push(error);
        } else {
            self.more.set(self.more.get() + 1);
        }
    }

    /// The paths of all fields noted so far.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        self.listed.borrow().iter().map(|error| error.field.clone()).collect()
    }

    /// The value when nothing was noted.
    ///
    /// # Errors
    /// Everything noted, in the order of the text where places are known.
    pub fn close<T>(self, value: T) -> Result<T, SpecErrors> {
        let mut listed = self.listed.into_inner();
        listed.sort_by_key(|error| error.place.map(|place| (place.line, place.column)));
        if listed.is_empty() { Ok(value) } else { Err(SpecErrors { errors: listed, more: self.more.get() }) }
    }
}

/// Lists the first of many errors and counts the rest.
pub(super) fn capped(mut errors: Vec<FieldError>) -> SpecErrors {
    let more = errors.len().saturating_sub(MOST_ERRORS);
    errors.truncate(MOST_ERRORS);
    SpecErrors { errors, more }
}

/// A field: its path, its value if one was given, and where errors go.
#[derive(Clone)]
pub struct Field<'a> {
    /// The dotted path.
    pub path: String,
    node: Option<&'a Node>,
    errors: &'a Errors,
}

impl<'a> Field<'a> {
    /// The whole of a spec.
    #[must_use]
    pub fn root(node: &'a Node, errors: &'a Errors) -> Self {
        Self { path: String::new(), node: Some(node), errors }
    }

    /// The value, unless it was left out.
    #[must_use]
    pub fn given(&self) -> Option<&'a Node> {
        self.node.filter(|node| node.value != Value::Null)
    }

    /// What `read` makes of the value; `default` when it was left out or is in error.
    #[must_use]
    pub fn or<T>(&self, default: T, read: impl FnOnce(&Self) -> Option<T>) -> T {
        if self.given().is_some() { read(self).unwrap_or(default) } else { default }
    }

    /// Notes an error of this field.
    pub fn refuse(&self, message: impl Into<String>) {
        self.errors.push(FieldError {
            field: self.path.clone(),
            place: self.node.and_then(|node| node.place),
            value: self.given().map(ToString::to_string),
            message: message.into(),
        });
    }

    /// Notes that the value has the wrong kind.
    fn wrong_kind(&self, expected: &str) {
        if let Some(node) = self.given() {
            self.refuse(format!("is {node}; it must be {expected}"));
        }
    }

    /// Text.
    #[must_use]
    pub fn text(&self, expected: &str) -> Option<&'a str> {
        match &self.given()?.value {
            Value::Text(text) => Some(text),
            _ => {
                self.wrong_kind(expected);
                None
            }
        }
    }

    /// A whole number within a range.
    #[must_use]
    pub fn whole(&self, range: RangeInclusive<u64>) -> Option<u64> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        match self.given()?.value {
            Value::Whole(number) if u64::try_from(number).is_ok_and(|number| range.contains(&number)) => {
                u64::try_from(number).ok()
            }
            _ => {
                self.wrong_kind(&expected);
                None
            }
        }
    }

    /// A whole number within a range that fits 32 bits.
    #[must_use]
    pub fn small(&self, range: RangeInclusive<u32>) -> Option<u32> {
        let number = self.whole((*range.start()).into()..=(*range.end()).into())?;
        u32::try_from(number).ok()
    }

    /// A whole number within a range that may lie below zero.
    #[must_use]
    pub fn signed(&self, range: RangeInclusive<i32>) -> Option<i32> {
        match self.given()?.value {
            Value::Whole(number) if i32::try_from(number).is_ok_and(|number| range.contains(&number)) => {
                i32::try_from(number).ok()
            }
            _ => {
                self.wrong_kind(&format!("a whole number from {} to {}", range.start(), range.end()));
                None
            }
        }
    }

    /// A finite number within a range; whole numbers count as real ones.
    #[must_use]
    pub fn real(&self, range: RangeInclusive<f64>) -> Option<f64> {
        let number = match self.given()?.value {
            Value::Real(number) => Some(number),
            Value::Whole(number) => Some(number as f64),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            self.wrong_kind(&format!("a number from {} to {}", range.start(), range.end()));
        }
        // Minus zero is zero.
        number.map(|number| if number == 0.0 { 0.0 } else { number })
    }

    /// One of a few words, each with its meaning.
    #[must_use]
    pub fn choice<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let listed = words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(" or ");
        let text = self.text(&listed)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let close = closest(text, words.iter().map(|(word, _)| *word));
            let hint = close.map(|word| format!("; did you mean \"{word}\"?")).unwrap_or_default();
            self.refuse(format!("is \"{}\"; it must be {listed}{hint}", shorten(text)));
        }
        found
    }

    /// The items of a list, each a field of its own.
    #[must_use]
    pub fn list(&self, most: usize, expected: &str) -> Option<Vec<Field<'a>>> {
        match &self.given()?.value {
            Value::List(items) if items.len() <= most => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(place, node)| Field {
                        path: format!("{}[{place}]", self.path),
                        node: Some(node),
                        errors: self.errors,
                    })
                    .collect(),
            ),
            Value::List(items) => {
                self.refuse(format!("has {} items; at most {most} are allowed", items.len()));
                None
            }
            _ => {
                self.wrong_kind(expected);
                None
            }
        }
    }

    /// The table here; empty when left out, and after noting that something else stands here.
    #[must_use]
    pub fn section(&self) -> Section<'a> {
        let entries: &[Entry] = match self.given().map(|node| &node.value) {
            None => &[],
            Some(Value::Table(entries)) => entries,
            Some(_) => {
                self.wrong_kind("a table");
                &[]
            }
        };
        Section { field: self.clone(), entries, asked: RefCell::default(), forbidden: RefCell::default() }
    }
}

/// A table being read.
pub struct Section<'a> {
    field: Field<'a>,
    entries: &'a [Entry],
    asked: RefCell<Vec<String>>,
    /// Names that were refused with words of their own.
    forbidden: RefCell<Vec<String>>,
}

impl<'a> Section<'a> {
    /// The field of this name, given or not.
    #[must_use]
    pub fn field(&self, name: &str) -> Field<'a> {
        self.asked.borrow_mut().push(name.to_owned());
        let node = self.entries.iter().find(|entry| entry.name == name).map(|entry| &entry.node);
        Field { path: join(&self.field.path, name), node, errors: self.field.errors }
    }

    /// Refuses a field that people may expect here, and says what to do instead.
    pub fn forbid(&self, name: &str, message: &str) {
        if let Some(entry) = self.entries.iter().find(|entry| entry.name == name) {
            let path = join(&self.field.path, name);
            Field { path, node: Some(&entry.node), errors: self.field.errors }.refuse(message);
        }
        self.forbidden.borrow_mut().push(name.to_owned());
    }

    /// Whether there is an entry of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// Notes an error of the table as a whole.
    pub fn refuse(&self, message: impl Into<String>) {
        self.field.refuse(message);
    }

    /// Notes every field nobody asked for.
    pub fn close(self) {
        let (asked, forbidden) = (self.asked.into_inner(), self.forbidden.into_inner());
        let known = |name: &String| asked.contains(name) || forbidden.contains(name);
        for entry in self.entries.iter().filter(|entry| !known(&entry.name)) {
            let hint = closest(&entry.name, asked.iter().map(String::as_str))
                .map(|name| format!("; did you mean `{}`?", join(&self.field.path, name)))
                .unwrap_or_default();
            let known = {
                let mut names: Vec<_> = asked.iter().map(|name| format!("`{name}`")).collect();
                names.sort();
                names.dedup();
                names.join(", ")
            };
            let inside = if self.field.path.is_empty() { "a spec" } else { &self.field.path };
            self.field.errors.push(FieldError {
                field: join(&self.field.path, &shorten(&entry.name)),
                place: entry.place,
                value: Some(entry.node.to_string()),
                message: format!("there is no such field{hint}; {inside} has {known}"),
            });
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The known word that was probably meant, if one is near.
fn closest<'w>(given: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    const LONGEST: usize = 40;
    if given.len() > LONGEST {
        return None;
    }
    known
        .map(|word| (strsim::osa_distance(&given.to_lowercase(), word), word))
        .filter(|(distance, word)| *distance <= word.chars().count().div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}
