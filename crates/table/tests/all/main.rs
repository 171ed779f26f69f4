//! Tests of tables through the public functions of the crate.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod looking;
mod records;
mod reloads;
mod secrets;
mod session;
