//! Tests of the command as users run it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bots;
mod cli;
mod common;
mod deception;
mod encryption;
mod hostile;
mod hosting;
mod play;
mod playtests;
mod printing;
mod records;
mod sim;
mod snapshots;
mod wire;
