//! What a request names in its path and asks in its query.

use super::problem::Problem;
use crate::spec::RunName;
use crate::store::views::Page;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use kembara_engine::player::shorten;
use serde_json::{Value, json};

/// The named parts of the path.
pub struct Target(Vec<(String, String)>);

/// A generation as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The last one that was turned over.
    Latest,
    /// This one, from 1.
    Number(u32),
}

impl Target {
    fn part(&self, name: &str) -> &str {
        self.0.iter().find(|(part, _)| part == name).map_or("", |(_, value)| value)
    }

    /// The run.
    ///
    /// # Errors
    /// 404 for what cannot be a run's name.
    pub fn run(&self) -> Result<RunName, Problem> {
        let text = self.part("run");
        RunName::parse(text).ok_or_else(|| no_run(text))
    }

    /// The generation.
    ///
    /// # Errors
    /// 404 for what is neither a number from 1 nor `latest`.
    pub fn generation(&self) -> Result<Which, Problem> {
        read_generation(self.part("generation"))
            .ok_or_else(|| Problem::not_found("a generation is named by its number, from 1, or by `latest`"))
    }

    /// A whole number.
    ///
    /// # Errors
    /// 404 for anything else.
    pub fn number(&self, name: &str) -> Result<u64, Problem> {
        let text = self.part(name);
        plain_number(text).ok_or_else(|| Problem::not_found(format!("there is no {name} `{}`", shorten(text))))
    }
}

/// The problem of a run that is not there.
pub fn no_run(name: &str) -> Problem {
    Problem::not_found(format!("there is no run named `{}`", shorten(name)))
}

fn read_generation(text: &str) -> Option<Which> {
    if text == "latest" {
        return Some(Which::Latest);
    }
    // Postgres counts generations in 31 bits.
    let number = plain_number(text)?;
    (1..=i32::MAX.unsigned_abs().into()).contains(&number).then_some(())?;
    u32::try_from(number).ok().map(Which::Number)
}

/// Digits only: no sign, no space, no leading zero, so that everything has one address.
fn plain_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}

impl<S: Send + Sync> FromRequestParts<S> for Target {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Path(named) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::bad_request("the path is not UTF-8 text in percent encoding"))?;
        Ok(Self(named))
    }
}

/// The query, read field by field; everything wrong with it is told at once.
pub struct Asked {
    given: Vec<(String, String)>,
    known: Vec<&'static str>,
    errors: Vec<Value>,
}

impl Asked {
    fn take(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        let mut values = self.given.iter().filter(|(given, _)| given == name).map(|(_, value)| value.clone());
        let first = values.next();
        if values.next().is_some() {
            self.refuse(name, "is given twice".to_owned());
        }
        first
    }

    fn refuse(&mut self, field: &str, message: String) {
        self.errors.push(json!({ "field": shorten(field), "message": message }));
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> Option<T> {
        let text = self.take(name)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let listed = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            self.refuse(name, format!("is `{}`; it must be one of {listed}", shorten(&text)));
        }
        found
    }

    /// A generation; the latest when left out.
    pub fn generation(&mut self) -> Which {
        let Some(text) = self.take("generation") else { return Which::Latest };
        read_generation(&text).unwrap_or_else(|| {
            self.refuse("generation", format!("is `{}`; it must be a number from 1 or `latest`", shorten(&text)));
            Which::Latest
        })
    }

    /// A share, 0 to 1; none when left out.
    pub fn share(&mut self, name: &'static str) -> f64 {
        let Some(text) = self.take(name) else { return 0.0 };
        text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).unwrap_or_else(|| {
            self.refuse(name, format!("is `{}`; it must be a number from 0 to 1", shorten(&text)));
            0.0
        })
    }

    /// A part of a list.
    pub fn page(&mut self, usual: u32, most: u32) -> Page {
        let limit = self.whole("limit", 1, most.into()).and_then(|limit| u32::try_from(limit).ok()).unwrap_or(usual);
        Page { limit, offset: self.whole("offset", 0, u64::MAX >> 1).unwrap_or(0) }
    }

    fn whole(&mut self, name: &'static str, low: u64, high: u64) -> Option<u64> {
        let text = self.take(name)?;
        let number = plain_number(&text).filter(|number| (low..=high).contains(number));
        if number.is_none() {
            self.refuse(name, format!("is `{}`; it must be a whole number from {low} to {high}", shorten(&text)));
        }
        number
    }

    /// Ends the reading: nothing may be left.
    ///
    /// # Errors
    /// 400 with everything that is wrong.
    pub fn end(mut self) -> Result<(), Problem> {
        let unknown: Vec<String> = self
            .given
            .iter()
            .map(|(name, _)| name.clone())
            .filter(|name| !self.known.contains(&name.as_str()))
            .collect();
        let known = self.known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        for name in unknown.iter().take(crate::spec::MOST_ERRORS) {
            let there =
                if known.is_empty() { "nothing can be asked here".to_owned() } else { format!("there is {known}") };
            self.refuse(name, format!("there is no such parameter; {there}"));
        }
        if self.errors.is_empty() {
            return Ok(());
        }
        let told: Vec<String> =
            self.errors.iter().take(5).map(|error| format!("{} {}", error["field"], error["message"])).collect();
        Err(Problem::bad_request(told.join("; ").replace('"', "")).with_errors(&self.errors))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(given) = Query::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::bad_request("the query cannot be read; write it as name=value&name=value"))?;
        Ok(Self { given, known: Vec::new(), errors: Vec::new() })
    }
}
