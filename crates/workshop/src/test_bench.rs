//! Runs all tests of some mods. Returns the results as plain values. Also lists the functions and
//! tiles that no test covers.

use std::collections::BTreeSet;
use std::time::Duration;

use loader::Library;
use rules::catch_panic;
use serde::{Deserialize, Serialize};

use crate::called_functions::CalledFunctions;
use crate::rules_cache::RulesCache;
use crate::test_runs::{Acceptance, CaseFile, CaseRun, run_case};

/// A test of a mod.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ModTest {
    /// The id of the mod to which the test belongs.
    pub owner: String,
    /// The file of the test.
    pub case: CaseFile,
}

impl ModTest {
    /// Returns the name of the test's file, without extension.
    pub fn name(&self) -> String {
        self.case.file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

/// The result of a test.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestResult {
    /// The test.
    pub test: ModTest,
    /// The description of the test: the comment at the start of its file, or an empty text.
    pub about: String,
    /// The number of checked expectations.
    pub n_expectations: usize,
    /// The failures of the test; empty if it passes.
    pub failures: Vec<FailedLine>,
    /// The changes to the file that make the test pass under the current rules. `None` if the test
    /// passes. Also `None` if changes to its expectations are not enough to make it pass.
    pub acceptance: Option<Acceptance>,
    /// The duration of the test.
    pub took: Duration,
}

/// A failed line, or a file that cannot be run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FailedLine {
    /// The number of the line in the file, counted from 1; 0 if the file cannot be run.
    pub line: usize,
    /// The number of answers in the test before this line.
    pub n_answers: usize,
    /// The expected and the actual value; `None` if the file cannot be run.
    pub expected_and_actual: Option<(String, String)>,
    /// The problem, as a sentence.
    pub message: String,
}

/// The parts of a mod that no test covers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UncoveredParts {
    /// The id of the mod.
    pub owner: String,
    /// The names of functions that the engine can call but did not call in any test.
    pub functions: Vec<String>,
    /// The names of tiles that were not on the board at the end of any test.
    pub tiles: Vec<String>,
    /// The numbers of all functions and of all tiles of the mod.
    pub n_all: (usize, usize),
}

/// Returns the tests of the mods `ids`, in the order of `ids`.
pub fn tests_of(library: &Library, ids: &[String]) -> Vec<ModTest> {
    let of_mod = |id: &String| {
        let cases = library.folder(id).map(|folder| CaseFile::of_mod(&folder)).unwrap_or_default();
        cases.into_iter().map(|case| ModTest { owner: id.clone(), case }).collect::<Vec<_>>()
    };
    ids.iter().flat_map(of_mod).collect()
}

/// Runs tests with the mods of `library`, and calls `each` with every result. Returns the parts of
/// the tested mods that no test covers. Returns `None` as soon as `goes_on` returns false or a test
/// panics.
pub fn run_tests(
    library: &Library,
    tests: &[ModTest],
    goes_on: impl Fn() -> bool,
    mut each: impl FnMut(TestResult),
) -> Option<Vec<UncoveredParts>> {
    let calls = CalledFunctions::default();
    let mut cache = RulesCache::new(library.clone()).with_call_recorder(&calls);
    let mut laid: BTreeSet<String> = BTreeSet::new();
    for test in tests {
        // A panic in a test ends the run of all tests, but not the program.
        let run = catch_panic(|| run_case(&mut cache, &test.case, &goes_on)).ok().flatten()?;
        // If the mods of a test have errors, the result contains the first error.
        let why = cache.take_problems().iter().flat_map(|p| p.list().first()).next().map(ToString::to_string);
        laid.extend(run.laid.iter().cloned());
        each(result_of(test, &run, why));
    }
    let called = calls.names();
    let mut owners: Vec<&String> = tests.iter().map(|test| &test.owner).collect();
    owners.dedup();
    Some(owners.into_iter().filter_map(|owner| uncovered_parts(&mut cache, owner, &called, &laid)).collect())
}

fn result_of(test: &ModTest, run: &CaseRun, why: Option<String>) -> TestResult {
    let failures = run.failures.iter().enumerate().map(|(i, failure)| FailedLine {
        line: failure.problem.span.line as usize,
        n_answers: run.n_answers_at(i),
        expected_and_actual: failure.line.as_ref().map(|line| (line.text.clone(), line.actual.clone())),
        message: match (&failure.line, &why) {
            (None, Some(why)) => format!("{}: {why}", failure.problem.message),
            _ => failure.problem.message.clone(),
        },
    });
    TestResult {
        about: run.text().map(first_comment).unwrap_or_default(),
        n_expectations: run.n_expectations,
        failures: failures.collect(),
        acceptance: run.acceptance(),
        took: run.took,
        test: test.clone(),
    }
}

/// Returns the comment at the start of a record, in one line.
fn first_comment(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let comment = lines.take_while(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    // Lines that begin with `book:` are captions for the rulebook.
    let comment = comment.filter(|line| !line.starts_with("book:"));
    // Makes hidden characters visible, as for all texts from records.
    diagnostic::visible_lines(&comment.collect::<Vec<_>>().join(" ")).to_string()
}

fn uncovered_parts(
    cache: &mut RulesCache,
    owner: &str,
    called: &BTreeSet<(String, String)>,
    laid: &BTreeSet<String>,
) -> Option<UncoveredParts> {
    let loaded = cache.load(&[owner.to_owned()])?;
    let catalogue = loaded.catalogue();
    let own = catalogue.mods.iter().position(|info| info.id == owner)?;
    let mut functions: Vec<String> =
        catalogue.functions.iter().filter(|f| f.owner.idx() == own).map(|f| f.name.clone()).collect();
    functions.sort();
    functions.dedup();
    let prefix = format!("{owner}/");
    let names = catalogue.tile_set.tiles.iter().filter(|tile| tile.over.is_none()).map(|tile| tile.name.clone());
    let mut tiles: Vec<String> = names.filter(|name| name.starts_with(&prefix)).collect();
    let n_all = (functions.len(), tiles.len());
    functions.retain(|function| !called.contains(&(owner.to_owned(), function.clone())));
    tiles.retain(|tile| !laid.contains(tile));
    Some(UncoveredParts { owner: owner.to_owned(), functions, tiles, n_all })
}
