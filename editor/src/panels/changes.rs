//! The effect of the last rule change on this game: each turn whose scores changed, with its points
//! before and after the change.

use egui::{Align, Layout, RichText, ScrollArea, Ui};
use table::{Award, ChangedTurn};

use super::log::target;
use super::log_rows::RowSubject;
use super::widgets::{command_button, pane, pluralized, request_on_click, seat_mark_ui, signed};
use crate::actions::Action;
use crate::command::Command;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the panel.
pub fn changes(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let Some(changes) = cx.session.changes().cloned() else {
            ui.weak("No changes. If you change or switch a mod, turns that score differently appear here.");
            return;
        };
        ui.horizontal(|ui| {
            for (command, text) in [(Command::KeepChanges, "Accept"), (Command::KeepOldRules, "Keep the old rules")] {
                command_button(ui, cx, text, command);
            }
            let n = pluralized(changes.list.len(), "turn scores differently", "turns score differently");
            ui.label(RichText::new(n).strong().color(tone_colour(ui, Tone::Changed)));
            ui.add(egui::Label::new(RichText::new(&changes.summary).weak()).truncate());
        });
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            changes.list.iter().for_each(|change| row(ui, cx, change));
        });
    });
}

/// Draws a turn whose scores changed: the points of the players concerned, and all awards, before
/// and after the change. Hovering highlights the features of the awards.
fn row(ui: &mut Ui, cx: &mut UiContext<'_>, change: &ChangedTurn) {
    let row = ui.horizontal(|ui| {
        let link = ui.link(format!("turn {}", change.turn)).on_hover_text("Go to this turn.");
        request_on_click(cx, &link, Action::GoTo(change.step + 1));
        for (seat, old, new) in &change.points {
            seat_mark_ui(ui, cx, *seat, 14.0);
            ui.label(cx.session.view().name(*seat));
            ui.label(RichText::new(signed(*old)).weak().strikethrough());
            ui.strong(signed(*new));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let words = |awards: &[std::sync::Arc<Award>]| {
                let words: Vec<String> = awards.iter().map(|a| format!("{} {}", signed(a.points), a.reason)).collect();
                if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
            };
            let text = format!("{} before, {} now", words(&change.old), words(&change.new));
            ui.add(egui::Label::new(RichText::new(text).weak()).truncate());
        });
    });
    if ui.rect_contains_pointer(row.response.rect) {
        let features = change.new.iter().chain(&change.old).filter_map(|award| award.feature);
        features.filter_map(|f| target(cx.session, &RowSubject::Feature(f))).for_each(|t| cx.view_state.highlight(t));
    }
}
