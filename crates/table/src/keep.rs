//! A record that grows line by line, so that a crash loses nothing.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use rules::log_text;

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
    header: String,
}

impl RecordFile {
    /// A new record that begins with `header`. Fails where the file is there.
    pub fn create(path: &Path, header: &str) -> Result<RecordFile, CannotKeep> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|e| cannot(path, &e))?;
        let mut record = RecordFile { path: path.to_owned(), file, header: header.to_owned() };
        record.write(header)?;
        Ok(record)
    }

    /// The record in `path`, which says `text` under `header`, to be gone on with. A torn last line is taken off.
    pub fn go_on(path: &Path, header: &str, text: &str, is_torn: bool) -> Result<RecordFile, CannotKeep> {
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
        let file = file.map_err(|e| cannot(path, &e))?;
        let mut record = RecordFile { path: path.to_owned(), file, header: header.to_owned() };
        if !is_torn && !text.ends_with('\n') {
            record.write("\n")?;
        }
        Ok(record)
    }

    /// A name beside it that no file has yet: `my.1.game` beside `my.game`.
    pub fn free_name(&self) -> PathBuf {
        let names = (1u32..).map(|n| self.path.with_extension(format!("{n}.game")));
        names.into_iter().find(|path| !path.exists()).unwrap_or_default()
    }

    /// What stands before the log.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line.
    pub fn append(&mut self, line: &str) -> Result<(), CannotKeep> {
        self.write(&format!("{line}\n"))
    }

    /// Makes `header` what stands before the log, whose answers are `answers`: other mods, settings or bots than when the record was begun. Until
    /// the new file is whole, the old one is there. Where the file says more than these answers (some that were taken back, which other mods
    /// might not offer, or comments) it is set aside.
    pub fn set_header<S: AsRef<str>>(&mut self, header: &str, answers: &[S]) -> Result<(), CannotKeep> {
        if self.header == header {
            return Ok(());
        }
        let log = answers.iter().fold(String::new(), |log, answer| log + answer.as_ref() + "\n");
        let text = fs::read_to_string(&self.path).map_err(|e| cannot(&self.path, &e))?;
        if log_text(&text) != log {
            self.begin_again(header)?;
            return self.write(&log);
        }
        let beside = self.path.with_extension("game-new");
        let rewrite = || {
            fs::write(&beside, format!("{header}{log}"))?;
            fs::rename(&beside, &self.path)?;
            OpenOptions::new().append(true).open(&self.path)
        };
        self.file = rewrite().map_err(|e| cannot(&self.path, &e))?;
        header.clone_into(&mut self.header);
        Ok(())
    }

    /// Begins anew under `header`, for a game that does not have the answers of this one. What was kept so far is set aside under another name.
    /// Where that cannot be, everything stays as it was.
    pub fn begin_again(&mut self, header: &str) -> Result<(), CannotKeep> {
        let aside = self.free_name();
        fs::rename(&self.path, &aside).map_err(|e| cannot(&self.path, &e))?;
        match RecordFile::create(&self.path, header) {
            Ok(record) => *self = record,
            Err(trouble) => {
                // The file that is open here is the one set aside: it goes back to where it was.
                let _ = fs::rename(&aside, &self.path);
                return Err(trouble);
            }
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), CannotKeep> {
        self.file.write_all(text.as_bytes()).map_err(|e| cannot(&self.path, &e))
    }
}

fn cannot(path: &Path, error: &std::io::Error) -> CannotKeep {
    CannotKeep { path: path.to_owned(), reason: error.to_string() }
}
