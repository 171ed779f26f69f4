//! Tests across several crates: whole games, cases, faults, reloading.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod advice;
mod api;
mod cases;
mod changes;
mod dependencies;
mod door;
mod examples;
mod facts;
mod faults;
mod fuzz;
mod hostile;
mod howto;
mod long;
mod platform;
mod positions;
mod prose;
mod random_games;
mod reload;
mod secrets;
mod security;
mod shrink;
mod shuffle;
mod trees;
