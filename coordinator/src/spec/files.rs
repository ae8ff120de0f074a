//! Reading a spec from a file, with the files it names, on the side of the person who launches.
//!
//! A coordinator never opens a file that a spec names: whatever is read here travels inlined.

use super::MOST_BYTES;
use super::error::{FieldError, SpecErrors};
use super::node::{Entry, Node, Value};
use super::reader::capped;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The fields that name a file, and the fields their lines become.
const NAMED: [(&[&str], &str, &str); 3] = [
    (&["population", "start"], "players_file", "players"),
    (&["tournament"], "opponents_file", "opponents"),
    (&["tournament", "openings"], "lines_file", "lines"),
];

/// Reads a spec: JSON when the name ends in `.json`, TOML otherwise. Files named by it are looked
/// for in its folder; their lines, without blank ones and those beginning with `#`, take the place
/// of the field that named them.
///
/// # Errors
/// [`SpecErrors`] when a file cannot be read, is not text, is too large (all together at most
/// [`MOST_BYTES`]), or the spec is neither TOML nor JSON.
pub fn load(path: &Path) -> Result<Node, SpecErrors> {
    let bytes = read(path, MOST_BYTES).map_err(|message| SpecErrors::one(FieldError::new("", None, message)))?;
    let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let mut spec = if json { Node::from_json(&bytes) } else { Node::from_toml(&bytes) }?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut left = MOST_BYTES - bytes.len();
    let mut errors = Vec::new();
    for (table, named, inlined) in NAMED {
        let Some(entries) = find(&mut spec, table) else { continue };
        let both = entries.iter().any(|entry| entry.name == inlined);
        let Some(entry) = entries.iter_mut().find(|entry| entry.name == named) else { continue };
        let Value::Text(file) = &entry.node.value else { continue };
        let lines = if both {
            Err(format!("stands beside `{inlined}`; give one of the two"))
        } else {
            read(&folder.join(file), left).and_then(|bytes| lines(&bytes, &mut left))
        };
        match lines {
            Ok(lines) => {
                entry.name = inlined.to_owned();
                let place = entry.node.place;
                entry.node.value =
                    Value::List(lines.into_iter().map(|line| Node { value: Value::Text(line), place }).collect());
            }
            Err(message) => errors.push(FieldError {
                field: format!("{}.{named}", table.join(".")),
                place: entry.node.place,
                value: Some(entry.node.to_string()),
                message,
            }),
        }
    }
    if errors.is_empty() { Ok(spec) } else { Err(capped(errors)) }
}

/// The table at a path, if there is one.
fn find<'n>(node: &'n mut Node, path: &[&str]) -> Option<&'n mut Vec<Entry>> {
    let Value::Table(entries) = &mut node.value else { return None };
    match path.split_first() {
        None => Some(entries),
        Some((name, rest)) => find(&mut entries.iter_mut().find(|entry| entry.name == *name)?.node, rest),
    }
}

fn read(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let cannot = |error: std::io::Error| format!("{} cannot be read: {error}", path.display());
    let file = File::open(path).map_err(cannot)?;
    let kind = file.metadata().map_err(cannot)?.file_type();
    if !kind.is_file() {
        return Err(format!("{} is not a plain file", path.display()));
    }
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() > most {
        return Err(format!(
            "{} is too large: a spec and the files it names may have {MOST_BYTES} bytes together",
            path.display()
        ));
    }
    Ok(bytes)
}

fn lines(bytes: &[u8], left: &mut usize) -> Result<Vec<String>, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| format!("the file is not UTF-8 text: byte {} does not fit", error.valid_up_to() + 1))?;
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    // In JSON each line takes two quotes and a comma more.
    let size = lines.iter().map(|line| line.len() + 3).sum();
    *left = left.checked_sub(size).ok_or_else(|| {
        format!(
            "{} lines are too many: a spec and the files it names may have {MOST_BYTES} bytes together",
            lines.len()
        )
    })?;
    Ok(lines)
}
