#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, clippy::missing_panics_doc, reason = "a helper of tests fails by panicking")]

mod hostile;
mod kit;
mod memory;
mod mods;
mod programs;

pub use hostile::{ExpectedOutcome, HostileMod, LimitedRun, run_limited, visible};
pub use kit::{Kit, ask, ask_or_pass, fault, feature_at, hash, play, position, score, texts};
pub use memory::held_memory_kb;
pub use mods::{CopiedMod, mods_folder, small_mods_folder, write_many_tiles};
pub use programs::write_program;
