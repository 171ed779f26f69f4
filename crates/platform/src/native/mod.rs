//! A machine with a disk and threads, accessed through `std`.

pub mod files;
pub mod outside;
#[cfg(target_os = "linux")]
pub mod sound;
#[cfg(not(target_os = "linux"))]
#[path = "no_sound.rs"]
pub mod sound;
pub mod task;
