//! A tile that is open in the designer: its draft, its saved form and its undo history.

use std::path::PathBuf;

use table::{Facing, TileSet};
use workshop::{Around, EdgeStyle, Entries, OpenedTile, Shelf, TagOn, TileDraft, TileToSave, kinds_of};

use super::DrawnTiles;
use crate::cached::Cached;
use crate::pictures::OtherPainter;

/// The number of changes that can be undone.
const MOST_UNDO: usize = 500;

/// The tool of the pointer at the edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Draws this kind of land.
    Draw(String),
    /// Erases.
    Erase,
    /// Only chooses zones.
    #[default]
    Choose,
}

/// A tile in the designer.
#[derive(Default)]
pub struct TileDocument {
    /// Its number; no other document of this run has it.
    pub number: u64,
    /// The mod.
    pub mod_id: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Its id and entries in the file; `None` for a new tile.
    pub before: Option<(String, Entries)>,
    /// Its lines in the file.
    pub before_text: String,
    /// The draft when it was opened or last saved.
    pub saved: TileDraft,
    /// The present draft.
    pub draft: TileDraft,
    /// The tile after which a new one is inserted in the file.
    pub after: Option<String>,
    undo: Vec<TileDraft>,
    redo: Vec<TileDraft>,
    /// The last kind of change; repeating it is one change.
    last: &'static str,
    /// The effect of the pointer.
    pub tool: Tool,
    /// The name of the selected zone.
    pub zone: Option<String>,
    /// The edges that the pointer crossed since it went down.
    pub stroke: Vec<usize>,
    /// The seed that chooses the neighbours.
    pub seed: u64,
    /// True if saving is requested or in progress.
    pub wants_save: bool,
    /// True if its file may have changed since it was read.
    pub is_stale: bool,
    /// True if it is being saved.
    pub is_saving: bool,
    /// True if the user is asked whether to discard changes.
    pub is_closing: bool,
    /// True if the user is asked whether to delete the tile.
    pub is_deleting: bool,
    /// The tile as another program changed it; `Some(None)` if it deleted the tile.
    pub conflict: Option<Option<OpenedTile>>,
    /// The reason why saving failed.
    pub error: Option<String>,
    /// The edited text, and the draft it was generated from.
    pub typed: Cached<TileDraft, String>,
    /// The reason why the edited text is not a tile.
    pub typed_error: Option<String>,
    /// The partial name of a new tag, for the zone and for the tile.
    pub new_tags: [String; 2],
    /// A tag to declare in its mod.
    pub declares: Option<(String, TagOn)>,
    /// The drawn draft.
    pub drawn: Cached<(TileDraft, u64, Option<String>), DrawnTiles>,
    /// The surroundings of the tile, for the painter and the seed with these numbers.
    pub around: Cached<(u64, u64), Around>,
    /// The painter of the picture that is shown. The picture stays until the next one is painted.
    pub shown: Option<OtherPainter>,
}

impl TileDocument {
    /// Makes a document for a new tile.
    pub fn new(shelf: &Shelf, draft: TileDraft, after: Option<String>) -> TileDocument {
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
    pub fn opened(land: &TileSet, shelf: &Shelf, id: &str, opened: &OpenedTile) -> TileDocument {
        let draft = TileDraft::read(land, id, &opened.entries);
        TileDocument {
            before: Some((id.to_owned(), opened.entries.clone())),
            before_text: opened.text.clone(),
            saved: draft.clone(),
            ..TileDocument::new(shelf, draft, None)
        }
    }

    /// Returns the title of its tab.
    pub fn title(&self) -> String {
        format!("{}/{}", self.mod_id, self.draft.id)
    }

    /// Returns whether there are unsaved changes.
    pub fn is_changed(&self) -> bool {
        self.before.is_none() || self.draft != self.saved
    }

    /// Changes the draft; undo restores the former one. Consecutive changes with the same `what`
    /// are undone together.
    pub fn edit(&mut self, what: &'static str, change: impl FnOnce(&mut TileDraft)) {
        let before = self.draft.clone();
        change(&mut self.draft);
        if self.draft == before {
            return;
        }
        if what.is_empty() || self.last != what {
            self.undo.push(before);
            if self.undo.len() > MOST_UNDO {
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

    /// Returns whether a change can be undone, and whether one can be redone.
    pub fn can_undo(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Closes open questions and messages.
    pub fn ask_nothing(&mut self) {
        (self.is_closing, self.is_deleting, self.conflict, self.error) = (false, false, None, None);
    }

    /// Tries other neighbours.
    pub fn shuffle(&mut self) {
        self.seed += 1;
    }

    /// Selects the tool that draws kind number `n`.
    pub fn choose_tool(&mut self, land: &TileSet, n: usize) {
        if let Some(kind) = kinds_of(land, &[EdgeStyle::Full, EdgeStyle::Line]).get(n) {
            self.tool = Tool::Draw(land.kind(*kind).name.clone());
        }
    }

    /// Returns the tile to save.
    pub fn to_save(&self, overwrites: bool) -> TileToSave {
        TileToSave { before: self.before.clone(), draft: self.draft.clone(), after: self.after.clone(), overwrites }
    }

    /// Notes that `draft` was saved.
    pub fn take_saved(&mut self, draft: &TileDraft, opened: &OpenedTile) {
        self.before = Some((draft.id.clone(), opened.entries.clone()));
        self.before_text.clone_from(&opened.text);
        self.saved = draft.clone();
        self.conflict = None;
        self.error = None;
    }

    /// Updates the document from its file, if it has no unsaved changes.
    pub fn look_again(&mut self, land: &TileSet, opened: &OpenedTile) {
        let Some((id, entries)) = &self.before else { return };
        if self.is_changed() || *entries == opened.entries && self.before_text == opened.text {
            return;
        }
        let theirs = TileDraft::read(land, id, &opened.entries);
        self.take_saved(&theirs, opened);
        self.edit("", |draft| *draft = theirs);
    }

    /// Replaces the draft by the version of another program. Undo restores the draft.
    pub fn take_theirs(&mut self, land: &TileSet, opened: &OpenedTile) {
        let Some((id, _)) = self.before.clone() else { return };
        let theirs = TileDraft::read(land, &id, &opened.entries);
        self.take_saved(&theirs, opened);
        self.edit("", |draft| *draft = theirs);
    }

    /// Returns the selected zone of the drawn tile.
    pub fn chosen(&self) -> Option<usize> {
        let name = self.zone.as_ref()?;
        let set = self.drawn.tile_set()?;
        set.zone_named(table::TileIdx(0), Facing::default(), name)
    }
}
