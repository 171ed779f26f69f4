//! A machine with a disk and threads, by `std`.

pub mod fs;
pub mod outside;
pub mod task;
