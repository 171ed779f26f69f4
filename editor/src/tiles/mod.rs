//! The panel of tiles: it lists the tiles of all mods, makes tiles from sketches, edits tiles in
//! the designer, and counts edge patterns.

mod browser;
mod canvas;
mod designer;
mod document;
pub mod drafts;
mod look;
mod new_land;
mod patterns;
mod properties;
mod shelf_view;
mod sketch;

use std::path::{Path, PathBuf};

use egui::{Rect, Ui};
use table::{Facing, Revision};
use workshop::{FileError, LookSection, LookSubject, ModLooks, OpenedTile, SaveResult, TileDraft, TileToSave};

use self::browser::{Browser, BrowserChoice, ChosenTile};
use self::document::TileDocument;
use self::drafts::StoredDraft;
use self::look::LookEditor;
use self::shelf_view::ModTilesPainter;
pub use self::shelf_view::ModTilesView;
use self::sketch::SketchView;
use crate::actions::{Action, TilesAction};
use crate::command::{Command, CommandMenu};
use crate::notifications::Tone;
use crate::panels::widgets::{pane, request_on_click};
use crate::pictures::Pictures;
use crate::ui_context::UiContext;

/// A tab of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum TilesTab {
    /// The tiles of all mods.
    #[default]
    Browse,
    /// New tiles from a sketch.
    Sketch,
    /// The looks of land, pieces and tags.
    Looks,
    /// The designer for the document with this number.
    Draw(u64),
    /// The patterns of edges of the tiles.
    Patterns,
}

/// The panel of tiles, with its tabs.
#[derive(Default)]
pub struct TilesPane {
    tab: TilesTab,
    shelves: Vec<ModTilesView>,
    /// The revision of the mods at which the panel last requested the tiles of all mods. If `None`,
    /// the panel requests them in the next frame.
    asked: Option<Revision>,
    browser: Browser,
    sketch: SketchView,
    patterns: patterns::PatternList,
    documents: Vec<TileDocument>,
    /// The looks of the mod that the designer or the tab of looks shows.
    looks: LookEditor,
    n_documents: u64,
    /// Stored drafts whose mods are not loaded yet.
    kept: Vec<StoredDraft>,
    /// The data folder, in which drafts are stored. If `None`, drafts are not stored.
    data: Option<PathBuf>,
    /// The text of the file with the stored drafts; `None` if there is no file.
    kept_text: Option<String>,
    /// The id of the mod that the user has chosen for new tiles and looks.
    target: Option<String>,
    /// The rectangle of the panel; `None` if the panel is not visible in this frame.
    shown: Option<Rect>,
    /// True if keys act on this panel.
    has_keys: bool,
    /// The view to show for a screenshot when the tiles are loaded.
    picture: Option<String>,
}

impl TilesPane {
    /// Makes a panel that stores drafts below `data`, and reads the drafts stored there.
    pub fn new(data: Option<&Path>) -> TilesPane {
        let (kept, kept_text) = data.map(drafts::read).unwrap_or_default();
        TilesPane { kept, kept_text, data: data.map(Path::to_owned), ..TilesPane::default() }
    }

    /// Returns the number of tiles with unsaved changes.
    pub fn n_unsaved(&self) -> usize {
        self.kept.len() + self.documents.iter().filter(|document| document.is_changed()).count()
    }

    /// Returns the draft of the document that the designer shows, if any.
    pub fn shown_draft(&self) -> Option<&TileDraft> {
        self.current().map(|document| &document.draft)
    }

    /// Returns whether the panel is visible.
    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// Requests a view for a screenshot. `what` is `tiles`, `sketch`, `looks`, `designer` or
    /// `patterns`.
    pub fn request_view(&mut self, what: &str) {
        self.picture = Some(what.to_owned());
    }

    /// Opens the requested view for a screenshot when the tiles are loaded.
    fn open_requested_view(&mut self) {
        let Some(what) = self.picture.take_if(|_| !self.shelves.is_empty()) else { return };
        let last_played = self.shelves.iter().rfind(|it| it.shelf.is_played);
        let Some(view) = last_played.or(self.shelves.first()) else { return };
        let mod_id = view.shelf.id.clone();
        self.target = Some(mod_id.clone());
        self.sketch.set("CFRR".to_owned());
        match what.as_str() {
            "sketch" => self.tab = TilesTab::Sketch,
            "looks" => {
                self.tab = TilesTab::Looks;
                let own = view.shelf.catalogue.as_ref().and_then(|catalogue| {
                    catalogue.pieces.iter().find(|it| catalogue.mods[it.owner.idx()].id == view.shelf.id)
                });
                if let Some(piece) = own {
                    self.looks.choose(LookSubject::new(LookSection::Piece, &piece.name));
                }
            }
            "patterns" => self.tab = TilesTab::Patterns,
            "designer" => {
                let Some(tile_set) = view.tile_set() else { return };
                let tile = view.shelf.tiles.iter().find(|tile| tile_set.tile(**tile).name.ends_with("/O"));
                let Some(tile) = tile.or(view.shelf.tiles.first()) else { return };
                let mut draft = TileDraft::of_tile(tile_set, tile_set.tile(*tile));
                draft.id.push_str("-new");
                self.begin_tile(&mod_id, draft, None);
                if let Some(document) = self.documents.last_mut() {
                    document.zone = Some("city@n".to_owned());
                }
            }
            _ => {
                let tile = view.shelf.tiles.get(10).or(view.shelf.tiles.first());
                let name = tile.zip(view.tile_set()).map(|(tile, tile_set)| tile_set.tile(*tile).name.clone());
                self.browser.choose(mod_id, name.unwrap_or_default());
            }
        }
    }

    fn current(&self) -> Option<&TileDocument> {
        let TilesTab::Draw(number) = self.tab else { return None };
        self.documents.iter().find(|document| document.number == number)
    }

    fn mod_view(&self, mod_id: &str) -> Option<&ModTilesView> {
        self.shelves.iter().find(|it| it.shelf.id == mod_id)
    }

    /// Resets the state of the last frame. Call this before the panels are drawn.
    pub fn begin_frame(&mut self) {
        self.shown = None;
    }

    /// Chooses the mod for new tiles and looks.
    pub fn choose_mod(&mut self, mod_id: &str) {
        self.target = Some(mod_id.to_owned());
    }

    /// Shows the tab in which the user sketches new tiles, without the last sketch. If `mod_id` is
    /// given, the new tiles are for this mod.
    pub fn begin_sketch(&mut self, mod_id: Option<&str>) {
        self.tab = TilesTab::Sketch;
        self.sketch.set(String::new());
        self.target = mod_id.map(ToOwned::to_owned).or(self.target.take());
    }

    /// Shows the tab with the looks. If `mod_id` is given, shows the looks of this mod.
    pub fn begin_looks(&mut self, mod_id: Option<&str>) {
        self.tab = TilesTab::Looks;
        self.target = mod_id.map(ToOwned::to_owned).or(self.target.take());
    }

    /// Shows the tab with the looks of the mod in `folder`.
    pub fn show_looks_in(&mut self, folder: &Path) {
        let id = self.shelves.iter().find(|it| it.shelf.folder == folder).map(|it| it.shelf.id.clone());
        self.begin_looks(id.as_deref());
    }

    /// Draws the tab with all tiles.
    fn show_browser(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let target = self.target_mod(cx).map(|it| it.shelf.title.clone());
        let Some(chosen) = self.browser.show(ui, cx, &self.shelves, target.as_deref()) else { return };
        match chosen.choice {
            BrowserChoice::Open => self.open(cx, &chosen.view, &chosen.id),
            BrowserChoice::Copy => self.copy_tile(cx, &chosen),
        }
    }

    /// Draws the tab for new tiles.
    fn show_sketch(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        self.choose_target(ui, cx);
        let Some(view) = self.target_mod(cx).cloned() else { return };
        if let Some(mut draft) = self.sketch.show(ui, cx, &view) {
            draft.id = self.free_id(&view.shelf.id, &draft.id);
            self.begin_tile(&view.shelf.id, draft, None);
        }
    }

    /// Draws the tab with the patterns of edges.
    fn show_patterns(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let played = self.shelves.iter().find(|it| it.shelf.is_played);
        if let Some(pattern) = self.patterns.show(ui, cx, played) {
            self.sketch.set(pattern);
            self.tab = TilesTab::Sketch;
        }
    }

    /// Draws the tab with the looks.
    fn show_looks(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        self.choose_target(ui, cx);
        let Some(mut view) = self.target_mod(cx).cloned() else { return };
        self.looks.open(cx, &view);
        view.shelf.theme = self.looks.theme(&view.shelf);
        self.looks.show_tab(ui, cx, &view);
    }

    /// Performs a command if keys act on this panel and the command applies to it. Returns whether
    /// the panel has consumed the command.
    ///
    /// The panel also consumes all other commands of the Move menu, because they act on the board,
    /// which is not visible. If `is_open` is true, a window is open; the panel then leaves
    /// `TakeBack` to it.
    pub fn handle_command(&mut self, command: Command, is_open: bool) -> bool {
        if !self.has_keys || self.shown.is_none() || command == Command::TakeBack && is_open {
            return false;
        }
        let TilesTab::Draw(number) = self.tab else {
            // Commands of the Move menu act on the board, which is not visible, so they do nothing
            // here.
            return command.info().group == CommandMenu::Move;
        };
        let Some(document) = self.documents.iter_mut().find(|document| document.number == number) else { return false };
        let shelf = self.shelves.iter().find(|it| it.shelf.id == document.mod_id);
        match command {
            Command::TakeBack => document.dismiss_questions(),
            Command::Undo => document.undo(),
            Command::Redo => document.redo(),
            Command::SaveCopy => document.wants_save = true,
            Command::OverlayNames => document.shuffle_neighbours(),
            Command::BigTile => document.tool = document::Tool::Erase,
            Command::ZoomIn | Command::ZoomOut => {
                let step = if command == Command::ZoomIn { 1 } else { -1 };
                document.edit("", |draft| {
                    if let Some(n) = draft.count() {
                        draft.set_count(n + step);
                    }
                });
            }
            Command::Rotate | Command::RotateBack => {
                let quarters = if command == Command::Rotate { 1 } else { 3 };
                if let Some(tile_set) = shelf.and_then(ModTilesView::tile_set) {
                    document.edit("", |draft| draft.turn(tile_set, Facing::from_quarters(quarters)));
                }
            }
            command => match (command.answer_number(), shelf.and_then(ModTilesView::tile_set)) {
                (Some(n), Some(tile_set)) => document.choose_tool(tile_set, n),
                _ => return command.info().group == CommandMenu::Move,
            },
        }
        true
    }

    /// Replaces the tiles of all mods by `shelves`, the result of [`TilesAction::ReadShelves`].
    /// Then opens the stored drafts whose mods are now loaded.
    pub fn set_mod_views(&mut self, pictures: &mut Pictures, shelves: Vec<ModTilesView>) {
        for old in std::mem::replace(&mut self.shelves, shelves) {
            if let ModTilesPainter::Other(other) = old.brush {
                pictures.discard_pictures_by(&other);
            }
        }
        self.documents.iter_mut().for_each(|document| document.is_stale = true);
        self.looks.request_again();
        for kept in std::mem::take(&mut self.kept) {
            let view = self.mod_view(&kept.mod_id);
            match view.and_then(|view| Some(kept.document(view.tile_set()?, &view.shelf))) {
                Some(document) => _ = self.add(document),
                None => self.kept.push(kept),
            }
        }
    }

    fn add(&mut self, mut document: TileDocument) -> u64 {
        self.n_documents += 1;
        document.number = self.n_documents;
        self.documents.push(document);
        self.n_documents
    }

    /// Opens a document for a tile that was read from its file.
    pub fn open_document(&mut self, mod_id: &str, id: &str, opened: &OpenedTile) {
        let Some(view) = self.mod_view(mod_id) else { return };
        let Some(tile_set) = view.tile_set() else { return };
        let document = TileDocument::from_opened(tile_set, &view.shelf, id, opened);
        self.tab = TilesTab::Draw(self.add(document));
    }

    /// Updates a document after its tile was read again from its file.
    pub fn update_document(&mut self, number: u64, opened: &OpenedTile) {
        let Some(document) = self.documents.iter_mut().find(|document| document.number == number) else { return };
        let view = self.shelves.iter().find(|it| it.shelf.id == document.mod_id);
        if let Some(tile_set) = view.and_then(ModTilesView::tile_set) {
            document.reload_if_changed(tile_set, opened);
        }
    }

    /// Makes keys act on this panel.
    pub fn capture_keys(&mut self) {
        self.has_keys = true;
    }

    /// Handles the result of saving a tile. Returns whether the tile was saved. Returns `None` if
    /// the document is closed.
    pub fn handle_saved(
        &mut self,
        number: u64,
        tile: &TileToSave,
        saved: Result<SaveResult, FileError>,
    ) -> Option<bool> {
        let document = self.documents.iter_mut().find(|document| document.number == number)?;
        document.is_saving = false;
        let is_saved = matches!(saved, Ok(SaveResult::Written(_)));
        match saved {
            Ok(SaveResult::Written(opened)) => document.note_saved(&tile.draft, &opened),
            Ok(SaveResult::Conflict(theirs)) => document.conflict = Some(theirs),
            Err(error) => document.error = Some(error.to_string()),
        }
        Some(is_saved)
    }

    /// Sets the looks of a mod that [`TilesAction::ReadLooks`] has read.
    pub fn set_looks(&mut self, mod_id: &str, looks: Result<ModLooks, FileError>) {
        self.looks.set_looks(mod_id, looks);
    }

    /// Handles the result of saving the looks of a mod.
    pub fn handle_saved_looks(&mut self, mod_id: &str, saved: Result<ModLooks, FileError>) {
        self.looks.handle_saved(mod_id, saved);
    }

    /// Makes the panel request the tiles of all mods again in the next frame.
    pub fn request_tiles_again(&mut self) {
        self.asked = None;
    }

    /// Closes a document.
    pub fn close(&mut self, number: u64) {
        self.documents.retain(|document| document.number != number);
        if self.tab == TilesTab::Draw(number) {
            self.tab = TilesTab::Browse;
        }
    }

    /// Draws the panel.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let rect = ui.max_rect();
        self.shown = Some(rect);
        let pressed = ui.input(|i| i.pointer.any_pressed().then(|| i.pointer.interact_pos()).flatten());
        if let Some(at) = pressed {
            self.has_keys = rect.contains(at);
        }
        let wanted = cx.session.mods_revision();
        if self.asked != Some(wanted) {
            self.asked = Some(wanted);
            cx.request_action(Action::Tiles(TilesAction::ReadShelves));
        }
        self.open_requested_view();
        pane(ui, |ui| {
            self.tabs(ui);
            ui.separator();
            match self.tab {
                TilesTab::Browse => self.show_browser(ui, cx),
                TilesTab::Sketch => self.show_sketch(ui, cx),
                TilesTab::Looks => self.show_looks(ui, cx),
                TilesTab::Patterns => self.show_patterns(ui, cx),
                TilesTab::Draw(number) => self.design(ui, cx, number),
            }
        });
    }

    fn tabs(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            let mut tab = |ui: &mut Ui, value: TilesTab, name: &str, about: &str| {
                if ui.selectable_label(self.tab == value, name).on_hover_text(about).clicked() {
                    self.tab = value;
                    self.has_keys = true;
                }
            };
            tab(ui, TilesTab::Browse, "All tiles", "All tiles: draw one now, or open one in the designer.");
            tab(ui, TilesTab::Sketch, "New tile", "Makes your own tile from its edges, such as CFRR.");
            tab(ui, TilesTab::Looks, "Looks", "Colours and icons of land, pieces and tags of your mod.");
            tab(ui, TilesTab::Patterns, "Patterns", "Counts edge patterns and shows the missing ones.");
            let open: Vec<(u64, String, bool)> =
                self.documents.iter().map(|it| (it.number, it.title(), it.is_changed())).collect();
            if !open.is_empty() {
                ui.separator();
            }
            let mut closed = None;
            for (number, title, is_changed) in open {
                let name = if is_changed { format!("{title} *") } else { title.clone() };
                let about = if is_changed { "Not saved yet: Ctrl+S saves it." } else { "No unsaved changes." };
                if ui.selectable_label(self.tab == TilesTab::Draw(number), name).on_hover_text(about).clicked() {
                    self.tab = TilesTab::Draw(number);
                    self.has_keys = true;
                }
                let close = ui.small_button("×").accessible_name(format!("Close {title}"));
                if close.on_hover_text("Close this tile.").clicked() {
                    closed = Some((number, is_changed));
                }
            }
            match closed {
                Some((number, false)) => self.close(number),
                // The document stays open while the designer asks the user about unsaved changes.
                Some((number, true)) => {
                    self.tab = TilesTab::Draw(number);
                    if let Some(document) = self.documents.iter_mut().find(|it| it.number == number) {
                        document.is_closing = true;
                    }
                }
                None => {}
            }
        });
    }

    /// Stores drafts if they have changed. Call this in each frame, even if the panel is hidden.
    pub fn store_drafts(&mut self, cx: &mut UiContext<'_>) {
        let Some(data) = &self.data else { return };
        let file = drafts::file(data, &self.kept, &self.documents, &self.shelves);
        if file.text != self.kept_text {
            self.kept_text.clone_from(&file.text);
            cx.request_action(Action::Keep(file));
        }
    }

    /// Returns the mod for new tiles and looks. This is the mod that the user has chosen, or else
    /// one of the user's own mods, preferably one in play. Returns `None` if there is neither.
    fn target_mod(&self, cx: &UiContext<'_>) -> Option<&ModTilesView> {
        let can_be = |it: &&ModTilesView| it.can_change() && it.shelf.catalogue.is_some();
        let chosen = self.target.as_ref().and_then(|id| self.mod_view(id)).filter(can_be);
        let own = || self.shelves.iter().filter(can_be).filter(|it| it.is_own(cx));
        chosen.or_else(|| own().rfind(|it| it.shelf.is_played)).or_else(|| own().next_back())
    }

    /// Draws the list from which the user chooses the mod for new tiles.
    fn choose_target(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let target = self.target_mod(cx).map(|it| (it.shelf.id.clone(), it.shelf.title.clone()));
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("For the mod");
            let shown = target.as_ref().map_or("choose one", |(_, title)| title.as_str());
            let mut can_be: Vec<(bool, String, String)> = self
                .shelves
                .iter()
                .filter(|it| it.can_change() && it.shelf.catalogue.is_some())
                .map(|it| (!it.is_own(cx), it.shelf.id.clone(), it.shelf.title.clone()))
                .collect();
            can_be.sort_by_key(|(is_shipped, ..)| *is_shipped);
            let has_own = can_be.iter().any(|(is_shipped, ..)| !is_shipped);
            let combo =
                egui::ComboBox::from_id_salt("target mod").selected_text(shown).width(200.0).show_ui(ui, |ui| {
                    for (_, id, title) in &can_be {
                        let is_chosen = target.as_ref().is_some_and(|(chosen, _)| chosen == id);
                        if ui.selectable_label(is_chosen, title).on_hover_text(id).clicked() {
                            self.target = Some(id.clone());
                        }
                    }
                });
            combo.response.labelled_by(label.id);
            let about = Command::NewMod.info().about;
            let text = egui::RichText::new("New mod…");
            let button = ui.button(if has_own { text } else { text.strong() }).on_hover_text(about);
            request_on_click(cx, &button, Action::Command(Command::NewMod));
            if !has_own {
                ui.weak("Make your own mod first: bundled mods are better left unchanged.");
            }
        });
    }

    /// Opens a tile in the designer, or shows its document if the tile is open already.
    fn open(&mut self, cx: &mut UiContext<'_>, view: &ModTilesView, id: &str) {
        let is_it = |mod_id: &str, before: Option<&str>| mod_id == view.shelf.id && before == Some(id);
        let open = self.documents.iter().find(|it| is_it(&it.mod_id, it.before.as_ref().map(|(id, _)| id.as_str())));
        match open {
            Some(document) => self.tab = TilesTab::Draw(document.number),
            None => {
                let (mod_id, folder) = (view.shelf.id.clone(), view.shelf.folder.clone());
                cx.request_action(Action::Tiles(TilesAction::Open { mod_id, folder, id: id.to_owned() }));
            }
        }
        self.has_keys = true;
    }

    /// Opens a copy of a tile in the designer, as a new tile of the mod for new tiles. Omits kinds
    /// of land and tags that this mod does not know, and tells the user which.
    fn copy_tile(&mut self, cx: &mut UiContext<'_>, ChosenTile { view, tile, id, .. }: &ChosenTile) {
        let Some(target) = self.target_mod(cx).cloned() else { return };
        let (Some(from), Some(to)) = (view.tile_set(), target.tile_set()) else { return };
        let mut draft = TileDraft::of_tile(from, from.tile(*tile));
        let omitted = draft.remove_undeclared(to);
        let mod_id = &target.shelf.id;
        draft.id = self.free_id(mod_id, id);
        let after = (view.shelf.id == *mod_id).then(|| id.to_owned());
        self.begin_tile(mod_id, draft, after);
        if !omitted.is_empty() {
            let (title, list) = (&target.shelf.title, omitted.into_iter().collect::<Vec<_>>().join(", "));
            let text =
                format!("{title} does not know {list}, so the copy has no such land; New land… in Looks adds it");
            cx.request_action(Action::Tell(Tone::Changed, text));
        }
    }

    /// Opens a draft of a new tile in the designer.
    fn begin_tile(&mut self, mod_id: &str, draft: TileDraft, after: Option<String>) {
        let Some(view) = self.mod_view(mod_id) else { return };
        let document = TileDocument::new(&view.shelf, draft, after);
        self.tab = TilesTab::Draw(self.add(document));
        self.has_keys = true;
    }

    /// Returns an id for a new tile: `wish` without invalid characters. Adds a number if another
    /// tile or open document of the mod has this id.
    fn free_id(&self, mod_id: &str, wish: &str) -> String {
        let plain: String = wish.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-' || *c == '_').collect();
        let plain = if plain.is_empty() { "tile".to_owned() } else { plain };
        let Some(view) = self.mod_view(mod_id) else { return plain };
        let is_taken = |id: &str| {
            let name = format!("{mod_id}/{id}");
            let in_set = view.tile_set().is_some_and(|tile_set| tile_set.tile_named(&name).is_some());
            in_set || self.documents.iter().any(|it| it.mod_id == mod_id && it.draft.id == id)
        };
        let ids = std::iter::once(plain.clone()).chain((2..).map(|n| format!("{plain}-{n}")));
        ids.into_iter().find(|id| !is_taken(id)).unwrap_or(plain)
    }
}
