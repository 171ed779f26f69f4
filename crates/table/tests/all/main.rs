//! Tests of the crate's public functions.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod looking;
mod records;
mod reloads;
mod secrets;
mod session;
