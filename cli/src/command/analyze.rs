//! `kembara analyze`: the moves of a game, judged by a player and by the exact endgame.

use super::{game, records};
use crate::failure::{Done, Failure};
use crate::output::{self, Style};
use clap::Args;
use kembara_engine::othello::notation::Action;
use kembara_engine::othello::record::{Counting, Record};
use kembara_engine::othello::{Judge, Judgement, Level, Othello, Position, Solver, Square, WON};
use kembara_engine::{PlayerName, Side};
use serde::Serialize;
use std::path::PathBuf;

/// Which game, and who judges it.
///
/// Every move's value is shown beside that of the move the player would make, both for the mover. Near
/// the end it is also told how many discs the move gives away against best play, the empty squares
/// given to the winner.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A file of Othello games in any format that `kembara replay` reads; - for standard input
    file: PathBuf,
    /// Who judges: a player with a chromosome
    #[arg(long)]
    player: String,
    /// The game's number in the file, from 1
    #[arg(long, default_value_t = 1)]
    game: usize,
    /// Plies searched for every move, 1 to 60
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: u8,
    /// Solve positions with at most so many empty squares exactly, 0 to 26; 20 take seconds
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=26))]
    exact: u32,
    /// Give the moves as JSON, one line a move
    #[arg(long)]
    json: bool,
}

/// One move.
#[derive(Serialize)]
struct Row {
    ply: usize,
    side: &'static str,
    action: String,
    value: i32,
    best: String,
    best_value: i32,
    /// Discs lost against best play, where that is known.
    lost: Option<i32>,
}

/// Judges and prints, move by move.
pub fn run(arguments: &Arguments) -> Done {
    let PlayerName { player, .. } = game::player(&arguments.player, &Othello)?;
    let mut judge = Judge::new(Level::best(), &player).map_err(|error| Failure::usage(error.to_string()))?;
    let mut solver = Solver::new(Level::best(), Counting::EmptiesToWinner);
    let collection = records::open(&arguments.file)?;
    let record = records::game(&collection, arguments.game)?;
    let style = Style::of_stdout();
    if !arguments.json {
        output::print(&head(record, arguments, &style))?;
    }
    let mut sums = [Sum::default(); 2];
    for (ply, ((position, side), action)) in record.positions().into_iter().zip(record.moves()).enumerate() {
        let Action::Place(square) = *action else { continue };
        let judged = judge.judge(position, square, arguments.depth);
        let Judgement { value, best, best_value } = judged.expect("the moves of a record are legal");
        let exact = position.empty().count() <= arguments.exact;
        let lost = exact.then(|| lost(&mut solver, position, square)).flatten();
        sums[side.index()].add(value == best_value, lost);
        let row = Row {
            ply: ply + 1,
            side: ["black", "white"][side.index()],
            action: square.to_string(),
            value,
            best: best.to_string(),
            best_value,
            lost,
        };
        if arguments.json {
            let text = serde_json::to_string(&row).map_err(|error| Failure::failed(error.to_string()))?;
            output::print(&(text + "\n"))?;
        } else {
            output::print(&text_of(&row))?;
        }
    }
    if arguments.json {
        return Ok(());
    }
    let lines = [Side::First, Side::Second].map(|side| sums[side.index()].text(["black", "white"][side.index()]));
    output::print(&format!("\n{}", lines.concat()))
}

fn lost(solver: &mut Solver, position: Position, square: Square) -> Option<i32> {
    let best = solver.solve(position);
    let played = if best.best == Some(square) { best.score } else { solver.score_of(position, square)? };
    Some(best.score - played)
}

fn head(record: &Record, arguments: &Arguments, style: &Style) -> String {
    let [black, white] = record.players.each_ref().map(|name| {
        let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
        if name.is_empty() { "unknown".to_owned() } else { name }
    });
    let columns = format!("{:>4}  {:<5}  Move  {:>8}  Best  {:>8}  Discs lost", "Ply", "Side", "Value", "Value");
    format!(
        "black   {black}\nwhite   {white}\njudge   {}  depth {}\n\n{}\n",
        arguments.player,
        arguments.depth,
        style.heading(&columns)
    )
}

fn text_of(row: &Row) -> String {
    let lost = row.lost.map(|lost| lost.to_string()).unwrap_or_default();
    let text = format!(
        "{:>4}  {:<5}  {:<4}  {:>8}  {:<4}  {:>8}  {lost:>10}",
        row.ply,
        row.side,
        row.action,
        words(row.value),
        row.best,
        words(row.best_value)
    );
    text.trim_end().to_owned() + "\n"
}

/// A value, or how a game that is seen to its end ends: `win +12`.
fn words(value: i32) -> String {
    match value {
        WON.. => format!("win {:+}", value - WON),
        _ if value <= -WON => format!("loss {}", value + WON),
        _ => value.to_string(),
    }
}

/// One side's moves.
#[derive(Clone, Copy, Default)]
struct Sum {
    moves: u32,
    agreed: u32,
    solved: u32,
    lost: i32,
}

impl Sum {
    fn add(&mut self, agrees: bool, lost: Option<i32>) {
        self.moves += 1;
        self.agreed += u32::from(agrees);
        self.solved += u32::from(lost.is_some());
        self.lost += lost.unwrap_or_default();
    }

    fn text(self, side: &str) -> String {
        format!(
            "{side}  {} of {} moves as good as the judge's, {} discs lost in {} solved moves\n",
            self.agreed, self.moves, self.lost, self.solved
        )
    }
}
