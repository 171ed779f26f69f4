//! Running test cases: records with `expect` lines, which lie in the folder `tests` of a mod.
#![expect(clippy::indexing_slicing, reason = "places are those of a list that was just gone through")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use diagnostic::Diagnostic;
use platform::fs;
use platform::time::{Duration, Instant};
use record::{Entry, Failed, Line, Record};
use rules::{Game, Rules, Status};

use crate::record_on_disk::{RecordOnDisk, fault_text};
use crate::rules_cache::RulesCache;

/// How many failures of a case are told: each is played up to there where somebody wants to see it.
const MOST_FAILURES: usize = 20;

/// A file that holds a case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CaseFile {
    /// The file.
    pub file: PathBuf,
    /// The folder of the mod that it comes with.
    pub inside: Option<PathBuf>,
}

impl CaseFile {
    /// Returns the cases that come with the mod in `folder`, sorted by name.
    pub fn of_mod(folder: &Path) -> Vec<CaseFile> {
        CaseFile::in_folder(&folder.join("tests"), Some(folder))
    }

    /// Returns the records in `folder`, sorted by name, of the mod in `inside`.
    pub fn in_folder(folder: &Path, inside: Option<&Path>) -> Vec<CaseFile> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        let mut found: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "game")).collect();
        found.sort();
        found.into_iter().map(|file| CaseFile { file, inside: inside.map(Path::to_owned) }).collect()
    }
}

/// What came of running a case.
#[derive(Default)]
pub struct CaseRun {
    /// How many expectations were checked.
    pub n_expectations: usize,
    /// What fails, in the order of the lines; the case passes where there is nothing.
    pub failures: Vec<Failure>,
    /// What else should be said.
    pub warnings: Vec<Diagnostic>,
    /// The tiles that lay on the board at the end, by name.
    pub laid: BTreeSet<String>,
    /// How long it took, loading its mods included where that was necessary.
    pub took: Duration,
    /// The record and its rules, where both could be had.
    opened: Option<(RecordOnDisk, Rc<Rules>)>,
}

/// A line that fails, or a file that cannot be run.
pub struct Failure {
    /// What is wrong, in a sentence, with its place.
    pub problem: Diagnostic,
    /// The line that fails, and what is the case instead; nothing where the file cannot be run.
    pub line: Option<Failed>,
}

impl Failure {
    fn of(problem: Diagnostic) -> Failure {
        Failure { problem, line: None }
    }
}

/// Runs a case as long as `goes_on` says so; a case that was stopped gives nothing.
pub fn run_case(cache: &mut RulesCache, case: &CaseFile, goes_on: impl Fn() -> bool) -> Option<CaseRun> {
    let begun = Instant::now();
    let mut run = CaseRun::default();
    match run_record(cache, case, goes_on, &mut run) {
        Ok(true) => {}
        Ok(false) => return None,
        Err(problems) => run.failures.extend(problems.into_iter().map(Failure::of)),
    }
    run.took = begun.elapsed();
    Some(run)
}

/// Returns whether it came to an end.
fn run_record(
    cache: &mut RulesCache,
    case: &CaseFile,
    goes_on: impl Fn() -> bool,
    into: &mut CaseRun,
) -> Result<bool, Vec<Diagnostic>> {
    let mut opened = RecordOnDisk::read(&case.file, case.inside.as_deref(), &mut into.warnings)?;
    // A case is written by people, who may forget the last line end: no line of it is torn, or a wrong last line would pass.
    opened.record.lines.iter_mut().for_each(|line| line.may_be_torn = false);
    let rules = opened.rules(cache)?;
    into.warnings.extend(opened.other_mods(&rules));
    let Some(run) = opened.replay_while(&rules, |_| {}, goes_on)? else { return Ok(false) };
    into.warnings.extend(run.warnings.iter().map(|w| opened.in_file(w)));
    into.n_expectations = run.n_expectations;
    let tile_set = &rules.catalogue().tile_set;
    into.laid = run.game.state().board.laid().map(|(_, placed)| tile_set.tile(placed.tile).name.clone()).collect();
    for failed in run.failures.iter().take(MOST_FAILURES) {
        into.failures.push(Failure { problem: opened.failure(failed), line: Some(failed.clone()) });
    }
    if let Some(n_more) = run.failures.len().checked_sub(MOST_FAILURES).filter(|n| *n > 0) {
        let message = format!("{n_more} more lines of this record fail");
        into.failures.push(Failure::of(Diagnostic::in_file(&opened.file, 0, message)));
    }
    let expects_fault = opened.text.lines().any(|line| line.trim_start().starts_with("expect fault"));
    if let Status::Fault(fault) = run.game.status()
        && !expects_fault
    {
        into.failures.push(Failure::of(Diagnostic::in_file(&opened.file, 0, fault_text(fault))));
    }
    into.opened = Some((opened, rules));
    Ok(true)
}

impl CaseRun {
    /// Returns whether nothing fails.
    pub fn passes(&self) -> bool {
        self.failures.is_empty()
    }

    /// Returns the game as it was at failure `i`; nothing where it is that of the failure before, as nothing was answered in between, or where
    /// there is none.
    pub fn game_at(&self, i: usize) -> Option<Game> {
        let (opened, rules) = self.opened.as_ref()?;
        let line = |i: usize| self.failures[i].line.as_ref().map(|failed| failed.line);
        let to = line(i)?;
        let lines = &opened.record.lines;
        let was_shown = i.checked_sub(1).and_then(line).is_some_and(|from| {
            let between = lines.iter().filter(|l| l.number > from && l.number <= to);
            between.into_iter().all(|l| matches!(l.entry, Entry::Expect(_)))
        });
        if was_shown {
            return None;
        }
        let until: Vec<Line> = lines.iter().filter(|l| l.number <= to).cloned().collect();
        let mut record = Record { lines: until, ..opened.record.clone() };
        // The seed answers only after the last answer of the whole record.
        if lines.iter().any(|l| l.number > to && !matches!(l.entry, Entry::Expect(_))) {
            record.setup.seed = None;
        }
        record::replay(rules.clone(), &record, |_| {}).ok().map(|run| run.game)
    }

    /// Returns how many answers were given before the line of failure `i`, steps back taken into account.
    pub fn n_answers_at(&self, i: usize) -> usize {
        let (Some((opened, _)), Some(failed)) = (&self.opened, &self.failures[i].line) else { return 0 };
        let before = opened.record.lines.iter().take_while(|line| line.number < failed.line);
        before.fold(0, |n, line| match line.entry {
            Entry::Answer(_) => n + 1,
            Entry::Back(back) => n.saturating_sub(back),
            Entry::Expect(_) | Entry::End => n,
        })
    }

    /// Returns the text of the case as it was run.
    pub fn text(&self) -> Option<&str> {
        self.opened.as_ref().map(|(opened, _)| opened.text.as_str())
    }

    /// Returns what accepting everything that is the case would change in the file; nothing where an answer is not offered any more, or the file
    /// cannot be run at all: that is to be mended by hand.
    pub fn acceptance(&self) -> Option<Acceptance> {
        let text = self.text()?;
        let lines: Vec<&Failed> = self.failures.iter().map(|failure| failure.line.as_ref()).collect::<Option<_>>()?;
        let can = !lines.is_empty() && lines.iter().all(|failed| failed.is_expectation);
        can.then(|| Acceptance::of(text, &lines))
    }
}

/// The expectations of a case rewritten to what is the case now: everything else in the file stays, byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Acceptance {
    /// The text of the file that was run.
    pub before: String,
    /// Its text after accepting.
    pub after: String,
    /// The lines that change.
    pub changes: Vec<LineChange>,
}

/// A line of a case that changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineChange {
    /// Its number, from 1.
    pub number: usize,
    /// What it says, without its line end.
    pub old: String,
    /// What it is to say; nothing where it goes, as no line can say what is the case.
    pub new: Option<String>,
}

impl Acceptance {
    fn of(text: &str, failed: &[&Failed]) -> Acceptance {
        let mut after = String::with_capacity(text.len());
        let mut changes = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let Some(failed) = failed.iter().find(|failed| failed.line == number) else {
                after += line;
                continue;
            };
            let content = line.trim_end_matches(['\n', '\r']);
            let new = failed.instead.as_ref().and_then(|instead| rewritten(content, instead));
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
    /// A sentence, where the file is not what was run any more, or cannot be written; then nothing changes.
    pub fn write(&self, case: &CaseFile) -> Result<(), String> {
        let shown = loader::shown_path(&case.file);
        let here = loader::read_text(&case.file, case.inside.as_deref(), loader::MOST_RECORD_BYTES);
        let here = here.map_err(|e| format!("{shown} cannot be read: {e}"))?;
        if here != self.before {
            return Err(format!("{shown} was changed meanwhile and is left as it is: run the tests again"));
        }
        table::write_whole(&case.file, &self.after).map_err(|e| format!("{shown} cannot be written: {e}"))
    }
}

/// The line `old` with another expectation; spaces before it and the comment after it are kept.
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
