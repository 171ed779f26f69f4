//! Help: the rules of mods and, for authors of mods, the tutorial, the answers to "How do I …", and
//! the references of scripts and manifests.

use std::path::PathBuf;

use egui::{CollapsingHeader, Context, Id, RichText, ScrollArea, Ui, Window};
use table::{HOWTO, TUTORIAL};
use workshop::rule_text::{Doc, FILES, Key, ManifestFile, Section, key_doc};
use workshop::{ICON_GROUPS, ReferenceKind, reference};

use super::help_rules::{matches_search, rules};
use crate::actions::Action;
use crate::command::Command;
use crate::panels::icon_list::icon_pictures;
use crate::panels::widgets::{contains_all, request_on_click, search_field};
use crate::panels::{label_with_code, page, remember, remembered};
use crate::rules::full_doc;
use crate::ui_context::UiContext;
use crate::view_state::HelpTopic;

/// The width, in points, that the button *Clear* needs beside the search field.
const CLEAR_WIDTH: f32 = 56.0;

/// A page of the help.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum HelpPage {
    /// The tutorial.
    #[default]
    Tutorial,
    /// The answers to "How do I …", by task.
    HowTo,
    /// The script reference.
    Scripts,
    /// The manifest reference.
    Manifests,
    /// The rules of mods.
    Rules,
}

/// The search text, the open page, and the folder of the mod whose rules are shown. If there is no
/// folder, the page shows the rules of all mods in play.
#[derive(Clone, Default)]
struct HelpState {
    page: HelpPage,
    words: String,
    shown: Option<PathBuf>,
    /// True if the window was open in the last frame.
    was_open: bool,
}

/// Draws the window, if it is open.
pub fn help(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = cx.view_state.windows.help;
    let id = Id::unique("help");
    let mut reading: HelpState = remembered(ctx, id);
    reading.was_open &= is_open;
    match cx.view_state.help_topic.take() {
        Some(HelpTopic::ScriptWord(word)) => (reading.words, reading.page) = (word, HelpPage::Scripts),
        Some(HelpTopic::ManifestWord(word)) => {
            let is_known = n_found(cx, HelpPage::Manifests, &word) > 0;
            (reading.words, reading.page) = (if is_known { word } else { String::new() }, HelpPage::Manifests);
        }
        Some(HelpTopic::Tutorial) => (reading.words, reading.page) = (String::new(), HelpPage::Tutorial),
        Some(HelpTopic::RulesOfGame) => {
            reading = HelpState { page: HelpPage::Rules, ..HelpState::default() };
        }
        None => {}
    }
    let size = ctx.content_rect().size();
    let width = 520.0_f32.min(size.x * 0.8);
    // Opens the window on the right, so that it covers little of the text in the rule editor.
    let corner = egui::pos2((size.x * 0.77 - width - 30.0).max(8.0), 96.0);
    let window = Window::new("Help").id(id.with("window")).open(&mut is_open).default_width(width).default_pos(corner);
    let shown = window.default_height(size.y * 0.7).max_height(size.y * 0.85).show(ctx, |ui| {
        search(ui, cx, &mut reading);
        tabs(ui, cx, &mut reading);
        ui.separator();
        match reading.page {
            HelpPage::Tutorial => tutorial(ui, cx),
            HelpPage::HowTo => how_to(ui, &reading.words),
            HelpPage::Scripts => scripts(ui, cx, &reading.words),
            HelpPage::Manifests => manifests(ui, cx, &reading.words),
            HelpPage::Rules => rules(ui, cx, &reading.words, &mut reading.shown),
        }
    });
    // After a click into the window, keys no longer act on the board behind it.
    let pressed = ctx.input(|i| i.pointer.any_pressed().then(|| i.pointer.interact_pos()).flatten());
    if let (Some(at), Some(shown)) = (pressed, &shown) {
        cx.view_state.help_has_keys = ctx.layer_id_at(at) == Some(shown.response.layer_id);
    }
    cx.view_state.help_has_keys &= is_open;
    reading.was_open = is_open;
    remember(ctx, id, reading);
    cx.view_state.windows.help = is_open;
}

/// Draws the search field. When the window opens, the field gets the focus, so that what the user
/// types does not reach the board.
fn search(ui: &mut Ui, cx: &UiContext<'_>, reading: &mut HelpState) {
    ui.horizontal(|ui| {
        let has_words = !reading.words.is_empty();
        let width = ui.available_width() - if has_words { CLEAR_WIDTH } else { 0.0 };
        let field = search_field(&mut reading.words, "Search").desired_width(width);
        let field = ui.add(field).accessible_name("Search the help");
        if !reading.was_open {
            field.request_focus();
        }
        if field.changed() && n_found(cx, reading.page, &reading.words) == 0 {
            // If the page has no results, switches to a page with results.
            let found = [HelpPage::Scripts, HelpPage::HowTo, HelpPage::Manifests, HelpPage::Tutorial, HelpPage::Rules];
            let found = found.into_iter().find(|page| n_found(cx, *page, &reading.words) > 0);
            reading.page = found.unwrap_or(reading.page);
        }
        if has_words && ui.small_button("Clear").clicked() {
            reading.words.clear();
        }
    });
}

/// Draws the tabs of the pages, each with the number of its entries that contain the search words.
fn tabs(ui: &mut Ui, cx: &UiContext<'_>, reading: &mut HelpState) {
    ui.horizontal_wrapped(|ui| {
        let pages = [
            (HelpPage::Rules, "Rules of games"),
            (HelpPage::Tutorial, "Modding tutorial"),
            (HelpPage::HowTo, "How do I"),
            (HelpPage::Scripts, "Scripts"),
            (HelpPage::Manifests, "Manifests"),
        ];
        for (page, name) in pages {
            let found = (!reading.words.is_empty()).then(|| n_found(cx, page, &reading.words));
            let name = found.map_or(name.to_owned(), |n| format!("{name} ({n})"));
            ui.selectable_value(&mut reading.page, page, name);
        }
    });
}

/// Returns the number of entries on a page that contain all words of the search.
fn n_found(cx: &UiContext<'_>, page: HelpPage, words: &str) -> usize {
    match page {
        HelpPage::Tutorial => TUTORIAL.split("\n\n").filter(|part| contains_all(words, &[part])).count(),
        HelpPage::HowTo => entries(words).count(),
        HelpPage::Scripts => {
            reference().iter().filter(|it| contains_all(words, &[it.name, &it.signature, it.about, it.topic])).count()
        }
        HelpPage::Manifests => {
            let n_keys: usize = sections().map(|(_, section)| keys(section, words).count()).sum();
            n_keys + usize::from(finds_icons(words))
        }
        HelpPage::Rules => {
            let mods = cx.session.mods_on_disk().into_iter().flat_map(|mods| mods.iter());
            mods.filter(|row| matches_search(row, words)).count()
        }
    }
}

fn small_command_button(ui: &mut Ui, cx: &mut UiContext<'_>, command: Command) {
    let button = ui.small_button(command.info().name).on_hover_text(command.info().about);
    request_on_click(cx, &button, Action::Command(command));
}

fn tutorial(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        for command in [Command::NewMod, Command::NewTile, Command::Rules, Command::Trace, Command::Freeze] {
            small_command_button(ui, cx, command);
        }
    });
    ui.separator();
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| page(ui, TUTORIAL));
}

/// Returns the entries of "How do I …" that contain all words: the title of the section, the title
/// of the entry, and its text. Text at the beginning of a section is an entry with the title of the
/// section.
fn entries(words: &str) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let sections = HOWTO.split("\n## ").skip(1).flat_map(|section| {
        let (title, rest) = section.split_once('\n').unwrap_or((section, ""));
        let mut parts = rest.split("\n### ");
        let before = parts.next().unwrap_or_default().trim();
        let own = (!before.is_empty()).then_some((title, title, before));
        let entry = move |part: &'static str| {
            let (name, text) = part.split_once('\n').unwrap_or((part, ""));
            (title, name, text.trim())
        };
        own.into_iter().chain(parts.map(entry))
    });
    sections.filter(move |(section, name, text)| contains_all(words, &[*section, *name, *text]))
}

/// Draws the entries of "How do I …". An entry is closed until the user opens it.
fn how_to(ui: &mut Ui, words: &str) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let mut last = "";
        for (section, name, text) in entries(words) {
            if section != last {
                ui.add_space(6.0);
                ui.strong(section);
                last = section;
            }
            let title = if name == section { "About" } else { name };
            CollapsingHeader::new(title).id_salt((section, name)).show(ui, |ui| page(ui, text));
        }
    });
}

fn scripts(ui: &mut Ui, cx: &mut UiContext<'_>, words: &str) {
    let kinds = [
        (ReferenceKind::Event, "Hooks: events, which may ask questions and change the game"),
        (ReferenceKind::Menu, "Hooks: menus, which offer options"),
        (ReferenceKind::Rule, "Hooks: rules, which read the game and return a value"),
        (ReferenceKind::Query, "Queries: read the game; allowed in every function"),
        (ReferenceKind::Term, "Terms: change an award"),
        (ReferenceKind::Effect, "Effects: change the game"),
        (ReferenceKind::Question, "Questions: let a player choose, or draw at random"),
    ];
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        let mut n_found = 0;
        for (kind, title) in kinds {
            let fits = |entry: &&workshop::ReferenceEntry| {
                entry.kind == kind && contains_all(words, &[entry.name, &entry.signature, entry.about, entry.topic])
            };
            let mut found: Vec<_> = reference().iter().filter(fits).collect();
            // An entry with exactly this name comes before entries that only mention it.
            found.sort_by_key(|entry| entry.name != words);
            if found.is_empty() {
                continue;
            }
            n_found += found.len();
            let header =
                CollapsingHeader::new(RichText::new(format!("{title} ({})", found.len())).strong()).id_salt(title);
            header.open((!words.is_empty()).then_some(true)).show(ui, |ui| {
                for (i, entry) in found.into_iter().enumerate() {
                    let is_meant = entry.name == words;
                    let row = CollapsingHeader::new(RichText::new(&entry.signature).monospace())
                        .id_salt((entry.name, &entry.signature));
                    let row = row.default_open(is_meant).show(ui, |ui| {
                        full_doc(ui, &Doc::from_entry(entry));
                        let button = ui.small_button("Insert example");
                        let button = button.on_hover_text("Insert it into the open file in Rules.");
                        request_on_click(cx, &button, Action::InsertExample(entry.example.clone()));
                    });
                    if row.fully_closed() {
                        let first = entry.about.split(". ").next().unwrap_or_default();
                        ui.indent((title, i), |ui| label_with_code(ui, first, true));
                    }
                }
            });
        }
        if n_found == 0 {
            ui.weak("No results. Try fewer letters.");
        }
    });
}

/// Returns the tables that the TOML files of mods may contain, each with its file.
fn sections() -> impl Iterator<Item = (&'static ManifestFile, &'static Section)> {
    FILES.into_iter().flat_map(|file| file.sections.iter().map(move |section| (file, *section)))
}

/// Returns the keys of a table that contain all words.
fn keys(section: &'static Section, words: &str) -> impl Iterator<Item = &'static Key> {
    section
        .keys
        .iter()
        .filter(move |key| !key.means.is_empty() && contains_all(words, &[section.path, key.name, key.means]))
}

/// Returns whether the words of the search find the list of built-in icons: by the word "icon", by
/// a group or by an icon.
fn finds_icons(words: &str) -> bool {
    let names = ICON_GROUPS.iter().flat_map(|group| group.icons.iter().map(|(name, _)| *name).chain([group.title]));
    contains_all(words, &["icons"]) || names.into_iter().any(|name| contains_all(words, &[name]))
}

/// Draws the built-in icons that the search finds. A click inserts the name of an icon into the
/// open file.
fn builtin_icons(ui: &mut Ui, cx: &mut UiContext<'_>, words: &str) {
    if !finds_icons(words) {
        return;
    }
    let header = CollapsingHeader::new(RichText::new("Built-in icons for theme.toml").strong());
    header.open((!words.is_empty()).then_some(true)).show(ui, |ui| {
        small_command_button(ui, cx, Command::Looks);
        // The word "icon" finds all icons.
        let words = if contains_all(words, &["icons"]) { "" } else { words };
        if let Some(name) = icon_pictures(ui, cx, words, &[], ": a click inserts its name into the open file.") {
            cx.request_action(Action::InsertExample(format!("\"{name}\"")));
        }
    });
}

fn manifests(ui: &mut Ui, cx: &mut UiContext<'_>, words: &str) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        builtin_icons(ui, cx, words);
        if !finds_icons(words) && sections().all(|(_, section)| keys(section, words).next().is_none()) {
            ui.weak("No matching manifest key. Try fewer letters.");
        }
        for (file, section) in sections() {
            let found: Vec<_> = keys(section, words).collect();
            if found.is_empty() {
                continue;
            }
            let title = format!("[{}]  in {}", section.path, file.name);
            let header = CollapsingHeader::new(RichText::new(&title).strong()).id_salt(&title);
            header.open((!words.is_empty()).then_some(true)).show(ui, |ui| {
                for key in found {
                    let doc = key_doc(section.name(), key);
                    ui.label(RichText::new(&doc.signature).monospace());
                    label_with_code(ui, &doc.about, false);
                    doc.more.iter().for_each(|line| label_with_code(ui, line, true));
                    ui.add_space(4.0);
                }
            });
        }
    });
}
