//! Opens files of mods in the rule editor or in another program, and inserts examples into them.

use std::path::Path;

use egui::Context;
use platform::fs;

use super::App;
use crate::notifications::Tone;
use crate::panels::Pane;

impl App {
    /// Opens a file of a mod in the rule editor at `line`. If `path` is a folder, opens it in the
    /// system's program for folders.
    pub(super) fn open_text(&mut self, path: &Path, line: u32) {
        if fs::is_dir(path) {
            return self.open_outside(path, line);
        }
        match self.panes.rules.open(path, line) {
            Ok(()) => self.show_pane(Pane::Rules),
            Err(error) => self.notify(Tone::Bad, error),
        }
    }

    pub(super) fn open_outside(&mut self, path: &Path, line: u32) {
        self.ok_or_notify(platform::outside::open(path, line));
    }

    /// Shows the rule editor. If no file is open, opens the last script in load order.
    pub(super) fn show_rules(&mut self) {
        self.show_pane(Pane::Rules);
        // If the user has just made a mod, opens the script of this mod instead. Does this only
        // once.
        if let Some(guide) = self.settings.guide.as_mut().filter(|guide| !guide.is_read) {
            guide.is_read = true;
            let script = guide.folder.join("rules.rhai");
            if fs::exists(&script) {
                return self.open_text(&script, 1);
            }
        }
        let sources = self.snapshot.sources();
        let last = sources.iter().rev().find(|source| source.path.extension().is_some_and(|ending| ending == "rhai"));
        if self.panes.rules.is_empty()
            && let Some(path) = last.map(|source| source.path.clone())
        {
            self.open_text(&path, 1);
        }
    }

    /// Inserts an example into the file that is open in the rule editor.
    pub(super) fn insert_example(&mut self, ctx: &Context, example: &str) {
        if self.panes.rules.is_empty() {
            self.show_rules()
        } else {
            self.show_pane(Pane::Rules)
        }
        if !self.panes.rules.insert_example(ctx, example, self.frames.started.elapsed()) {
            self.notify(Tone::Changed, "open your own script or manifest first: the example goes into the open file");
        }
    }
}
