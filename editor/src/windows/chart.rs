//! How scores went, as lines over turns with labelled axes.

use egui::{Align2, FontId, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use table::Seat;

use super::rim::nice_step;
use crate::panels::series::{Series, points};
use crate::panels::widgets::{seat_mark, seat_mark_ui};
use crate::ui_context::{Action, UiContext};

/// Draws the lines; pointing at a turn tells everybody's score, a click looks at it.
pub fn chart(ui: &mut Ui, cx: &mut UiContext<'_>, series: &Series) {
    if series.turns.len() < 2 {
        ui.weak("The lines begin after the second turn.");
        return;
    }
    let size = ui.available_size().max(vec2(280.0, 140.0));
    let (area, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Scores turn by turn"));
    let plot = Rect::from_min_max(area.min + vec2(38.0, 8.0), area.max - vec2(26.0, 32.0));
    axes(ui, series, plot);
    let (least, greatest) = series.range();
    for (seat, scores) in series.scores.iter().enumerate() {
        let seat = Seat(seat as u8);
        let colour = cx.text_colour(ui.ctx(), seat);
        let line = points(scores, least, greatest, plot);
        let end = line.last().copied();
        ui.painter().add(Shape::line(line, Stroke::new(2.0, colour)));
        if let Some(end) = end {
            seat_mark(ui.painter(), end + vec2(9.0, 0.0), 7.0, cx.colour(seat), seat);
        }
    }
    let x_of = |i: usize| plot.left() + plot.width() * i as f32 / (series.turns.len() - 1) as f32;
    let now = x_of(series.place_of(cx.session.at()));
    let strong = Stroke::new(1.0, ui.visuals().text_color());
    ui.painter().extend(Shape::dashed_line(&[pos2(now, plot.top()), pos2(now, plot.bottom())], strong, 4.0, 3.0));
    let Some(pointer) = response.hover_pos() else { return };
    let share = ((pointer.x - plot.left()) / plot.width().max(1.0)).clamp(0.0, 1.0);
    let place = (share * (series.turns.len() - 1) as f32).round() as usize;
    ui.painter().vline(x_of(place), plot.y_range(), Stroke::new(1.0, ui.visuals().weak_text_color()));
    let (turn, end) = series.turns[place];
    if response.clicked() {
        cx.act(Action::GoTo(end));
    }
    response.on_hover_ui_at_pointer(|ui| values(ui, cx, series, place, turn));
}

/// Everybody's score at the end of a turn.
fn values(ui: &mut Ui, cx: &UiContext<'_>, series: &Series, place: usize, turn: u32) {
    ui.strong(format!("after turn {turn}"));
    for (seat, scores) in series.scores.iter().enumerate() {
        let seat = Seat(seat as u8);
        ui.horizontal(|ui| {
            seat_mark_ui(ui, cx, seat, 14.0);
            ui.label(format!("{}: {}", cx.session.view().name(seat), scores.get(place).copied().unwrap_or(0)));
        });
    }
    ui.weak("Click to look at it.");
}

fn axes(ui: &Ui, series: &Series, plot: Rect) {
    let (least, greatest) = series.range();
    let (text, rule) = (ui.visuals().text_color(), ui.visuals().widgets.noninteractive.bg_stroke);
    let font = FontId::proportional(11.0);
    let painter = ui.painter();
    let step = nice_step(greatest - least, (plot.height() / 34.0) as i64);
    let mut value = least.div_euclid(step) * step;
    while value <= greatest {
        if value >= least {
            let y = plot.bottom() - plot.height() * (value - least) as f32 / (greatest - least) as f32;
            painter.hline(plot.x_range(), y, rule);
            painter.text(pos2(plot.left() - 5.0, y), Align2::RIGHT_CENTER, value, font.clone(), text);
        }
        value += step;
    }
    let n = series.turns.len();
    let step = nice_step(n as i64, (plot.width() / 60.0) as i64) as usize;
    for (i, (turn, _)) in series.turns.iter().enumerate() {
        if (*turn as usize).is_multiple_of(step) {
            let x = plot.left() + plot.width() * i as f32 / (n - 1) as f32;
            painter.vline(x, plot.bottom()..=plot.bottom() + 4.0, rule);
            painter.text(pos2(x, plot.bottom() + 5.0), Align2::CENTER_TOP, turn, font.clone(), text);
        }
    }
    painter.text(pos2(plot.center().x, plot.bottom() + 31.0), Align2::CENTER_BOTTOM, "turns", font.clone(), text);
    painter.text(plot.left_top() + vec2(4.0, -2.0), Align2::LEFT_TOP, "points", font, text);
}
