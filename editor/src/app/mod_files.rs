//! Files of mods: creates, renames, removes and restores them, and removes whole mods.

use std::path::{Path, PathBuf};

use platform::fs;
use table::{RulesChoice, shown_path};
use workshop::mod_files::{FileKind, RemovedItem, create_file, create_icon, remove_file, remove_mod, rename_file};

use super::App;
use crate::actions::{FileAction, NewIcon};
use crate::notifications::{Removal, Tone, UndoableChange};
use crate::settings::own_mods_folder;

impl App {
    /// Performs an action on files of mods.
    pub(super) fn act_on_files(&mut self, action: FileAction) {
        match action {
            FileAction::Create(folder, kind, name) => {
                let Some(path) = self.ok_or_notify(create_file(&folder, kind, &name)) else { return };
                self.view_state.windows.name_file = None;
                self.open_text(&path, 1);
                let text = format!("created {}", shown_path(&path));
                self.apply_changed_file(path, text);
            }
            FileAction::CreateIcon(folder, icon) => self.create_icon(&folder, icon),
            FileAction::Rename(folder, path, name) => {
                let Some(new) = self.ok_or_notify(rename_file(&folder, &path, &name)) else { return };
                self.view_state.windows.name_file = None;
                self.panes.rules.follow_rename(&path, &new);
                self.benches.tests.view.file_to_select = Some(new.clone());
                let text = format!("renamed {} to {}", shown_path(&path), shown_path(&new));
                self.apply_changed_file(new, text);
            }
            FileAction::Remove(folder, path) => {
                let Some(removed) = self.ok_or_notify(remove_file(&folder, &path)) else { return };
                self.apply_removal(Removal { removed, rules: None });
            }
            FileAction::RemoveMod(folder, None) => self.remove_unused_mod(folder, None),
            FileAction::RemoveMod(folder, Some(without)) => self.remove_used_mod(folder, without),
            FileAction::Restore(removal) => self.restore_removed(*removal),
        }
    }

    fn create_icon(&mut self, folder: &Path, icon: NewIcon) {
        let created = match &icon.svg {
            Some(svg) => create_icon(folder, &icon.name, svg),
            None => create_file(folder, FileKind::Icon, &icon.name),
        };
        let Some(path) = self.ok_or_notify(created) else { return };
        self.view_state.windows.name_file = None;
        if icon.opens_text {
            self.open_text(&path, 1);
        }
        let text = format!("created {}: Looks shows it among the icons of the mod", shown_path(&path));
        self.apply_changed_file(path, text);
    }

    /// Continues the game under the rules `without`, which do not include the mod in `folder`, and
    /// then removes this mod.
    fn remove_used_mod(&mut self, folder: PathBuf, without: RulesChoice) {
        self.view_state.windows.remove_mod = None;
        let before = (self.snapshot.id(), RulesChoice::from_setup(self.snapshot.setup()));
        self.apply_files(Some(without), move |app| {
            let loaded = app.snapshot.loaded();
            if loaded.folders().contains(&folder) {
                let text = format!("{} is not removed: this game cannot continue without it", shown_path(&folder));
                app.notify(Tone::Bad, text);
            } else {
                app.remove_unused_mod(folder, Some(before));
            }
        });
    }

    /// Removes a mod that the game does not use. `rules` has the meaning of [`Removal::rules`].
    fn remove_unused_mod(&mut self, folder: PathBuf, rules: Option<(u64, RulesChoice)>) {
        self.view_state.windows.remove_mod = None;
        let Some(removed) = self.ok_or_notify(remove_mod(&folder)) else { return };
        self.settings.guide.take_if(|guide| guide.folder == folder);
        self.apply_removal(Removal { removed, rules });
    }

    /// Applies a changed file of a mod to the game, and then shows `text`.
    fn apply_changed_file(&mut self, path: PathBuf, text: String) {
        self.refresh_file_lists();
        self.apply_files(None, move |app| {
            app.note_touched(vec![path]);
            app.notify(Tone::Good, text);
        });
    }

    /// Applies a removal to the game, and then offers to undo it.
    fn apply_removal(&mut self, removal: Removal) {
        self.panes.rules.close_removed(&removal.removed.original);
        self.refresh_file_lists();
        self.apply_files(None, move |app| {
            let verb = if removal.removed.is_mod() { "removed" } else { "deleted" };
            let text = format!("{verb} {}", removal.removed.name());
            app.note_touched(vec![removal.removed.original.clone()]);
            let change = UndoableChange::Removal(removal);
            app.notifications.notify_undoable(app.frames.started.elapsed(), text, change);
        });
    }

    /// Undoes a removal: restores the mod or file, reopens its texts with their unsaved changes,
    /// and continues the game with the mod if the game used it before.
    fn restore_removed(&mut self, removal: Removal) {
        self.notifications.discard_undo(&UndoableChange::Removal(removal.clone()));
        if self.ok_or_notify(removal.removed.restore()).is_some() {
            let Removal { removed, rules } = removal;
            self.panes.rules.reopen_restored(&removed.original);
            self.refresh_file_lists();
            let chosen = rules.filter(|(id, _)| *id == self.snapshot.id()).map(|(_, chosen)| chosen);
            self.apply_files(chosen, move |app| {
                app.notify(Tone::Good, format!("restored {}", removed.name()));
                app.note_touched(vec![removed.original]);
            });
        }
        self.show_restorable();
    }

    /// Makes the panels read the lists of files and tiles again after a change.
    fn refresh_file_lists(&mut self) {
        self.panes.rules.reload_list();
        self.panes.tiles.request_tiles_again();
    }

    /// Lists the mods and files that were removed from the folders of mods.
    pub(super) fn removed_items(&self) -> Vec<RemovedItem> {
        // A path of the library leads to a folder of mods, to a mod, or to a removed mod.
        let is_of_mods = |path: &&PathBuf| fs::is_dir(path) && !fs::exists(&path.join("mod.toml"));
        let (of_mods, mods): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.snapshot.library().paths().iter().partition(is_of_mods);
        let beside = mods.into_iter().filter_map(|path| path.parent().map(PathBuf::from));
        let own = self.store.data.as_deref().map(own_mods_folder);
        let mut places: Vec<PathBuf> = of_mods.into_iter().cloned().chain(beside).chain(own).collect();
        places.sort();
        places.dedup();
        RemovedItem::list(&places)
    }
}
