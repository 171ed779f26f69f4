//! The list of mods with their files and the hooks in their scripts.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::containers::menu::MenuButton;
use egui::{Button, CollapsingHeader, Panel, RichText, ScrollArea, Ui};
use platform::fs;
use table::{ModOnDisk, Revision};
use workshop::mod_files::FileKind;
use workshop::rule_text::{FunctionOutline, Language, outline};

use super::completion::full_doc;
use super::open_file::line_of;
use crate::actions::{Action, FileAction};
use crate::notifications::Tone;
use crate::panels::widgets::{file_menu, request_on_click, why_locked};
use crate::style::tone_colour;
use crate::ui_context::UiContext;
use crate::view_state::FileNaming;

/// The maximum number of entries that the list reads from each folder of a mod.
const MAX_FILES: usize = 100;

/// The folders of a mod that are folded at first.
const FOLDED_FOLDERS: [&str; 2] = ["icons", "tests"];

/// The hooks of a script, with their line numbers, counted from 1.
#[derive(Default)]
struct HookList {
    text: Option<Arc<str>>,
    hooks: Vec<(usize, FunctionOutline)>,
}

/// The list of mods and files on the left of the rule editor.
#[derive(Default)]
pub struct FileList {
    /// The files of each unfolded mod, by the folder of the mod.
    files: HashMap<PathBuf, Vec<PathBuf>>,
    /// The hooks of each script, by the path of the file.
    functions: HashMap<PathBuf, HookList>,
    /// The revision of the mods at which the list last read the folders.
    revision: Option<Revision>,
}

impl FileList {
    /// Discards the cached lists of files, so that the next frame reads the folders again.
    pub fn clear_cache(&mut self) {
        self.files.clear();
    }

    /// Draws the list. `shown` is the file that the editor shows, if any.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, shown: Option<&Path>) {
        if self.revision != Some(cx.session.mods_revision()) {
            self.revision = Some(cx.session.mods_revision());
            self.clear_cache();
        }
        let width = (ui.available_width() * 0.24).clamp(120.0, 220.0);
        Panel::left("files of mods").default_size(width).min_size(100.0).show(ui, |ui| {
            // Keeps the panel at its initial width, even after its contents are loaded.
            ui.take_available_width();
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            let Some(mods) = cx.session.mods_on_disk().cloned() else {
                cx.request_action(Action::LookAtDisk);
                return;
            };
            ScrollArea::both().auto_shrink([false, false]).show(ui, |ui| {
                let playing: Vec<String> = cx.session.view().mods().iter().map(|info| info.id.clone()).collect();
                let (in_play, others): (Vec<&ModOnDisk>, Vec<&ModOnDisk>) =
                    mods.iter().partition(|row| playing.contains(&row.id));
                for (title, rows) in [("In this game", in_play), ("Not in this game", others)] {
                    ui.weak(title);
                    for row in rows {
                        self.mod_entry(ui, cx, row, shown);
                    }
                    ui.add_space(6.0);
                }
            });
        });
    }

    fn mod_entry(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk, shown: Option<&Path>) {
        let is_open = shown.is_some_and(|shown| shown.starts_with(&row.folder));
        let title = RichText::new(&row.title).strong();
        let title = if row.error.is_some() { title.color(tone_colour(ui, Tone::Bad)) } else { title };
        let header = CollapsingHeader::new(title).id_salt(("files of", &row.folder));
        let about = row.error.as_ref().unwrap_or(&row.about);
        let about = format!("{about}\n{}", table::shown_path(&row.folder));
        let response = header.default_open(is_open).show(ui, |ui| {
            let files = self.files.entry(row.folder.clone()).or_insert_with(|| files_in(&row.folder));
            let (folded, listed): (Vec<&PathBuf>, Vec<&PathBuf>) = files
                .iter()
                .partition(|file| FOLDED_FOLDERS.iter().any(|name| file.starts_with(row.folder.join(name))));
            for file in listed {
                link(ui, cx, file, &row.folder, &row.folder, shown);
                hook_links(ui, cx, file, self.functions.entry(file.clone()).or_default());
            }
            for name in FOLDED_FOLDERS {
                let folder = row.folder.join(name);
                let inside: Vec<&PathBuf> = folded.iter().copied().filter(|file| file.starts_with(&folder)).collect();
                if !inside.is_empty() {
                    let shows_one = shown.is_some_and(|shown| shown.starts_with(&folder));
                    let header = CollapsingHeader::new(format!("{name} ({})", inside.len())).default_open(shows_one);
                    header.id_salt(&folder).show(ui, |ui| {
                        inside.into_iter().for_each(|file| link(ui, cx, file, &folder, &row.folder, shown));
                    });
                }
            }
            new_file(ui, cx, &row.folder);
        });
        response.header_response.on_hover_text(about);
    }
}

/// Draws a link that opens a file, and the menu of the file. The text of the link is the path of
/// the file below `folder`. `mod_folder` is the folder of the mod.
fn link(ui: &mut Ui, cx: &mut UiContext<'_>, file: &Path, folder: &Path, mod_folder: &Path, shown: Option<&Path>) {
    let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
    ui.horizontal(|ui| {
        let link = ui.selectable_label(shown == Some(file), &name);
        request_on_click(cx, &link, Action::OpenFile(file.to_owned(), 1));
        link.context_menu(|ui| file_menu(ui, cx, mod_folder, file));
        let button = Button::new(RichText::new("…").weak()).frame(false).small();
        let (menu, _) = MenuButton::from_button(button).ui(ui, |ui| file_menu(ui, cx, mod_folder, file));
        menu.accessible_name(format!("Rename or delete {name}")).on_hover_text("Rename or delete");
    });
}

/// Draws the menu that adds a file to the mod in `folder`.
fn new_file(ui: &mut Ui, cx: &mut UiContext<'_>, folder: &Path) {
    let why_not = why_locked(cx, folder);
    let menu = ui.add_enabled_ui(why_not.is_none(), |ui| {
        let button = Button::new(RichText::new("New file").small());
        let (menu, _) = MenuButton::from_button(button).ui(ui, |ui| {
            for kind in FileKind::ALL {
                let (name, about) = kind_texts(kind);
                let is_there = kind.fixed_name().is_some_and(|name| fs::exists(&folder.join(name)));
                let entry = ui.add_enabled(!is_there, Button::new(name)).on_hover_text(about);
                if entry.on_disabled_hover_text("This mod has this file.").clicked() {
                    match kind.fixed_name() {
                        Some(_) => {
                            cx.request_action(Action::Files(FileAction::Create(folder.to_owned(), kind, String::new())))
                        }
                        None => cx.view_state.windows.name_file = Some(FileNaming::New(folder.to_owned(), kind)),
                    }
                }
            }
        });
        menu
    });
    menu.inner.on_hover_text("Add a file to this mod.").on_disabled_hover_text(why_not.unwrap_or_default());
}

/// Returns the name and the description of a kind of file.
fn kind_texts(kind: FileKind) -> (&'static str, &'static str) {
    match kind {
        FileKind::Script => ("rules.rhai", "The script: rules as functions."),
        FileKind::Tiles => ("tiles.toml", "The tiles of this mod."),
        FileKind::Theme => ("theme.toml", "Colours, patterns and icons."),
        FileKind::Readme => ("README.md", "The rules in words, for players."),
        FileKind::Icon => {
            ("Icon…", "A picture for pieces, tags and land: a copy of a built-in icon, or your own drawing.")
        }
        FileKind::Test => ("Test…", "A game that is replayed and checked. Ctrl+T makes one from a position."),
    }
}

/// Draws the hooks of a script, each as a link to its line.
fn hook_links(ui: &mut Ui, cx: &mut UiContext<'_>, file: &Path, known: &mut HookList) {
    let Some(source) = cx.session.sources().iter().find(|source| source.path == file) else { return };
    if Language::from_path(file) != Language::Rhai {
        return;
    }
    if known.text.as_ref() != Some(&source.text) {
        let hooks = outline(&source.text).into_iter().filter(|function| function.is_hook);
        known.hooks = hooks.map(|it| (line_of(&source.text, it.at), it)).collect();
        known.text = Some(source.text.clone());
    }
    ui.indent(file, |ui| {
        for (line, hook) in &known.hooks {
            let link = ui.add(Button::new(RichText::new(&hook.name).small()).frame(false));
            let link = link.on_hover_ui(|ui| full_doc(ui, &hook.doc()));
            request_on_click(cx, &link, Action::OpenFile(file.to_owned(), *line as u32));
        }
    });
}

/// Returns the editable files of a mod: first those in its folder, then those in `tiles`, `icons`
/// and `tests`. In each folder, the most important files come first.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for sub in ["", "tiles", "icons", "tests"] {
        let files = fs::paths_in(folder.join(sub)).take(MAX_FILES);
        let mut files: Vec<PathBuf> = files.filter(|file| is_editable(file)).collect();
        files.sort_by_key(|file| (rank(file), file.clone()));
        found.extend(files);
    }
    found
}

fn is_editable(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("rhai" | "toml" | "md" | "svg" | "game")) && fs::is_file(file)
}

fn rank(file: &Path) -> usize {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    ["rules.rhai", "mod.toml", "tiles.toml", "theme.toml"].iter().position(|known| *known == name).unwrap_or(9)
}
