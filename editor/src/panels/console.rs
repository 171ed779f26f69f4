//! The console: lines that functions of mods printed, and a field for script expressions about the
//! current position. A click on a line shows the board after the answer during which the line was
//! printed.

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

use egui::{Id, RichText, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, vec2};
use table::{Failure, Step};

use super::widgets::{cached, pane, remember, remembered, request_on_click};
use crate::actions::Action;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The height of a line, in points.
const LINE_HEIGHT: f32 = 18.0;

/// A printed line.
struct PrintedLine {
    /// The index of the answer during which the line was printed, counted from 0.
    step: usize,
    turn: u32,
    text: Arc<str>,
}

fn printed_lines(line: &[Arc<Step>]) -> Vec<PrintedLine> {
    let of_step = |(step, it): (usize, &Arc<Step>)| -> Vec<PrintedLine> {
        it.printed.iter().map(|text| PrintedLine { step, turn: it.turn, text: text.clone() }).collect()
    };
    line.iter().enumerate().flat_map(of_step).collect()
}

/// Draws the panel.
pub fn console(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        let session = cx.session;
        egui::Panel::bottom("asking").frame(egui::Frame::new()).show(ui, |ui| expression_input(ui, cx));
        let all = cached(ui.ctx(), Id::unique("printed lines"), session, || printed_lines(session.steps()));
        if all.is_empty() {
            // The text scrolls if there is no room for it above the field.
            ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
                ui.weak("No output yet. print(\"...\") in a function of a mod writes here.");
            });
            return;
        }
        ui.horizontal(|ui| {
            ui.weak("Output of the mods in this game. Click a line to see the board at that time.");
            if ui.small_button("Copy all").clicked() {
                let text: Vec<String> = all.iter().map(|it| format!("turn {}: {}", it.turn, it.text)).collect();
                ui.ctx().copy_text(text.join("\n"));
            }
        });
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0);
        let area = area.stick_to_bottom(session.is_live());
        area.show_rows(ui, LINE_HEIGHT, all.len(), |ui, range| all[range].iter().for_each(|it| line(ui, cx, it)));
    });
}

/// The result of an expression, or the reason why it has none.
type ConsoleAnswer = Result<String, Failure>;

/// The state of the input for expressions between frames.
#[derive(Clone, Default)]
struct ConsoleInput {
    text: String,
    /// The id of the mod in whose script the expressions run. If `None`, the last mod in load order
    /// is used.
    owner: Option<String>,
    /// The last [`MAX_EXPRESSIONS`] expressions, the oldest first.
    asked: Vec<AskedExpression>,
    /// The position in `asked` of the expression that the user has recalled with the arrow keys,
    /// counted backwards: 1 is the last expression. 0 if the user has recalled none.
    fetched: usize,
}

/// An expression that the user has sent to the game.
#[derive(Clone)]
struct AskedExpression {
    text: String,
    /// The channel for the result.
    waits: Arc<Mutex<Receiver<ConsoleAnswer>>>,
    /// The result; `None` until it has arrived.
    answer: Option<ConsoleAnswer>,
}

/// The maximum number of stored expressions.
const MAX_EXPRESSIONS: usize = 50;

/// Draws the input for expressions.
fn expression_input(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let id = Id::unique("asking");
    let mut it: ConsoleInput = remembered(ui.ctx(), id);
    for asked in it.asked.iter_mut().filter(|asked| asked.answer.is_none()) {
        asked.answer = asked.waits.lock().ok().and_then(|waits| cx.insight.poll(&*waits));
    }
    // Without answers, the text above the field has all the room.
    let height = (ui.ctx().content_rect().height() * 0.13).max(90.0);
    let answers = ScrollArea::vertical().max_height(height).id_salt("answers").stick_to_bottom(true);
    if !it.asked.is_empty() {
        answers.show(ui, |ui| {
            for AskedExpression { text, answer, .. } in &it.asked {
                ui.weak(RichText::new(format!("> {text}")).monospace());
                match answer {
                    None => drop(ui.spinner()),
                    Some(Ok(answer)) => {
                        let answer = if answer.is_empty() { "nothing" } else { answer };
                        ui.add(egui::Label::new(RichText::new(answer).monospace()).selectable(true));
                    }
                    Some(Err(failure)) => {
                        ui.colored_label(tone_colour(ui, Tone::Bad), &failure.message);
                    }
                }
            }
        });
    }
    ui.horizontal(|ui| {
        let mods = cx.session.view().mods();
        let owner = it.owner.as_ref().and_then(|id| mods.iter().position(|info| info.id == *id));
        let owner = owner.unwrap_or(mods.len().saturating_sub(1));
        let title = mods.get(owner).map_or("", |info| info.title.as_str());
        egui::ComboBox::from_id_salt("whose words").selected_text(title).width(110.0).show_ui(ui, |ui| {
            for (i, info) in mods.iter().enumerate() {
                if ui.selectable_label(i == owner, &info.title).clicked() {
                    it.owner = Some(info.id.clone());
                }
            }
        });
        let hint = "Evaluate here: turn.player, features(\"city\").len, mem.game.get(\"n\", 0)";
        let edit =
            TextEdit::singleline(&mut it.text).id_salt("question").hint_text(hint).font(egui::TextStyle::Monospace);
        let response = ui.add(edit.desired_width(f32::INFINITY));
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Evaluate a script expression"));
        if response.has_focus() {
            let steps = ui.input(|i| {
                i32::from(i.key_pressed(egui::Key::ArrowUp)) - i32::from(i.key_pressed(egui::Key::ArrowDown))
            });
            if steps != 0 {
                it.fetched = it.fetched.saturating_add_signed(steps as isize).min(it.asked.len());
                let fetched = it.asked.len().checked_sub(it.fetched).and_then(|i| it.asked.get(i));
                it.text = fetched.map_or_else(String::new, |asked| asked.text.clone());
            }
        }
        let is_sent = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        if is_sent && !it.text.trim().is_empty() {
            let text = std::mem::take(&mut it.text);
            let asked = text.clone();
            let answer = cx.insight.ask(move |session| session.evaluate(table::ModIdx(owner as u8), &asked));
            it.asked.push(AskedExpression { text, waits: Arc::new(Mutex::new(answer)), answer: None });
            if it.asked.len() > MAX_EXPRESSIONS {
                it.asked.remove(0);
            }
            it.fetched = 0;
            response.request_focus();
        }
    });
    remember(ui.ctx(), id, it);
}

fn line(ui: &mut Ui, cx: &mut UiContext<'_>, it: &PrintedLine) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE_HEIGHT), Sense::click());
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("printed in turn {}: {}", it.turn, it.text)));
    let painter = ui.painter_at(rect);
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, 3.0, ui.visuals().faint_bg_color);
    }
    let weak = ui.visuals().weak_text_color();
    let colour = if it.step >= cx.session.position_index() { weak } else { ui.visuals().text_color() };
    let turn = rect.left_center() + vec2(30.0, 0.0);
    painter.text(turn, egui::Align2::RIGHT_CENTER, it.turn, egui::FontId::proportional(11.0), weak);
    let at = rect.left_center() + vec2(40.0, 0.0);
    painter.text(at, egui::Align2::LEFT_CENTER, &it.text, egui::FontId::monospace(12.0), colour);
    request_on_click(cx, &response, Action::GoTo(it.step + 1));
    response.on_hover_ui(|ui| {
        ui.set_max_width(480.0);
        ui.label(RichText::new(&*it.text).monospace());
    });
}
