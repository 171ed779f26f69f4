//! The window with the details of this game: seed, mods, settings and file.

use egui::{Context, Grid, RichText};

use super::place;
use crate::actions::Action;
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn game_setup(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = cx.view_state.windows.game_setup;
    place::centred(ctx, "Game details", [460.0, 360.0]).open(&mut is_open).show(ctx, |ui| {
        let setup = cx.session.setup().clone();
        ui.horizontal(|ui| {
            ui.label("Seed");
            let seed = setup.seed.map_or_else(|| "none".to_owned(), |s| s.to_string());
            ui.monospace(&seed);
            if ui.button("Copy").on_hover_text("The same seed gives the same draws.").clicked() {
                ui.ctx().copy_text(seed);
            }
        });
        ui.separator();
        ui.label(RichText::new("Mods").strong());
        Grid::new("mods").num_columns(4).striped(true).show(ui, |ui| {
            for (i, info) in cx.session.view().mods().iter().enumerate() {
                ui.label(&info.title).on_hover_text(&info.about);
                ui.weak(&info.version);
                ui.monospace(format!("{:08x}", info.hash >> 32)).on_hover_text("Checksum of the mod's files.");
                if let Some(folder) = cx.session.mod_folder(i)
                    && ui.button("Open").on_hover_text(table::shown_path(folder)).clicked()
                {
                    cx.actions.push(Action::OpenFile(folder.to_owned(), 1));
                }
                ui.end_row();
            }
        });
        ui.separator();
        ui.label(RichText::new("Settings").strong());
        let settings = cx.session.settings();
        if settings.is_empty() {
            ui.weak("These mods have no settings.");
        }
        Grid::new("rules").num_columns(2).striped(true).show(ui, |ui| {
            for (setting, value) in &settings {
                let (_, short) = setting.name.split_once('.').unwrap_or(("", &setting.name));
                let about = format!("{}\n({})", setting.about, setting.name);
                ui.label(table::capitalize(&short.replace('_', " "))).on_hover_text(about);
                ui.monospace(value.to_string());
                ui.end_row();
            }
        });
        ui.separator();
        let path = cx.session.save_location().map(|kept| kept.path.display().to_string());
        ui.weak(path.map_or_else(|| "Not saved in a file.".to_owned(), |p| format!("Saved in {p}")));
    });
    cx.view_state.windows.game_setup = is_open;
}
