//! Tiles on disk. The game thread reads, saves and deletes these tiles, so that frames do not wait
//! for files.

use std::path::PathBuf;

use table::{Session, shown_path};
use workshop::{
    DeletedTile, Entries, FileError, declare_kind, declare_piece, declare_tag, delete_tile, open_tile, read_looks,
    save_looks, save_tile, tiles_by_mod,
};

use super::App;
use crate::actions::{Declaration, TileSaveRequest, TilesAction};
use crate::notifications::{Tone, UndoableChange};
use crate::panels::Pane;
use crate::tiles::ModTilesView;

impl App {
    /// Performs an action that the panel of tiles requested.
    pub(super) fn act_on_tiles(&mut self, action: TilesAction) {
        match action {
            TilesAction::ReadShelves => self.read_shelves(),
            TilesAction::Open { mod_id, folder, id } => self.open_tile(mod_id, folder, id),
            TilesAction::LookAgain { number, folder, id } => {
                let work = move |_: &mut Session| open_tile(&folder, &id);
                self.run_on_game_thread("checking a tile", work, move |app, opened| {
                    // If the tile no longer exists, saving it later reports the error.
                    if let Ok(opened) = opened {
                        app.panes.tiles.update_document(number, &opened);
                    }
                });
            }
            TilesAction::Save(wanted) => self.save_drawn_tile(*wanted),
            TilesAction::Delete { number, folder, opened } => {
                let (id, entries) = *opened;
                self.delete_tile(number, folder, id, entries);
            }
            TilesAction::Restore(tile) => self.restore_tile(*tile),
            TilesAction::Declare(folder, name, declared) => {
                let what = match declared {
                    Declaration::Tag(_) => format!("tag {name}"),
                    Declaration::Kind(..) => format!("land {name} and its points"),
                    Declaration::Piece(_) => format!("piece {name}"),
                };
                let text = format!("declared {what} in mod.toml");
                self.change_file("changing a manifest", text, move || match declared {
                    Declaration::Tag(on) => declare_tag(&folder, &name, on),
                    Declaration::Kind(edge, holder) => declare_kind(&folder, &name, edge, holder.as_deref()),
                    Declaration::Piece(like) => declare_piece(&folder, &name, like.as_deref()),
                });
            }
            TilesAction::ShowLooks(folder) => {
                self.panes.tiles.show_looks_in(&folder);
                self.show_pane(Pane::Tiles);
            }
            TilesAction::ReadLooks { mod_id, folder } => {
                let id = mod_id.clone();
                let work = move |_: &mut Session| read_looks(&folder, &id);
                self.run_on_game_thread("reading the look of a mod", work, move |app, looks| {
                    app.panes.tiles.set_looks(&mod_id, looks);
                });
            }
            TilesAction::SaveLooks { mod_id, folder, changes } => {
                let id = mod_id.clone();
                let work = move |_: &mut Session| {
                    save_looks(&folder, &changes)?;
                    read_looks(&folder, &id)
                };
                self.run_on_game_thread("saving the look of a mod", work, move |app, saved| {
                    app.panes.tiles.handle_saved_looks(&mod_id, saved);
                    app.apply_saved_tiles();
                });
            }
            TilesAction::ShowBoard => self.show_pane(Pane::Board),
        }
    }

    fn read_shelves(&mut self) {
        let read = |session: &mut Session| -> Vec<ModTilesView> {
            let found = tiles_by_mod(session.library(), session.loaded());
            found.into_iter().map(ModTilesView::new).collect()
        };
        self.run_on_game_thread("reading the tiles of all mods", read, |app, mut found| {
            for view in &mut found {
                view.is_locked = app.view_state.is_locked(app.mods.originals.as_deref(), &view.shelf.folder);
            }
            app.panes.tiles.set_mod_views(&mut app.pictures, found);
        });
    }

    fn open_tile(&mut self, mod_id: String, folder: PathBuf, id: String) {
        let tile = id.clone();
        let work = move |_: &mut Session| open_tile(&folder, &tile);
        self.run_on_game_thread("opening a tile", work, move |app, opened| match opened {
            Ok(opened) => app.panes.tiles.open_document(&mod_id, &id, &opened),
            Err(error) => app.notify(Tone::Bad, error),
        });
    }

    fn delete_tile(&mut self, number: u64, folder: PathBuf, id: String, entries: Entries) {
        let tile = id.clone();
        let work = move |_: &mut Session| delete_tile(&folder, &tile, &entries);
        self.run_on_game_thread("deleting a tile", work, move |app, done| {
            let Some(deleted) = app.ok_or_notify(done) else { return };
            app.panes.tiles.close(number);
            app.panes.tiles.request_tiles_again();
            app.apply_files(None, move |app| {
                let (text, change) = (format!("deleted tile {id}"), UndoableChange::Tile(deleted));
                app.notifications.notify_undoable(app.frames.started.elapsed(), text, change);
            });
        });
    }

    fn restore_tile(&mut self, tile: DeletedTile) {
        self.notifications.discard_undo(&UndoableChange::Tile(tile.clone()));
        let text = format!("restored tile {}", tile.id);
        self.change_file("restoring a tile", text, move || tile.restore());
    }

    /// Changes a file of a mod with `write`, reloads the mods, and then shows `text`. `what` is the
    /// busy message.
    fn change_file(
        &mut self,
        what: &'static str,
        text: String,
        write: impl FnOnce() -> Result<(), FileError> + Send + 'static,
    ) {
        let work = move |_: &mut Session| write();
        self.run_on_game_thread(what, work, move |app, done| {
            if app.ok_or_notify(done).is_some() {
                app.notify(Tone::Good, text);
                app.apply_saved_tiles();
            }
        });
    }

    fn save_drawn_tile(&mut self, wanted: TileSaveRequest) {
        let TileSaveRequest { number, shelf, tile } = wanted;
        let to_save = tile.clone();
        let work = move |_: &mut Session| match shelf.tile_set() {
            Some(tile_set) => save_tile(tile_set, &shelf.folder, &to_save),
            None => Err(FileError::KindsUnknown(shelf.title.clone())),
        };
        self.run_on_game_thread("saving a tile", work, move |app, saved| {
            let file = saved.as_ref().ok().and_then(|saved| match saved {
                workshop::SaveResult::Written(opened) => Some(shown_path(&opened.file)),
                workshop::SaveResult::Conflict(_) => None,
            });
            if app.panes.tiles.handle_saved(number, &tile, saved) == Some(true) {
                app.notify(Tone::Good, format!("saved tile {} in {}", tile.draft.id, file.unwrap_or_default()));
                app.apply_saved_tiles();
            }
        });
    }

    /// Reloads the mods after this window has written files of tiles, tags and looks.
    fn apply_saved_tiles(&mut self) {
        self.panes.tiles.request_tiles_again();
        self.apply_saved();
    }
}
