//! The tests of the mods in play: run on a thread of their own, so that neither frames nor the game wait for them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use egui::Context;
use platform::task;
use table::{Library, Stop};
use workshop::{ModTest, TestResult, Untouched, run_tests, tests_of};

/// The tests that are known, and what came of them last.
#[derive(Default)]
pub struct TestBench {
    tests: Vec<ModTest>,
    results: BTreeMap<ModTest, TestResult>,
    untouched: Vec<Untouched>,
    /// The tests whose results are of other rules than those in force.
    stale: BTreeSet<ModTest>,
    run: Option<Run>,
    /// How many tests failed when the last run ended.
    n_red_before: usize,
    /// The mods for which the tests were listed last.
    listed: Option<Vec<String>>,
    /// What is looked at in the panel.
    pub view: TestView,
}

/// What is looked at in the panel of tests.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TestView {
    /// The test of which details are shown.
    pub selected: Option<ModTest>,
    /// The file of a test that is to be selected as soon as it is known.
    pub shows: Option<PathBuf>,
    /// Whether only tests that fail are listed.
    pub only_failed: bool,
    /// Whether what accepting would change is shown.
    pub is_accepting: bool,
}

/// A run that goes on.
struct Run {
    reports: Receiver<Report>,
    stop: Stop,
    n_all: usize,
    n_done: usize,
    n_failed: usize,
}

enum Report {
    Listed(Vec<ModTest>, usize),
    Done(Box<TestResult>),
    Ended(Option<Vec<Untouched>>),
}

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestState {
    /// Every expectation holds.
    Green,
    /// Something fails.
    Red,
    /// It was not run under these rules.
    NotRun,
}

/// How a run came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many tests were run.
    pub n_done: usize,
    /// How many of them fail.
    pub n_failed: usize,
    /// Whether more or fewer of all tests fail than when the run before ended.
    pub is_other: bool,
}

/// Which tests are to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// None: the tests are only listed.
    None,
    /// All of them, and those first that come with a mod of which these files are, or are one of them.
    All(Vec<PathBuf>),
    /// One.
    One(ModTest),
}

impl TestBench {
    /// All tests, mod by mod.
    pub fn tests(&self) -> &[ModTest] {
        &self.tests
    }

    /// What came of a test the last time that it was run.
    pub fn result(&self, test: &ModTest) -> Option<&TestResult> {
        self.results.get(test)
    }

    /// How a test stands.
    pub fn state(&self, test: &ModTest) -> TestState {
        match self.results.get(test) {
            Some(_) if self.stale.contains(test) => TestState::NotRun,
            Some(result) if result.failures.is_empty() => TestState::Green,
            Some(_) => TestState::Red,
            None => TestState::NotRun,
        }
    }

    /// How many tests fail.
    pub fn n_red(&self) -> usize {
        self.tests.iter().filter(|test| self.state(test) == TestState::Red).count()
    }

    /// What no test has touched, as the last whole run found out.
    pub fn untouched(&self) -> &[Untouched] {
        &self.untouched
    }

    /// How many tests of the run that goes on are done, and how many there are.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.run.as_ref().map(|run| (run.n_done, run.n_all))
    }

    /// Whether the tests of these mods were listed.
    pub fn is_listed(&self, ids: &[String]) -> bool {
        self.listed.as_deref() == Some(ids)
    }

    /// Stops the run that goes on.
    pub fn stop(&self) {
        if let Some(run) = &self.run {
            run.stop.ask();
        }
    }

    /// What was found out under other rules is not known any more.
    pub fn forget_results(&mut self) {
        self.stale = self.results.keys().cloned().collect();
        self.n_red_before = 0;
    }

    /// Lists the tests of the mods `ids` and runs those that are wanted; what was run before is stopped.
    pub fn start(&mut self, ctx: &Context, library: &Library, ids: Vec<String>, wanted: Wanted) {
        self.stop();
        let (say, reports) = channel();
        let stop = Stop::default();
        let (library, ctx, asked) = (library.clone(), ctx.clone(), stop.clone());
        self.listed = Some(ids.clone());
        let failed_before: Vec<ModTest> =
            self.tests.iter().filter(|test| self.state(test) == TestState::Red).cloned().collect();
        let work = move || async move {
            let wake = |report| {
                // Nobody hears of a run that another one has replaced.
                let _ = say.send(report);
                ctx.request_repaint();
            };
            work(&library, &ids, wanted, &failed_before, &asked, &wake).await;
        };
        if task::spawn("tests", table::STACK, work).is_ok() {
            self.run = Some(Run { reports, stop, n_all: 0, n_done: 0, n_failed: 0 });
        }
    }

    /// Hears what the run that goes on has found out; returns how it came out when it has ended.
    pub fn hear(&mut self) -> Option<Tally> {
        loop {
            let run = self.run.as_mut()?;
            match run.reports.try_recv() {
                Ok(Report::Listed(tests, n_all)) => {
                    run.n_all = n_all;
                    self.results.retain(|test, _| tests.contains(test));
                    self.tests = tests;
                    if let Some(shown) =
                        self.tests.iter().find(|test| Some(&test.case.file) == self.view.shows.as_ref())
                    {
                        (self.view.selected, self.view.shows) = (Some(shown.clone()), None);
                    }
                }
                Ok(Report::Done(result)) => {
                    run.n_done += 1;
                    run.n_failed += usize::from(!result.failures.is_empty());
                    self.stale.remove(&result.test);
                    self.results.insert(result.test.clone(), *result);
                }
                Ok(Report::Ended(untouched)) => {
                    let (n_done, n_failed, n_red) = (run.n_done, run.n_failed, self.n_red());
                    let is_other = std::mem::replace(&mut self.n_red_before, n_red) != n_red;
                    self.untouched = untouched.unwrap_or_else(|| std::mem::take(&mut self.untouched));
                    self.run = None;
                    // What fails is what somebody wants to see.
                    if self.view.selected.is_none() {
                        let red = self.tests.iter().find(|test| self.state(test) == TestState::Red);
                        self.view.selected = red.cloned();
                    }
                    return Some(Tally { n_done, n_failed, is_other });
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

/// What the thread does.
async fn work(
    library: &Library,
    ids: &[String],
    wanted: Wanted,
    failed_before: &[ModTest],
    stop: &Stop,
    say: &dyn Fn(Report),
) {
    let tests = tests_of(library, ids);
    let is_all = matches!(wanted, Wanted::All(_));
    let to_run = match wanted {
        Wanted::None => Vec::new(),
        Wanted::One(test) => vec![test],
        Wanted::All(touched) => {
            let mut all = tests.clone();
            all.sort_by_key(|test| (!is_touched(test, &touched), !failed_before.contains(test)));
            all
        }
    };
    say(Report::Listed(tests, to_run.len()));
    let each = |result| say(Report::Done(Box::new(result)));
    let untouched = run_tests(library.paths(), &to_run, || !stop.is_asked(), each).await;
    say(Report::Ended(untouched.filter(|_| is_all)));
}

/// Whether a test is one of these files, or of a mod of which they are.
fn is_touched(test: &ModTest, files: &[PathBuf]) -> bool {
    let folder: Option<&Path> = test.case.inside.as_deref();
    let is_of_mod = |file: &PathBuf| {
        let is_test = file.extension().is_some_and(|e| e == "game");
        !is_test && folder.is_some_and(|folder| file.starts_with(folder))
    };
    files.iter().any(|file| *file == test.case.file || is_of_mod(file))
}

/// A time as people read it.
pub fn milliseconds(took: Duration) -> String {
    format!("{:.0} ms", took.as_secs_f64() * 1000.0)
}
