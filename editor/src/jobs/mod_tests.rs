//! Tests of mods.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use table::Library;
use workshop::{FileTexts, ModTest, TestResult, UncoveredParts, run_tests, search_path, tests_of, texts_of_library};

use super::{Job, Reporter, texts_of_files};
use crate::shown_error::ShownError;

/// Lists the tests of mods, and runs some of them. Returns the parts of the mods that no test
/// covers; `None` if not all tests ran.
#[derive(Serialize, Deserialize)]
pub struct TestsJob {
    /// The mods.
    #[serde(with = "search_path")]
    pub library: Library,
    /// The ids of the mods whose tests are listed.
    pub ids: Vec<String>,
    /// The tests to run.
    pub selection: TestSelection,
    /// The tests that failed before; they run first.
    pub failed_before: Vec<ModTest>,
}

/// The tests to run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TestSelection {
    /// No test; only lists the tests.
    None,
    /// All tests. The order depends on the files in this list: first come the tests in these files,
    /// and all tests of a mod if the list contains a file of this mod that is not a test.
    All(Vec<PathBuf>),
    /// One test.
    One(ModTest),
}

/// A report of a [`TestsJob`].
#[derive(Serialize, Deserialize)]
pub enum TestReport {
    /// All tests, and the number of tests that will run.
    Listed(Vec<ModTest>, usize),
    /// The result of a test.
    Done(Box<TestResult>),
}

impl Job for TestsJob {
    type Report = TestReport;
    type Output = Option<Vec<UncoveredParts>>;

    const NAME: &'static str = "tests";

    fn run(self, reporter: &Reporter<'_, TestReport>) -> Result<Option<Vec<UncoveredParts>>, ShownError> {
        let tests = tests_of(&self.library, &self.ids);
        let is_all = matches!(self.selection, TestSelection::All(_));
        let to_run = match self.selection {
            TestSelection::None => Vec::new(),
            TestSelection::One(test) => vec![test],
            TestSelection::All(touched) => {
                let mut all = tests.clone();
                all.sort_by_key(|test| (!is_affected(test, &touched), !self.failed_before.contains(test)));
                all
            }
        };
        reporter.send(TestReport::Listed(tests, to_run.len()));
        let each = |result| reporter.send(TestReport::Done(Box::new(result)));
        Ok(run_tests(&self.library, &to_run, || reporter.is_wanted(), each).filter(|_| is_all))
    }

    fn files(&self) -> Result<FileTexts, ShownError> {
        let mut files = texts_of_library(&self.library);
        files.extend(texts_of_files(tests_of(&self.library, &self.ids).into_iter().map(|test| test.case.file)));
        Ok(files)
    }
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
