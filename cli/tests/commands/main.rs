//! The program as people run it: real processes, asserted on by what they print and how they end.

mod bench;
mod cluster;
mod conversation;
mod endgame;
mod help;
mod house;
mod journeys;
mod local;
mod patterns;
mod playing;
mod promises;
mod protocols;
mod records;
mod refusals;
mod support;
mod tablut_referee;
mod trials;
