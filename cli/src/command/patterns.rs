//! `kembara patterns`: tables of what edges and corners are worth, learned and shown.

use super::records;
use crate::contest::record::Save;
use crate::failure::{Done, Failure};
use crate::output::{self, Align, Style, Table, grouped};
use clap::{Args, Subcommand, value_parser};
use kembara_engine::othello::pattern::{self, Learner, Shape};
use kembara_engine::othello::record::{self, Collection};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Names table files to the program, as `--patterns` does, colons between them.
pub const VARIABLE: &str = "KEMBARA_PATTERNS";

/// What to do with tables.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Learn a table from games that were played to their end
    Learn(Learn),
    /// Show where a table comes from
    Show(Show),
}

/// Which games make which table. The order of the files does not matter.
#[derive(Args, Debug)]
struct Learn {
    /// Files of Othello games: WTHOR, SGF, GGF, PGN, lists of moves
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write the table to
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Value only configurations that were seen so often
    #[arg(long, value_name = "COUNT", default_value_t = pattern::LEAST, value_parser = value_parser!(u32).range(1..))]
    least: u32,
    /// Learn also from games that stop early, by the result as written
    #[arg(long)]
    unfinished: bool,
}

/// Which table.
#[derive(Args, Debug)]
struct Show {
    /// The table's file; without one the table that ships with the program
    file: Option<PathBuf>,
}

/// Learns or shows.
pub fn run(arguments: &Arguments) -> Done {
    match &arguments.command {
        Command::Learn(arguments) => learn(arguments),
        Command::Show(arguments) => match &arguments.file {
            Some(file) => output::print(&about(&read(file)?)),
            None => output::print(&about(pattern::shipped())),
        },
    }
}

/// The files that were loaded, as [`VARIABLE`] names them.
static LOADED: OnceLock<OsString> = OnceLock::new();

/// Makes the tables of these files known to the program.
pub fn load(files: &[PathBuf]) -> Done {
    for file in files {
        pattern::add(read(file)?);
    }
    LOADED.get_or_init(|| files.iter().map(|file| file.as_os_str()).collect::<Vec<_>>().join(":".as_ref()));
    Ok(())
}

/// What [`VARIABLE`] has to be for a program that is started to know the same tables.
pub fn loaded() -> Option<&'static OsStr> {
    LOADED.get().filter(|files| !files.is_empty()).map(OsString::as_os_str)
}

fn read(file: &Path) -> Result<pattern::Table, Failure> {
    let bytes = records::contents(file)?;
    pattern::Table::read(&bytes).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))
}

fn learn(arguments: &Learn) -> Done {
    let mut learner = Learner::new(arguments.least, arguments.unfinished);
    let (mut games, mut left_out) = (0, 0);
    let mut save = Save::new(&arguments.to)?;
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    if let Some(source) =
        arguments.files.iter().find(|file| place(file).is_some_and(|it| place(&arguments.to) == Some(it)))
    {
        return Err(Failure::usage(format!("--to {} would overwrite the games to learn from", source.display())));
    }
    for file in &arguments.files {
        let failed = |error: String| Failure::failed(format!("{}: {error}", file.display()));
        let bytes = records::contents(file)?;
        let collection = record::read(&bytes).map_err(|error| failed(error.to_string()))?;
        // Only the name is kept, so that a table does not depend on where the files lie.
        let name = file.file_name().map_or_else(|| "-".to_owned(), |name| name.to_string_lossy().into_owned());
        let source = learner.add(&name, &bytes, &collection).map_err(|error| Failure::usage(error.to_string()))?;
        records::complain(&collection);
        if !arguments.unfinished {
            list_unfinished(&name, &collection);
        }
        games += u64::from(source.games);
        left_out += u64::from(source.left_out);
    }
    let bytes = learner.finish();
    let table = pattern::Table::read(&bytes).map_err(|error| Failure::failed(error.to_string()))?;
    let path = &arguments.to;
    save.add(&bytes)?;
    save.finish()?;
    output::print(&format!(
        "learned from {} games in {} files; left out: {}\n\
         {}: {} bytes\n\
         play with it: --patterns {} and a genome such as oe_fdmxcp@{}\n",
        grouped(games),
        arguments.files.len(),
        grouped(left_out),
        path.display(),
        grouped(bytes.len() as u64),
        path.display(),
        table.id(),
    ))
}

/// Names the games of a file that stop early, on standard error.
fn list_unfinished(name: &str, collection: &Collection) {
    let numbers: Vec<_> = collection.unfinished().map(|(number, _)| number.to_string()).collect();
    if !numbers.is_empty() {
        eprintln!("left out of {name}, unfinished: game {}", numbers.join(", "));
    }
}

/// Name, sources and counts.
fn about(table: &pattern::Table) -> String {
    let about = table.about();
    let style = Style::of_stdout();
    let mut text = format!(
        "{} @{}: {} games in {} sources; configurations seen {} times or more\n\n",
        style.heading("table"),
        table.id(),
        grouped(about.games()),
        about.sources.len(),
        about.least,
    );
    let mut groups = Table::new([
        ("Moves", Align::Left),
        ("Shape", Align::Left),
        ("Seen", Align::Right),
        ("k", Align::Right),
        ("Valued", Align::Right),
        ("Rare", Align::Right),
    ]);
    for (band, row) in (0..).zip(&about.groups) {
        for (shape, group) in Shape::ALL.iter().zip(row) {
            let first = band * pattern::BAND_MOVES + 1;
            groups.row([
                format!("{first}-{}", first + pattern::BAND_MOVES - 1),
                shape.name().to_owned(),
                grouped(group.seen),
                group.shrink.to_string(),
                grouped(group.kept.into()),
                grouped(group.rare.into()),
            ]);
        }
    }
    text += &groups.render(style);
    let mut sources = Table::new([
        ("Source", Align::Left),
        ("Games", Align::Right),
        ("Left out", Align::Right),
        ("Hash", Align::Left),
    ]);
    for source in &about.sources {
        let hash: String = source.hash[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        sources.row([source.name.clone(), grouped(source.games.into()), grouped(source.left_out.into()), hash]);
    }
    text + "\n" + &sources.render(style)
}
