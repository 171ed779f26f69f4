//! A tile that is open in the designer: as it is drawn, as its file has it, and what can be taken
//! back.

use std::path::PathBuf;

use table::{Facing, TileSet};
use workshop::{Around, EdgeStyle, Entries, OpenedTile, Shelf, TagOn, TileDraft, TileToSave, kinds_of};

use super::DrawnTiles;
use crate::cached::Cached;
use crate::pictures::OtherPainter;

/// The number of changes that can be undone.
const MOST_UNDO: usize = 500;

/// The effects of the pointer at the edges.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Draws this kind of land.
    Draw(String),
    /// Takes away what is drawn.
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
    /// The id under which its file has it, and what that says; nothing for a new one.
    pub before: Option<(String, Entries)>,
    /// The lines of the file that are about it.
    pub before_text: String,
    /// The tile as it was opened or saved last.
    pub saved: TileDraft,
    /// The tile as it is drawn.
    pub draft: TileDraft,
    /// The tile after which a new one stands in its file.
    pub after: Option<String>,
    undo: Vec<TileDraft>,
    redo: Vec<TileDraft>,
    /// The last kind of change; repeating it is one change.
    last: &'static str,
    /// The effect of the pointer.
    pub tool: Tool,
    /// The zone that is chosen, by its name on the tile.
    pub zone: Option<String>,
    /// The edges that were drawn over since the pointer went down.
    pub stroke: Vec<usize>,
    /// Which neighbours are tried.
    pub seed: u64,
    /// True if it is to be saved at the next chance, or is being.
    pub wants_save: bool,
    /// True if its file may have changed since it was looked at.
    pub is_stale: bool,
    /// True if it is being saved.
    pub is_saving: bool,
    /// True if it is asked if changes are to be given up.
    pub is_closing: bool,
    /// True if it is asked if the tile is to be deleted.
    pub is_deleting: bool,
    /// The tile as another program has changed it meanwhile; `Some(None)` if it was deleted.
    pub conflict: Option<Option<OpenedTile>>,
    /// Why it could not be saved.
    pub error: Option<String>,
    /// The text as it is typed, and the draft it was made for.
    pub typed: Cached<TileDraft, String>,
    /// Why what is typed is no tile.
    pub typed_error: Option<String>,
    /// The name of a tag that is being typed, for the zone and for the tile.
    pub new_tags: [String; 2],
    /// A tag that its mod is to declare.
    pub declares: Option<(String, TagOn)>,
    /// The drawn draft.
    pub drawn: Cached<(TileDraft, u64, Option<String>), DrawnTiles>,
    /// The surroundings of the tile, for the painter and the seed with these numbers.
    pub around: Cached<(u64, u64), Around>,
    /// The painter of the picture that is shown. The picture stays until the next one is painted.
    pub shown: Option<OtherPainter>,
}

impl TileDocument {
    /// A tile that is in no file yet.
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

    /// A tile as its file has it.
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

    /// Returns whether there is something to save.
    pub fn is_changed(&self) -> bool {
        self.before.is_none() || self.draft != self.saved
    }

    /// Changes the draft; the former one can be had back. Several changes of the same `what` after
    /// each other are one.
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

    /// Takes the last change back.
    pub fn undo(&mut self) {
        if let Some(before) = self.undo.pop() {
            self.redo.push(std::mem::replace(&mut self.draft, before));
            self.last = "";
        }
    }

    /// Makes the change again that was taken back.
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

    /// Puts away what is asked and told.
    pub fn ask_nothing(&mut self) {
        (self.is_closing, self.is_deleting, self.conflict, self.error) = (false, false, None, None);
    }

    /// Tries other neighbours.
    pub fn shuffle(&mut self) {
        self.seed += 1;
    }

    /// Takes up the drawn kind number `n` of the land.
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

    /// Takes the tile as its file has it now, where nothing is changed here.
    pub fn look_again(&mut self, land: &TileSet, opened: &OpenedTile) {
        let Some((id, entries)) = &self.before else { return };
        if self.is_changed() || *entries == opened.entries && self.before_text == opened.text {
            return;
        }
        let theirs = TileDraft::read(land, id, &opened.entries);
        self.take_saved(&theirs, opened);
        self.edit("", |draft| *draft = theirs);
    }

    /// Takes the tile as another program has changed it. Undo brings the drawing back.
    pub fn take_theirs(&mut self, land: &TileSet, opened: &OpenedTile) {
        let Some((id, _)) = self.before.clone() else { return };
        let theirs = TileDraft::read(land, &id, &opened.entries);
        self.take_saved(&theirs, opened);
        self.edit("", |draft| *draft = theirs);
    }

    /// The zone of the drawn tile that is chosen.
    pub fn chosen(&self) -> Option<usize> {
        let name = self.zone.as_ref()?;
        let set = self.drawn.tile_set()?;
        set.zone_named(table::TileIdx(0), Facing::default(), name)
    }
}
