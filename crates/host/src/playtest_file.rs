//! The file with the playtest of a table, beside the record of its game.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use door::Table;
use playtest::{FILE_ENDING, Playtest, ReadPlaytestError};
use table::write_whole;

/// The file in which the program that runs a table stores the playtest.
pub struct PlaytestFile {
    path: PathBuf,
    record: String,
    /// The reason why the last attempt to store the playtest failed; `None` if it succeeded.
    failure: Option<String>,
}

/// A reason why the file of a playtest cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PlaytestFileError {
    /// The system reported an error.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The file contains no valid playtest.
    #[error(transparent)]
    Invalid(#[from] ReadPlaytestError),
}

impl PlaytestFile {
    /// Names the file beside a record: `KOMBLU.playtest.json` beside `KOMBLU.game`.
    pub fn beside(record: &Path) -> PlaytestFile {
        let text = |name: Option<&std::ffi::OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{}{FILE_ENDING}", text(record.file_stem()));
        PlaytestFile { path: record.with_file_name(name), record: text(record.file_name()), failure: None }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reason why the last attempt to store the playtest failed, if it failed.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Reads the playtest; an empty one if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it contains no valid playtest.
    pub fn read(&self) -> Result<Playtest, PlaytestFileError> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => Ok(Playtest::read(&text)?),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Playtest::new(self.record.clone())),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the playtest of `table` if it has changed. Creates no file before the first person
    /// has agreed. If writing fails, tells the guests once.
    pub fn save(&mut self, table: &mut Table) {
        let Some(playtest) = table.unsaved_playtest() else { return };
        if playtest.people.is_empty() && !self.path.exists() {
            return table.mark_playtest_saved();
        }
        match write_whole(&self.path, playtest.text()) {
            Ok(()) => {
                self.failure = None;
                table.mark_playtest_saved();
            }
            Err(error) => {
                if self.failure.replace(error.to_string()).is_none() {
                    table.notify(format!("the host cannot save the playtest: {error}"));
                }
            }
        }
    }
}
