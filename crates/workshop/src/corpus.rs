//! Replays all records of a folder, and compares the results with those under earlier rules.

use std::io;
use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use loader::Library;
use platform::fs::{self, Entry, FileKind};
use record::ReplayedDecision;
use serde::{Deserialize, Serialize};
use table::GameView;

use crate::record_on_disk::{RecordOnDisk, fault_text};
use crate::rules_cache::RulesCache;

/// The decisions and the result of a record, replayed with the mods of one library.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReplayedRecord {
    /// The answered decisions: for each, the player or chance, and the question.
    pub questions: Vec<String>,
    /// The names of the players and their points.
    pub scores: Vec<(String, i64)>,
    /// The winners; empty if the game is not over.
    pub winners: Vec<String>,
    /// The first problem: an answer that was not offered, an expectation that does not hold, or a
    /// fault of a mod. `None` if there is no problem.
    pub problem: Option<Diagnostic>,
}

/// A difference between the replays of a record with the current and with the earlier mods.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReplayDifference {
    /// A decision with different questions: the number of the decision, counted from 1, and the
    /// questions with the current and with the earlier mods. A question is `None` if that replay
    /// has no such decision.
    Question(usize, Option<String>, Option<String>),
    /// The points of the players with the current and with the earlier mods.
    Scores(String, String),
    /// The winners with the current and with the earlier mods.
    Winners(String, String),
}

/// The result of a record of the folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum RecordResult {
    /// The record cannot be read, the mods of either version cannot be loaded for it, or its replay
    /// has a problem that the earlier mods do not have. The replay is `None` if it did not begin.
    Fails(Vec<Diagnostic>, Option<ReplayedRecord>),
    /// The record replays, or has the same problem with the earlier mods. The list contains the
    /// differences from the replay with the earlier mods; it is empty if there are none, or if
    /// there are no earlier mods.
    Replays(ReplayedRecord, Vec<ReplayDifference>),
}

impl RecordResult {
    /// Compares a replay with an earlier one of the same record. A problem that both have is no
    /// failure.
    pub fn compare(now: ReplayedRecord, before: Option<&ReplayedRecord>) -> RecordResult {
        match &now.problem {
            Some(problem) if before.is_none_or(|before| before.problem != now.problem) => {
                RecordResult::Fails(vec![problem.clone()], Some(now))
            }
            _ => {
                let differences = before.map_or_else(Vec::new, |before| differences(&now, before));
                RecordResult::Replays(now, differences)
            }
        }
    }

    /// Returns the replay with the current mods; `None` if it did not begin.
    pub fn replayed(&self) -> Option<&ReplayedRecord> {
        match self {
            RecordResult::Fails(_, replayed) => replayed.as_ref(),
            RecordResult::Replays(replayed, _) => Some(replayed),
        }
    }

    /// Returns the number of answers before the first difference: the first question that differs,
    /// the answer that does not fit, or else the end. `None` if there is no difference or no
    /// replay.
    pub fn first_difference(&self) -> Option<usize> {
        match self {
            RecordResult::Fails(_, replayed) => Some(replayed.as_ref()?.questions.len()),
            RecordResult::Replays(replayed, differences) => Some(match differences.first()? {
                ReplayDifference::Question(n, ..) => n.saturating_sub(1),
                ReplayDifference::Scores(..) | ReplayDifference::Winners(..) => replayed.questions.len(),
            }),
        }
    }
}

/// Returns the records in a folder and in the folders below it, sorted. Does not follow links to
/// folders.
///
/// # Errors
/// Returns an error if a folder cannot be read, or if there are no records.
pub fn find_records(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut files = Vec::new();
    add_records(folder, &mut files).map_err(|error| {
        let message = format!("cannot read {}: {error}", folder.display());
        Diagnostic::without_place(message).with_help("name a folder with records, which end in .game")
    })?;
    files.sort();
    if files.is_empty() {
        let message = format!("{} has no records", folder.display());
        let help = "name a folder with records, which end in .game; the window and `bastide play --record` write them";
        return Err(Diagnostic::without_place(message).with_help(help));
    }
    Ok(files)
}

fn add_records(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for Entry { path, kind } in fs::list(folder)? {
        if kind == FileKind::Folder {
            add_records(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "game") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns a library in which the mods in `folder` replace the mods of `library` with the same ids.
/// `folder` is a mod or a folder of mods.
///
/// # Errors
/// Returns an error if there is no mod in the folder.
pub fn library_with(library: &Library, folder: &Path) -> Result<Library, Diagnostic> {
    let replaced = Library::open(&[folder.to_owned()]).ids();
    if replaced.is_empty() {
        let message = format!("{} is neither a mod nor a folder of mods", folder.display());
        let help = "name the folder of the earlier version, which has the same name as the mod";
        return Err(Diagnostic::without_place(message).with_help(help));
    }
    let others = library.ids().into_iter().filter(|other| !replaced.contains(other));
    let folders = others.filter_map(|other| library.folder(&other));
    Ok(Library::open(&folders.chain([folder.to_owned()]).collect::<Vec<_>>()))
}

/// Replays the record in `file` with the mods of `now` and, if there are any, of `earlier`. The
/// problems of the mods stay in the caches; see [`RulesCache::take_problems`].
pub fn replay_record(file: &Path, now: &mut RulesCache, earlier: Option<&mut RulesCache>) -> RecordResult {
    // Drops the warnings: they concern the text of the record, and are the same under all rules.
    let replayed =
        RecordOnDisk::read(file, None, &mut Vec::new()).and_then(|record| Ok((replay_with(&record, now)?, record)));
    let (now, record) = match replayed {
        Ok(replayed) => replayed,
        Err(problems) => return RecordResult::Fails(problems, None),
    };
    let named = |it: Diagnostic| Diagnostic { message: format!("with the earlier mods: {}", it.message), ..it };
    match earlier.map(|earlier| replay_with(&record, earlier)).transpose() {
        Ok(before) => RecordResult::compare(now, before.as_ref()),
        Err(problems) => RecordResult::Fails(problems.into_iter().map(named).collect(), Some(now)),
    }
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
        differences.push(ReplayDifference::Scores(now.scores_text(), before.scores_text()));
    }
    if now.winners != before.winners {
        differences.push(ReplayDifference::Winners(now.winners_text(), before.winners_text()));
    }
    differences
}

impl ReplayedRecord {
    /// Returns the points in one line, such as `red 12, blue 9`.
    pub fn scores_text(&self) -> String {
        let scores: Vec<String> = self.scores.iter().map(|(name, points)| format!("{name} {points}")).collect();
        scores.join(", ")
    }

    /// Returns the winners in one line; `none yet` if the game is not over.
    pub fn winners_text(&self) -> String {
        if self.winners.is_empty() { "none yet".to_owned() } else { self.winners.join(", ") }
    }
}

impl ReplayDifference {
    /// Returns the difference in one line, such as `points: red 12, blue 9; were red 10, blue 9`.
    pub fn text(&self) -> String {
        match self {
            ReplayDifference::Question(n, now, before) => {
                let quoted = |text: &Option<String>| {
                    text.as_ref().map_or_else(|| "no decision".to_owned(), |text| format!("`{text}`"))
                };
                format!("decision {n}: {}, was {}", quoted(now), quoted(before))
            }
            ReplayDifference::Scores(now, before) => format!("points: {now}; were {before}"),
            ReplayDifference::Winners(now, before) => format!("winners: {now}; were {before}"),
        }
    }
}

/// The numbers of records that are the same, have changed or have failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CorpusTotals {
    /// Records without a difference.
    pub n_same: usize,
    /// Records with a difference.
    pub n_changed: usize,
    /// Records that failed.
    pub n_failed: usize,
}

impl CorpusTotals {
    /// Counts a result.
    pub fn add(&mut self, result: &RecordResult) {
        match result {
            RecordResult::Fails(..) => self.n_failed += 1,
            RecordResult::Replays(_, differences) if differences.is_empty() => self.n_same += 1,
            RecordResult::Replays(..) => self.n_changed += 1,
        }
    }

    /// Returns the totals in one line. `is_compared` is true if there are earlier results.
    pub fn text(&self, is_compared: bool) -> String {
        let CorpusTotals { n_same, n_changed, n_failed } = *self;
        let n = n_same + n_changed + n_failed;
        let records = if n == 1 { "record" } else { "records" };
        match is_compared {
            true => format!("{n} {records}: {n_same} same, {n_changed} changed, {n_failed} failed"),
            false => format!("{n} {records}: {n_same} replayed, {n_failed} failed"),
        }
    }
}
