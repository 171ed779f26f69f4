//! Information about the program.

use egui::Context;

use super::place;
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn about(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = cx.view_state.windows.about;
    place::centred(ctx, "About Bastide", [420.0, 200.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        ui.heading(format!("Bastide {}", env!("CARGO_PKG_VERSION")));
        ui.label("A scriptable engine for tile-laying games: edit the text files of a game as you play.");
        ui.add_space(6.0);
        ui.label("Bastide is not affiliated with, sponsored or approved by any publisher of board games. Rules are written in our own words, and \
                  all pictures are drawn by the program.");
        ui.add_space(6.0);
        ui.weak("MIT or Apache-2.0, at your choice.");
    });
    cx.view_state.windows.about = is_open;
}
