//! The tests of the mods in play. The tests run on a background thread, so that neither frames nor
//! the game wait for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use egui::Context;
use table::Library;
use workshop::{ModTest, TestResult, UncoveredParts};

pub use crate::jobs::TestSelection;
use crate::jobs::{JobHandle, TestReport, TestsJob};
use crate::shown_error::ShownError;

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
    job: JobHandle<TestReport, Option<Vec<UncoveredParts>>>,
    n_all: usize,
    n_done: usize,
    n_failed: usize,
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
    pub fn stop(&mut self) {
        self.run = None;
    }

    /// Marks all results as outdated, because the rules have changed.
    pub fn mark_stale(&mut self) {
        self.stale = self.results.keys().cloned().collect();
        self.n_red_before = 0;
    }

    /// Lists the tests of the mods `ids`, and runs the tests of `selection`. Stops the run
    /// in progress, if any.
    pub fn start(&mut self, ctx: &Context, library: &Library, ids: Vec<String>, selection: TestSelection) {
        self.listed = Some(ids.clone());
        let is_red = |test: &&ModTest| self.state(test) == TestState::Red;
        let failed_before = self.tests.iter().filter(is_red).cloned().collect();
        let job = JobHandle::start(ctx, TestsJob { library: library.clone(), ids, selection, failed_before });
        self.run = Some(TestRun { job, n_all: 0, n_done: 0, n_failed: 0 });
    }

    /// Collects the results of the run in progress. When the run has ended, returns its summary, or
    /// the reason why it failed.
    pub fn poll(&mut self) -> Option<Result<Tally, ShownError>> {
        let mut reports = Vec::new();
        let ended = self.run.as_ref()?.job.poll(|report| reports.push(report));
        for report in reports {
            self.receive(report);
        }
        let ended = ended?;
        let run = self.run.take()?;
        Some(ended.map(|untouched| {
            let n_red = self.n_failing();
            let has_changed = std::mem::replace(&mut self.n_red_before, n_red) != n_red;
            self.untouched = untouched.unwrap_or_else(|| std::mem::take(&mut self.untouched));
            // Selects the first failing test if no test is selected.
            if self.view.selected.is_none() {
                let red = self.tests.iter().find(|test| self.state(test) == TestState::Red);
                self.view.selected = red.cloned();
            }
            Tally { n_done: run.n_done, n_failed: run.n_failed, has_changed }
        }))
    }

    fn receive(&mut self, report: TestReport) {
        let Some(run) = &mut self.run else { return };
        match report {
            TestReport::Listed(tests, n_all) => {
                run.n_all = n_all;
                self.results.retain(|test, _| tests.contains(test));
                self.tests = tests;
                self.view.selected.take_if(|selected| !self.tests.contains(selected));
                let wanted = self.view.file_to_select.as_ref();
                if let Some(shown) = self.tests.iter().find(|test| Some(&test.case.file) == wanted) {
                    (self.view.selected, self.view.file_to_select) = (Some(shown.clone()), None);
                }
            }
            TestReport::Done(result) => {
                run.n_done += 1;
                run.n_failed += usize::from(!result.failures.is_empty());
                self.stale.remove(&result.test);
                self.results.insert(result.test.clone(), *result);
            }
        }
    }
}

/// Returns a duration as text in milliseconds.
pub fn milliseconds(took: Duration) -> String {
    format!("{:.0} ms", took.as_secs_f64() * 1000.0)
}
