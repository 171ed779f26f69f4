//! Drafts of tiles with unsaved changes. A text file stores them, so that they survive the end of
//! the program.

use std::path::Path;
use table::ExpectOrDefault;

use platform::fs;
use serde::{Deserialize, Serialize};
use table::{StoredFile, TileSet};
use workshop::{ModTiles, TileDraft, read_tile, tile_ids};

use super::ModTilesView;
use super::document::TileDocument;

/// The path of the file with the drafts, below the data folder.
pub const DRAFTS_FILE: &str = "drafts/tiles.json";

/// A stored draft of a tile with unsaved changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredDraft {
    /// The id of the tile's mod.
    pub mod_id: String,
    /// The draft, as the text of a file that contains only this tile.
    draft: String,
    /// The tile at the time when it was opened or last saved, as two texts; `None` for a new tile.
    /// The first text is a file that contains only this tile. The second text contains the lines of
    /// the tile in the mod's file.
    before: Option<(String, String)>,
    /// The id of the tile behind which a new tile is inserted in the file. If `None`, it is
    /// inserted at the end.
    after: Option<String>,
}

impl StoredDraft {
    fn of(document: &TileDocument, tile_set: &TileSet) -> StoredDraft {
        let before = document.before.as_ref().map(|(id, entries)| {
            let (text, is_table) = workshop::new_tile_text(id, entries);
            (if is_table { text } else { format!("[tile]\n{text}\n") }, document.before_text.clone())
        });
        StoredDraft {
            mod_id: document.mod_id.clone(),
            draft: document.draft.file_text(tile_set),
            before,
            after: document.after.clone(),
        }
    }

    /// Returns the document of this draft.
    pub fn document(&self, tile_set: &TileSet, shelf: &ModTiles) -> TileDocument {
        let read = |text: &str| {
            let id = tile_ids(text).ok()?.into_iter().next()?;
            let entries = read_tile(text, &id).ok()??;
            Some((id, entries))
        };
        let draft = read(&self.draft).map(|(id, entries)| TileDraft::read(tile_set, &id, &entries)).unwrap_or_default();
        let mut document = TileDocument::new(shelf, draft, self.after.clone());
        if let Some((text, lines)) = &self.before
            && let Some((id, entries)) = read(text)
        {
            document.saved = TileDraft::read(tile_set, &id, &entries);
            document.before = Some((id, entries));
            document.before_text.clone_from(lines);
        }
        document
    }
}

/// Reads the drafts below `data`. Returns the drafts and the text of their file; `None` if there is
/// no valid file. Renames an invalid file, so that its content is not lost.
pub fn read(data: &Path) -> (Vec<StoredDraft>, Option<String>) {
    let file = data.join(DRAFTS_FILE);
    let Ok(text) = fs::read_to_string(&file) else { return (Vec::new(), None) };
    match serde_json::from_str(&text) {
        Ok(kept) => (kept, Some(text)),
        Err(_) => {
            let _ = fs::rename(&file, file.with_extension("broken.json"));
            (Vec::new(), None)
        }
    }
}

/// Returns the file of drafts to write below `data`. If no tile has unsaved changes, the file has
/// no text, which makes the writer delete it.
pub fn file(data: &Path, waiting: &[StoredDraft], documents: &[TileDocument], shelves: &[ModTilesView]) -> StoredFile {
    let tile_set = |id: &str| shelves.iter().find(|it| it.shelf.id == id).and_then(|it| it.shelf.tile_set());
    let changed = documents.iter().filter(|document| document.is_changed());
    let drawn = changed.filter_map(|document| Some(StoredDraft::of(document, tile_set(&document.mod_id)?)));
    let all: Vec<StoredDraft> = waiting.iter().cloned().chain(drawn).collect();
    let text = (!all.is_empty())
        .then(|| serde_json::to_string_pretty(&all).expect_or_default("drafts can be written as JSON"));
    StoredFile { path: data.join(DRAFTS_FILE), text }
}
