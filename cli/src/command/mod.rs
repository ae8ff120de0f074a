//! The commands, one module each.

mod analyze;
mod convert;
mod coordinator;
mod engine;
mod eval;
mod export;
mod game;
mod leaderboard;
mod matches;
pub mod patterns;
mod perft;
mod play;
mod players;
mod records;
mod replay;
mod run;
mod solve;
mod spec_file;
mod thinking;
pub mod up;
mod worker;

use crate::failure::Done;
use clap::Subcommand;

/// What a person can ask for.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start database, coordinator and workers on this machine, and a run on them
    Up(up::Arguments),
    /// Own the runs of a database, hand out games, answer people
    Coordinator(kembara_coordinator::config::CoordinatorArgs),
    /// Play games for a coordinator
    Worker(kembara_worker::WorkerArgs),
    /// Launch runs, watch them, change their state, verify them
    Run(run::Arguments),
    /// Show the standings of a generation
    Leaderboard(leaderboard::Arguments),
    /// Write what a run has bred to a file
    Export(export::Arguments),
    /// Play two players against each other, without any server
    Match(matches::Arguments),
    /// Play against a player at the terminal, or watch two of them
    Play(Box<play::Arguments>),
    /// Let a player play on a protocol that other programs speak
    Engine(Box<engine::Arguments>),
    /// Show the score of every move of a position, feature by feature
    Eval(eval::Arguments),
    /// Show a game of a file move by move, with the name of its opening
    Replay(replay::Arguments),
    /// Write the games of a file in another format
    Convert(convert::Arguments),
    /// Learn tables of what Othello's edges and corners are worth, and show them
    Patterns(patterns::Arguments),
    /// Count move sequences from the start, the classic check of a move generator
    Perft(perft::Arguments),
    /// Judge every move of an Othello game of a file
    Analyze(analyze::Arguments),
    /// Solve Othello endgames of a file exactly
    Solve(solve::Arguments),
    /// Measure how fast this is on this machine
    Bench(crate::bench::Arguments),
}

/// Does what was asked.
pub fn run(command: &Command) -> Done {
    match command {
        Command::Up(arguments) => up::run(arguments),
        Command::Coordinator(arguments) => coordinator::run(arguments),
        Command::Worker(arguments) => worker::run(arguments),
        Command::Run(arguments) => run::run(arguments),
        Command::Leaderboard(arguments) => leaderboard::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Match(arguments) => matches::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Engine(arguments) => engine::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Patterns(arguments) => patterns::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::Analyze(arguments) => analyze::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
        Command::Bench(arguments) => crate::bench::run(arguments),
    }
}
