//! `kembara solve`: published endgames, solved exactly.

use crate::failure::{Done, Failure};
use crate::output::{self, Style, grouped};
use clap::Args;
use kembara_engine::othello::record::Counting;
use kembara_engine::othello::{Level, Solved, Solver, obf};
use serde::Serialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Which positions.
///
/// Scores are final margins of the side to move, the empty squares given to the winner, both sides
/// playing their best. Twenty empty squares take seconds, each further one about three times as
/// long. Ends with exit code 1 when a score differs from the file's.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A file of Othello positions in OBF: a board of X, O and -, who is to move, moves and their scores
    file: PathBuf,
    /// Give the results as JSON, one line a position
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    line: usize,
    empty: u32,
    best: Option<String>,
    score: i32,
    nodes: u64,
    seconds: f64,
    /// The file's highest score.
    given: Option<i32>,
    agrees: Option<bool>,
}

/// Solves and prints, position by position.
pub fn run(arguments: &Arguments) -> Done {
    let named = |why: String| Failure::usage(format!("{}: {why}", arguments.file.display()));
    let text = read(&arguments.file).map_err(|error| named(format!("cannot be read: {error}")))?;
    let problems = obf::parse(&text).map_err(|fault| named(fault.to_string()))?;
    if problems.is_empty() {
        return Err(named("there is no position in it; write a board of 64 squares and who is to move".to_owned()));
    }
    let mut solver = Solver::new(Level::best(), Counting::EmptiesToWinner);
    let style = Style::of_stdout();
    if !arguments.json {
        let head = format!("{:>4}  Empty  Best  Score  {:>15}  {:>9}  File", "Line", "Nodes", "Time");
        output::print(&format!("{}\n", style.heading(&head)))?;
    }
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0_u32);
    for (line, problem) in &problems {
        let start = Instant::now();
        let solved = solver.solve(problem.position);
        let taken = start.elapsed();
        (nodes, time) = (nodes + solved.nodes, time + taken);
        let row = row(*line, problem, solved, taken);
        wrong += u32::from(row.agrees == Some(false));
        if arguments.json {
            let text = serde_json::to_string(&row).map_err(|error| Failure::failed(error.to_string()))?;
            output::print(&(text + "\n"))?;
        } else {
            output::print(&text_of(&row))?;
        }
    }
    if !arguments.json {
        let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
        output::print(&format!(
            "\n{} positions, {} nodes, {:.2} s, {} nodes/s\n",
            problems.len(),
            grouped(nodes),
            time.as_secs_f64(),
            grouped(speed as u64)
        ))?;
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(Failure::failed(format!("{wrong} of {} positions differ from the file's scores", problems.len()))),
    }
}

/// The longest file that is read, in bytes.
const LONGEST: u64 = 16 << 20;

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it has more than {LONGEST} bytes")));
    }
    Ok(text)
}

fn row(line: usize, problem: &obf::Problem, solved: Solved, taken: Duration) -> Row {
    let given = problem.scores.iter().map(|(_, score)| *score).max();
    // A file need not list every best move, but what it lists of the move has to be right.
    let listed = problem.scores.iter().find(|(square, _)| Some(*square) == solved.best);
    let agrees = given.map(|given| given == solved.score && listed.is_none_or(|(_, score)| *score == given));
    Row {
        line,
        empty: problem.position.empty().count(),
        best: solved.best.map(|square| square.to_string()),
        score: solved.score,
        nodes: solved.nodes,
        seconds: taken.as_secs_f64(),
        given,
        agrees,
    }
}

fn text_of(row: &Row) -> String {
    let file = match (row.agrees, row.given) {
        (Some(true), _) => "agrees".to_owned(),
        (_, Some(given)) => format!("gives {given:+}"),
        _ => "gives no score".to_owned(),
    };
    format!(
        "{:>4}  {:>5}  {:<4}  {:>+5}  {:>15}  {:>7.3} s  {file}\n",
        row.line,
        row.empty,
        row.best.as_deref().unwrap_or("pass"),
        row.score,
        grouped(row.nodes),
        row.seconds
    )
}
