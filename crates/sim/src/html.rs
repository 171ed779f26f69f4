//! Reports as a single self-contained HTML page with inline pictures.

use std::fmt::Write;

use crate::compare::Comparison;
use crate::interval::Interval;
use crate::measure::Measure;
use crate::moments::{Bar, Histogram};
use crate::report_table::{ReportCell, ReportSection};
use crate::stats::{MeasureStats, Report, Standing};
use crate::summary::{comparison_table, summary, sweep_tables};
use crate::sweep::Sweep;

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fbfaf7;--card:#fff;--ink:#23211c;--faint:#6f6a5f;--line:#e3dfd5;--bar:#4a7fa5;--soft:#4a7fa533;--bad:#a8432f}
@media(prefers-color-scheme:dark){:root{--page:#1b1c1e;--card:#242629;--ink:#e8e6e1;--faint:#a09b90;--line:#3a3c40;--bar:#79aed3;--soft:#79aed333;--bad:#e08a76}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem 4rem}h1{font-size:1.7rem;margin:0 0 .3rem}h2{font-size:1.1rem;margin:0 0 .2rem}
p{margin:.2rem 0 .8rem}.faint{color:var(--faint)}.bad{color:var(--bad)}section{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.2rem;margin:1rem 0;overflow-x:auto}
table{border-collapse:collapse;min-width:100%}th,td{padding:.25rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}
th:first-child,td:first-child,.text{text-align:left}th{color:var(--faint);font-weight:600}tr:last-child td{border:0}small{color:var(--faint)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:1rem}figure{margin:0}figcaption{color:var(--faint);font-size:.9rem}
svg{width:100%;height:auto;display:block}text{fill:var(--faint);font:11px system-ui,sans-serif}.bar{fill:var(--bar)}.soft{fill:var(--soft)}.line{fill:none;stroke:var(--bar);stroke-width:2}.axis{stroke:var(--line)}.whisker{stroke:var(--ink);stroke-width:1.5}.fair{stroke:var(--faint);stroke-dasharray:4 4}
tr.noise td{color:var(--faint)}";

/// Returns a page with the tables in `more`, followed by the complete report. `title` is the
/// heading of the page. `about` describes the games; each item is a label and a value.
pub fn page(title: &str, about: &[(String, String)], report: &Report, more: &[ReportSection], level: f64) -> String {
    let mut body = head_of(title, about, report.n_games);
    if report.n_faults > 0 {
        let text = format!("{} games did not finish. They are counted separately.", report.n_faults);
        let _ = write!(body, "<p class=bad>{text}</p>");
    }
    more.iter().for_each(|section| body += &table(section));
    let seats = report.seats();
    let _ = write!(body, "<section><h2>Win rates</h2><p class=faint>{}</p>", escaped(&fairness(report)));
    body += &win_bars(&seats, level, seats.len());
    let players = report.players();
    if !players.is_empty() {
        body += &win_bars(&players, level, players.len());
    }
    body += "</section>";
    body += &histograms(report);
    for section in summary(report, level) {
        body += &table(&section);
    }
    body += &foot(level);
    html_document(title, &body)
}

/// Returns a page with the tables in `sections`, after the sentence `verdict`. `title` and `about`
/// are as in [`page`], and `n_games` is the number of games behind each row.
pub fn tables_page(
    title: &str,
    about: &[(String, String)],
    n_games: u64,
    verdict: &str,
    sections: &[ReportSection],
) -> String {
    let mut body = head_of(title, about, n_games);
    if !verdict.is_empty() {
        let _ = write!(body, "<p><b>{}</b></p>", escaped(verdict));
    }
    sections.iter().for_each(|section| body += &table(section));
    body += "<p class=faint>Each ± is half the width of a confidence interval. The text above a table says for which \
             rows the intervals hold together, with 95% confidence.</p>";
    html_document(title, &body)
}

/// Returns a page that compares A with B.
pub fn compared_page(title: &str, about: &[(String, String)], found: &Comparison) -> String {
    let mut body = head_of(title, about, found.n_pairs);
    let verdict = match (found.n_changed, found.differs()) {
        (0, _) => "No difference: in each pair, both games have the same scores.",
        (_, true) => "B differs from A.",
        (_, false) => "No significant difference in this many games.",
    };
    let _ = write!(body, "<p><b>{verdict}</b></p>");
    body += &table(&comparison_table(found));
    body += "<p class=faint>Grey rows are not significant. With 95% confidence, all intervals contain the true difference.</p>";
    html_document(title, &body)
}

/// Returns a page about a sweep, with the tables and with a curve for each measure that varies.
pub fn swept_page(title: &str, about: &[(String, String)], found: &Sweep, level: f64) -> String {
    let mut body = head_of(title, about, found.n_games());
    let verdict = match found.differs() {
        true => format!("{} makes a difference.", found.setting),
        false => format!(
            "No value of {} differs significantly from {} in this many games.",
            found.setting,
            found.base_value()
        ),
    };
    let _ = write!(body, "<p><b>{}</b></p><section><h2>Curves</h2><div class=charts>", escaped(&verdict));
    let measures = found.measures().into_iter().filter(|measure| !found.is_same(*measure));
    measures.for_each(|measure| body += &curve(found, measure, level));
    body += "</div></section>";
    sweep_tables(found, level).iter().for_each(|section| body += &table(section));
    body += &foot(level);
    html_document(title, &body)
}

/// Draws a measure over the values of the setting: the means as a line, with a confidence band.
fn curve(found: &Sweep, measure: Measure, level: f64) -> String {
    let reports = (0..found.values.len()).filter_map(|at| found.report(at));
    let name = found.report(found.base).map_or_else(String::new, |report| report.name_of(measure));
    let of = |it: &MeasureStats| {
        let mean = it.mean();
        (mean, it.interval(level).unwrap_or(Interval { low: mean, high: mean }))
    };
    let points: Vec<(f64, Interval)> = reports.filter_map(|report| report.stats_of(measure)).map(of).collect();
    let low = points.iter().map(|(_, it)| it.low).fold(f64::INFINITY, f64::min);
    let high = points.iter().map(|(_, it)| it.high).fold(f64::NEG_INFINITY, f64::max);
    let x = |at: usize| 46.0 + 234.0 * at as f64 / (points.len().max(2) - 1) as f64;
    let y = |value: f64| 100.0 - 90.0 * (value - low) / (high - low).max(1e-9);
    let along = |of: &dyn Fn(&(f64, Interval)) -> f64| -> Vec<String> {
        points.iter().enumerate().map(|(at, point)| format!("{:.1},{:.1}", x(at), y(of(point)))).collect()
    };
    let (line, upper) = (along(&|point| point.0).join(" "), along(&|point| point.1.high).join(" "));
    let lower: Vec<String> = along(&|point| point.1.low).into_iter().rev().collect();
    let (times, unit) = if measure.is_share() { (100.0, "%") } else { (1.0, "") };
    let mut svg = format!(
        "<svg viewBox=\"0 0 300 124\" role=img><polygon class=soft points=\"{upper} {}\" /><polyline class=line points=\"{line}\" />\
         <text x=40 y=14 text-anchor=end>{:.1}{unit}</text><text x=40 y=103 text-anchor=end>{:.1}{unit}</text>",
        lower.join(" "),
        high * times,
        low * times,
    );
    for ((at, value), (mean, _)) in found.values.iter().enumerate().zip(&points) {
        let (x, y) = (x(at), y(*mean));
        let _ = write!(
            svg,
            "<circle class=bar cx={x:.1} cy={y:.1} r=3><title>{value}: {:.2}{unit}</title></circle>\
             <text x={x:.1} y=118 text-anchor=middle>{value}</text>",
            mean * times,
            value = escaped(value),
        );
    }
    let about = escaped(measure.about());
    format!("<figure>{svg}</svg><figcaption title=\"{about}\">{}</figcaption></figure>", escaped(&name))
}

fn head_of(title: &str, about: &[(String, String)], n_games: u64) -> String {
    let mut body = format!("<h1>{}</h1><p class=faint>{n_games} games", escaped(title));
    for (what, it) in about.iter().filter(|(_, it)| !it.is_empty()) {
        let _ = write!(body, " · {} {}", escaped(what), escaped(it));
    }
    body + "</p>"
}

fn foot(level: f64) -> String {
    format!(
        "<p class=faint>Each ± is half the width of a {:.1}% confidence interval: Wilson's for win rates, Student's for means. A tie of two \
         counts as half a win each.</p>",
        100.0 * level
    )
}

fn html_document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=en><meta charset=utf-8>\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <meta name=viewport content=\"width=device-width\"><title>{}</title>\
         <style>{STYLE}</style><main>{body}</main></html>\n",
        escaped(title)
    )
}

fn fairness(report: &Report) -> String {
    match &report.unfair_seat_texts()[..] {
        [] => "No significant seat advantage.".to_owned(),
        texts => texts.join(". ") + ".",
    }
}

/// Draws the win rates: a bar with its interval for each, and a line at the fair rate, 1 / `n`.
fn win_bars(standings: &[Standing<'_>], level: f64, n: usize) -> String {
    let height = 26 * standings.len() + 4;
    let x = |share: f64| 120.0 + 420.0 * share;
    let mut svg = format!("<svg viewBox=\"0 0 640 {height}\" role=img>");
    for (i, it) in standings.iter().enumerate() {
        let (y, Interval { low, high }) = (4 + 26 * i, it.win_rate_interval(level));
        let label = if it.player == it.name { it.name.to_owned() } else { format!("{} ({})", it.name, it.player) };
        let _ = write!(
            svg,
            "<text x=112 y={} text-anchor=end>{}</text><rect class=bar x=120 y={y} width={:.1} height=18 rx=3 />\
             <line class=whisker x1={:.1} x2={:.1} y1={mid} y2={mid} /><text x=552 y={}>{}</text>",
            y + 13,
            escaped(&label),
            420.0 * it.win_rate(),
            x(low),
            x(high),
            y + 13,
            format_args!("{:.1}% ±{:.1}", 100.0 * it.win_rate(), 50.0 * (high - low)),
            mid = y + 9,
        );
    }
    let fair = x(1.0 / n.max(1) as f64);
    svg + &format!("<line class=fair x1={fair:.1} x2={fair:.1} y1=0 y2={height} /></svg>")
}

/// Draws histograms of the scores and of a few other measures. Draws a histogram of turns only if
/// their number varies.
fn histograms(report: &Report) -> String {
    let shown = |measure: Measure| match measure {
        Measure::Score(_) | Measure::Margin | Measure::Options | Measure::Holes | Measure::LeadChanges => true,
        Measure::Comeback | Measure::Taken => true,
        Measure::Turns => report.stats_of(measure).is_some_and(|it| it.moments.min() < it.moments.max()),
        _ => false,
    };
    let charts = report.measured.iter().filter(|it| shown(it.measure)).map(|it| {
        let name = report.name_of(it.measure);
        let about = escaped(it.measure.about());
        format!("<figure>{}<figcaption title=\"{about}\">{}</figcaption></figure>", bars(it), escaped(&name))
    });
    format!("<section><h2>Distributions</h2><div class=charts>{}</div></section>", charts.collect::<String>())
}

fn bars(it: &MeasureStats) -> String {
    let histogram: &Histogram = &it.histogram;
    let most = histogram.bars().map(|bar| bar.n).max().unwrap_or(1).max(1) as f64;
    let n_bars = histogram.bars().count().max(1) as f64;
    let scale = it.measure.scale();
    let width = 280.0 / n_bars;
    let mut svg = "<svg viewBox=\"0 0 300 120\" role=img>".to_owned();
    for (i, Bar { from, n, .. }) in histogram.bars().enumerate() {
        let height = 90.0 * n as f64 / most;
        let (x, y) = (10.0 + width * i as f64, 98.0 - height);
        let from = from as f64 / scale;
        let to = from + (histogram.width() - 1) as f64 / scale;
        let values = if from == to { format!("{from}") } else { format!("{from:.1} to {to:.1}") };
        let wide = (width - 0.6).max(0.4);
        let _ = write!(
            svg,
            "<rect class=bar x={x:.1} y={y:.1} width={wide:.1} height={height:.1}><title>{values}: {n} games</title></rect>"
        );
    }
    let (low, high) = (it.moments.min() as f64 / scale, it.moments.max() as f64 / scale);
    svg + &format!(
        "<line class=axis x1=10 x2=290 y1=98 y2=98 /><text x=10 y=113>{low:.0}</text>\
         <text x=150 y=113 text-anchor=middle>mean {:.1}</text><text x=290 y=113 text-anchor=end>{high:.0}</text></svg>",
        it.mean()
    )
}

fn table(section: &ReportSection) -> String {
    let (title, about) = (escaped(&section.title), escaped(&section.about));
    let mut html = format!("<section><h2>{title}</h2><p class=faint>{about}</p><table><tr>");
    section.columns.iter().for_each(|name| html += &format!("<th>{}</th>", escaped(name)));
    html += "</tr>";
    for row in &section.rows {
        let class = if row.is_noise { " class=noise" } else { "" };
        let _ = write!(html, "<tr{class}><td>{}</td>", escaped(&row.name));
        row.cells.iter().for_each(|it| html += &cell(it));
        html += "</tr>";
    }
    html + "</table></section>"
}

fn cell(cell: &ReportCell) -> String {
    match cell {
        ReportCell::Text(text) => format!("<td class=text>{}</td>", escaped(text)),
        ReportCell::Number { interval, decimals, is_share, .. } => {
            let shown = cell.display_text();
            let (value, half) = shown.split_once(' ').unwrap_or((&shown, ""));
            let times = if *is_share { 100.0 } else { 1.0 };
            let between = interval.map_or_else(String::new, |it| {
                format!(" title=\"{:.decimals$} to {:.decimals$}\"", it.low * times, it.high * times)
            });
            format!("<td{between}>{value} <small>{half}</small></td>")
        }
    }
}

/// Returns a text with the special characters of HTML escaped.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
