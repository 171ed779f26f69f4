//! The window in which the user enters the link of a table at another computer.

use egui::{Button, Context, TextEdit, Ui};

use super::place;
use crate::actions::Action;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn join(ctx: &Context, cx: &mut UiContext<'_>) {
    if !cx.view_state.windows.join {
        return;
    }
    let mut is_open = true;
    let window = place::centred(ctx, "Join a table", [480.0, 200.0]).open(&mut is_open).resizable(false);
    window.show(ctx, |ui| content(ui, cx));
    cx.view_state.windows.join &= is_open;
}

fn content(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let draft = &mut cx.view_state.join;
    let label = ui.label("Link of the table");
    let field = TextEdit::singleline(&mut draft.link).desired_width(f32::INFINITY);
    let field = ui.add(field.hint_text("http://192.168.1.5:7878/KOMBLU")).labelled_by(label.id);
    if std::mem::take(&mut draft.is_new) {
        field.request_focus();
    }
    if let Some(refused) = &draft.refused {
        ui.colored_label(tone_colour(ui, Tone::Bad), refused);
    }
    ui.weak("The host's computer runs the rules. Your own game stays as it is.");
    let enters = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let link = draft.link.trim().to_owned();
    ui.horizontal(|ui| {
        if (ui.add_enabled(!link.is_empty(), Button::new("Join")).clicked() || enters) && !link.is_empty() {
            cx.request_action(Action::Join(link.clone()));
        }
        cx.view_state.windows.join &= !ui.button("Cancel").clicked();
    });
}
