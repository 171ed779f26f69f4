//! The welcome strip, which offers the first things to do. The user can also play the game below
//! the strip immediately.

use egui::{Frame, Margin, Panel, RichText, Sense, Ui, UiBuilder, Vec2, vec2};

use crate::command::Command;
use crate::ui_context::UiContext;

/// The smallest window, in points, that has room for the strip and the board.
const MIN_WINDOW_SIZE: Vec2 = vec2(760.0, 560.0);

/// The cards of the strip: the command, the title and the text of each.
const CARDS: [(Command, &str, &str); 4] = [
    (Command::Learn, "Learn to play", "New to the game? Lay a first few tiles with explanations, in ten minutes."),
    (Command::NewGame, "Play now", "Choose games, expansions, players and bots."),
    (
        Command::NewMod,
        "Make an expansion in 5 minutes",
        "Makes a folder with tiles and one short rule, and adds it to this game.",
    ),
    (Command::OpenRecord, "Open a record", "A saved game, a test or a bug report: see it turn by turn, and play on."),
];

/// Draws the strip, unless the user has closed it or the window is too small.
pub fn welcome(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let room = ui.ctx().content_rect().size();
    if !cx.settings.welcome || room.x < MIN_WINDOW_SIZE.x || room.y < MIN_WINDOW_SIZE.y {
        return;
    }
    let frame = Frame::new().fill(ui.visuals().faint_bg_color).inner_margin(Margin::symmetric(12, 8));
    Panel::top("welcome").frame(frame).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("Welcome to Bastide").heading());
            ui.weak("A game is on the board: click where the tile fits, and play.");
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let about = "To show this strip again, choose Welcome in the Help menu.";
                cx.settings.welcome &= !ui.button("Close").on_hover_text(about).clicked();
            });
        });
        ui.add_space(4.0);
        let mut chosen = None;
        ui.columns(4, |columns| {
            for (column, (command, title, text)) in columns.iter_mut().zip(CARDS) {
                if card(column, title, text, command) {
                    chosen = Some(command);
                }
            }
        });
        if let Some(chosen) = chosen {
            // The strip has done its work and does not come back by itself.
            cx.settings.welcome = false;
            cx.request_command(chosen);
        }
    });
}

fn card(ui: &mut Ui, title: &str, text: &str, command: Command) -> bool {
    let key = command.key_text(ui.ctx());
    let response = ui.scope_builder(UiBuilder::new().sense(Sense::click()), |ui| {
        let visuals = ui.style().interact(&ui.response()).to_owned();
        Frame::new()
            .fill(visuals.weak_bg_fill)
            // The frame keeps its width when hovered, so that the content below does not move.
            .stroke(egui::Stroke::new(1.0, visuals.bg_stroke.color))
            .corner_radius(6)
            .inner_margin(Margin::symmetric(12, 8))
            .show(ui, |ui| {
                ui.set_min_height(52.0);
                ui.set_width(ui.available_width());
                ui.horizontal_wrapped(|ui| {
                    ui.add(egui::Label::new(RichText::new(title).strong().size(15.0)).selectable(false));
                    ui.add(egui::Label::new(RichText::new(key).weak()).selectable(false));
                });
                // The columns are justified, which would spread the words over the width.
                ui.with_layout(egui::Layout::top_down(egui::Align::LEFT), |ui| {
                    ui.add(egui::Label::new(text).selectable(false).wrap());
                });
            });
    });
    let response = response.response;
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, title));
    response.clicked()
}
