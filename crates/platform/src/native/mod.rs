//! A machine with a disk and threads: `std`.

pub mod fs;
pub mod outside;
pub mod task;
