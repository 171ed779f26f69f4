//! The services that a program needs from its machine or browser: files, time and background work.
#![doc = include_str!("../README.md")]

#[cfg(any(test, target_family = "wasm"))]
#[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "only tests use this module here"))]
pub mod browser;
mod files;
pub mod fs;
#[cfg(not(target_family = "wasm"))]
mod native;

#[cfg(target_family = "wasm")]
pub use browser::{outside, sound, task};
#[cfg(not(target_family = "wasm"))]
pub use native::{outside, sound, task};
pub use web_time as time;
