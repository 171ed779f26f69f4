//! A tile that is open in the designer: its draft, its state in the file, and its undo history.

use std::path::PathBuf;

use table::{Facing, TileSet};
use workshop::{
    EdgeStyle, Entries, ModTiles, OpenedTile, TagCarrier, TileDraft, TileNeighbourhood, TileToSave, kinds_of,
};

use super::shelf_view::DrawnTiles;
use crate::cached::Cached;
use crate::pictures::OtherPainter;

/// The maximum number of changes that can be undone.
const MAX_UNDO: usize = 500;

/// A drawing tool of the designer. The user clicks an edge of the tile, or draws a stroke over
/// several edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Draws this kind of land.
    Draw(String),
    /// Erases land.
    Erase,
    /// No tool. The canvas then selects the first kind of land that reaches edges.
    #[default]
    Choose,
}

/// A tile that is open in the designer.
#[derive(Default)]
pub struct TileDocument {
    /// The number of the document, unique in this run of the program.
    pub number: u64,
    /// The id of the tile's mod.
    pub mod_id: String,
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The id and the entries (keys with their values) of the tile in its file; `None` for a new
    /// tile.
    pub before: Option<(String, Entries)>,
    /// The lines of the tile in its file; empty for a new tile.
    pub before_text: String,
    /// The draft when it was opened or last saved.
    pub saved: TileDraft,
    /// The current draft, with unsaved changes.
    pub draft: TileDraft,
    /// The id of the tile behind which a new tile is inserted in the file. If `None`, it is
    /// inserted at the end.
    pub after: Option<String>,
    undo: Vec<TileDraft>,
    redo: Vec<TileDraft>,
    /// The `what` of the last [`edit`](TileDocument::edit). Consecutive edits with the same `what`
    /// are undone together.
    last: &'static str,
    /// The tool that the user has selected.
    pub tool: Tool,
    /// The name of the selected zone.
    pub zone: Option<String>,
    /// The edges that the pointer has crossed since the button was pressed, as indices clockwise
    /// from north.
    pub stroke: Vec<usize>,
    /// The seed that selects the neighbours shown around the tile.
    pub seed: u64,
    /// True if the user has asked to save the tile, until the designer handles the request.
    pub wants_save: bool,
    /// True if the file may have changed since the tile was read from it.
    pub is_stale: bool,
    /// True while the game thread saves the tile.
    pub is_saving: bool,
    /// True while the designer asks the user whether to discard changes.
    pub is_closing: bool,
    /// True while the designer asks the user whether to delete the tile.
    pub is_deleting: bool,
    /// The tile in its file, if another program has changed it. `Some(None)` if another program has
    /// deleted it. `None` if there is no conflict.
    pub conflict: Option<Option<OpenedTile>>,
    /// The reason why the tile could not be saved.
    pub error: Option<String>,
    /// The content of the text field, cached until the draft changes.
    pub typed: Cached<TileDraft, String>,
    /// The reason why the content of the text field is not a valid tile.
    pub typed_error: Option<String>,
    /// The names of new tags that the user is typing: the first for the selected zone, the second
    /// for the tile.
    pub new_tags: [String; 2],
    /// A new tag that the user wants to declare in the mod: its name, and the kind of object that
    /// has the tag.
    pub declares: Option<(String, TagCarrier)>,
    /// The draft loaded as a tile, with its painter. Cached until the draft, the mod's catalogue,
    /// its theme or the palette changes; the key contains the addresses of catalogue and theme.
    pub drawn: Cached<(TileDraft, [usize; 2], Option<String>), DrawnTiles>,
    /// The neighbours shown around the tile, cached by the number of the painter and the seed.
    pub around: Cached<(u64, u64), TileNeighbourhood>,
    /// The painter of the last finished picture. The designer shows this picture until the picture
    /// of the next painter is finished.
    pub shown: Option<OtherPainter>,
}

impl TileDocument {
    /// Makes a document for a new tile.
    pub fn new(shelf: &ModTiles, draft: TileDraft, after: Option<String>) -> TileDocument {
        TileDocument {
            mod_id: shelf.id.clone(),
            folder: shelf.folder.clone(),
            draft,
            after,
            seed: 1,
            ..TileDocument::default()
        }
    }

    /// Makes a document for a tile that was read from its file.
    pub fn from_opened(tile_set: &TileSet, shelf: &ModTiles, id: &str, opened: &OpenedTile) -> TileDocument {
        let draft = TileDraft::read(tile_set, id, &opened.entries);
        TileDocument {
            before: Some((id.to_owned(), opened.entries.clone())),
            before_text: opened.text.clone(),
            saved: draft.clone(),
            ..TileDocument::new(shelf, draft, None)
        }
    }

    /// Returns the title of the document's tab.
    pub fn title(&self) -> String {
        format!("{}/{}", self.mod_id, self.draft.id)
    }

    /// Returns whether there are unsaved changes. A new tile always has some.
    pub fn is_changed(&self) -> bool {
        self.before.is_none() || self.draft != self.saved
    }

    /// Changes the draft with `change`. `what` names the kind of change. Undo reverts consecutive
    /// changes with the same `what` together, unless `what` is empty.
    pub fn edit(&mut self, what: &'static str, change: impl FnOnce(&mut TileDraft)) {
        let before = self.draft.clone();
        change(&mut self.draft);
        if self.draft == before {
            return;
        }
        if what.is_empty() || self.last != what {
            self.undo.push(before);
            if self.undo.len() > MAX_UNDO {
                self.undo.remove(0);
            }
        }
        self.last = what;
        self.redo.clear();
        self.error = None;
    }

    /// Undoes the last change.
    pub fn undo(&mut self) {
        if let Some(before) = self.undo.pop() {
            self.redo.push(std::mem::replace(&mut self.draft, before));
            self.last = "";
        }
    }

    /// Redoes the last undone change.
    pub fn redo(&mut self) {
        if let Some(after) = self.redo.pop() {
            self.undo.push(std::mem::replace(&mut self.draft, after));
            self.last = "";
        }
    }

    /// Returns whether the user can undo a change, and whether the user can redo one.
    pub fn can_undo_redo(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Closes open questions and messages.
    pub fn dismiss_questions(&mut self) {
        (self.is_closing, self.is_deleting, self.conflict, self.error) = (false, false, None, None);
    }

    /// Selects other random neighbours to show around the tile.
    pub fn shuffle_neighbours(&mut self) {
        self.seed += 1;
    }

    /// Selects the tool that draws a kind of land. `n` is the index of the kind among the kinds
    /// that reach edges.
    pub fn choose_tool(&mut self, tile_set: &TileSet, n: usize) {
        if let Some(kind) = kinds_of(tile_set, &[EdgeStyle::Full, EdgeStyle::Line]).get(n) {
            self.tool = Tool::Draw(tile_set.kind(*kind).name.clone());
        }
    }

    /// Returns the tile with the data that saving needs. If `overwrites` is true, saving overwrites
    /// changes of another program.
    pub fn to_save(&self, overwrites: bool) -> TileToSave {
        TileToSave { before: self.before.clone(), draft: self.draft.clone(), after: self.after.clone(), overwrites }
    }

    /// Notes that `draft` was saved, and that the file now contains `opened`.
    pub fn note_saved(&mut self, draft: &TileDraft, opened: &OpenedTile) {
        self.before = Some((draft.id.clone(), opened.entries.clone()));
        self.before_text.clone_from(&opened.text);
        self.saved = draft.clone();
        self.conflict = None;
        self.error = None;
    }

    /// Replaces the draft by the tile in the file if this tile has changed. Does nothing if the
    /// draft has unsaved changes.
    pub fn reload_if_changed(&mut self, tile_set: &TileSet, opened: &OpenedTile) {
        let is_same_tile = self.before.as_ref().is_some_and(|(_, entries)| *entries == opened.entries);
        let is_same_text = is_same_tile && self.before_text == opened.text;
        if !self.is_changed() && !is_same_text {
            self.take_theirs(tile_set, opened);
        }
    }

    /// Replaces the draft by the tile that another program has saved. Undo restores the draft.
    pub fn take_theirs(&mut self, tile_set: &TileSet, opened: &OpenedTile) {
        let Some((id, _)) = self.before.clone() else { return };
        let theirs = TileDraft::read(tile_set, &id, &opened.entries);
        self.note_saved(&theirs, opened);
        self.edit("", |draft| *draft = theirs);
    }

    /// Returns the name of the kind of land of the selected zone. Returns `None` if no zone is
    /// selected or the draft is invalid.
    pub fn selected_kind(&self) -> Option<String> {
        let set = self.drawn.tile_set()?;
        let zone = set.tiles.first()?.zones.get(self.selected_zone()?)?;
        Some(set.kind(zone.kind).name.clone())
    }

    /// Returns the selected zone as an index among the zones of the tile; `None` if no zone is
    /// selected or the draft has errors.
    pub fn selected_zone(&self) -> Option<usize> {
        let name = self.zone.as_ref()?;
        let set = self.drawn.tile_set()?;
        set.zone_named(table::TileIdx(0), Facing::default(), name)
    }
}
