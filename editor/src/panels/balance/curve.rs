//! The effect of a setting as a curve with a confidence band.

use egui::{ComboBox, Stroke, Ui, WidgetInfo};
use egui_plot::{FilledArea, GridMark, HLine, Line, LineStyle, PlotPoints, Points};
use workshop::balance::{DEFAULT_LEVEL, Interval, Measure, ReportSection, ShownRules, Sweep};

use super::charts::open_example;
use super::tables::{self, games_text};
use crate::panels::widgets::fixed_plot;
use crate::ui_context::UiContext;

/// A point of the curve. `x` is the value of the setting, or its index if not all values are
/// numbers. `y` is the mean of the measure, in percent if the measure is a share.
struct CurvePoint {
    x: f64,
    y: f64,
    interval: Interval,
}

/// Draws the curve and the table of the chosen measure.
pub(super) fn curve(ui: &mut Ui, cx: &mut UiContext<'_>, sweep: &Sweep, sections: &[ReportSection]) {
    let differs = if sweep.differs() { "makes a difference" } else { "makes no measurable difference yet" };
    ui.strong(format!("{} {differs}", sweep.setting));
    ui.weak(format!("{} with each value, with the same seeds.", games_text(sweep.n_games())));
    let measures: Vec<Measure> = sweep.measures().into_iter().filter(|measure| !sweep.is_same(*measure)).collect();
    let Some(measure) = chosen_measure(cx.balance.curve_of, &measures, sweep) else {
        ui.weak("All values give the same games.");
        return;
    };
    let name = |measure: Measure| sweep.report(sweep.base).map_or_else(String::new, |report| report.name_of(measure));
    ui.horizontal_wrapped(|ui| {
        ComboBox::from_id_salt("curve").width(180.0).selected_text(name(measure)).show_ui(ui, |ui| {
            for other in &measures {
                ui.selectable_value(&mut cx.balance.curve_of, Some(*other), name(*other)).on_hover_text(other.about());
            }
        });
        let less = format!("difference from {}", sweep.base_value());
        ui.checkbox(&mut cx.balance.curve_is_relative, less)
            .on_hover_text("Compare games with the same seeds in pairs, which shows small differences sooner.");
    });
    plot(ui, cx, sweep, measure, &name(measure));
    // `sections` contains a section for each of `measures`, in the same order.
    if let Some(section) = measures.iter().position(|it| *it == measure).and_then(|at| sections.get(at)) {
        tables::table(ui, cx, section, None, ShownRules::Value(0));
    }
}

/// Returns the measure to draw. This is `wanted`, if `measures` contains it. Otherwise, it is the
/// first measure with a clear difference, preferably one that is not about a single seat. If no
/// measure differs clearly, it is the first measure. Returns `None` if there are no measures.
fn chosen_measure(wanted: Option<Measure>, measures: &[Measure], sweep: &Sweep) -> Option<Measure> {
    let is_told = |measure: &&Measure| {
        (0..sweep.values.len())
            .filter_map(|at| sweep.difference(at, **measure))
            .any(|(found, it)| found.verdict(it) == workshop::balance::Verdict::Differs)
    };
    let whole = |measure: &&Measure| !matches!(measure, Measure::Win(_) | Measure::Score(_));
    let wanted = wanted.filter(|wanted| measures.contains(wanted));
    let first = measures.iter().filter(whole).find(is_told).or_else(|| measures.iter().find(is_told));
    wanted.or(first.copied()).or_else(|| measures.first().copied())
}

fn points(sweep: &Sweep, measure: Measure, is_relative: bool) -> Vec<CurvePoint> {
    let numbers: Option<Vec<f64>> = sweep.values.iter().map(|value| value.parse().ok()).collect();
    let times = if measure.is_share() { 100.0 } else { 1.0 };
    let point = |at: usize| {
        let x = numbers.as_ref().and_then(|numbers| numbers.get(at).copied()).unwrap_or(at as f64);
        let (y, interval) = match is_relative {
            true => match sweep.difference(at, measure) {
                Some((found, it)) => (it.mean(), found.interval(it)),
                None => (0.0, None),
            },
            false => {
                let measured = sweep.report(at)?.stats_of(measure)?;
                (measured.mean(), measured.interval(DEFAULT_LEVEL))
            }
        };
        let interval = interval.unwrap_or(Interval::around(y, 0.0));
        Some(CurvePoint { x, y: y * times, interval: interval.scale(times) })
    };
    let mut points: Vec<CurvePoint> = (0..sweep.values.len()).filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

/// Returns the smallest number that is at least `least` and is 1, 2 or 5 times a power of ten.
fn round_step(least: f64) -> f64 {
    let unit = 10_f64.powf(least.max(1e-6).log10().floor());
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * unit >= least);
    times.unwrap_or(10.0) * unit
}

fn plot(ui: &mut Ui, cx: &mut UiContext<'_>, sweep: &Sweep, measure: Measure, name: &str) {
    let points = points(sweep, measure, cx.balance.curve_is_relative);
    let unit = if measure.is_share() { "%" } else { "" };
    let values = &sweep.values;
    let is_number = values.iter().all(|value| value.parse::<f64>().is_ok());
    let tick = move |x: f64| match is_number {
        true => values.iter().find(|value| value.parse() == Ok(x)).cloned().unwrap_or_default(),
        false if x.fract() == 0.0 && x >= 0.0 => values.get(x as usize).cloned().unwrap_or_default(),
        false => String::new(),
    };
    // Labels each value. The large `step_size` keeps the plot from fading the labels.
    let ticks: Vec<f64> = points.iter().map(|it| it.x).collect();
    let far = ticks.last().zip(ticks.first()).map_or(1.0, |(last, first)| (last - first).max(1.0));
    let far_up = points.iter().map(|it| it.interval.high).fold(1.0, f64::max);
    let plot = fixed_plot("curve")
        .width(ui.available_width().clamp(240.0, 560.0))
        .height(180.0)
        .show_grid([false, true])
        .x_grid_spacer(move |_| ticks.iter().map(|x| GridMark { value: *x, step_size: far }).collect())
        .y_grid_spacer(move |input| {
            let (low, high) = input.bounds;
            let step = round_step((high - low) / 6.0);
            let numbers = (low / step).ceil() as i64..=(high / step).floor() as i64;
            numbers.map(|n| GridMark { value: n as f64 * step, step_size: far_up }).collect()
        })
        .grid_color(ui.visuals().widgets.noninteractive.bg_stroke.color)
        .x_axis_label(sweep.setting.as_str())
        .x_axis_formatter(move |mark, _| tick(mark.value))
        .y_axis_formatter(move |mark, _| format!("{}{unit}", (mark.value * 100.0).round() / 100.0));
    let (line, band) = (ui.visuals().hyperlink_color, ui.visuals().hyperlink_color.gamma_multiply(0.25));
    let weak = ui.visuals().weak_text_color();
    let xs: Vec<f64> = points.iter().map(|it| it.x).collect();
    let lows: Vec<f64> = points.iter().map(|it| it.interval.low).collect();
    let highs: Vec<f64> = points.iter().map(|it| it.interval.high).collect();
    let means: Vec<[f64; 2]> = points.iter().map(|it| [it.x, it.y]).collect();
    let is_relative = cx.balance.curve_is_relative;
    let shown = plot.show(ui, |plot| {
        if is_relative {
            let zero = HLine::new("nothing", 0.0).stroke(Stroke::new(1.0, weak)).style(LineStyle::dashed_dense());
            plot.hline(zero.allow_hover(false));
        }
        plot.add(FilledArea::new("band", &xs, &lows, &highs).fill_color(band).allow_hover(false));
        plot.line(Line::new("mean", PlotPoints::from(means.clone())).color(line).width(2.0).allow_hover(false));
        plot.points(Points::new("values", PlotPoints::from(means)).color(line).radius(4.0).allow_hover(false));
    });
    let response = shown.response;
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Curve: {name}")));
    let Some(pointer) = response.hover_pos() else { return };
    let x = shown.transform.value_from_position(pointer).x;
    let Some(near) = points.iter().min_by(|a, b| (a.x - x).abs().total_cmp(&(b.x - x).abs())) else { return };
    let Some(at) = (0..values.len()).find(|at| match is_number {
        true => values.get(*at).is_some_and(|value| value.parse() == Ok(near.x)),
        false => *at as f64 == near.x,
    }) else {
        return;
    };
    let value = values.get(at).map_or("", String::as_str);
    let text = format!(
        "{} = {value}: {name} {:.2}{unit} (95% interval {:.2} to {:.2}). Click to open a game.",
        sweep.setting, near.y, near.interval.low, near.interval.high
    );
    if response.clicked()
        && let Some(game) = sweep.report(at).and_then(|report| report.stats_of(measure)?.moments.game_with_max())
    {
        open_example(cx, game, measure, ShownRules::Value(at));
    }
    response.on_hover_text_at_pointer(text);
}
