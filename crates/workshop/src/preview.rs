//! Drafts as tiles: what the loader makes of them, and what it says, before anything is saved.

use std::path::Path;

use board::TileSet;
use diagnostic::Diagnostic;
use rules::Catalogue;

use crate::tile_draft::TileDraft;

/// What became of some drafts.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// The tiles of the drafts, in their order, followed by all other tiles of the game; nothing where something is wrong.
    pub tile_set: Option<TileSet>,
    /// What is wrong, in the words of the loader.
    pub problems: Vec<Diagnostic>,
}

/// Has the loader read drafts of mod `mod_id` on the land that `catalogue` declares.
pub fn preview(catalogue: &Catalogue, mod_id: &str, drafts: &[&TileDraft]) -> Preview {
    let land = &catalogue.tile_set;
    let mut text = String::new();
    // Tables of their own, so that none is taken for a part of another.
    for draft in drafts {
        text.push_str(&crate::manifest_edit::new_table_text(&draft.id, &draft.entries(land)));
        text.push('\n');
    }
    let (tile_set, problems) = loader::read_tiles(catalogue, mod_id, Path::new("tiles.toml"), &text);
    Preview { tile_set, problems: problems.list().to_vec() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "tests/preview.rs"]
mod tests;
