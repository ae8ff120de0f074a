//! The HTTP face on a real socket, over a real Postgres, with games played by the engine.

#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod games;
mod launching;
mod reading;
mod server;
mod states;
