//! Reads the files of playtests.

use std::path::{Path, PathBuf};

use diagnostic::Diagnostic;
use loader::read_text;
use platform::fs;
use playtest::{FILE_ENDING, MAX_BYTES, Playtest};

/// A file with a playtest.
pub struct PlaytestOnDisk {
    /// The path of the file. The record of the game is in the same folder.
    pub path: PathBuf,
    /// The content.
    pub playtest: Playtest,
}

impl PlaytestOnDisk {
    /// Reads a playtest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if it contains no valid playtest.
    pub fn read(path: &Path) -> Result<PlaytestOnDisk, Diagnostic> {
        let file = path.display().to_string();
        let text = read_text(path, None, MAX_BYTES).map_err(|error| {
            let help = "name a file that `bastide host --playtest` has written, which ends in .playtest.json";
            Diagnostic::in_file(&file, 0, format!("cannot be read: {error}")).with_help(help)
        })?;
        let wrong = |error: playtest::ReadPlaytestError| {
            let line = if let playtest::ReadPlaytestError::Malformed { line, .. } = error { line } else { 0 };
            let message = error.to_string();
            let message = message.split_once(": ").filter(|_| line > 0).map_or(&*message, |(_, message)| message);
            Diagnostic::in_file(&file, line, message).with_help("the README of the crate `playtest` has the format")
        };
        Ok(PlaytestOnDisk { path: path.to_owned(), playtest: Playtest::read(&text).map_err(wrong)? })
    }
}

/// Reads the playtests of files and folders, each file once. Returns them, and the problems of
/// files and folders that cannot be read.
pub fn read_playtests(paths: &[PathBuf]) -> (Vec<PlaytestOnDisk>, Vec<Diagnostic>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let mut known: Vec<PathBuf> = Vec::new();
    for path in paths {
        match find_playtests(path) {
            Ok(found) => {
                for path in found {
                    let place = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
                    if !known.contains(&place) {
                        known.push(place);
                        match PlaytestOnDisk::read(&path) {
                            Ok(file) => files.push(file),
                            Err(problem) => problems.push(problem),
                        }
                    }
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    (files, problems)
}

/// Returns the playtests that `path` names: the files in a folder that end in `.playtest.json`,
/// sorted, or else the file itself.
///
/// # Errors
/// Returns an error if a folder cannot be read, or if it contains no playtest.
fn find_playtests(path: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    if !fs::is_dir(path) {
        return Ok(vec![path.to_owned()]);
    }
    let help = format!("name a folder with files that end in {FILE_ENDING}, such as the folder of a record");
    let problem = |message: String| Diagnostic::without_place(message).with_help(&help);
    let unreadable = |error: std::io::Error| problem(format!("cannot read {}: {error}", path.display()));
    let files = fs::list(path).map_err(unreadable)?.into_iter().map(|entry| entry.path);
    let files: Vec<PathBuf> = files.filter(|file| file.to_string_lossy().ends_with(FILE_ENDING)).collect();
    if files.is_empty() {
        return Err(problem(format!("{} has no playtests", path.display())));
    }
    Ok(files)
}
