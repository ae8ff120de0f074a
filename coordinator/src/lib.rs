//! The coordinator: owns runs in Postgres, hands out games to workers, answers people.
//!
//! Correctness rests on the database alone: any number of coordinators may serve at once and any
//! of them can die at any instruction.

pub mod config;
pub mod core;
mod database;
pub mod dispatch;
pub mod grpc;
pub mod http;
pub mod postgres;
pub mod replay;
pub mod scheduler;
mod serve;
pub mod server;
pub mod spec;
pub mod store;
pub mod telemetry;
pub mod verify;

pub use serve::{run, serve, serve_and_tell, shutdown_on_signals};
