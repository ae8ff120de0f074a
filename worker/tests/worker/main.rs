//! The worker against a coordinator in memory, on real sockets.

mod endings;
mod flow;
mod hostile;
mod process;
mod support;
