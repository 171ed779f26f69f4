//! The mods on disk: their details, and controls that change the mods and settings of the running
//! game.

use std::path::PathBuf;

use art::TileVariant;
use egui::{Panel, ScrollArea, Ui, vec2};
use table::{Facing, ModOnDisk, RulesChoice, Snapshot, TileIdx, shown_path};

use super::page::page;
use super::setting::setting;
use super::widgets::{action_button, cached, command_button, pluralized, remember, remembered};

use crate::actions::{Action, RestoreAction};
use crate::command::Command;
use crate::file_choice::FilePurpose;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The smallest width of the panel, in points, at which the details of a mod have room beside the
/// list.
const WIDE_FROM: f32 = 560.0;
/// The side of a tile, in points.
const TILE_SIDE: f32 = 44.0;
/// The maximum number of tiles of a mod to show.
const MAX_TILES: usize = 60;

/// Draws the panel.
pub fn mods(ui: &mut Ui, cx: &mut UiContext<'_>) {
    egui::Frame::new().inner_margin(6).show(ui, |ui| {
        head(ui, cx);
        let Some(mods) = cx.session.mods_on_disk().cloned() else {
            cx.request_action(Action::LookAtDisk);
            return;
        };
        let playing: Vec<String> = cx.session.view().mods().iter().map(|m| m.id.clone()).collect();
        let id = egui::Id::unique("mod that is looked at");
        let mut shown: Option<PathBuf> = remembered(ui.ctx(), id);
        if let Some(new) = take_new_mod(ui, cx, &mods) {
            shown = Some(new);
        }
        let first = || mods.iter().rfind(|row| playing.last() == Some(&row.id)).map(|row| row.folder.clone());
        let mut shown = shown.filter(|folder| mods.iter().any(|row| row.folder == *folder)).or_else(first);
        if ui.available_width() < WIDE_FROM {
            list(ui, cx, &mods, &playing, &mut shown);
        } else {
            let width = (ui.available_width() * 0.36).clamp(200.0, 300.0);
            Panel::left("list of mods").default_size(width).min_size(160.0).show(ui, |ui| {
                list(ui, cx, &mods, &playing, &mut shown);
            });
            if let Some(row) = mods.iter().find(|row| Some(&row.folder) == shown.as_ref()) {
                ScrollArea::vertical().id_salt(("a mod", &row.folder)).auto_shrink([false, false]).show(ui, |ui| {
                    ui.add_space(2.0);
                    egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 0)).show(ui, |ui| {
                        details(ui, cx, &mods, row, &playing);
                    });
                });
            }
        }
        remember(ui.ctx(), id, shown);
    });
}

fn head(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        command_button(ui, cx, "New mod…", Command::NewMod);
        let about = "Add a folder in which Bastide looks for mods.";
        action_button(ui, cx, "Open a folder…", about, Action::AskInput(FilePurpose::AddMods));
        let about = "Install a mod from a zip archive. You can also drop one onto the window.";
        action_button(ui, cx, "Install…", about, Action::AskInput(FilePurpose::Package));
        ui.weak("Select a mod, or tick it to use it in this game.");
    });
    ui.separator();
}

/// Returns the folder of the mod that the user made last, when `mods` contains this mod for the
/// first time. Returns `None` in all later frames.
fn take_new_mod(ui: &Ui, cx: &UiContext<'_>, mods: &[ModOnDisk]) -> Option<PathBuf> {
    let guide = cx.settings.guide.as_ref()?;
    let row = mods.iter().find(|row| row.id == guide.id)?;
    let id = egui::Id::unique("mod that was made last");
    let last: Option<String> = remembered(ui.ctx(), id);
    remember(ui.ctx(), id, Some(row.id.clone()));
    (last.as_ref() != Some(&row.id)).then(|| row.folder.clone())
}

/// Draws the mods of this game, then the other mods. A click on a mod shows its details.
fn list(ui: &mut Ui, cx: &mut UiContext<'_>, mods: &[ModOnDisk], playing: &[String], shown: &mut Option<PathBuf>) {
    ScrollArea::vertical().id_salt("mods").auto_shrink([false, false]).show(ui, |ui| {
        let (in_play, others): (Vec<&ModOnDisk>, Vec<&ModOnDisk>) =
            mods.iter().partition(|row| playing.contains(&row.id));
        for (title, rows) in [("In this game", in_play), ("Not in this game", others)] {
            ui.weak(title);
            for row in rows {
                ui.horizontal(|ui| {
                    mod_checkbox(ui, cx, row, playing);
                    let is_shown = shown.as_ref() == Some(&row.folder);
                    let name = ui.add(egui::Button::selectable(is_shown, row.title.as_str()).truncate());
                    if row.error.is_some() {
                        ui.colored_label(tone_colour(ui, Tone::Bad), "has errors");
                    }
                    if name.on_hover_text(&row.about).clicked() {
                        *shown = Some(row.folder.clone());
                    }
                });
            }
            ui.add_space(6.0);
        }
    });
}

/// Draws the checkbox that switches a mod on and off.
fn mod_checkbox(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk, playing: &[String]) {
    let is_on = playing.contains(&row.id);
    let mut on = is_on;
    let others = rules_after_toggle(cx.session, row, !is_on);
    let response = ui.add_enabled(row.error.is_none() || is_on, egui::Checkbox::without_text(&mut on));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, on, &row.title));
    if let Some(error) = &row.error {
        response.on_disabled_hover_text(error);
        return;
    }
    let response = response.on_hover_ui(|ui| {
        ui.weak(if is_on { "If switched off in this game:" } else { "If switched on in this game:" });
        ui.label(cx.insight.effect_of_rules(cx.session, &others).unwrap_or_else(|| "…".to_owned()));
    });
    if response.changed() {
        cx.request_action(Action::PlayBy(others));
    }
}

/// Returns the mods and settings of the game after the mod of `row` is switched on or off. If
/// `is_on` is false, also removes all mods that require this mod. If no mods would remain, keeps
/// the mods that the removed mod required, if any.
pub fn rules_after_toggle(session: &Snapshot, row: &ModOnDisk, is_on: bool) -> RulesChoice {
    let mut chosen = RulesChoice::from_setup(session.setup());
    chosen.mods.retain(|id| *id != row.id);
    if is_on {
        chosen.mods.push(row.id.clone());
    } else {
        // Also removes the mods that require the removed mod.
        let mods = session.mods_on_disk().into_iter().flat_map(|mods| mods.iter());
        let needing: Vec<&String> = mods.filter(|m| m.needs(&row.id)).map(|m| &m.id).collect();
        chosen.mods.retain(|id| !needing.contains(&id));
        if chosen.mods.is_empty() {
            // A game needs at least one mod, so it continues with the mods that the removed mod
            // required.
            chosen.mods.extend(row.with.iter().filter(|id| **id != row.id).cloned());
        }
    }
    chosen
}

/// Draws the details of a mod.
fn details(ui: &mut Ui, cx: &mut UiContext<'_>, mods: &[ModOnDisk], row: &ModOnDisk, playing: &[String]) {
    let is_on = playing.contains(&row.id);
    ui.horizontal_wrapped(|ui| {
        ui.heading(&row.title);
        ui.weak(format!("{} {}", row.id, row.version)).on_hover_text(shown_path(&row.folder));
    });
    ui.label(&row.about);
    buttons(ui, cx, row, is_on);
    if let Some(error) = &row.error {
        ui.colored_label(tone_colour(ui, Tone::Bad), error);
    }
    requirements(ui, mods, row);
    if row.error.is_none() || is_on {
        let others = rules_after_toggle(cx.session, row, !is_on);
        ui.horizontal_wrapped(|ui| {
            ui.weak(if is_on { "If switched off in this game:" } else { "If switched on in this game:" });
            ui.label(cx.insight.effect_of_rules(cx.session, &others).unwrap_or_else(|| "…".to_owned()));
        });
    }
    ui.separator();
    if is_on {
        own_settings(ui, cx, row);
        tiles(ui, cx, row);
    }
    match &row.readme {
        Some(text) => page(ui, text),
        None => drop(ui.weak("This mod has no README.md that explains its rules.")),
    }
}

fn buttons(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk, is_on: bool) {
    ui.horizontal_wrapped(|ui| {
        for (name, file, is_there) in [("Rules", "rules.rhai", row.has_script), ("Manifest", "mod.toml", true)] {
            if is_there {
                action_button(ui, cx, name, &format!("Opens {file}."), Action::OpenFile(row.folder.join(file), 1));
            }
        }
        let about = "Show the remaining tiles of this mod. You can draw one immediately.";
        if is_on && ui.button("Remaining tiles").on_hover_text(about).clicked() {
            cx.view_state.find_tile = Some(format!("{}/", row.id));
            cx.view_state.windows.remaining = true;
        }
        if row.error.is_none() {
            let about = "Pack this mod into a zip archive that you can share.";
            let export = Action::AskOutput(FilePurpose::Export(row.folder.clone()), format!("{}.zip", row.id));
            action_button(ui, cx, "Export…", about, export);
            let about = "Make the rulebook of this mod: contents, rules, and examples that were checked.";
            let book = FilePurpose::SaveBook(vec![row.id.clone()]);
            action_button(ui, cx, "Rulebook…", about, Action::AskOutput(book, format!("{}.html", row.id)));
        }
        let key = egui::Id::unique("changes of a mod").with(&row.folder);
        let is_changed = cx
            .originals
            .is_some_and(|originals| *cached(ui.ctx(), key, cx.session, || !originals.changes(&row.folder).is_empty()));
        let about = "Show the changes in the files of this bundled mod, and restore the originals.";
        if is_changed {
            action_button(ui, cx, "Restore…", about, Action::Restore(RestoreAction::LookAt));
        }
        let is_bundled = cx.originals.is_some_and(|originals| originals.contains_mod(&row.folder));
        let about = "Remove this mod, after a question. You can restore it later.";
        if !is_bundled && ui.button("Remove…").on_hover_text(about).clicked() {
            cx.view_state.windows.remove_mod = Some(row.folder.clone());
        }
        action_button(ui, cx, "Folder", &shown_path(&row.folder), Action::OpenFile(row.folder.clone(), 1));
    });
}

/// Draws the requirements of a mod, and the mods that require it.
fn requirements(ui: &mut Ui, mods: &[ModOnDisk], row: &ModOnDisk) {
    let title = |id: &String| mods.iter().find(|other| other.id == *id).map_or(id.clone(), |other| other.title.clone());
    let needed: Vec<String> = row.with.iter().filter(|id| **id != row.id).map(title).collect();
    if !needed.is_empty() {
        ui.weak(format!("Loads after {}, which it requires.", needed.join(", ")));
    }
    let needing: Vec<&str> = mods.iter().filter(|m| m.needs(&row.id)).map(|m| m.title.as_str()).collect();
    if !needing.is_empty() {
        ui.weak(format!("Needed by {}.", needing.join(", ")));
    }
}

/// Draws the settings of a mod in this game. Changes apply to the running game.
fn own_settings(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk) {
    let mut settings = cx.session.settings();
    let prefix = format!("{}.", row.id);
    settings.retain(|(setting, _)| setting.name.starts_with(&prefix));
    if settings.is_empty() {
        return;
    }
    ui.strong("Settings");
    for (declared, value) in settings {
        let mut wanted = value.clone();
        ui.horizontal(|ui| {
            setting(ui, &declared, &mut wanted);
            if value != declared.default {
                ui.weak(format!("default: {}", declared.default));
            }
        });
        ui.indent(&declared.name, |ui| ui.weak(&declared.about));
        if wanted != value {
            let chosen = (wanted != declared.default).then(|| wanted.to_string());
            let rules = RulesChoice::from_setup(cx.session.setup()).with_setting(&declared.name, chosen);
            cx.request_action(Action::PlayBy(rules));
        }
    }
    ui.weak("Settings apply to this game; see Changes to compare or undo.");
    ui.separator();
}

/// Draws the tiles of a mod. A click on a tile searches for it in the window of the remaining
/// tiles.
fn tiles(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk) {
    let declared = cx.session.view().tiles_declared();
    let own: Vec<(TileIdx, &str)> = declared.of_mod(&row.id).map(|tile| (tile, declared.name(tile))).collect();
    if own.is_empty() {
        return;
    }
    ui.horizontal(|ui| {
        ui.strong("Tiles");
        ui.weak(pluralized(own.len(), "kind", "kinds"));
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        for (tile, name) in own.iter().take(MAX_TILES) {
            let (rect, response) = ui.allocate_exact_size(vec2(TILE_SIDE, TILE_SIDE), egui::Sense::click());
            if ui.is_rect_visible(rect) {
                let (facing, look) = (Facing::default(), TileVariant::default());
                let texture = cx.pictures.tile(ui.ctx(), *tile, facing, look, TILE_SIDE);
                super::widgets::paint_picture(ui.painter(), texture, rect, egui::Color32::WHITE);
            }
            if response.on_hover_text(*name).clicked() {
                cx.view_state.find_tile = Some((*name).to_owned());
                cx.view_state.windows.remaining = true;
            }
        }
        if own.len() > MAX_TILES {
            ui.weak(format!("and {} more", own.len() - MAX_TILES));
        }
    });
    ui.separator();
}
