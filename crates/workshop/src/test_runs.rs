//! Runs test cases: records with `expect` lines in the folder `tests` of a mod.
#![expect(clippy::indexing_slicing, reason = "indices come from iterating over the same list")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use diagnostic::Diagnostic;
use platform::fs;
use platform::time::{Duration, Instant};
use record::{FailedEntry, LogEntry, LogLine, Record};
use rules::{Game, Rules, Status};
use serde::{Deserialize, Serialize};

use crate::file_error::FileError;
use crate::record_on_disk::{RecordOnDisk, fault_text};
use crate::rules_cache::RulesCache;

/// The maximum number of reported failures per case. There is a limit because reporting a failure
/// replays the case up to this failure.
const MAX_FAILURES: usize = 20;

/// A file with a test case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct CaseFile {
    /// The path of the file.
    pub file: PathBuf,
    /// The folder of the mod to which the file belongs; `None` if the file does not belong to a
    /// mod.
    pub inside: Option<PathBuf>,
}

impl CaseFile {
    /// Returns the cases of the mod in `folder`, sorted by name.
    pub fn of_mod(folder: &Path) -> Vec<CaseFile> {
        CaseFile::in_folder(&folder.join("tests"), Some(folder))
    }

    /// Returns the records in `folder`, sorted by name. `inside` is the folder of the mod that
    /// contains `folder`; `None` if `folder` does not belong to a mod.
    pub fn in_folder(folder: &Path, inside: Option<&Path>) -> Vec<CaseFile> {
        let found = fs::paths_in(folder).filter(|path| path.extension().is_some_and(|e| e == "game"));
        found.map(|file| CaseFile { file, inside: inside.map(Path::to_owned) }).collect()
    }
}

/// The result of running a case.
#[derive(Default)]
pub struct CaseRun {
    /// The number of checked expectations.
    pub n_expectations: usize,
    /// The failures; empty if the case passes. The first one is the fault of a mod, if there is an
    /// unexpected fault. The others are in the order of lines.
    pub failures: Vec<TestFailure>,
    /// Warnings about the record.
    pub warnings: Vec<Diagnostic>,
    /// The names of the tiles on the board at the end of the case.
    pub laid: BTreeSet<String>,
    /// The duration of the run. Includes the loading of mods that were not loaded before.
    pub took: Duration,
    /// All failed lines, including lines beyond [`MAX_FAILURES`].
    failed: Vec<FailedEntry>,
    /// The record and its rules, if both are available.
    opened: Option<(RecordOnDisk, Rc<Rules>)>,
}

/// A failed line, or a file that cannot be run.
pub struct TestFailure {
    /// The problem, as a sentence with its place.
    pub problem: Diagnostic,
    /// The failed line with the actual value; `None` if the file cannot be run.
    pub line: Option<FailedEntry>,
}

impl TestFailure {
    fn of(problem: Diagnostic) -> TestFailure {
        TestFailure { problem, line: None }
    }
}

/// Runs a case. Returns `None` as soon as `goes_on` returns false.
pub fn run_case(cache: &mut RulesCache, case: &CaseFile, goes_on: impl Fn() -> bool) -> Option<CaseRun> {
    let begun = Instant::now();
    let mut run = CaseRun::default();
    match run_record(cache, case, goes_on, &mut run) {
        Ok(true) => {}
        Ok(false) => return None,
        Err(problems) => run.failures.extend(problems.into_iter().map(TestFailure::of)),
    }
    run.took = begun.elapsed();
    Some(run)
}

/// Runs the record of a case, and stores the results in `into`. Returns false as soon as `goes_on`
/// returns false.
fn run_record(
    cache: &mut RulesCache,
    case: &CaseFile,
    goes_on: impl Fn() -> bool,
    into: &mut CaseRun,
) -> Result<bool, Vec<Diagnostic>> {
    let mut opened = RecordOnDisk::read(&case.file, case.inside.as_deref(), &mut into.warnings)?;
    // Authors may omit the line break of the last line. A replay treats such a line as incomplete
    // if it does not fit, and ignores it. Without this change, a wrong last line would pass.
    opened.record.lines.iter_mut().for_each(|line| line.may_be_torn = false);
    let rules = opened.rules(cache)?;
    into.warnings.extend(opened.mod_warnings(&rules));
    let Some(run) = opened.replay_while(&rules, |_| {}, goes_on)? else { return Ok(false) };
    into.warnings.extend(run.warnings.iter().map(|w| opened.located_in_file(w)));
    into.n_expectations = run.n_expectations;
    let warn = |message: String, help: &str| Diagnostic::in_file(&opened.file, 0, message).with_help(help).as_warning();
    if !opened.record.lines.iter().any(|line| matches!(line.entry, LogEntry::Expect(_))) {
        into.warnings.push(warn("the test checks nothing".to_owned(), "add `expect` lines"));
    }
    let own = case.inside.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
    if let Some(own) = own.filter(|own| rules.catalogue().mods.iter().all(|it| it.id != **own)) {
        let help = format!("write `mods {own}`");
        into.warnings.push(warn(format!("the test does not use the mod `{own}` to which it belongs"), &help));
    }
    let tile_set = &rules.catalogue().tile_set;
    into.laid =
        run.game.state().board.laid_tiles().map(|(_, placed)| tile_set.tile(placed.tile).name.clone()).collect();
    let expects_fault = opened.text.lines().any(|line| line.trim_start().starts_with("expect fault"));
    let mut failed_lines = run.failures.clone();
    if let Status::Fault(fault) = run.game.status()
        && !expects_fault
    {
        // The fault explains why later lines fail, so these lines are not reported.
        failed_lines.retain(|failed| !run.follows_fault(failed));
        into.failures.push(TestFailure::of(Diagnostic::in_file(&opened.file, run.fault_line, fault_text(fault))));
    }
    for failed in failed_lines.iter().take(MAX_FAILURES) {
        into.failures.push(TestFailure { problem: opened.failure(failed), line: Some(failed.clone()) });
    }
    if let Some(n_more) = failed_lines.len().checked_sub(MAX_FAILURES).filter(|n| *n > 0) {
        let message = format!("{n_more} more lines of this record fail");
        into.failures.push(TestFailure::of(Diagnostic::in_file(&opened.file, 0, message)));
    }
    into.failed = failed_lines;
    into.opened = Some((opened, rules));
    Ok(true)
}

impl CaseRun {
    /// Returns whether the case passes.
    pub fn passes(&self) -> bool {
        self.failures.is_empty()
    }

    /// Returns the game at failure number `i`, counted from 0. `None` if the game is the same as at
    /// the previous failure, if the failure has no line, or if the case cannot be run.
    pub fn game_at(&self, i: usize) -> Option<Game> {
        let (opened, rules) = self.opened.as_ref()?;
        let line = |i: usize| self.failures[i].line.as_ref().map(|failed| failed.line);
        let to = line(i)?;
        let lines = &opened.record.lines;
        let was_shown = i.checked_sub(1).and_then(line).is_some_and(|from| {
            let between = lines.iter().filter(|l| l.number > from && l.number <= to);
            between.into_iter().all(|l| matches!(l.entry, LogEntry::Expect(_)))
        });
        if was_shown {
            return None;
        }
        let until: Vec<LogLine> = lines.iter().filter(|l| l.number <= to).cloned().collect();
        let mut record = Record { lines: until, ..opened.record.clone() };
        // A seed must answer for chance only after the last answer of the record. The shortened
        // record ends earlier, so it must not have a seed.
        if lines.iter().any(|l| l.number > to && !matches!(l.entry, LogEntry::Expect(_))) {
            record.setup.seed = None;
        }
        record::replay(rules.clone(), &record, |_| {}).ok().map(|run| run.game)
    }

    /// Returns the number of answers before the line of failure number `i`, not counting undone
    /// answers; 0 if the line is unknown.
    pub fn n_answers_at(&self, i: usize) -> usize {
        let Some((opened, _)) = &self.opened else { return 0 };
        let at = self.failures[i].problem.span.line as usize;
        let before = opened.record.lines.iter().take_while(|line| line.number < at);
        before.fold(0, |n, line| match line.entry {
            LogEntry::Answer(_) => n + 1,
            LogEntry::Back(back) => n.saturating_sub(back),
            LogEntry::Expect(_) | LogEntry::End => n,
        })
    }

    /// Returns the text of the case; `None` if its record or rules are not available.
    pub fn text(&self) -> Option<&str> {
        self.opened.as_ref().map(|(opened, _)| opened.text.as_str())
    }

    /// Returns the changes to the file that accept all actual values. `None` if nothing fails.
    ///
    /// Also `None` if an answer is no longer legal, if a mod fails, or if the file cannot be run.
    /// In these cases, the author must repair the file or the mod.
    pub fn acceptance(&self) -> Option<Acceptance> {
        let text = self.text()?;
        // If more than [`MAX_FAILURES`] lines fail, an additional failure without a line contains
        // the number of the other failed lines.
        let n_without_line = self.failures.iter().filter(|failure| failure.line.is_none()).count();
        let is_repaired_by_author = n_without_line > usize::from(self.failed.len() > MAX_FAILURES);
        let can = !self.failed.is_empty() && self.failed.iter().all(|failed| failed.is_expectation);
        (can && !is_repaired_by_author).then(|| Acceptance::of(text, &self.failed))
    }
}

/// The changes to a case that replace the values in its failed expectations with the actual values.
/// All other bytes of the file stay the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Acceptance {
    /// The text of the file before accepting.
    pub before: String,
    /// The text of the file after accepting.
    pub after: String,
    /// The changed lines.
    pub changes: Vec<LineChange>,
}

/// A changed line of a case.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineChange {
    /// The number of the line, counted from 1.
    pub number: usize,
    /// The old text of the line, without line end.
    pub old: String,
    /// The new text of the line, without line end. `None` if no line can express the actual value,
    /// so the line is removed.
    pub new: Option<String>,
}

impl Acceptance {
    fn of(text: &str, failed: &[FailedEntry]) -> Acceptance {
        let mut after = String::with_capacity(text.len());
        let mut changes = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let Some(failed) = failed.iter().find(|failed| failed.line == number) else {
                after += line;
                continue;
            };
            let content = line.trim_end_matches(['\n', '\r']);
            let new = failed.replacement.as_ref().and_then(|replacement| rewritten(content, replacement));
            if let Some(new) = &new {
                after += new;
                after += line.strip_prefix(content).unwrap_or_default();
            }
            changes.push(LineChange { number, old: content.to_owned(), new });
        }
        Acceptance { before: text.to_owned(), after, changes }
    }

    /// Writes the accepted text to `case`.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the file has changed since the run or cannot be
    /// written.
    pub fn write(&self, case: &CaseFile) -> Result<(), FileError> {
        let here = loader::read_text(&case.file, case.inside.as_deref(), loader::MAX_RECORD_BYTES);
        let here = here.map_err(FileError::not_read(&case.file))?;
        if here != self.before {
            let why = "it has changed in the meantime: run the tests again";
            return Err(FileError::refused(&case.file, "written", why));
        }
        table::write_whole(&case.file, &self.after).map_err(FileError::failed(&case.file, "written"))
    }
}

/// Returns the line `old` with its expectation replaced by `instead`. Preserves the indentation and
/// the comment of the line. Returns `None` if `old` contains no expectation.
fn rewritten(old: &str, instead: &str) -> Option<String> {
    let (before, rest) = old.split_once("expect")?;
    let end = rest.char_indices().zip(rest.chars().skip(1)).find(|((_, space), c)| space.is_whitespace() && *c == '#');
    let (said, comment) = rest.split_at(end.map_or(rest.len(), |((at, _), _)| at));
    let gap = said.strip_prefix(said.trim_end()).unwrap_or_default();
    Some(format!("{before}expect {instead}{gap}{comment}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_what_stands_around_it() {
        let cases = [
            ("expect score red 4", "score red 5", "expect score red 5"),
            (
                "  expect  score red 4   # four, for two tiles",
                "score red 5",
                "  expect score red 5   # four, for two tiles",
            ),
        ];
        for (old, instead, new) in cases {
            assert_eq!(rewritten(old, instead).as_deref(), Some(new));
        }
    }
}
