//! A browser: files in memory, stored by the page, and background work in slices.

pub mod files;
pub mod outside;
pub mod sound;
pub mod task;
mod tree;
