//! The file format of tables, version 1: a head of text, then numbers, then a hash.
//!
//! The head is lines that say what the numbers mean, one line for each source and one for each
//! shape in each band; `end` closes it. The numbers follow group by group: for each configuration
//! with a value, in rising order, how many configurations were skipped since the last, how often
//! it was seen and its value, as LEB128 (values zigzag). Only one of a configuration's images is
//! there, see [`Shape::pooled`]. The last 32 bytes are the BLAKE3 of all before them.

use super::shape::Shape;
use super::table::{About, Group, Id, Source, Table, Values};
use super::{BAND_MOVES, BANDS, UNITS};
use crate::player::shorten;
use std::fmt::Write;

/// Why a file is not a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Something else, or another version.
    #[error("not a pattern table of version 1: it has to begin with `{HEAD}`; `kembara patterns learn` writes one")]
    NotATable,
    /// More than any table has.
    #[error("{0} bytes; a pattern table has at most {MAX_BYTES}")]
    TooLong(usize),
    /// The hash at its end is not that of the content.
    #[error("the pattern table is damaged: its content does not fit the hash at its end; take a fresh copy")]
    Hash,
    /// A line of the head.
    #[error("line {line} of the pattern table's head is `{given}`; expected {expected}")]
    Line {
        /// From 1.
        line: usize,
        /// What stood there (shortened).
        given: String,
        /// What should have.
        expected: &'static str,
    },
    /// A number behind the head.
    #[error("the pattern table's numbers are malformed: {0}")]
    Numbers(&'static str),
}

/// The longest file that is read, in bytes: some times the size of a table with every value.
pub const MAX_BYTES: usize = 4 << 20;

const HEAD: &str = "kembara patterns 1";
const HASH: usize = 32;

/// The lines every table begins with: they leave no choice in this version.
fn preamble() -> String {
    format!(
        "{HEAD}\nmade by: kembara patterns learn FILE...\n\
         value: mean final margin in raw discs, shrunk towards 0: sum / (n + k), k by moments\n\
         unit: 1/{UNITS} disc, rounded half away from zero\nbands: {BANDS} of {BAND_MOVES} moves\n"
    )
}

/// A configuration with its value, as files hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) configuration: usize,
    pub(super) count: u32,
    pub(super) value: i16,
}

/// Writes a table. Entries stand by band and shape, each list in rising order.
pub(super) fn write(about: &About, entries: &[[Vec<Entry>; 2]; BANDS]) -> Vec<u8> {
    let mut head = preamble();
    let _ = writeln!(head, "least: {}", about.least);
    for Source { hash, name, games, left_out } in &about.sources {
        let hash = blake3::Hash::from_bytes(*hash).to_hex();
        let _ = writeln!(head, "source: {games} games, {left_out} left out, {hash} {name}");
    }
    for groups in &about.groups {
        for (shape, group) in Shape::ALL.iter().zip(groups) {
            let Group { seen, shrink, kept, rare } = group;
            let _ = writeln!(head, "{}: seen {seen}, k {shrink}, kept {kept}, rare {rare}", shape.name());
        }
    }
    head.push_str("end\n");
    let mut bytes = head.into_bytes();
    for list in entries.iter().flatten() {
        let mut next = 0;
        for entry in list {
            write_number(&mut bytes, (entry.configuration - next) as u32);
            write_number(&mut bytes, entry.count);
            write_number(&mut bytes, zigzag(entry.value));
            next = entry.configuration + 1;
        }
    }
    let hash = blake3::hash(&bytes);
    bytes.extend_from_slice(hash.as_bytes());
    bytes
}

impl Table {
    /// Reads a table from the bytes of its file.
    ///
    /// # Errors
    /// [`TableError`] says what is malformed and where.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        if bytes.len() > MAX_BYTES {
            return Err(TableError::TooLong(bytes.len()));
        }
        if !bytes.starts_with(format!("{HEAD}\n").as_bytes()) {
            return Err(TableError::NotATable);
        }
        let (content, given) = bytes.split_last_chunk::<HASH>().ok_or(TableError::Hash)?;
        let hash = blake3::hash(content);
        if hash != *given {
            return Err(TableError::Hash);
        }
        let mut head = Head { rest: content, line: 0 };
        let about = head.read()?;
        let mut numbers = Numbers(head.rest);
        let mut bands: [Values; BANDS] = std::array::from_fn(|_| Values::zero());
        for (values, groups) in bands.iter_mut().zip(&about.groups) {
            for (shape, group) in Shape::ALL.into_iter().zip(groups) {
                let mut next = 0;
                for _ in 0..group.kept {
                    let entry = numbers.entry(shape, next)?;
                    if entry.count < about.least {
                        return Err(TableError::Numbers("a configuration was seen too rarely to have a value"));
                    }
                    values.set(shape, entry.configuration, entry.value);
                    next = entry.configuration + 1;
                }
            }
        }
        if !numbers.0.is_empty() {
            return Err(TableError::Numbers("there are more than the head promises"));
        }
        let [a, b, c, d, e, f, ..] = *hash.as_bytes();
        Ok(Self { id: Id([a, b, c, d, e, f]), about, bands })
    }
}

/// The lines of the head that are still to be read.
struct Head<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Head<'a> {
    fn read(&mut self) -> Result<About, TableError> {
        for expected in preamble().lines() {
            let line = self.next()?;
            if line != expected {
                return Err(self.error(line, "what every table of version 1 says there"));
            }
        }
        let line = self.next()?;
        let least = line.strip_prefix("least: ").and_then(number).filter(|&least| least > 0);
        let least = least.ok_or_else(|| self.error(line, "`least: N` with N from 1"))?;
        let mut sources = Vec::new();
        let mut line = self.next()?;
        while let Some(source) = line.strip_prefix("source: ") {
            sources
                .push(read_source(source).ok_or_else(|| self.error(line, "`source: N games, N left out, HASH NAME`"))?);
            line = self.next()?;
        }
        let mut groups = [[Group { seen: 0, shrink: 0, kept: 0, rare: 0 }; 2]; BANDS];
        for (shape, group) in groups.iter_mut().flat_map(|groups| Shape::ALL.into_iter().zip(groups)) {
            *group = read_group(shape, line).ok_or_else(|| {
                self.error(line, "`edge: seen N, k N, kept N, rare N` or the same for `corner`, in turns, band by band")
            })?;
            line = self.next()?;
        }
        if line == "end" { Ok(About { least, sources, groups }) } else { Err(self.error(line, "`end`")) }
    }

    fn next(&mut self) -> Result<&'a str, TableError> {
        self.line += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        let text = std::str::from_utf8(line).ok().filter(|_| end.is_some());
        text.ok_or_else(|| self.error(&String::from_utf8_lossy(line), "a line of text"))
    }

    fn error(&self, given: &str, expected: &'static str) -> TableError {
        TableError::Line { line: self.line, given: shorten(given), expected }
    }
}

/// A number without sign or leading zeros, so that every table has one way to be written.
fn number<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

fn read_source(text: &str) -> Option<Source> {
    let (games, rest) = text.split_once(" games, ")?;
    let (left_out, rest) = rest.split_once(" left out, ")?;
    let (hash, name) = rest.split_once(' ')?;
    let hash = blake3::Hash::from_hex(hash).ok()?;
    Some(Source { hash: hash.into(), name: name.to_owned(), games: number(games)?, left_out: number(left_out)? })
}

fn read_group(shape: Shape, line: &str) -> Option<Group> {
    let rest = line.strip_prefix(shape.name())?.strip_prefix(": seen ")?;
    let (seen, rest) = rest.split_once(", k ")?;
    let (shrink, rest) = rest.split_once(", kept ")?;
    let (kept, rare) = rest.split_once(", rare ")?;
    Some(Group { seen: number(seen)?, shrink: number(shrink)?, kept: number(kept)?, rare: number(rare)? })
}

/// The numbers that are still to be read.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn entry(&mut self, shape: Shape, next: usize) -> Result<Entry, TableError> {
        let configuration = next + self.number()? as usize;
        let count = self.number()?;
        let value = unzigzag(self.number()?).ok_or(TableError::Numbers("a value is beyond any margin"))?;
        if configuration >= shape.configurations() {
            return Err(TableError::Numbers("a configuration is beyond the last"));
        }
        let (standing, sign) = shape.pooled(configuration);
        if standing != configuration || sign == 0 {
            return Err(TableError::Numbers("a configuration has a value where another stands for it"));
        }
        Ok(Entry { configuration, count, value })
    }

    fn number(&mut self) -> Result<u32, TableError> {
        let mut number = 0_u64;
        for by in (0..35).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(TableError::Numbers("they end too early"))?;
            self.0 = rest;
            number |= u64::from(byte & 0x7F) << by;
            if byte < 0x80 {
                let shortest = by == 0 || byte != 0;
                let number = u32::try_from(number).ok().filter(|_| shortest);
                return number.ok_or(TableError::Numbers("a number is too large or longer than needed"));
            }
        }
        Err(TableError::Numbers("a number is too large or longer than needed"))
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// 0, -1, 1, -2, … become 0, 1, 2, 3, …
const fn zigzag(value: i16) -> u32 {
    let value = value as i32;
    ((value << 1) ^ (value >> 31)) as u32
}

/// Undoes [`zigzag`]; `None` beyond the widest margin, 64 discs.
fn unzigzag(number: u32) -> Option<i16> {
    let value = (number >> 1) as i32 ^ -((number & 1) as i32);
    i16::try_from(value).ok().filter(|value| i64::from(value.unsigned_abs()) <= 64 * UNITS)
}

#[cfg(test)]
mod tests;
