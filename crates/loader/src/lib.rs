#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod files;
mod library;
mod loaded;
mod problem;
#[cfg(not(target_family = "wasm"))]
mod watch;
#[cfg(target_family = "wasm")]
#[path = "watch_page.rs"]
mod watch;
mod watched;

mod filters;
mod folder;
mod reader;
mod relations;

mod declare;
mod declared;
mod formula;
mod look_alikes;
mod manifest;
mod names;
mod tiles;
mod zones;

mod additions;
mod conditions;
mod counts;
mod decks;
mod functions;
mod howto;
mod implicit_switches;
mod merge;
mod misplaced;
mod order;
mod phases;
mod pieces;
mod setting_error;
mod template;
mod themes;
mod tile_text;
mod topological;
mod unused;
mod variants;
mod vocabulary;

/// Returns the reference of `mod.toml`, as Markdown.
pub fn mod_reference() -> String {
    keys::without_marks(include_str!("../docs/mod.md"))
}

/// Returns the reference of `tiles.toml`, as Markdown.
pub fn tiles_reference() -> String {
    keys::without_marks(include_str!("../docs/tiles.md"))
}

/// The tutorial, as Markdown: a first mod with a tile and a rule, step by step.
pub const TUTORIAL: &str = include_str!("../docs/tutorial.md");

pub use files::{MAX_README_BYTES, MAX_RECORD_BYTES, ReadError, read_text};
pub use folder::{BundledTexts, MAX_FILE_BYTES, MAX_FILES, MAX_VALUES, SEARCH_VALUE, max_bytes_of_file, n_values};
pub use howto::{FoundHowto, HOWTO, HowtoEntry, find_howto, howto_entries};
pub use library::{AvailableMod, Library, builtin_mods};
pub use loaded::{InterpretedFunction, Loaded};
pub use problem::{Problems, Source, display_path as shown_path};
pub use setting_error::{SettingError, SettingErrors};
pub use template::{RECIPES, TEMPLATES, Template, cookbook, is_mod_id, title_of};
pub use tile_text::read_tiles;
pub use watch::{WatchError, Watcher};
pub use watched::may_change_game;

#[cfg(test)]
mod tests;
