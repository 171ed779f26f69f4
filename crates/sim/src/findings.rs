//! Findings: results of a report that point to a fault of the game.

use crate::example::Subject;
use crate::interval::level_of_each;
use crate::measure::Measure;
use crate::report_table::{ReportCell, ReportRow, ReportSection};
use crate::result::N_MOMENTS;
use crate::stats::Report;
use crate::tally::TileTally;

/// The confidence level of all findings of a report together: on average, one in a thousand reports
/// on a game without faults has a finding. This is stricter than the level of other intervals,
/// because authors look at many reports.
const LEVEL: f64 = 0.999;

/// The title of the table of findings.
pub const FINDINGS: &str = "Findings";

/// The fraction of draws in which a tile must fit. A tile that certainly fits less often is a
/// finding.
const MIN_FIT_RATE: f64 = 0.5;

/// The fraction of games that the leader at half time may win between equal bots. If it certainly
/// wins more, the second half decides little, which is a finding.
const MAX_HALF_TIME_WINS: f64 = 0.9;

/// Returns the findings of a report as a table: unfair seats, tiles that rarely fit, and games that
/// are decided at half time. The table is empty if there are no findings.
///
/// The intervals are so wide that all of them together are correct with confidence 99.9%
/// (Bonferroni correction over seats, tiles and half time).
pub fn findings_table(report: &Report) -> ReportSection {
    let details = report.details.as_ref();
    let tiles = details.map_or(&[][..], |details| &details.tiles);
    let drawn = || tiles.iter().filter(|tile| tile.n_laid() + tile.n_discarded > 0);
    // Between different bots, the better bot wins, whatever the seat, and leads early.
    let is_equal = report.has_equal_players();
    let seats = if is_equal { report.seats() } else { Vec::new() };
    let n_tests = seats.len() + drawn().count() + usize::from(is_equal && details.is_some());
    let level = level_of_each(LEVEL, n_tests);
    let mut rows = Vec::new();
    let fair = 1.0 / seats.len().max(1) as f64;
    for (n, seat) in seats.iter().enumerate() {
        let interval = seat.win_rate_interval(level);
        if seats.len() > 1 && !interval.contains(fair) {
            let how = if seat.win_rate() > fair { "more" } else { "less" };
            let cells = vec![
                ReportCell::fraction(seat.win_rate(), Some(interval)),
                ReportCell::text(format!("wins {how} often than the fair {:.1}%", 100.0 * fair)),
            ];
            let row = ReportRow::new(format!("seat {}", seat.name), cells);
            rows.push(row.with_example(seat.first_won_game(), Subject::Measure(Measure::Win(n as u8))));
        }
    }
    rows.extend(drawn().filter_map(|tile| unfitting(tile, level)));
    if let (true, Some(details)) = (is_equal, details) {
        let (rate, interval) = details.leader_wins(N_MOMENTS / 2, level);
        if interval.low > MAX_HALF_TIME_WINS {
            let cells = vec![
                ReportCell::fraction(rate, Some(interval)),
                ReportCell::text("wins: the second half of the game decides little"),
            ];
            rows.push(ReportRow::new("leader at half time", cells));
        }
    }
    ReportSection::new(
        FINDINGS,
        "Signs of faults: seats that win too often or too rarely, tiles that do not fit, and games that are decided \
         at half time. All intervals together are correct with 99.9% confidence.",
        &["about", "rate", ""],
        rows,
    )
}

/// Returns the finding that a tile fits too rarely; `None` if it may fit often enough.
fn unfitting(tile: &TileTally, level: f64) -> Option<ReportRow> {
    let (rate, interval) = tile.fit_rate(level)?;
    let text = if tile.n_laid() == 0 { "never fits when it is drawn" } else { "rarely fits when it is drawn" };
    let cells = vec![ReportCell::fraction(rate, Some(interval)), ReportCell::text(text)];
    (interval.high < MIN_FIT_RATE).then(|| ReportRow::new(format!("tile {}", tile.name), cells))
}
