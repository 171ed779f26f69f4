//! Tests of whole simulations: the strength of bots, and the correctness of statistics.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bots;
mod planted;
mod statistics;
mod training;
