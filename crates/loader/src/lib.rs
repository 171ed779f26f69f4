#![doc = include_str!("../README.md")]

mod library;
mod loaded;
mod problem;
mod watch;

mod filters;
mod folder;
mod reader;
mod relations;

mod declare;
mod declared;
mod formula;
mod manifest;
mod names;
mod tiles;
mod zones;

mod conditions;
mod decks;
mod functions;
mod merge;
mod order;
mod phases;
mod pieces;
mod template;
mod themes;
mod topological;
mod variants;
mod vocabulary;

/// The reference of `mod.toml`, as Markdown.
pub const MOD_REFERENCE: &str = include_str!("../docs/mod.md");
/// The reference of `tiles.toml`, as Markdown.
pub const TILES_REFERENCE: &str = include_str!("../docs/tiles.md");

pub use library::{Available, Library, builtin_mods};
pub use loaded::{Interpreted, Loaded};
pub use problem::{Problems, Source};
pub use template::{Template, is_mod_id};
pub use watch::{WatchError, Watcher};

#[cfg(test)]
mod tests;
