//! Tests of the crate's public functions.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod freezing;
mod packing;
