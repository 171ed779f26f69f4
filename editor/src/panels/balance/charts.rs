//! Bar charts: win rates of seats, and distributions.

use egui::{Align, Label, Layout, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use egui_plot::{Bar, BarChart};
use table::Seat;
use workshop::balance::{DEFAULT_LEVEL, ExampleGame, Measure, MeasureStats, Report, ShownRules, Standing, Subject};

use super::tables::games_text;
use crate::actions::{Action, BalanceAction};
use crate::panels::widgets::fixed_plot;
use crate::ui_context::UiContext;

/// The maximum number of listed games of a seat.
const MAX_LISTED_GAMES: usize = 60;

/// Draws a seat's win rate: a bar with the confidence interval, and a line at the equal share of
/// all seats. A click lists the games that the seat won.
pub(super) fn win_bar(ui: &mut Ui, cx: &mut UiContext<'_>, seat: usize, it: &Standing<'_>, n_seats: usize) {
    let interval = it.win_rate_interval(DEFAULT_LEVEL);
    let width = (ui.available_width() - 220.0).clamp(120.0, 420.0);
    ui.horizontal(|ui| {
        ui.allocate_ui_with_layout(vec2(110.0, 18.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(110.0);
            ui.add(Label::new(format!("{} ({})", it.name, it.player)).truncate());
        });
        let (rect, response) = ui.allocate_exact_size(vec2(width, 18.0), Sense::click());
        let text = format!("{} wins {:.1}% ±{:.1}", it.name, 100.0 * it.win_rate(), 100.0 * interval.half_width());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &text));
        let x = |share: f64| rect.left() + rect.width() * share as f32;
        let painter = ui.painter();
        painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
        let bar = Rect::from_min_max(rect.min, pos2(x(it.win_rate()), rect.bottom()));
        let colour = cx.text_colour(ui.ctx(), Seat(seat as u8)).gamma_multiply(0.75);
        painter.rect_filled(bar, 2.0, colour);
        let (strong, weak) = (ui.visuals().strong_text_color(), ui.visuals().weak_text_color());
        let middle = rect.center().y;
        painter.hline(x(interval.low)..=x(interval.high), middle, Stroke::new(2.0, strong));
        for end in [interval.low, interval.high] {
            painter.vline(x(end), middle - 4.0..=middle + 4.0, Stroke::new(2.0, strong));
        }
        let fair = x(1.0 / n_seats.max(1) as f64);
        let dashes = [pos2(fair, rect.top()), pos2(fair, rect.bottom())];
        painter.extend(Shape::dashed_line(&dashes, Stroke::new(1.0, weak), 3.0, 3.0));
        let hover = "Win rate, with ties shared. Line: 95% interval; dashes: fair share. Click to list wins.";
        if response.on_hover_text(hover).clicked() {
            cx.balance.listed = if cx.balance.listed == Some(seat) { None } else { Some(seat) };
        }
        ui.label(format!("{:.1}% ±{:.1}", 100.0 * it.win_rate(), 100.0 * interval.half_width()));
    });
}

/// Draws links to the games that the chosen seat won. A link opens the game at the move with which
/// the seat took the lead for the rest of the game.
pub(super) fn games_of_seat(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let (Some(seat), Some(seen)) = (cx.balance.listed, cx.balance.snapshot()) else { return };
    let games = seen.games.iter().flat_map(|some| some.iter());
    let won = games.filter(|game| game.winners().any(|winner| winner == seat)).take(MAX_LISTED_GAMES);
    let scores = |scores: &[i64]| scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ");
    let mut won: Vec<(u64, String)> =
        won.map(|game| (game.number, format!("{} ({})", game.number, scores(&game.scores)))).collect();
    if won.is_empty() {
        // A comparison does not store its games. Its report only names the first game that the seat
        // won.
        let first = seen.report.seats().get(seat).and_then(|it| it.first_won_game());
        won.extend(first.map(|number| (number, number.to_string())));
    }
    ui.weak(if won.is_empty() { "No wins." } else { "Won games; click to open one:" });
    ui.horizontal_wrapped(|ui| {
        for (number, words) in won {
            let hover = "Opens this game where the winner took the final lead. Return to my game goes back.";
            if ui.link(words).on_hover_text(hover).clicked() {
                open_example(cx, number, Measure::Win(seat as u8), ShownRules::InPlay);
            }
        }
    });
}

/// Opens an example game for a measure, under the rules that `which` selects. The game opens at the
/// position that shows the measure best.
pub(super) fn open_example(cx: &mut UiContext<'_>, game: u64, measure: Measure, which: ShownRules) {
    let example = ExampleGame { game, subject: Subject::Measure(measure) };
    cx.request_action(Action::Balance(BalanceAction::Open(example, which)));
}

/// Draws the distributions of measures as rows of bar charts.
pub(super) fn histograms(ui: &mut Ui, cx: &mut UiContext<'_>, report: &Report) {
    let is_shown = |it: &&MeasureStats| match it.measure {
        Measure::Score(_) | Measure::Margin | Measure::LeadChanges | Measure::Options | Measure::Holes => true,
        Measure::Comeback | Measure::Taken => true,
        Measure::Turns => it.moments.min() < it.moments.max(),
        _ => false,
    };
    ui.add_space(8.0);
    ui.strong("Distributions").on_hover_text("Number of games with each value. Click a bar to open one of its games.");
    let shown: Vec<&MeasureStats> = report.measured.iter().filter(is_shown).collect();
    // Uses the visible width, because the available width may be larger: the panel scrolls
    // sideways.
    let n_columns = ((ui.clip_rect().width() / (CHART_WIDTH + ui.spacing().item_spacing.x)) as usize).max(1);
    for row in shown.chunks(n_columns) {
        ui.horizontal(|ui| {
            for measured in row {
                ui.vertical(|ui| histogram(ui, cx, report, measured));
            }
        });
    }
}

/// The width of a chart, in points.
const CHART_WIDTH: f32 = 208.0;

/// The number of bars above which a chart merges adjacent bars.
const MAX_BARS: usize = 26;

/// A bar of a chart: its smallest and its largest value, the number of games with these values, and
/// the number of the first of these games.
struct HistogramBar {
    from: f64,
    to: f64,
    n: u64,
    game: Option<u64>,
}

/// Returns the bars of a chart. If the histogram has more than [`MAX_BARS`] bars, each returned bar
/// merges the same number of adjacent bars.
fn bars(measured: &MeasureStats) -> Vec<HistogramBar> {
    let (scale, width) = (measured.measure.scale(), measured.histogram.width());
    let all: Vec<_> = measured.histogram.bars().collect();
    let together = all.len().div_ceil(MAX_BARS).max(1);
    let first = all.first().map_or(0, |bar| bar.from.div_euclid(width));
    // Bars begin at multiples of their width, so that they stay in place when more games are
    // played.
    let group = |from: i64| from.div_euclid(width).div_euclid(together as i64);
    let groups = all.chunk_by(|a, b| group(a.from) == group(b.from));
    let least = first.div_euclid(together as i64);
    groups
        .zip(least..)
        .map(|(bars, at)| {
            let from = at * together as i64 * width;
            HistogramBar {
                from: from as f64 / scale,
                to: (from + together as i64 * width - 1) as f64 / scale,
                n: bars.iter().map(|bar| bar.n).sum(),
                game: bars.iter().filter_map(|bar| bar.game).min(),
            }
        })
        .collect()
}

/// Draws the smallest and the largest value below a chart.
fn range_labels(ui: &mut Ui, measured: &MeasureStats) {
    let of = |value: i64| {
        let value = value as f64 / measured.measure.scale();
        if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.1}") }
    };
    ui.horizontal(|ui| {
        ui.set_width(CHART_WIDTH - 8.0);
        ui.small(of(measured.moments.min()));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.small(of(measured.moments.max())));
    });
}

fn histogram(ui: &mut Ui, cx: &mut UiContext<'_>, report: &Report, measured: &MeasureStats) {
    let (name, step) = (report.name_of(measured.measure), 1.0 / measured.measure.scale());
    let colour = match measured.measure {
        Measure::Score(seat) => cx.text_colour(ui.ctx(), Seat(seat)).gamma_multiply(0.75),
        _ => ui.visuals().weak_text_color(),
    };
    ui.set_width(CHART_WIDTH);
    ui.add(Label::new(format!("{name}: {:.1}", measured.mean())).truncate()).on_hover_text(measured.measure.about());
    let values = bars(measured);
    let bar = |it: &HistogramBar| {
        let (middle, width) = ((it.from + it.to) / 2.0, 0.92 * (it.to - it.from + step));
        Bar::new(middle, it.n as f64).width(width).fill(colour).stroke(Stroke::NONE)
    };
    let chart = BarChart::new(name.as_str(), values.iter().map(bar).collect()).allow_hover(false);
    let plot = fixed_plot(("histogram", measured.measure)).width(CHART_WIDTH - 8.0).height(70.0);
    let plot = plot.show_axes([false, false]).show_grid([false, false]);
    let shown = plot.show(ui, |plot| plot.bar_chart(chart));
    range_labels(ui, measured);
    let response = shown.response;
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Distribution: {name}")));
    let Some(pointer) = response.hover_pos() else { return };
    let at = shown.transform.value_from_position(pointer).x;
    let found = values.iter().find(|it| (it.from - step / 2.0..it.to + step / 2.0).contains(&at));
    let Some((it, game)) = found.and_then(|it| Some((it, it.game?))) else { return };
    let words = if it.from == it.to { format!("{}", it.from) } else { format!("{:.1} to {:.1}", it.from, it.to) };
    if response.clicked() {
        open_example(cx, game, measured.measure, ShownRules::InPlay);
    }
    response.on_hover_text_at_pointer(format!("{words}: {}. Click to open the first game.", games_text(it.n)));
}
