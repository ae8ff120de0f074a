//! What a coordinator can be told: database, address, timings.
