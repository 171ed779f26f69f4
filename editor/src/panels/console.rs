//! The console: what functions of mods print in this game, each line at the answer that caused it.

use std::sync::Arc;

use egui::{Id, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};
use table::Step;

use super::widgets::{cached, pane};
use crate::ui_context::{Action, UiContext};

/// The height of a line, in points.
const LINE: f32 = 18.0;

/// A line that was printed.
struct Printed {
    /// The answer that caused it, from 0.
    step: usize,
    turn: u32,
    text: Arc<str>,
}

fn printed(line: &[Arc<Step>]) -> Vec<Printed> {
    let of_step = |(step, it): (usize, &Arc<Step>)| -> Vec<Printed> {
        it.printed.iter().map(|text| Printed { step, turn: it.turn, text: text.clone() }).collect()
    };
    line.iter().enumerate().flat_map(of_step).collect()
}

/// Draws the panel.
pub fn console(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let session = cx.session;
        let all = cached(ui.ctx(), Id::unique("printed lines"), session, || printed(session.line()));
        if all.is_empty() {
            ui.weak("Nothing was printed. Write print(\"...\") in any function of a mod and save: what it says in this game is listed here.");
            return;
        }
        ui.horizontal(|ui| {
            ui.weak("Printed by the mods in this game. Click a line to look at the moment.");
            if ui.small_button("Copy all").clicked() {
                let text: Vec<String> = all.iter().map(|it| format!("turn {}: {}", it.turn, it.text)).collect();
                ui.ctx().copy_text(text.join("\n"));
            }
        });
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink(false).stick_to_bottom(session.is_live());
        area.show_rows(ui, LINE, all.len(), |ui, range| all[range].iter().for_each(|it| line(ui, cx, it)));
    });
}

fn line(ui: &mut Ui, cx: &mut UiContext<'_>, it: &Printed) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("printed in turn {}: {}", it.turn, it.text)));
    let painter = ui.painter_at(rect);
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, 3.0, ui.visuals().faint_bg_color);
    }
    let weak = ui.visuals().weak_text_color();
    let colour = if it.step >= cx.session.at() { weak } else { ui.visuals().text_color() };
    let turn = rect.left_center() + vec2(30.0, 0.0);
    painter.text(turn, egui::Align2::RIGHT_CENTER, it.turn, egui::FontId::proportional(11.0), weak);
    let at = rect.left_center() + vec2(40.0, 0.0);
    painter.text(at, egui::Align2::LEFT_CENTER, &it.text, egui::FontId::monospace(12.0), colour);
    if response.clicked() {
        cx.act(Action::GoTo(it.step + 1));
    }
    response.on_hover_ui(|ui| {
        ui.set_max_width(480.0);
        ui.label(RichText::new(&*it.text).monospace());
    });
}
