#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::string_slice, clippy::unwrap_used)
)]

mod available_tiles;
pub mod balance;
pub mod bundled_mods;
mod called_functions;
pub mod checker;
mod configured_mods;
pub mod corpus;
mod cover;
pub mod document;
mod draft_of_tile;
mod duplicates;
mod file_error;
mod freeze;
mod install;
mod layouts;
pub mod link;
mod looks;
mod manifest_edit;
mod migrate;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod mistakes;
pub mod mod_files;
mod neighbours;
mod package;
mod patterns;
pub mod playtests;
mod preview;
pub mod puzzle;
mod record_on_disk;
pub mod rule_text;
mod rules_cache;
mod test_bench;
mod test_files;
mod test_runs;
mod tile_draft;
mod tile_files;
mod toml_value;

pub use available_tiles::{ModTiles, tiles_by_mod};
pub use board::{EdgeStyle, KindIdx, MergeRule, Port, PortSet, TagCarrier, TagIdx, Tile};
pub use called_functions::CalledFunctions;
pub use configured_mods::{ConfiguredMods, FileTexts, search_path, texts_of_library};
pub use cover::ModCover;
pub use duplicates::{
    CanonicalTile, Duplicates, canonical_form, canonical_mirror_form, find_duplicates, n_distinct_facings,
};
pub use file_error::FileError;
pub use freeze::{Expectation, ExpectationSubject, FrozenPosition, TestBeginning, counts_of};
pub use install::{InstalledMod, PackageContents};
pub use layouts::{Sketch, SketchError, SketchLayout, layouts, read_sketch, sketch_text};
pub use loader::read_text;
pub use looks::{LookChange, LookSection, LookSubject, ModLooks, read_looks, save_looks};
pub use manifest_edit::{
    EditError, change_tile, insert_tile, new_tile_text, read_tile, remove_tile, rename_tile, tile_ids, tile_text,
};
pub use migrate::{MigrationLine, ModMigration};
pub use neighbours::{TileNeighbourhood, neighbours};
pub use package::Package;
pub use patterns::{EdgePattern, chance_to_fill, patterns};
pub use preview::{DraftPreview, preview};
pub use record_on_disk::{RecordOnDisk, fault_text};
pub use rules_cache::RulesCache;
pub use script::{ReferenceEntry, ReferenceKind, Vocabulary, reference};
pub use test_bench::{FailedLine, ModTest, TestResult, UncoveredParts, run_tests, tests_of};
pub use test_files::{file_name_of, free_name, why_name_refused, write_test};
pub use test_runs::{Acceptance, CaseFile, CaseRun, LineChange, TestFailure, run_case};
pub use theme::{ICON_GROUPS, IconGroup, builtin_icons};
pub use tile_draft::{TileDraft, ZoneDraft, edge_style, first_ground, kinds_of, tags_on};
pub use tile_files::{
    DeletedTile, OpenedTile, SaveResult, TileToSave, declare_kind, declare_piece, declare_tag, delete_tile,
    is_writable, open_tile, save_tile, tile_files,
};
pub use toml_value::{Entries, ManifestValue};
