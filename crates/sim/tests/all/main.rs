//! Simulations as a whole: how strong bots are, and whether what statistics say is so.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bots;
mod statistics;
