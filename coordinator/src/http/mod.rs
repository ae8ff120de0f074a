//! The HTTP face for people.
