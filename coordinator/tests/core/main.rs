//! The coordinator's heart on a real Postgres: workers that make up results as a pure function of
//! the pairing, so that every run of a spec has to give the same fingerprints, whatever happens.

#[path = "../support/mod.rs"]
mod support;

mod books;
mod simulated;

mod chaos;
mod faces;
mod flow;
mod growth;
mod leases;
mod reports;
mod runs;
mod tables;
