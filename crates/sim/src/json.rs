//! Reports as JSON: the output of `bastide sim --json`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::goal::Goal;
use crate::goal_search::GoalResults;
use crate::report_table::{ReportCell, ReportRow, ReportSection};
use crate::stats::{Report, Standing};
use crate::summary::{goal_table, summary};

/// Returns a report as JSON, including its tables. Intervals have the confidence level `level`.
pub fn report_json(report: &Report, level: f64) -> Value {
    let standing = |s: &Standing<'_>| {
        let share = s.win_rate_interval(level);
        let mean = s.score.interval(level).map(|it| [it.low, it.high]);
        json!({
            "name": s.name, "player": s.player, "games": s.n_games(), "wins": s.wins(), "share": s.win_rate(),
            "share_interval": [share.low, share.high], "mean": s.mean(), "mean_interval": mean,
            "deviation": s.score.standard_deviation(), "min": s.score.min(), "max": s.score.max(),
        })
    };
    let faults = report
        .faults
        .iter()
        .map(|f| json!({ "game": f.number, "seed": f.seed, "message": f.message, "record": f.record }));
    let thinking = report
        .thinking
        .iter()
        .map(|it| json!({ "player": it.player, "choices": it.n_choices, "seconds": it.took.as_secs_f64() }));
    json!({
        "games": report.n_games,
        "shared": report.n_shared,
        "turns": report.n_turns,
        "choices": report.n_choices,
        "decisions": report.n_answers,
        "faults": report.n_faults,
        "first_faults": faults.collect::<Vec<_>>(),
        "failed_hints": report.n_bot_faults,
        "first_failed_hint": report.bot_fault.as_ref().map(|(number, message)| json!({ "game": number, "message": message })),
        "seats": report.seats().iter().map(standing).collect::<Vec<_>>(),
        "players": report.players().iter().map(standing).collect::<Vec<_>>(),
        "level": level,
        "tables": summary(report, level).iter().map(section_json).collect::<Vec<_>>(),
        "threads": report.n_threads,
        "seconds": report.took.as_secs_f64(),
        "thinking": thinking.collect::<Vec<_>>(),
        "games_per_second": report.games_per_second(),
    })
}

/// Returns a table as JSON. Each row is an object whose keys are the column names. A number with an
/// interval is an object with `value`, `low` and `high`.
pub fn section_json(section: &ReportSection) -> Value {
    let cell = |cell: &ReportCell| match cell {
        ReportCell::Text(text) => json!(text),
        ReportCell::Number { value, interval: None, .. } => json!(value),
        ReportCell::Number { value, interval: Some(it), .. } => {
            json!({ "value": value, "low": it.low, "high": it.high })
        }
    };
    let row = |row: &ReportRow| {
        let mut columns = section.columns.iter().map(|name| if name.is_empty() { "verdict" } else { name.as_str() });
        let first = columns.next().unwrap_or("name").to_owned();
        let others = columns.zip(&row.cells).map(|(name, it)| (name.to_owned(), cell(it)));
        Value::Object([(first, json!(row.name))].into_iter().chain(others).collect())
    };
    json!({ "title": section.title, "about": section.about, "rows": section.rows.iter().map(row).collect::<Vec<_>>() })
}

/// Returns the results of a search for goals as an object.
pub fn goal_json(found: &GoalResults, goals: &[Goal]) -> Value {
    let best = found.best.iter().map(|it| it.values.iter().cloned().collect::<BTreeMap<_, _>>());
    json!({
        "best": best.collect::<Vec<_>>(), "rows": section_json(&goal_table(found, goals)).get("rows"),
        "tried": found.n_tried, "possible": found.n_possible, "games": found.n_games,
    })
}
