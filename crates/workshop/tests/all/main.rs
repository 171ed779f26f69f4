//! Tests of the workshop, without a window.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod freezing;
mod packing;
