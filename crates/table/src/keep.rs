//! A record that grows line by line, so that a crash loses nothing.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Why a game cannot be kept: the file and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CannotKeep {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub reason: String,
}

impl fmt::Display for CannotKeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the game cannot be kept in {}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for CannotKeep {}

/// A record on disk, open at its end.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// A new record that begins with `header`. Fails where the file is there.
    pub fn create(path: &Path, header: &str) -> Result<RecordFile, CannotKeep> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let mut record = RecordFile { path: path.to_owned(), file: file.map_err(|e| cannot(path, &e))? };
        record.write(header)?;
        Ok(record)
    }

    /// The record in `path`, which says `text`, to be gone on with. A torn last line is taken off.
    pub fn go_on(path: &Path, text: &str, is_torn: bool) -> Result<RecordFile, CannotKeep> {
        let open = || {
            let file = OpenOptions::new().append(true).open(path)?;
            if is_torn {
                // Counted from the end, so that a mark at the beginning of the file does not matter.
                let torn = text.len() - text.rfind('\n').map_or(0, |i| i + 1);
                file.set_len(file.metadata()?.len().saturating_sub(torn as u64))?;
            }
            Ok(file)
        };
        let file: std::io::Result<File> = open();
        let mut record = RecordFile { path: path.to_owned(), file: file.map_err(|e| cannot(path, &e))? };
        if !is_torn && !text.ends_with('\n') {
            record.write("\n")?;
        }
        Ok(record)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line.
    pub fn append(&mut self, line: &str) -> Result<(), CannotKeep> {
        self.write(&format!("{line}\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), CannotKeep> {
        self.file.write_all(text.as_bytes()).map_err(|e| cannot(&self.path, &e))
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> CannotKeep {
    CannotKeep { path: path.to_owned(), reason: error.to_string() }
}
