//! `kembara replay`: a game of a file, move by move.

use super::records;
use crate::failure::{Done, Failure};
use crate::interrupt::Interrupt;
use crate::output::{self, Align, Style, Table, grouped};
use clap::{Args, ValueEnum};
use kembara_engine::othello::notation::Action;
use kembara_engine::othello::record::{Collection, Counting, Record, diagram, opening_names};
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Which game, and how much of it.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A file of Othello games: SGF, GGF, WTHOR, PGN, lists of moves or boards; - for standard input
    file: PathBuf,
    /// The game's number in the file, from 1
    #[arg(long, default_value_t = 1)]
    game: usize,
    /// Show only the board after so many plies, passes counted; 0 is the start
    #[arg(long, value_name = "PLY", conflicts_with = "auto")]
    at: Option<usize>,
    /// Show a move every so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    auto: Option<Duration>,
    /// List games instead of showing one
    #[arg(long, value_enum, conflicts_with_all = ["game", "at", "auto"])]
    list: Option<List>,
}

/// Which games to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum List {
    /// Every game
    All,
    /// Games that stop before they are over
    Unfinished,
    /// Games that cannot be read, each with the reason
    Damaged,
}

fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 3600.0;
    let number: f64 = text.parse().map_err(|_| "a number of seconds is expected, as in 0.5".to_owned())?;
    if (0.0..=LONGEST).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err(format!("from 0 to {LONGEST} seconds"))
    }
}

/// Reads, and shows or lists.
pub fn run(arguments: &Arguments) -> Done {
    let collection = records::open(&arguments.file)?;
    if let Some(which) = arguments.list {
        return output::print(&list(&collection, which));
    }
    let record = records::game(&collection, arguments.game)?;
    let frames = frames(record);
    if let Some(ply) = arguments.at {
        let frame = frames.get(ply).ok_or_else(|| {
            Failure::usage(format!("there is no ply {ply}: the game has {}; 0 is the start", frames.len() - 1))
        })?;
        return output::print(&format!("{}\n{frame}", head(&collection, arguments.game, record)));
    }
    output::print(&head(&collection, arguments.game, record))?;
    match arguments.auto {
        None => output::print(&format!("\n{}", frames.join("\n"))),
        Some(pause) => slowly(&frames, pause),
    }
}

fn slowly(frames: &[String], pause: Duration) -> Done {
    let interrupt = Interrupt::listen()?;
    for (ply, frame) in frames.iter().enumerate() {
        if ply > 0 {
            interrupt.sleep(pause);
        }
        if interrupt.asked() {
            return Err(Failure::interrupted(format!("stopped after ply {}", ply.saturating_sub(1))));
        }
        output::print(&format!("\n{frame}"))?;
    }
    Ok(())
}

/// Who played, what, and how it ended.
fn head(collection: &Collection, number: usize, record: &Record) -> String {
    let style = Style::of_stdout();
    let count = collection.games.len();
    let title = format!("Game {} of {}, {}", grouped(number as u64), grouped(count as u64), collection.format);
    let mut text = style.heading(&title) + "\n";
    let opening = opening_names(record).join(" -> ");
    let comment = record.comment.lines().collect::<Vec<_>>().join(" / ");
    for (name, value) in [
        ("black", &record.players[0]),
        ("white", &record.players[1]),
        ("date", &record.date),
        ("event", &record.event),
        ("place", &record.place),
        ("opening", &opening),
        ("result", &result(record)),
        ("comment", &comment),
    ] {
        if !value.is_empty() {
            let _ = writeln!(text, "{name:<7}  {}", clean(value));
        }
    }
    if record.variations > 0 {
        let _ = writeln!(text, "only the main line is shown; variations left out: {}", record.variations);
    }
    text
}

/// Text of a file must not steer the terminal.
fn clean(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect()
}

/// The score as counted on the board, in both conventions where they differ, and as written.
fn result(record: &Record) -> String {
    let counted = record.counted();
    let pair = |counting| {
        let [black, white] = counted.score(counting);
        format!("{black}-{white}")
    };
    let [discs, score] = [pair(Counting::Discs), pair(Counting::EmptiesToWinner)];
    let mut text = format!("{discs} in discs");
    if record.is_over() {
        text += match counted.margin(Counting::Discs) {
            1.. => ", black wins",
            0 => ", a draw",
            ..0 => ", white wins",
        };
        if score != discs {
            let _ = write!(text, "; {score} with the empties to the winner");
        }
    } else {
        text += ", the record stops before the game is over";
    }
    if let Some(written) = &record.written {
        let counting = match written.counting {
            Some(Counting::EmptiesToWinner) => " with the empties to the winner",
            Some(Counting::Discs) => " in discs",
            None => "",
        };
        let differs = if record.agrees() == Some(false) { ", which the board does not bear out" } else { "" };
        let _ = write!(text, "; written as {}{counting}{differs}", written.text);
    }
    text
}

/// The start and the board after every ply, each with a line that says what happened.
fn frames(record: &Record) -> Vec<String> {
    let style = Style::of_stdout();
    let boards = record.boards();
    let sides = ["black", "white"];
    let mut frames = Vec::with_capacity(boards.len());
    for (ply, board) in boards.iter().enumerate() {
        let action = ply.checked_sub(1).map(|last| record.moves()[last]);
        let mut line = match action {
            None => "start".to_owned(),
            Some(Action::Pass) => format!("{ply}. {} passes", sides[board.to_move().other().index()]),
            Some(Action::Place(square)) => format!("{ply}. {} {square}", sides[board.to_move().other().index()]),
        };
        let (black, white) = (board.black().count(), board.white().count());
        let next = match (board.is_over(), ply + 1 == boards.len()) {
            (true, _) => "the game is over".to_owned(),
            (false, true) => format!("{} to move, but the record stops here", sides[board.to_move().index()]),
            (false, false) => format!("{} to move", sides[board.to_move().index()]),
        };
        let _ = write!(line, "; discs {black}-{white}; {next}");
        let last = match action {
            Some(Action::Place(square)) => Some(square),
            _ => None,
        };
        frames.push(format!("{}\n{}", style.accent(&line), diagram(*board, last)));
    }
    frames
}

fn list(collection: &Collection, which: List) -> String {
    if which == List::Damaged {
        let damaged: Vec<_> = collection.damaged().map(|damage| clean(&damage.to_string()) + "\n").collect();
        return if damaged.is_empty() { "every game can be read\n".to_owned() } else { damaged.concat() };
    }
    let mut table = Table::new([
        ("Game", Align::Right),
        ("Date", Align::Left),
        ("Black", Align::Left),
        ("White", Align::Left),
        ("Discs", Align::Right),
        ("", Align::Left),
    ]);
    let mut listed = 0_u64;
    for (game, number) in collection.games.iter().zip(1..) {
        let row = match game {
            Ok(record) if which == List::All || !record.is_over() => {
                let [black, white] = record.counted().score(Counting::Discs);
                let state = if record.is_over() { "" } else { "stops early" };
                let [first, second] = record.players.each_ref().map(|name| shortened(name));
                [shortened(&record.date), first, second, format!("{black}-{white}"), state.to_owned()]
            }
            Err(_) if which == List::All => {
                [String::new(), String::new(), String::new(), "-".to_owned(), "cannot be read".to_owned()]
            }
            _ => continue,
        };
        listed += 1;
        table.row([number.to_string()].into_iter().chain(row).collect::<Vec<_>>());
    }
    let count = grouped(collection.games.len() as u64);
    let what = if which == List::All { "games" } else { "games stop early" };
    format!("{}\n{} of {count} {what}\n", table.render(Style::of_stdout()), grouped(listed))
}

/// A name that leaves room for the others in a line.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 20;
    let text = clean(text);
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST - 1).chain(['…']).collect() }
}
