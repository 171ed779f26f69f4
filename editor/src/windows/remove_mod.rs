//! The window that asks before it removes a mod.

use egui::{Button, Context, RichText, Ui, vec2};
use table::{ModOnDisk, shown_path};

use super::place;
use crate::actions::{Action, FileAction};
use crate::panels::rules_after_toggle;
use crate::ui_context::UiContext;

/// Draws the window, if it is open.
pub fn remove_mod(ctx: &Context, cx: &mut UiContext<'_>) {
    let Some(folder) = cx.view_state.windows.remove_mod.clone() else { return };
    let mods = cx.session.mods_on_disk().cloned().unwrap_or_default();
    let Some(row) = mods.iter().find(|row| row.folder == folder) else {
        cx.view_state.windows.remove_mod = None;
        return;
    };
    let mut is_open = true;
    place::centred(ctx, "Remove mod", [440.0, 180.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        body(ui, cx, &mods, row);
    });
    if !is_open {
        cx.view_state.windows.remove_mod = None;
    }
}

fn body(ui: &mut Ui, cx: &mut UiContext<'_>, mods: &[ModOnDisk], row: &ModOnDisk) {
    ui.strong(format!("Remove {} {}?", row.title, row.version)).on_hover_text(shown_path(&row.folder));
    ui.label("Restore mods… in the Mods menu can bring it back.");
    let is_used = cx.session.view().mods().iter().any(|info| info.id == row.id);
    let without = is_used.then(|| rules_after_toggle(cx.session, row, false));
    let is_needed = without.as_ref().is_some_and(|without| without.mods.is_empty());
    let needing: Vec<&str> = mods.iter().filter(|m| m.needs(&row.id)).map(|m| m.title.as_str()).collect();
    if !needing.is_empty() {
        ui.label(format!("Without it, these mods cannot be played: {}.", needing.join(", ")));
    }
    if is_needed {
        ui.label("This game cannot continue without it. Start another game first.");
    } else if let Some(without) = &without {
        let change = cx.insight.effect_of_rules(cx.session, without).unwrap_or_else(|| "…".to_owned());
        ui.label(format!("This game uses it. Without it: {change}"));
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let button = Button::new(RichText::new("Remove").strong()).min_size(vec2(110.0, 28.0));
        if ui.add_enabled(!is_needed, button).clicked() {
            cx.request_action(Action::Files(FileAction::RemoveMod(row.folder.clone(), without)));
        }
        if ui.button("Cancel").clicked() {
            cx.view_state.windows.remove_mod = None;
        }
    });
}
