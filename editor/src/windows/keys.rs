//! The list of keys.

use egui::{Context, Grid, Label, RichText, ScrollArea};

use super::place;
use crate::command::{COMMANDS, Command, CommandMenu, shortcut_text};
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn keys(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = cx.view_state.windows.keys;
    // The window takes the key that opens it, so it closes itself.
    if is_open && !ctx.egui_wants_keyboard_input() {
        is_open = Command::Keys.info().keys.iter().all(|key| !ctx.input_mut(|input| input.consume_shortcut(key)));
    }
    place::centred(ctx, "Keys", [760.0, 480.0]).open(&mut is_open).vscroll(false).show(ctx, |ui| {
        ui.label(
            "Drag moves the board, the wheel zooms, right-click and Shift+wheel turn the tile.\n\
                  Hold Alt over an empty place to see the tiles that fit there.",
        );
        ui.separator();
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            // The columns of keys and names need about this many points.
            let about_width = (ui.available_width() - 310.0).max(160.0);
            for group in [
                CommandMenu::Move,
                CommandMenu::Time,
                CommandMenu::View,
                CommandMenu::Windows,
                CommandMenu::Game,
                CommandMenu::Mods,
                CommandMenu::Help,
            ] {
                ui.add_space(4.0);
                ui.label(RichText::new(group.name()).heading());
                Grid::new(group.name()).num_columns(3).striped(true).spacing([16.0, 3.0]).show(ui, |ui| {
                    let with_key = COMMANDS.iter().filter(|info| info.group == group && !info.keys.is_empty());
                    for info in with_key {
                        match info.command.answer_number() {
                            Some(0) => {
                                ui.monospace("1 … 9");
                                ui.label("Choose");
                                ui.weak("Play the choice with this number.");
                                ui.end_row();
                                continue;
                            }
                            Some(_) => continue,
                            None => {}
                        }
                        let keys: Vec<String> = info.keys.iter().map(|k| shortcut_text(ui.ctx(), k)).collect();
                        ui.label(RichText::new(keys.join("  or  ")).monospace());
                        ui.label(info.name);
                        ui.scope(|ui| {
                            ui.set_max_width(about_width);
                            ui.add(Label::new(RichText::new(info.about).weak()).wrap());
                        });
                        ui.end_row();
                    }
                });
            }
        });
    });
    cx.view_state.windows.keys = is_open;
}
