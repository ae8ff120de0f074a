//! `kembara export`: a run as files that other programs, and this one, read.

mod games;

use super::{records, spec_file};
use crate::client::{self, Server, ServerArguments};
use crate::contest::record::Save;
use crate::failure::{Done, Failure};
use crate::output;
use clap::{Args, ValueEnum};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Which run, and as what.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The run's name
    #[arg(value_name = "RUN")]
    run: String,
    /// What is written
    #[arg(long, value_enum)]
    format: Format,
    /// The file, which appears when it is complete; standard output when left out
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// For games: the generation, from 1 [default: the last one that is finished]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generation: Option<u32>,
    /// For games: how many, evenly spread over the generation [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=games::MOST))]
    games: Option<u64>,
    #[command(flatten)]
    server: ServerArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The champion of every finished generation, one a line, as `match` and others read them
    Players,
    /// The results.txt of the Tablut genetic algorithm, for runs that select by speed
    TablutResults,
    /// Games of an Othello run in Smart Game Format
    Sgf,
    /// Games of an Othello run in the format of Othello servers, a line for each
    Ggf,
    /// The moves of an Othello run's games, an empty line between games
    Text,
}

/// Writes it.
pub fn run(arguments: &Arguments) -> Done {
    let name = spec_file::run_name(&arguments.run)?.to_string();
    let selects = arguments.generation.is_some() || arguments.games.is_some();
    if selects && matches!(arguments.format, Format::Players | Format::TablutResults) {
        return Err(Failure::usage("--generation and --games select games; they go with --format sgf, ggf or text"));
    }
    if let Some(path) = &arguments.output {
        // A place that cannot be written to is told before the coordinator works for it.
        Save::new(path)?;
    }
    let server = arguments.server.connect()?;
    let records =
        |format| games::write(&server, &name, arguments.generation, arguments.games.unwrap_or(games::USUAL), format);
    let text = match arguments.format {
        Format::Players => players(&server, &name)?,
        Format::TablutResults => tablut_results(&server, &name)?,
        Format::Sgf => records(records::Format::Sgf)?,
        Format::Ggf => records(records::Format::Ggf)?,
        Format::Text => records(records::Format::Text)?,
    };
    match &arguments.output {
        Some(path) => save(path, &text),
        None => output::print(&text),
    }
}

/// A line a generation, so that the line's number is the generation's.
fn players(server: &Server, name: &str) -> Result<String, Failure> {
    let generations = client::generations(server, name)?;
    let champions: Vec<_> = generations.into_iter().filter_map(|generation| generation.best).collect();
    if champions.is_empty() {
        return Err(Failure::refused(format!("no generation of run `{name}` is over yet")));
    }
    Ok(champions.iter().fold(String::new(), |text, best| text + &best.player + "\n"))
}

/// Generations are counted from 0 there, and the file ends with an empty line.
fn tablut_results(server: &Server, name: &str) -> Result<String, Failure> {
    let mut text = String::new();
    for best in client::speeds(server, name)? {
        let genes: Result<Vec<String>, Failure> = best.chromosome.split(':').map(gene).collect();
        let games = i64::try_from(best.games.max(1)).unwrap_or(i64::MAX);
        let fitness = if best.speed % games == 0 {
            (best.speed / games).to_string()
        } else {
            python_float(best.speed as f64 / games as f64)
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "Generation: {}\nBest fitness: {fitness}\nBest parameters: [{}]\n\n",
            best.generation - 1,
            genes?.join(", ")
        );
    }
    Ok(text)
}

/// A gene as Python writes it in a list.
fn gene(text: &str) -> Result<String, Failure> {
    if text.parse::<i64>().is_ok() {
        return Ok(text.to_owned());
    }
    let value = text.parse().map_err(|_| Failure::failed("the coordinator sent a gene that is no number"))?;
    Ok(python_float(value))
}

/// The shortest digits that read back to the same number, with an exponent where Python writes one.
fn python_float(value: f64) -> String {
    if value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => match exponent.strip_prefix('-') {
            Some(exponent) => format!("{digits}e-{exponent:0>2}"),
            None => format!("{digits}e+{exponent:0>2}"),
        },
        None => text,
    }
}

fn save(path: &Path, text: &str) -> Done {
    let mut file = Save::new(path)?;
    file.add(text)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        // What Python 3 prints for repr() of the same literals.
        for (value, expected) in [
            (0.0, "0.0"),
            (1.0, "1.0"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.0001, "0.0001"),
            (0.00001234, "1.234e-05"),
            (-1e-300, "-1e-300"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
        ] {
            assert_eq!(python_float(value), expected);
        }
        assert_eq!(gene("7").unwrap(), "7");
    }
}
