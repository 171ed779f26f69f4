//! The window that restores mods: the original files of changed bundled mods, and removed mods and
//! files.

use egui::{Context, RichText, ScrollArea, Ui};
use platform::fs;
use table::shown_path;
use workshop::bundled_mods::{ChangedFile, FileDifference, OldContents};
use workshop::mod_files::RemovedItem;

use super::place;
use crate::actions::{Action, FileAction, RestoreAction};
use crate::notifications::Removal;
use crate::panels::widgets::{action_button, pluralized, request_on_click};
use crate::ui_context::UiContext;

/// The window and its content.
#[derive(Default)]
pub struct RestoreWindow {
    /// The changed bundled mods: for each of them, its id and its changed files.
    changes: Vec<(String, Vec<ChangedFile>)>,
    /// The removed mods and files.
    removed: Vec<RemovedItem>,
    /// The previous content of the files restored last.
    before: Option<OldContents>,
    /// True if the content changed since the last frame.
    is_new: bool,
}

impl RestoreWindow {
    /// Sets the changed bundled mods, each with its id and its changed files, and the removed mods
    /// and files.
    pub fn set_changes(&mut self, changes: Vec<(String, Vec<ChangedFile>)>, removed: Vec<RemovedItem>) {
        (self.changes, self.removed, self.is_new) = (changes, removed, true);
    }

    /// Stores the previous content of the files that were restored last, for undo.
    pub fn set_old_contents(&mut self, before: OldContents) {
        self.before = Some(before);
    }

    /// Takes the previous content of the files that were restored last, if any.
    pub fn take_old_contents(&mut self) -> Option<OldContents> {
        self.before.take()
    }

    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.restore {
            return;
        }
        let mut is_open = true;
        place::centred(ctx, "Restore mods", [560.0, 420.0]).open(&mut is_open).show(ctx, |ui| self.body(ui, cx));
        cx.view_state.windows.restore &= is_open;
    }

    fn body(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        let files = |files: &[ChangedFile]| files.iter().map(|it| it.path.clone()).collect::<Vec<_>>();
        if self.changes.is_empty() {
            ui.label("All bundled mods are unmodified.");
        } else {
            ui.label("These files of bundled mods differ from the originals.");
        }
        let height = (ui.available_height() - 40.0).max(60.0);
        ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            for (id, changed) in &self.changes {
                ui.separator();
                ui.horizontal_wrapped(|ui| {
                    ui.heading(id);
                    let n = changed.len();
                    if n > 1 && ui.button(format!("Restore {n} files of {id}")).clicked() {
                        cx.request_action(Action::Restore(RestoreAction::Files(files(changed))));
                    }
                });
                changed.iter().for_each(|change| row(ui, cx, id, change));
            }
            ui.separator();
            if self.removed.is_empty() {
                ui.label("No mods or files were removed.");
            } else {
                ui.heading("Removed");
                self.removed.iter().for_each(|removed| removed_row(ui, cx, removed));
            }
        });
        ui.separator();
        ui.horizontal_wrapped(|ui| {
            if self.before.is_some() {
                let about = "Undo the last restore: bring your changes back.";
                action_button(ui, cx, "Undo restoring", about, Action::Restore(RestoreAction::PutBack));
            }
            if !self.changes.is_empty() && ui.button("Restore everything").clicked() {
                let all = self.changes.iter().flat_map(|(_, changed)| files(changed)).collect();
                cx.request_action(Action::Restore(RestoreAction::Files(all)));
            }
            let close = ui.button("Close");
            if std::mem::take(&mut self.is_new) {
                // The button Close has the focus, so that nothing changes if the user presses Enter
                // by accident.
                close.request_focus();
            }
            cx.view_state.windows.restore &= !close.clicked();
        });
    }
}

/// Draws a removed mod or file, or an older version of a mod.
fn removed_row(ui: &mut Ui, cx: &mut UiContext<'_>, removed: &RemovedItem) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(removed.name()).strong()).on_hover_text(shown_path(&removed.stored));
        if removed.is_mod() {
            let version = removed.stored.file_name().map(|name| name.to_string_lossy().into_owned());
            ui.weak(version.unwrap_or_default());
        }
        let is_taken = fs::exists(&removed.original);
        let about = if removed.is_mod() {
            "This mod exists. Remove it first to restore this version."
        } else {
            "This file exists. Rename or delete it first."
        };
        let button = ui.add_enabled(!is_taken, egui::Button::new("Restore"));
        button.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, !is_taken, format!("Restore {}", removed.name()))
        });
        if button.on_disabled_hover_text(about).clicked() {
            let removal = Removal { removed: removed.clone(), rules: None };
            cx.request_action(Action::Files(FileAction::Restore(Box::new(removal))));
        }
    });
}

fn row(ui: &mut Ui, cx: &mut UiContext<'_>, id: &str, change: &ChangedFile) {
    let (text, restore) = match change.difference {
        FileDifference::Changed(added, taken) => {
            let lines = |n| pluralized(n, "line", "lines");
            (format!("{} added, {} removed", lines(added), lines(taken)), "Restore")
        }
        FileDifference::Missing => ("is missing, or is not text".to_owned(), "Restore"),
        FileDifference::New => ("not part of the original".to_owned(), "Delete it"),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&change.name).strong());
        ui.label(text);
        let action = Action::Restore(RestoreAction::Files(vec![change.path.clone()]));
        request_on_click(cx, &ui.button(restore), action);
    });
    let title = format!("Changes in {}", change.name);
    egui::CollapsingHeader::new(title).id_salt((id, &change.name)).show(ui, |ui| {
        ui.weak("Lines with - are original, lines with + are yours.");
        ui.label(RichText::new(&change.lines).monospace().size(12.0));
    });
}
