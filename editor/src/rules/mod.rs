//! The rule editor: mods and their files, open texts, and problems that a check finds while the
//! user types.

mod checker;
mod completion;
mod file_list;
mod find;
mod keys;
mod marks;
mod open_file;
mod tabs;
mod text_layout;
mod text_view;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui};
use platform::fs;
use table::{Snapshot, StoredFile};
use workshop::checker::{CheckRequest, CheckResult};
use workshop::document::{Document, Drafts, EditContext, OutsideChange};

use crate::actions::Action;
use crate::command::Command;
use crate::notifications::Tone;
use crate::shown_error::ShownError;
use crate::ui_context::UiContext;
use checker::Checker;
pub use completion::full_doc;
use file_list::FileList;
use keys::{CompletionState, TextCommand, TextKeys};
use open_file::OpenFile;

/// The interval at which the editor checks whether other programs have changed open files.
const DISK_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The panel of the rule editor, with its open files.
#[derive(Default)]
pub struct RulesView {
    files: Vec<OpenFile>,
    /// The index of the file that is shown.
    active: usize,
    list: FileList,
    /// The files that were open when they were removed, with their unsaved changes.
    removed: Vec<OpenFile>,
    checker: Checker,
    /// The store of drafts; `None` if drafts are not stored.
    drafts: Option<Drafts>,
    /// Drafts that are stored but no longer needed, and that the editor must still delete.
    forgotten: Vec<StoredFile>,
    keys: TextKeys,
    /// The command of a key pressed since the text was last drawn, if any.
    command: Option<TextCommand>,
    looked: Duration,
    /// True if the panel has opened a file, or has asked for the script of the game.
    has_begun: bool,
    /// True if the text had the focus in the last frame.
    has_focus: bool,
    /// True if the editor must save the shown file when it draws the panel next.
    saves: bool,
    /// Messages that the editor will show as notifications.
    told: Vec<(Tone, String)>,
}

impl RulesView {
    /// Makes an editor that stores drafts below `data`, and opens the drafts of the last run. If
    /// `waits` is true, the editor waits for each check, so that problems appear in the next frame.
    pub fn new(data: Option<&Path>, waits: bool) -> RulesView {
        let mut view = RulesView { checker: Checker::new(waits), ..RulesView::default() };
        if let Some(data) = data {
            let drafts = Drafts::new(data);
            for document in drafts.all().into_iter().map(Document::open_draft) {
                if document.is_changed() {
                    view.files.push(OpenFile::from_draft(document));
                } else {
                    // Another program has made the same changes to the file, or this program ended
                    // after saving the file and before deleting the draft.
                    view.forgotten.push(drafts.file_of(&document));
                }
            }
            if !view.files.is_empty() {
                let names: Vec<String> =
                    view.files.iter().map(|file| table::shown_path(file.document.path())).collect();
                view.told.push((Tone::Good, format!("restored drafts of your last session: {}", names.join(", "))));
            }
            view.drafts = Some(drafts);
        }
        view
    }

    /// Returns whether no file is open.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the path of the file that is shown, if any.
    pub fn shown_file(&self) -> Option<&Path> {
        self.files.get(self.active).map(|file| file.document.path())
    }

    /// Returns the folder of the mod to which the shown file belongs, if a file is shown.
    pub fn shown_folder(&self) -> Option<&Path> {
        self.files.get(self.active).map(|file| file.document.folder())
    }

    /// Returns the number of open files with unsaved changes.
    pub fn n_unsaved(&self) -> usize {
        self.files.iter().filter(|file| file.document.is_changed()).count()
    }

    /// Opens a file at a line, counted from 1.
    ///
    /// # Errors
    /// Returns an error if the path does not lead to a text file in the folder of its mod.
    pub fn open(&mut self, path: &Path, line: u32) -> Result<(), ShownError> {
        let known = self.files.iter().position(|file| file.document.path() == path);
        let at = match known {
            Some(at) => at,
            None => {
                let folder = folder_of_mod(path);
                let document = Document::open(path, &folder).map_err(|error| {
                    ShownError::new(format!("{} cannot be opened: {error}", table::shown_path(path)))
                })?;
                self.files.push(OpenFile::new(document));
                self.files.len() - 1
            }
        };
        (self.active, self.has_begun) = (at, true);
        if let Some(file) = self.files.get_mut(at) {
            file.go_to_line(line);
        }
        Ok(())
    }

    /// Consumes key presses for the text before other parts of the window handle them.
    pub fn consume_keys(&mut self, ctx: &Context) {
        self.keys.restore_waiting_events(ctx);
        if self.has_focus {
            let offered = self.files.get(self.active).and_then(|file| file.offered.as_ref());
            let choosing = match offered {
                None => CompletionState::Nothing,
                Some(offered) if offered.is_chosen => CompletionState::Chosen,
                Some(_) => CompletionState::Offered,
            };
            self.command = self.keys.take_command(ctx, choosing);
        } else if self.files.get(self.active).and_then(|file| file.find.as_ref()).is_some_and(|find| find.has_focus) {
            self.command = self.keys.take_find_command(ctx);
        }
        self.has_focus = false;
    }

    /// Gives the focus to the shown text in the next frame.
    pub fn request_focus(&mut self) {
        if let Some(file) = self.files.get_mut(self.active) {
            file.takes_focus = true;
        }
    }

    /// Makes the editor save the shown file when it draws the panel next.
    pub fn request_save(&mut self) {
        self.saves = true;
    }

    /// Draws the panel.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        self.poll(ui.ctx(), cx.session);
        self.poll_disk(cx.time);
        let fill = ui.visuals().panel_fill;
        ui.painter().rect_filled(ui.max_rect(), 0.0, fill);
        let shown = self.shown_file().map(Path::to_owned);
        self.list.show(ui, cx, shown.as_deref());
        egui::CentralPanel::default().frame(egui::Frame::new().fill(fill)).show(ui, |ui| {
            if self.files.is_empty() {
                if !std::mem::replace(&mut self.has_begun, true) {
                    // Opens the script of the game, so that the panel does not begin empty.
                    cx.request_command(Command::Rules);
                }
                empty_page(ui);
                return;
            }
            self.tabs(ui);
            let command = self.command.take();
            let Some(file) = self.files.get_mut(self.active) else { return };
            file.is_locked = cx.is_locked(file.document.folder());
            let response = text_view::show(ui, cx, file, command);
            self.has_focus = response.has_focus;
            if std::mem::take(&mut self.saves) || response.saves {
                self.save(cx);
            }
        });
        self.check(ui.ctx(), cx.session);
        for (tone, text) in self.told.drain(..) {
            cx.request_action(Action::Tell(tone, text));
        }
    }

    /// Stores the drafts that are due, and deletes the drafts of saved texts. Call this in each
    /// frame, even if the panel is hidden.
    pub fn store_drafts(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        let Some(drafts) = &self.drafts else { return };
        self.forgotten.drain(..).for_each(|file| cx.request_action(Action::Keep(file)));
        for file in &mut self.files {
            let Some(at) = file.draft_due_at() else { continue };
            match at.checked_sub(cx.time).filter(|left| !left.is_zero()) {
                Some(left) => ctx.request_repaint_after(left),
                None => {
                    file.note_draft_stored(cx.time);
                    cx.request_action(Action::Keep(drafts.file_of(&file.document)));
                }
            }
        }
    }

    /// Inserts an example into the shown file. A function goes to the end of the file, any other
    /// example to the cursor. Returns false if no file is open or if the file is read-only.
    pub fn insert_example(&mut self, ctx: &Context, example: &str, now: Duration) -> bool {
        let Some(file) = self.files.get_mut(self.active).filter(|file| !file.is_locked) else { return false };
        let mut text = file.document.text().to_owned();
        let before = file.cursor(ctx).1;
        let is_function = example.lines().any(|line| line.starts_with("fn "));
        let (at, example) = if is_function {
            let end = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
            (text.len(), format!("{end}\n{}\n", example.trim_end()))
        } else {
            (before, example.to_owned())
        };
        text.insert_str(at, &example);
        let after = at + example.len();
        file.edit(text, EditContext { before, after, at: now, is_typing: false });
        file.goes_to = Some(after);
        file.takes_focus = true;
        true
    }

    /// Draws the tabs of open files; a click shows or closes a file.
    fn tabs(&mut self, ui: &mut Ui) {
        match tabs::show(ui, &self.files, self.active) {
            Some(tabs::TabAction::Show(at)) => {
                self.active = at;
                self.files[at].takes_focus = true;
            }
            Some(tabs::TabAction::Close(at)) => self.close(at),
            None => {}
        }
    }

    /// Closes the file with index `at`. If the file has unsaved changes, shows it instead. Closing
    /// would lose the changes, because drafts exist only for open files.
    fn close(&mut self, at: usize) {
        if self.files[at].document.is_changed() {
            self.active = at;
            let text = "not closed: the file has unsaved changes. Ctrl+S saves them, Ctrl+Z undoes them";
            return self.told.push((Tone::Changed, text.to_owned()));
        }
        self.files.remove(at);
        self.active = self.active.min(self.files.len().saturating_sub(1));
    }

    /// Makes the list read the files of mods again.
    pub fn reload_list(&mut self) {
        self.list.clear_cache();
    }

    /// Closes a removed file, or all files of a removed mod. `path` is the file or the folder of
    /// the mod.
    pub fn close_removed(&mut self, path: &Path) {
        let shown = self.shown_file().map(Path::to_owned);
        let (closed, open) =
            std::mem::take(&mut self.files).into_iter().partition(|file| file.document.path().starts_with(path));
        self.files = open;
        let still = self.files.iter().position(|file| Some(file.document.path()) == shown.as_deref());
        self.active = still.unwrap_or_else(|| self.active.min(self.files.len().saturating_sub(1)));
        for mut file in closed {
            self.forgotten.extend(self.drafts.iter().map(|drafts| drafts.removal_of(&file.document)));
            file.note_no_draft();
            self.removed.push(file);
        }
    }

    /// Reopens the restored files that [`close_removed`](Self::close_removed) closed. `path` is the
    /// file or the folder of the mod.
    pub fn reopen_restored(&mut self, path: &Path) {
        let restored = self.removed.extract_if(.., |file| file.document.path().starts_with(path));
        for mut file in restored {
            file.is_checked = false;
            if self.files.iter().all(|open| open.document.path() != file.document.path()) {
                self.active = self.files.len();
                self.files.push(file);
            }
        }
    }

    /// Updates the path of an open file that was renamed.
    pub fn follow_rename(&mut self, old: &Path, new: &Path) {
        if let Some(at) = self.files.iter().position(|file| file.document.path() == old) {
            let file = &mut self.files[at];
            self.forgotten.extend(self.drafts.iter().map(|drafts| drafts.removal_of(&file.document)));
            file.set_path(new);
        }
    }

    /// Saves the shown file, unless it is read-only.
    fn save(&mut self, cx: &mut UiContext<'_>) {
        let Some(file) = self.files.get_mut(self.active).filter(|file| !file.is_locked) else { return };
        match file.document.save() {
            Ok(()) => {
                self.told.push((Tone::Good, format!("saved {}", table::shown_path(file.document.path()))));
                self.list.clear_cache();
                cx.request_action(Action::Saved);
            }
            Err(error) => {
                let name = table::shown_path(file.document.path());
                self.told.push((Tone::Bad, format!("{name} is not saved: {error}")));
            }
        }
    }

    /// Checks once a second whether other programs have changed open files, and merges their
    /// changes into the open texts.
    fn poll_disk(&mut self, now: Duration) {
        if now < self.looked + DISK_CHECK_INTERVAL {
            return;
        }
        self.looked = now;
        for file in &mut self.files {
            let name = table::shown_path(file.document.path());
            let told = match file.document.apply_outside_changes() {
                Ok(OutsideChange::Same) => continue,
                Ok(OutsideChange::Taken) => {
                    (Tone::Good, format!("{name} has changed on disk; the new version is shown"))
                }
                Ok(OutsideChange::Merged) => {
                    (Tone::Changed, format!("{name} was changed by another program: both changes were merged"))
                }
                Ok(OutsideChange::Conflict) => {
                    (Tone::Bad, format!("{name} was changed by another program in the same lines"))
                }
                Ok(OutsideChange::Gone) => (Tone::Bad, format!("{name} was deleted; saving writes it again")),
                Err(error) => (Tone::Bad, format!("{name} cannot be read: {error}")),
            };
            file.is_checked = false;
            self.told.push(told);
        }
    }

    /// Returns the drafts of all open texts. The window stores them when it closes.
    pub fn all_drafts(&self) -> impl Iterator<Item = StoredFile> {
        let drafts = self.drafts.iter();
        drafts.flat_map(|drafts| self.files.iter().map(|file| drafts.file_of(&file.document)))
    }

    /// Requests a check of the shown text if the text or the mods have changed since the last
    /// check.
    fn check(&mut self, ctx: &Context, session: &Snapshot) {
        let unsaved: BTreeMap<PathBuf, Arc<str>> = self.files.iter().filter_map(OpenFile::unsaved).collect();
        let Some(file) = self.files.get_mut(self.active) else { return };
        if file.is_checked && file.checked_with == Some(session.mods_revision()) {
            return;
        }
        file.is_checked = true;
        file.checked_with = Some(session.mods_revision());
        let id = file.mod_id();
        let in_play: Vec<String> = session.view().mods().iter().map(|info| info.id.clone()).collect();
        let is_in_play = in_play.contains(&id);
        let ids = if is_in_play { in_play } else { vec![id.clone()] };
        let problems = (is_in_play && unsaved.is_empty()).then(|| session.problems().list().to_vec());
        let library = session.library().clone();
        self.checker.request_check(ctx, CheckRequest { library, ids, id, unsaved, problems });
    }

    fn poll(&mut self, ctx: &Context, session: &Snapshot) {
        let checked = match self.checker.poll(ctx) {
            Some(Ok(checked)) => checked,
            Some(Err(error)) => return self.told.push((Tone::Bad, format!("the texts were not checked: {error}"))),
            None => return,
        };
        let CheckResult { problems, vocabulary, unsaved, id } = checked;
        for file in &mut self.files {
            file.set_problems(&problems, &unsaved, session);
            if let Some(vocabulary) = vocabulary.as_ref().filter(|_| file.mod_id() == id) {
                file.vocabulary.clone_from(vocabulary);
            }
        }
    }
}

/// Returns the folder of the mod that contains a file: the nearest parent folder with a manifest.
/// If there is no such folder, returns the folder of the file.
fn folder_of_mod(path: &Path) -> PathBuf {
    let above = path.ancestors().skip(1).find(|folder| fs::exists(&folder.join("mod.toml")));
    above.or(path.parent()).unwrap_or(Path::new("")).to_owned()
}

fn empty_page(ui: &mut Ui) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.35);
        ui.label(egui::RichText::new("No file is open").strong());
        ui.weak("Choose one at the left: rules.rhai (rules), mod.toml (declarations), tiles.toml (tiles).");
        ui.weak("The running game applies changes when you save.");
    });
}
