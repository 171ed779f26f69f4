//! `bastide replay --all`: replays every record of a folder, and compares the results with the
//! results under an earlier version of mods.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use record::ReplayedDecision;
use serde_json::{Value as Json, json};
use table::GameView;
use workshop::{RecordOnDisk, RulesCache, fault_text};

use crate::context::{CliError, CommandOutcome, CommandResult, Context};
use crate::earlier::EarlierMods;

/// The decisions and the result of a record, replayed with the mods of one library.
struct ReplayedRecord {
    /// The answered decisions: for each, the player or chance, and the question.
    questions: Vec<String>,
    /// The names of the players and their points.
    scores: Vec<(String, i64)>,
    /// The winners; empty if the game is not over.
    winners: Vec<String>,
    /// The first problem: an answer that was not offered, an expectation that does not hold, or a
    /// fault of a mod. `None` if there is no problem.
    problem: Option<Diagnostic>,
}

/// A difference between the replays of a record with the current and with the earlier mods.
enum ReplayDifference {
    /// A decision with different questions: the number of the decision, counted from 1, and the
    /// questions with the current and with the earlier mods. A question is `None` if that replay
    /// has no such decision.
    Question(usize, Option<String>, Option<String>),
    /// The points of the players with the current and with the earlier mods.
    Scores(String, String),
    /// The winners with the current and with the earlier mods.
    Winners(String, String),
}

/// The result of replaying one record of the folder.
enum RecordResult {
    /// The record cannot be read, or the mods of either version cannot be loaded, or the replay has
    /// a problem that does not occur with the earlier mods.
    Fails(Vec<Diagnostic>),
    /// The record replays, or has the same problem with the earlier mods. The list contains the
    /// differences between the two replays. It is empty if there are none, or if the user named no
    /// earlier mods.
    Replays(ReplayedRecord, Vec<ReplayDifference>),
}

/// The numbers of unchanged, changed and failed records.
#[derive(Default)]
struct Totals {
    n_same: usize,
    n_changed: usize,
    n_failed: usize,
}

/// Replays all records in `folder` and in the folders below it, and prints a line for each record.
/// If `since` names earlier versions of mods, also replays the records with these mods, and prints
/// the differences.
pub fn run(context: &mut Context, folder: &Path, since: Option<&Path>, json: bool) -> CommandResult {
    let mut files = Vec::new();
    add_records(folder, &mut files).map_err(|error| {
        let message = format!("cannot read {}: {error}", folder.display());
        CliError::Problem(
            Diagnostic::without_place(message).with_help("name a folder with records, which end in .game"),
        )
    })?;
    files.sort();
    if files.is_empty() {
        let message = format!("{} has no records", folder.display());
        let help = "name a folder with records, which end in .game; the window and `bastide play --record` write them";
        return Err(CliError::Problem(Diagnostic::without_place(message).with_help(help)));
    }
    let before = since.map(|old| EarlierMods::find(context, old, &context.library().ids())).transpose()?;
    let mut earlier = before.as_ref().map(|before| RulesCache::new(before.library.clone()));
    let mut out = context.terminal.out_as(json);
    let mut totals = Totals::default();
    for file in &files {
        let result = replay(context, earlier.as_mut(), file);
        match &result {
            RecordResult::Fails(_) => totals.n_failed += 1,
            RecordResult::Replays(_, differences) if differences.is_empty() => totals.n_same += 1,
            RecordResult::Replays(..) => totals.n_changed += 1,
        }
        if json {
            writeln!(out, "{}", as_json(file, &result))?;
        } else if let RecordResult::Replays(now, differences) = &result {
            write_result(&mut out, file, now, differences, since.is_some())?;
        }
        out.flush()?;
        if let RecordResult::Fails(problems) = &result {
            problems.iter().for_each(|problem| context.terminal.print_diagnostic(problem));
        }
    }
    if json {
        let Totals { n_same, n_changed, n_failed } = totals;
        writeln!(out, "{}", json!({ "same": n_same, "changed": n_changed, "failed": n_failed }))?;
    } else {
        writeln!(out, "{}", summary(&totals, since.is_some()))?;
    }
    out.flush()?;
    Ok(CommandOutcome::fine_if(totals.n_failed == 0))
}

/// Adds the records in `folder` and in the folders below it. Does not follow links to folders.
fn add_records(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            add_records(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "game") {
            files.push(path);
        }
    }
    Ok(())
}

fn replay(context: &mut Context, earlier: Option<&mut RulesCache>, file: &Path) -> RecordResult {
    // Drops the warnings: they concern the text of the record, and are the same under all rules.
    let record = match RecordOnDisk::read(file, None, &mut Vec::new()) {
        Ok(record) => record,
        Err(problems) => return RecordResult::Fails(problems),
    };
    let now = replay_with(&record, &mut context.mods);
    context.print_problems();
    let now = match now {
        Ok(now) => now,
        Err(problems) => return RecordResult::Fails(problems),
    };
    let before = match earlier.map(|earlier| replay_with_earlier(context, &record, earlier)).transpose() {
        Ok(before) => before,
        Err(problems) => return RecordResult::Fails(problems),
    };
    // A problem that also occurs with the earlier mods is no failure.
    match &now.problem {
        Some(problem) if before.as_ref().is_none_or(|before| before.problem != now.problem) => {
            RecordResult::Fails(vec![problem.clone()])
        }
        _ => {
            let differences = before.map_or_else(Vec::new, |before| differences(&now, &before));
            RecordResult::Replays(now, differences)
        }
    }
}

/// Replays a record with the earlier mods. The messages of returned problems begin with `with the
/// earlier mods`.
fn replay_with_earlier(
    context: &Context,
    record: &RecordOnDisk,
    earlier: &mut RulesCache,
) -> Result<ReplayedRecord, Vec<Diagnostic>> {
    let replayed = replay_with(record, earlier);
    let problems = earlier.take_problems();
    problems.iter().for_each(|it| context.terminal.print_message(&it.render(context.terminal.colour_of_messages)));
    replayed.map_err(|problems| {
        let named = |it: Diagnostic| Diagnostic { message: format!("with the earlier mods: {}", it.message), ..it };
        problems.into_iter().map(named).collect()
    })
}

/// Replays a record with the mods of `cache`.
fn replay_with(record: &RecordOnDisk, cache: &mut RulesCache) -> Result<ReplayedRecord, Vec<Diagnostic>> {
    let rules = record.rules(cache)?;
    let mut questions = Vec::new();
    let mut each = |moment: ReplayedDecision<'_>| {
        let view = GameView::of(moment.game);
        questions.extend(view.prompt().map(|prompt| format!("{}: {}", view.asked_name(prompt.who), prompt.text)));
    };
    let run = record.replay(&rules, &mut each)?;
    let view = GameView::of(&run.game);
    let failed = run.failures.first().map(|failed| record.failure(failed));
    let fault = view.fault().map(|fault| Diagnostic::in_file(&record.file, 0, fault_text(fault)));
    let name = |seat| view.name(seat).to_owned();
    Ok(ReplayedRecord {
        questions,
        scores: view.seats().map(|seat| (name(seat), view.score(seat))).collect(),
        winners: if view.is_over() {
            view.seats().filter(|seat| view.winners().contains(*seat)).map(name).collect()
        } else {
            Vec::new()
        },
        problem: failed.or(fault),
    })
}

/// Returns the differences: the first question that differs, the points and the winners.
fn differences(now: &ReplayedRecord, before: &ReplayedRecord) -> Vec<ReplayDifference> {
    let mut differences = Vec::new();
    let n = now.questions.len().max(before.questions.len());
    if let Some(i) = (0..n).find(|i| now.questions.get(*i) != before.questions.get(*i)) {
        let question = |replayed: &ReplayedRecord| replayed.questions.get(i).cloned();
        differences.push(ReplayDifference::Question(i + 1, question(now), question(before)));
    }
    if now.scores != before.scores {
        differences.push(ReplayDifference::Scores(scores_text(now), scores_text(before)));
    }
    if now.winners != before.winners {
        differences.push(ReplayDifference::Winners(winners_text(now), winners_text(before)));
    }
    differences
}

fn scores_text(replayed: &ReplayedRecord) -> String {
    let scores: Vec<String> = replayed.scores.iter().map(|(name, points)| format!("{name} {points}")).collect();
    scores.join(", ")
}

fn winners_text(replayed: &ReplayedRecord) -> String {
    if replayed.winners.is_empty() { "none yet".to_owned() } else { replayed.winners.join(", ") }
}

fn write_result(
    out: &mut impl Write,
    file: &Path,
    now: &ReplayedRecord,
    differences: &[ReplayDifference],
    is_compared: bool,
) -> io::Result<()> {
    let file = file.display();
    if differences.is_empty() {
        let text = if is_compared { "same" } else { "replays" };
        return writeln!(out, "{file}: {text}; {}; winners: {}", scores_text(now), winners_text(now));
    }
    writeln!(out, "{file}: changed")?;
    for difference in differences {
        match difference {
            ReplayDifference::Question(n, now, before) => {
                let quoted = |text: &Option<String>| {
                    text.as_ref().map_or_else(|| "no decision".to_owned(), |text| format!("`{text}`"))
                };
                writeln!(out, "    decision {n}: {}, was {}", quoted(now), quoted(before))?;
            }
            ReplayDifference::Scores(now, before) => writeln!(out, "    points: {now}; were {before}")?,
            ReplayDifference::Winners(now, before) => writeln!(out, "    winners: {now}; were {before}")?,
        }
    }
    Ok(())
}

fn summary(totals: &Totals, is_compared: bool) -> String {
    let n = totals.n_same + totals.n_changed + totals.n_failed;
    let records = if n == 1 { "record" } else { "records" };
    match is_compared {
        true => {
            format!("{n} {records}: {} same, {} changed, {} failed", totals.n_same, totals.n_changed, totals.n_failed)
        }
        false => format!("{n} {records}: {} replayed, {} failed", totals.n_same, totals.n_failed),
    }
}

fn as_json(file: &Path, result: &RecordResult) -> Json {
    let file = file.display().to_string();
    match result {
        RecordResult::Fails(problems) => {
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
