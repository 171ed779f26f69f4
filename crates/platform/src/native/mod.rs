//! A machine with a disk and threads, accessed through `std`.

pub mod fs;
pub mod outside;
pub mod task;
