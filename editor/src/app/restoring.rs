//! Restores bundled mods to their original state.

use std::path::PathBuf;

use table::shown_path;
use workshop::bundled_mods::{ChangedFile, undo_restore};

use super::App;
use crate::actions::RestoreAction;
use crate::notifications::Tone;

impl App {
    /// Returns the changed files of bundled mods, with the id of each mod.
    pub fn changed_mods(&self) -> Vec<(String, Vec<ChangedFile>)> {
        let Some(originals) = &self.mods.originals else { return Vec::new() };
        let changes = |id: String| Some((originals.changes(&originals.folder_of(&id)), id));
        let changed = originals.ids().into_iter().filter_map(changes).filter(|(changes, _)| !changes.is_empty());
        changed.map(|(changes, id)| (id, changes)).collect()
    }

    /// Lets the user change the bundled mod in `folder` until the window closes.
    pub(super) fn unlock_mod(&mut self, folder: PathBuf) {
        if self.view_state.is_locked(self.mods.originals.as_deref(), &folder) {
            let text = format!(
                "{} can be changed now; to undo changes, choose Restore mods… in the Mods menu",
                shown_path(&folder)
            );
            self.notify(Tone::Changed, text);
            self.view_state.unlocked.insert(folder);
            self.panes.tiles.request_tiles_again();
            self.panes.rules.request_focus();
        }
    }

    /// Performs an action on bundled mods.
    pub(super) fn act_on_originals(&mut self, action: RestoreAction) {
        match action {
            RestoreAction::LookAt => self.view_state.windows.restore = true,
            RestoreAction::Files(files) => {
                let Some(originals) = self.mods.originals.clone() else { return };
                let names: Vec<String> = files.iter().map(|file| shown_path(file)).collect();
                match originals.restore(&files) {
                    Ok(before) => {
                        self.dialogs.restore.set_old_contents(before);
                        self.notify(Tone::Good, format!("restored {}", names.join(", ")));
                        self.reload(None);
                    }
                    Err(error) => self.notify(Tone::Bad, format!("{} cannot be written: {error}", names.join(", "))),
                }
            }
            RestoreAction::PutBack => {
                match self.dialogs.restore.take_old_contents().map(|before| undo_restore(&before)) {
                    Some(Ok(())) => {
                        self.notify(Tone::Good, "the last restore is undone");
                        self.reload(None);
                    }
                    Some(Err(error)) => self.notify(Tone::Bad, format!("files cannot be written: {error}")),
                    None => {}
                }
            }
        }
        self.show_restorable();
    }

    /// Updates the window with the changed bundled mods and the removed mods and files.
    pub(super) fn show_restorable(&mut self) {
        self.dialogs.restore.set_changes(self.changed_mods(), self.removed_items());
    }
}
