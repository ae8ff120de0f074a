//! A private Postgres from installed server binaries.
