//! The tests of the mods in play. The tests run on a background thread, so that neither frames nor
//! the game wait for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use egui::Context;
use platform::task;
use table::{Library, StopFlag};
use workshop::{ModTest, TestResult, UncoveredParts, run_tests, tests_of};

/// The tests of the mods in play and their last results.
#[derive(Default)]
pub struct TestBench {
    tests: Vec<ModTest>,
    results: BTreeMap<ModTest, TestResult>,
    untouched: Vec<UncoveredParts>,
    /// The tests whose last results are older than the last rule change.
    stale: BTreeSet<ModTest>,
    run: Option<TestRun>,
    /// The number of failing tests when the last test run ended; 0 after a rule change.
    n_red_before: usize,
    /// The ids of the mods whose tests were listed last; `None` if no tests were listed yet.
    listed: Option<Vec<String>>,
    /// The state of the panel.
    pub view: TestView,
}

/// The state of the tests panel.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TestView {
    /// The test whose details are shown.
    pub selected: Option<ModTest>,
    /// The file of a test to select as soon as the test is listed.
    pub file_to_select: Option<PathBuf>,
    /// True if only failing tests are listed.
    pub only_failed: bool,
    /// True if the panel shows the changes that accepting the actual values would make to the test.
    pub is_accepting: bool,
}

/// A test run in progress.
struct TestRun {
    reports: Receiver<TestReport>,
    stop: StopFlag,
    n_all: usize,
    n_done: usize,
    n_failed: usize,
}

enum TestReport {
    Listed(Vec<ModTest>, usize),
    Done(Box<TestResult>),
    Ended(Option<Vec<UncoveredParts>>),
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestState {
    /// All expectations of the test were met.
    Green,
    /// An expectation was not met.
    Red,
    /// The test has not run under the current rules.
    NotRun,
}

/// The summary of a test run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The number of tests run.
    pub n_done: usize,
    /// The number of tests that failed in the run.
    pub n_failed: usize,
    /// True if the total number of failing tests has changed since the previous run.
    pub has_changed: bool,
}

/// The tests to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestSelection {
    /// No test; only lists the tests.
    None,
    /// All tests. The order depends on the files in this list: first come the tests in these files,
    /// and all tests of a mod if the list contains a file of this mod that is not a test.
    All(Vec<PathBuf>),
    /// One test.
    One(ModTest),
}

impl TestBench {
    /// Returns all tests, grouped by mod.
    pub fn tests(&self) -> &[ModTest] {
        &self.tests
    }

    /// Returns the last result of a test, if the test has run.
    pub fn result(&self, test: &ModTest) -> Option<&TestResult> {
        self.results.get(test)
    }

    /// Returns the state of a test.
    pub fn state(&self, test: &ModTest) -> TestState {
        match self.results.get(test) {
            Some(_) if self.stale.contains(test) => TestState::NotRun,
            Some(result) if result.failures.is_empty() => TestState::Green,
            Some(_) => TestState::Red,
            None => TestState::NotRun,
        }
    }

    /// Returns the number of tests that fail under the current rules.
    pub fn n_failing(&self) -> usize {
        self.tests.iter().filter(|test| self.state(test) == TestState::Red).count()
    }

    /// Returns the functions and tiles that no test used in the last complete run.
    pub fn uncovered(&self) -> &[UncoveredParts] {
        &self.untouched
    }

    /// Returns the number of finished tests and the number of all tests in the run in progress, if
    /// any.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.run.as_ref().map(|run| (run.n_done, run.n_all))
    }

    /// Returns whether the listed tests are the tests of these mods.
    pub fn is_listed(&self, ids: &[String]) -> bool {
        self.listed.as_deref() == Some(ids)
    }

    /// Stops the run in progress.
    pub fn stop(&self) {
        if let Some(run) = &self.run {
            run.stop.request();
        }
    }

    /// Marks all results as outdated, because the rules have changed.
    pub fn mark_stale(&mut self) {
        self.stale = self.results.keys().cloned().collect();
        self.n_red_before = 0;
    }

    /// Lists the tests of the mods `ids`, and runs the tests that `wanted` selects. Stops the run
    /// in progress, if any.
    pub fn start(&mut self, ctx: &Context, library: &Library, ids: Vec<String>, wanted: TestSelection) {
        self.stop();
        let (say, reports) = channel();
        let stop = StopFlag::default();
        let (library, ctx, asked) = (library.clone(), ctx.clone(), stop.clone());
        self.listed = Some(ids.clone());
        let failed_before: Vec<ModTest> =
            self.tests.iter().filter(|test| self.state(test) == TestState::Red).cloned().collect();
        let work = move || async move {
            let wake = |report| {
                // Sending fails if another run has replaced this run.
                let _ = say.send(report);
                ctx.request_repaint();
            };
            run_selected(&library, &ids, wanted, &failed_before, &asked, &wake).await;
        };
        if task::spawn("tests", table::STACK_BYTES, work).is_ok() {
            self.run = Some(TestRun { reports, stop, n_all: 0, n_done: 0, n_failed: 0 });
        }
    }

    /// Collects the results of the run in progress. When the run has ended, returns its summary.
    pub fn poll(&mut self) -> Option<Tally> {
        loop {
            let run = self.run.as_mut()?;
            match run.reports.try_recv() {
                Ok(TestReport::Listed(tests, n_all)) => {
                    run.n_all = n_all;
                    self.results.retain(|test, _| tests.contains(test));
                    self.tests = tests;
                    self.view.selected.take_if(|selected| !self.tests.contains(selected));
                    if let Some(shown) =
                        self.tests.iter().find(|test| Some(&test.case.file) == self.view.file_to_select.as_ref())
                    {
                        (self.view.selected, self.view.file_to_select) = (Some(shown.clone()), None);
                    }
                }
                Ok(TestReport::Done(result)) => {
                    run.n_done += 1;
                    run.n_failed += usize::from(!result.failures.is_empty());
                    self.stale.remove(&result.test);
                    self.results.insert(result.test.clone(), *result);
                }
                Ok(TestReport::Ended(untouched)) => {
                    let (n_done, n_failed, n_red) = (run.n_done, run.n_failed, self.n_failing());
                    let has_changed = std::mem::replace(&mut self.n_red_before, n_red) != n_red;
                    self.untouched = untouched.unwrap_or_else(|| std::mem::take(&mut self.untouched));
                    self.run = None;
                    // Selects the first failing test if no test is selected.
                    if self.view.selected.is_none() {
                        let red = self.tests.iter().find(|test| self.state(test) == TestState::Red);
                        self.view.selected = red.cloned();
                    }
                    return Some(Tally { n_done, n_failed, has_changed });
                }
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => {
                    self.run = None;
                    return None;
                }
            }
        }
    }
}

impl Drop for TestBench {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Lists the tests of the mods `ids`, and runs the tests that `wanted` selects. Runs on the
/// background thread. Reports progress with `say`.
async fn run_selected(
    library: &Library,
    ids: &[String],
    wanted: TestSelection,
    failed_before: &[ModTest],
    stop: &StopFlag,
    say: &dyn Fn(TestReport),
) {
    let tests = tests_of(library, ids);
    let is_all = matches!(wanted, TestSelection::All(_));
    let to_run = match wanted {
        TestSelection::None => Vec::new(),
        TestSelection::One(test) => vec![test],
        TestSelection::All(touched) => {
            let mut all = tests.clone();
            all.sort_by_key(|test| (!is_affected(test, &touched), !failed_before.contains(test)));
            all
        }
    };
    say(TestReport::Listed(tests, to_run.len()));
    let each = |result| say(TestReport::Done(Box::new(result)));
    let untouched = run_tests(library, &to_run, || !stop.is_requested(), each).await;
    say(TestReport::Ended(untouched.filter(|_| is_all)));
}

/// Returns whether `files` contain the file of the test, or a file of its mod that is not a test.
fn is_affected(test: &ModTest, files: &[PathBuf]) -> bool {
    let folder: Option<&Path> = test.case.inside.as_deref();
    let is_of_mod = |file: &PathBuf| {
        let is_test = file.extension().is_some_and(|e| e == "game");
        !is_test && folder.is_some_and(|folder| file.starts_with(folder))
    };
    files.iter().any(|file| *file == test.case.file || is_of_mod(file))
}

/// Returns a duration as text in milliseconds.
pub fn milliseconds(took: Duration) -> String {
    format!("{:.0} ms", took.as_secs_f64() * 1000.0)
}
