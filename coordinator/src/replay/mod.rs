//! Games played again to show their moves, in a bounded pool.
