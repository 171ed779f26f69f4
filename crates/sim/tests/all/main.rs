//! Simulations as a whole: the strength of bots, and whether statistics are correct.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bots;
mod statistics;
