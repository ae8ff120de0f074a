//! Files of game records: opening them, with the files of names that lie beside them, and writing.

use crate::failure::Failure;
use clap::ValueEnum;
use kembara_engine::othello::record::{self, Collection, Damage, MAX_BYTES, Record, wthor};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Damaged games that are named one by one.
const NAMED: usize = 20;

/// The formats that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Smart Game Format, results in discs
    Sgf,
    /// The format of Othello servers, a line for each game
    Ggf,
    /// Moves only, as in `1. d3 - c3`, an empty line between games
    Text,
}

impl Format {
    /// Writes a game.
    pub fn write(self, game: &Record) -> String {
        match self {
            Self::Sgf => record::sgf(game),
            Self::Ggf => record::ggf(game),
            Self::Text => record::text(game),
        }
    }

    /// What stands between two games.
    pub const fn between(self) -> &'static str {
        match self {
            Self::Sgf | Self::Ggf => "",
            Self::Text => "\n",
        }
    }
}

/// Reads every game of a file, or of standard input for `-`.
pub fn open(path: &Path) -> Result<Collection, Failure> {
    let bytes = contents(path)?;
    let names = names_beside(path)?;
    record::read_with_names(&bytes, &names).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
}

/// The bytes of a file, or of standard input for `-`, up to one more than any file may have.
pub fn contents(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::failed(format!("cannot read {}: {error}", path.display()));
    let mut bytes = Vec::new();
    // One byte more than is read of any file, so that the reader sees that it is too long.
    let most = MAX_BYTES as u64 + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(unreadable)?;
    }
    Ok(bytes)
}

/// The names of WTHOR's players and tournaments, when files of them lie in the same folder.
fn names_beside(path: &Path) -> Result<wthor::Names, Failure> {
    let is_wthor = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb"));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(entries) = is_wthor.then(|| std::fs::read_dir(folder).ok()).flatten() else {
        return Ok(wthor::Names::default());
    };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let find = |name: &str| {
        let file = files.iter().find(|file| file.file_name().is_some_and(|found| found.eq_ignore_ascii_case(name)));
        file.map(|file| contents(file)).unwrap_or_else(|| Ok(Vec::new()))
    };
    wthor::Names::read(&find("WTHOR.JOU")?, &find("WTHOR.TRN")?)
        .map_err(|error| Failure::failed(format!("the names beside {}: {error}", path.display())))
}

/// One game of a file, by its number from 1.
pub fn game(collection: &Collection, number: usize) -> Result<&Record, Failure> {
    match number.checked_sub(1).and_then(|place| collection.games.get(place)) {
        Some(Ok(record)) => Ok(record),
        Some(Err(damage)) => Err(Failure::failed(damage.to_string())),
        None => {
            let count = collection.games.len();
            let games = if count == 1 { "1 game".to_owned() } else { format!("{count} games, numbered from 1") };
            Err(Failure::usage(format!("there is no game {number}: the file has {games}")))
        }
    }
}

/// Names what could not be read, on standard error, and says how many games that were.
pub fn complain(collection: &Collection) -> usize {
    let damaged: Vec<&Damage> = collection.damaged().collect();
    for damage in damaged.iter().take(NAMED) {
        eprintln!("not read: {}", Failure::failed(damage.to_string()).line());
    }
    if damaged.len() > NAMED {
        eprintln!("not read: {} games more", damaged.len() - NAMED);
    }
    damaged.len()
}
