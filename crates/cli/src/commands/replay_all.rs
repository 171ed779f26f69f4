//! `bastide replay --all`: replays every record of a folder, and compares the results with the
//! results under an earlier version of mods.

use std::io::{self, Write};
use std::path::Path;

use diagnostic::visible;
use serde_json::{Value as Json, json};
use workshop::RulesCache;
use workshop::corpus::{CorpusTotals, RecordResult, ReplayDifference, ReplayedRecord, find_records, replay_record};

use crate::context::{CommandResult, Context, finish};
use crate::earlier::EarlierMods;

/// Replays all records in `folder` and in the folders below it, and prints a line for each record.
/// If `since` names earlier versions of mods, also replays the records with these mods, and prints
/// the differences.
pub fn run(context: &mut Context, folder: &Path, since: Option<&Path>, json: bool) -> CommandResult {
    let files = find_records(folder)?;
    let before = since.map(|old| EarlierMods::find(context, old, &context.library().ids())).transpose()?;
    let mut earlier = before.as_ref().map(|before| RulesCache::new(before.library.clone()));
    let mut out = context.terminal.out_as(json);
    let mut totals = CorpusTotals::default();
    for file in &files {
        let result = replay_record(file, &mut context.mods, earlier.as_mut());
        context.print_problems();
        for problems in earlier.iter_mut().flat_map(RulesCache::take_problems) {
            context.terminal.print_message(&problems.render(context.terminal.colour_of_messages));
        }
        totals.add(&result);
        if json {
            writeln!(out, "{}", as_json(file, &result))?;
        } else if let RecordResult::Replays(now, differences) = &result {
            write_result(&mut out, file, now, differences, since.is_some())?;
        }
        out.flush()?;
        if let RecordResult::Fails(problems, _) = &result {
            context.terminal.print_diagnostics(problems);
        }
    }
    if json {
        let CorpusTotals { n_same, n_changed, n_failed } = totals;
        writeln!(out, "{}", json!({ "same": n_same, "changed": n_changed, "failed": n_failed }))?;
    } else {
        writeln!(out, "{}", totals.text(since.is_some()))?;
    }
    finish(out, totals.n_failed == 0)
}

fn write_result(
    out: &mut impl Write,
    file: &Path,
    now: &ReplayedRecord,
    differences: &[ReplayDifference],
    is_compared: bool,
) -> io::Result<()> {
    let file = file.display().to_string();
    let file = visible(&file);
    if differences.is_empty() {
        let text = if is_compared { "same" } else { "replays" };
        return writeln!(out, "{file}: {text}; {}; winners: {}", now.scores_text(), now.winners_text());
    }
    writeln!(out, "{file}: changed")?;
    differences.iter().try_for_each(|difference| writeln!(out, "    {}", difference.text()))
}

fn as_json(file: &Path, result: &RecordResult) -> Json {
    let file = file.display().to_string();
    match result {
        RecordResult::Fails(problems, _) => {
            let problems: Vec<Json> = problems
                .iter()
                .map(|problem| json!({ "line": problem.span.line, "message": problem.message, "help": problem.help }))
                .collect();
            json!({ "file": file, "result": "failed", "problems": problems })
        }
        RecordResult::Replays(now, differences) => {
            let result = if differences.is_empty() { "same" } else { "changed" };
            let scores: serde_json::Map<String, Json> =
                now.scores.iter().map(|(name, points)| (name.clone(), json!(points))).collect();
            let differences: Vec<Json> = differences
                .iter()
                .map(|difference| match difference {
                    ReplayDifference::Question(n, now, before) => {
                        json!({ "what": "question", "decision": n, "now": now, "before": before })
                    }
                    ReplayDifference::Scores(now, before) => json!({ "what": "points", "now": now, "before": before }),
                    ReplayDifference::Winners(now, before) => {
                        json!({ "what": "winners", "now": now, "before": before })
                    }
                })
                .collect();
            json!({
                "file": file,
                "result": result,
                "scores": scores,
                "winners": now.winners,
                "differences": differences,
            })
        }
    }
}
