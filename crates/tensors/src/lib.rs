#![doc = include_str!("../README.md")]
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod actions;
mod encoding;
mod observe;
mod stepper;

#[cfg(test)]
mod tests;

pub use encoding::{Encoding, SizeError};
pub use stepper::{BeginError, EndedGame, Stepper};
