//! A browser: files in memory, which the page keeps in its storage, and work in slices.

pub mod fs;
pub mod outside;
pub mod task;
mod tree;
