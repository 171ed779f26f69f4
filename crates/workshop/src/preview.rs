//! Previews of tile drafts: passes unsaved drafts to the loader, and returns their tiles and
//! problems.

use std::path::Path;

use board::TileSet;
use diagnostic::Diagnostic;
use rules::Catalogue;

use crate::tile_draft::TileDraft;

/// The result of reading drafts.
#[derive(Clone, Debug, Default)]
pub struct DraftPreview {
    /// The tiles of the drafts, in the order of the drafts, followed by all other tiles of the
    /// game. `None` if a draft has an error.
    pub tile_set: Option<TileSet>,
    /// The problems reported by the loader.
    pub problems: Vec<Diagnostic>,
}

/// Reads drafts of the mod `mod_id` with the loader, using the kinds and tags of `catalogue`.
pub fn preview(catalogue: &Catalogue, mod_id: &str, drafts: &[&TileDraft]) -> DraftPreview {
    let tile_set = &catalogue.tile_set;
    let mut text = String::new();
    // Writes each draft as a separate table, so that no draft becomes part of another draft.
    for draft in drafts {
        text.push_str(&crate::manifest_edit::new_table_text(&draft.id, &draft.entries(tile_set)));
        text.push('\n');
    }
    let (tile_set, problems) = loader::read_tiles(catalogue, mod_id, Path::new("tiles.toml"), &text);
    DraftPreview { tile_set, problems: problems.list().to_vec() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/preview.rs"]
mod tests;
