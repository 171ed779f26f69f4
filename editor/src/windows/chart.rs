//! The scores over the turns as a line chart.

use egui::{Role, Stroke, Ui, WidgetInfo, vec2};
use egui_plot::{Line, LineStyle, PlotPoint, PlotPoints, VLine};
use table::Seat;

use crate::actions::Action;
use crate::panels::series::ScoreSeries;
use crate::panels::widgets::{fixed_plot, paint_seat_mark, request_on_click, seat_mark_ui};
use crate::ui_context::UiContext;

/// Draws the chart. Hovering over a turn shows all scores at the end of the turn. A click shows the
/// board at the end of the turn.
pub fn chart(ui: &mut Ui, cx: &mut UiContext<'_>, series: &ScoreSeries) {
    if series.turns.len() < 2 {
        ui.weak("The chart starts after the second turn.");
        return;
    }
    let turn_at = |place: usize| f64::from(series.turns[place].0);
    let (first, last) = (turn_at(0), turn_at(series.turns.len() - 1));
    let now = turn_at(series.turn_index_at(cx.session.position_index()));
    let strong = ui.visuals().text_color();
    let plot = fixed_plot("scores")
        .min_size(vec2(280.0, 140.0))
        .show_grid([false, true])
        .x_axis_label("turns")
        .y_axis_label("points")
        .default_x_bounds(first, last)
        // Leaves room on the right for the marks at the ends of the lines.
        .include_x(last + (last - first) * 0.05);
    let lines = series.scores.iter().enumerate().map(|(seat, scores)| {
        let seat = Seat(seat as u8);
        let points = scores.iter().enumerate().map(|(place, score)| [turn_at(place), *score as f64]);
        let line = Line::new(cx.session.view().name(seat), PlotPoints::from_iter(points));
        line.color(cx.text_colour(ui.ctx(), seat)).width(2.0).allow_hover(false)
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let shown = plot.show(ui, |plot| {
        lines.into_iter().for_each(|line| plot.line(line));
        let now = VLine::new("now", now).stroke(Stroke::new(1.0, strong)).style(LineStyle::dashed_dense());
        plot.vline(now.allow_hover(false));
    });
    for (seat, scores) in series.scores.iter().enumerate() {
        let Some(score) = scores.last() else { continue };
        let end = shown.transform.position_from_point(&PlotPoint::new(last, *score as f64));
        let seat = Seat(seat as u8);
        paint_seat_mark(ui.painter(), end + vec2(9.0, 0.0), 7.0, cx.colour(seat), seat);
    }
    let response = shown.response;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Scores turn by turn"));
    let Some(pointer) = response.hover_pos() else { return };
    let turn = shown.transform.value_from_position(pointer).x.round();
    let place = series.turns.partition_point(|(n, _)| f64::from(*n) < turn).min(series.turns.len() - 1);
    let (turn, end) = series.turns[place];
    let x = shown.transform.position_from_point(&PlotPoint::new(turn_at(place), 0.0)).x;
    ui.painter().vline(x, response.rect.y_range(), Stroke::new(1.0, ui.visuals().weak_text_color()));
    request_on_click(cx, &response, Action::GoTo(end));
    response.on_hover_ui_at_pointer(|ui| values(ui, cx, series, place, turn));
}

/// Draws the scores of all players at the end of `turn`; `place` is the index of the turn in
/// `series`.
fn values(ui: &mut Ui, cx: &UiContext<'_>, series: &ScoreSeries, place: usize, turn: u32) {
    ui.strong(format!("after turn {turn}"));
    for (seat, scores) in series.scores.iter().enumerate() {
        let seat = Seat(seat as u8);
        ui.horizontal(|ui| {
            seat_mark_ui(ui, cx, seat, 14.0);
            ui.label(format!("{}: {}", cx.session.view().name(seat), scores.get(place).copied().unwrap_or(0)));
        });
    }
    ui.weak("Click to show this position.");
}
