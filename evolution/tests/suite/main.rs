//! The crate's behaviour from outside, with made-up games on made-up genomes.

mod breeding;
mod common;
mod golden;
mod injection;
mod landscape;
mod othello;
mod specs;
mod tablut;
mod turnover;
