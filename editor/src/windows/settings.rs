//! The window with the user's settings, such as colours, hints and speed.

use egui::{ComboBox, Context, Grid, ScrollArea, Slider, Ui};

use super::place;
use crate::command::Command;
use crate::panels::widgets::{controls_row, grid_row, labelled_row};
use crate::settings::{HintLevel, SeatColours, Settings};
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn settings(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = cx.view_state.windows.settings;
    place::centred(ctx, "Settings", [420.0, 400.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        // On a low screen, the rows scroll, and the button below them stays visible.
        let height = (ctx.content_rect().height() - 150.0).max(120.0);
        ScrollArea::vertical().max_height(height).auto_shrink([true, true]).show(ui, |ui| {
            Grid::new("settings").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
                palette(ui, cx);
                appearance(ui, cx.settings);
                sounds(ui, cx.settings);
                play_settings(ui, cx.settings);
            });
        });
        ui.separator();
        ui.horizontal(|ui| {
            let about = "Set all settings back to their defaults. Panels and records stay as they are.";
            if ui.button("Restore defaults").on_hover_text(about).clicked() {
                let Settings { layout, size, games, folder, own_mods, guide, last_game, lessons_done, welcome, .. } =
                    cx.settings.clone();
                let kept = Settings { layout, size, games, folder, own_mods, guide, last_game, ..Settings::default() };
                *cx.settings = Settings { lessons_done, welcome, ..kept };
            }
            ui.weak("Changes are saved immediately.");
        });
    });
    cx.view_state.windows.settings = is_open;
}

fn palette(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let theme = cx.session.loaded().theme().clone();
    let suggested = theme.suggested_palette().to_owned();
    let palettes = theme.palettes();
    let title = |name: &str| palettes.iter().find(|(n, _)| n == name).map_or(name.to_owned(), |(_, t)| t.clone());
    let shown = match &cx.settings.palette {
        Some(name) => title(name),
        None => format!("Suggested by the mods ({})", title(&suggested)),
    };
    palette_row(ui, ("palette", 240.0), &shown, &palettes, &mut cx.settings.palette);
}

/// Draws the row for the palette of pictures. `shown` is the text of the current choice, and
/// `palettes` are the names and titles of the palettes.
pub(super) fn palette_row(
    ui: &mut Ui,
    (salt, width): (&str, f32),
    shown: &str,
    palettes: &[(String, String)],
    chosen: &mut Option<String>,
) {
    labelled_row(ui, "Pictures", |ui| {
        let combo = ComboBox::from_id_salt(salt).selected_text(shown).width(width).show_ui(ui, |ui| {
            ui.selectable_value(chosen, None, "Suggested by the mods");
            for (name, title) in palettes {
                ui.selectable_value(chosen, Some(name.clone()), title);
            }
        });
        combo.response
    });
}

fn appearance(ui: &mut Ui, settings: &mut Settings) {
    controls_row(ui, "Seat colours", |ui| {
        ui.selectable_value(&mut settings.seats, SeatColours::Safe, "Colour-blind safe")
            .on_hover_text("Colours that can be told apart with any colour vision. Symbols are always on.");
        ui.selectable_value(&mut settings.seats, SeatColours::Traditional, "Traditional")
            .on_hover_text("Red, blue, yellow, green, black.");
    });
    controls_row(ui, "Window", |ui| {
        ui.selectable_value(&mut settings.dark, None, "Follow the system");
        ui.selectable_value(&mut settings.dark, Some(false), "Light");
        ui.selectable_value(&mut settings.dark, Some(true), "Dark");
    });
    labelled_row(ui, "Text size", |ui| ui.add(Slider::new(&mut settings.scale, 0.8..=2.5).step_by(0.1)));
    let mut is_less = !settings.is_animated();
    let about = "Tiles, pieces and points appear in place, and nothing flashes or fades.";
    let is_enabled = !settings.system_wants_less_motion;
    let choice = egui::Checkbox::new(&mut is_less, "Less motion");
    let choice = grid_row(ui, "Movement", |ui| ui.add_enabled(is_enabled, choice));
    if choice.on_hover_text(about).on_disabled_hover_text("Your system asks for less motion.").changed() {
        settings.motion = !is_less;
    }
}

/// Draws the settings of sounds, if this system can play sounds.
fn sounds(ui: &mut Ui, settings: &mut Settings) {
    if !platform::sound::CAN_PLAY {
        return;
    }
    controls_row(ui, "Sounds", |ui| {
        ui.checkbox(&mut settings.sounds, "Tiles, pieces and points");
        let volume = Slider::new(&mut settings.volume, 0.0..=1.0).show_value(false);
        ui.add_enabled(settings.sounds, volume).accessible_name("Volume").on_hover_text("Volume");
    });
}

fn play_settings(ui: &mut Ui, settings: &mut Settings) {
    controls_row(ui, "Hints", |ui| {
        for level in HintLevel::ALL {
            ui.selectable_value(&mut settings.hints, level, level.name()).on_hover_text(level.about());
        }
    });
    let coach = grid_row(ui, "Coach", |ui| ui.checkbox(&mut settings.coach, "Comment on my moves"));
    coach.on_hover_text(Command::Coach.info().about);
    if platform::outside::address().is_empty() {
        let field = egui::TextEdit::singleline(&mut settings.link_address).desired_width(240.0);
        let about = "Enter the address of a Bastide page that your friends can open.";
        labelled_row(ui, "Links begin with", |ui| ui.add(field)).on_hover_text(about);
    }
    if cfg!(target_os = "linux") {
        controls_row(ui, "File dialogs", |ui| {
            let about = "The dialogs that other programs use, if the desktop has them.";
            ui.selectable_value(&mut settings.own_dialogs, false, "Of the desktop").on_hover_text(about);
            ui.selectable_value(&mut settings.own_dialogs, true, "In this window");
        });
    }
    let pause = Slider::new(&mut settings.bot_pause, 0.0..=3.0).step_by(0.1).suffix(" s");
    labelled_row(ui, "Bots wait for", |ui| ui.add(pause));
    let speed = Slider::new(&mut settings.play_speed, 0.5..=20.0).logarithmic(true).suffix(" moves a second");
    labelled_row(ui, "Playback speed", |ui| ui.add(speed));
    controls_row(ui, "Wheel", |ui| {
        ui.selectable_value(&mut settings.wheel_turns, false, "Zooms").on_hover_text("Shift+wheel turns the tile.");
        ui.selectable_value(&mut settings.wheel_turns, true, "Turns the tile").on_hover_text("Shift+wheel zooms.");
    });
}
