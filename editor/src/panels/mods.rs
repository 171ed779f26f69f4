//! The mods on disk: which are in play, and adding others to the running game.

use egui::{Align, Layout, RichText, ScrollArea, Ui};
use table::ModOnDisk;

use super::widgets::{remember, remembered};

use crate::app::PackageAction;
use crate::command::Command;
use crate::ui_context::{Action, UiContext};

/// Draws the panel.
pub fn mods(ui: &mut Ui, cx: &mut UiContext<'_>) {
    egui::Frame::new().inner_margin(6).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            if ui.button("New mod…").on_hover_text(Command::NewMod.info().about).clicked() {
                cx.command(Command::NewMod);
            }
            if ui.button("Open a folder…").on_hover_text("Looks for mods in a folder of your own as well.").clicked()
            {
                cx.act(Action::AskForMods);
            }
            if ui
                .button("Install…")
                .on_hover_text("Takes a mod over from a zip archive; dropping one onto the window does the same.")
                .clicked()
            {
                cx.act(Action::Package(PackageAction::Ask));
            }
            ui.weak("Switch a mod on or off: the game is replayed with it.");
        });
        let playing: Vec<String> = cx.session.view().mods().iter().map(|m| m.id.clone()).collect();
        let Some(mods) = cx.session.mods_on_disk() else {
            cx.act(Action::LookAtDisk);
            return;
        };
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            for row in mods.iter() {
                let shown = ui.scope(|ui| one(ui, cx, row, &playing)).response;
                // A mod that was made just now is to be seen.
                let is_new = cx.view_state.guide.as_ref().is_some_and(|guide| guide.id == row.id);
                let id = egui::Id::unique("mod that was scrolled to");
                let last: Option<String> = remembered(ui.ctx(), id);
                if is_new && last.as_ref() != Some(&row.id) {
                    shown.scroll_to_me(Some(Align::Center));
                    remember(ui.ctx(), id, Some(row.id.clone()));
                }
            }
        });
    });
}

fn one(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk, playing: &[String]) {
    ui.horizontal(|ui| {
        let mut on = playing.contains(&row.id);
        let title = RichText::new(&row.title).strong();
        let response = ui.add_enabled(row.error.is_none() || on, egui::Checkbox::new(&mut on, title));
        let others = with_or_without(cx, row, !playing.contains(&row.id));
        let response = response.on_hover_ui(|ui| {
            ui.label(&row.about);
            ui.weak(if playing.contains(&row.id) { "Switched off in this game:" } else { "Switched on in this game:" });
            ui.label(cx.insight.under(cx.session, &others).unwrap_or_else(|| "…".to_owned()));
        });
        if let Some(error) = &row.error {
            ui.colored_label(crate::style::tone_colour(ui, crate::notifications::Tone::Bad), "has errors")
                .on_hover_text(error);
        }
        if response.changed() {
            cx.act(Action::UseMods(others));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            buttons(ui, cx, row, on);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let about = egui::Label::new(RichText::new(&row.about).weak()).truncate();
                ui.add(about).on_hover_text(needs_text(row));
            });
        });
    });
}

/// The mods of the game with this one, or without it and those that need it.
fn with_or_without(cx: &UiContext<'_>, row: &ModOnDisk, is_on: bool) -> Vec<String> {
    let asked = cx.session.setup().mods.iter().map(|m| m.id.clone());
    let mut ids: Vec<String> = asked.filter(|id| *id != row.id).collect();
    if is_on {
        ids.push(row.id.clone());
    } else {
        // What needs it cannot stay without it.
        let mods = cx.session.mods_on_disk().into_iter().flat_map(|mods| mods.iter());
        let needing: Vec<&String> = mods.filter(|m| m.needs(&row.id)).map(|m| &m.id).collect();
        ids.retain(|id| !needing.contains(&id));
    }
    ids
}

/// What can be done with a mod, from the right: no text pushes it out of the window.
fn buttons(ui: &mut Ui, cx: &mut UiContext<'_>, row: &ModOnDisk, is_on: bool) {
    if ui.small_button("Open").on_hover_text(table::shown_path(&row.folder)).clicked() {
        cx.act(Action::OpenFile(row.folder.clone(), 1));
    }
    let about = "Packs this mod into a zip archive, to give it to somebody.";
    if row.error.is_none() && ui.small_button("Export…").on_hover_text(about).clicked() {
        cx.act(Action::Package(PackageAction::AskWhereTo(row.folder.clone(), format!("{}.zip", row.id))));
    }
    let about = "Show the tiles of this mod, to draw one of them now.";
    if is_on && ui.small_button("Tiles").on_hover_text(about).clicked() {
        cx.view_state.find_tile = Some(format!("{}/", row.id));
        cx.view_state.windows.remaining = true;
    }
}

fn needs_text(row: &ModOnDisk) -> String {
    let needs: Vec<&str> = row.with.iter().filter(|w| **w != row.id).map(String::as_str).collect();
    if needs.is_empty() { row.about.clone() } else { format!("{} Needs {}.", row.about, needs.join(", ")) }
}
