//! What spans several crates: whole games, cases, faults, reloading.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod advice;
mod cases;
mod facts;
mod faults;
mod hostile;
mod positions;
mod random_games;
mod reload;
mod shrink;
mod shuffle;
mod trees;
