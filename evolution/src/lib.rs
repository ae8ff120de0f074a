//! evolution
