//! How chromosomes are drawn and varied: one operator a file.
//!
//! No operator leaves a gene's bounds or touches a frozen gene, given chromosomes that keep to
//! both. Whole numbers reach both ends of their ranges; real ones are drawn from the range without
//! its upper end.

mod alternate;
mod average;
mod crossover;
mod draw;
mod drift;
mod redraw;
mod shift;

pub(crate) use alternate::alternate;
pub(crate) use average::average;
pub(crate) use crossover::cross;
pub(crate) use draw::random;
pub(crate) use drift::drift;
pub(crate) use redraw::redraw;
pub(crate) use shift::shift;

#[cfg(test)]
mod tests;
