//! A record that grows line by line, so that a crash loses nothing.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use record::log_text;

/// A game could not be saved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the game cannot be kept in {}: {reason}", path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// What the system says.
    pub reason: String,
}

/// A record on disk, open at its end.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    header: String,
    /// How many of its answers are in force.
    n_answers: usize,
}

impl RecordFile {
    /// Creates a record that begins with `header`.
    ///
    /// # Errors
    /// Where the file is there already or cannot be written.
    pub fn create(path: &Path, header: &str) -> Result<RecordFile, SaveError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|e| save_error(path, &e))?;
        let mut record = RecordFile { path: path.to_owned(), file, header: header.to_owned(), n_answers: 0 };
        record.write(header)?;
        Ok(record)
    }

    /// Opens the record in `path`, which says `text` under `header` and has `n_answers` in force, to be continued. A torn last line is taken
    /// off.
    ///
    /// # Errors
    /// Where the file cannot be opened or written.
    pub fn resume(
        path: &Path,
        header: &str,
        text: &str,
        is_torn: bool,
        n_answers: usize,
    ) -> Result<RecordFile, SaveError> {
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
        let file = file.map_err(|e| save_error(path, &e))?;
        let mut record = RecordFile { path: path.to_owned(), file, header: header.to_owned(), n_answers };
        if !is_torn && !text.ends_with('\n') {
            record.write("\n")?;
        }
        Ok(record)
    }

    /// Returns a name beside it that no file has yet: `my.1.game` beside `my.game`.
    pub fn free_name(&self) -> PathBuf {
        let names = (1u32..).map(|n| self.path.with_extension(format!("{n}.game")));
        names.into_iter().find(|path| !path.exists()).unwrap_or_default()
    }

    /// Returns what stands before the log.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns how many of its answers are in force.
    pub fn n_answers(&self) -> usize {
        self.n_answers
    }

    /// Saves `answer`, before which there are `at` others; what the file says after those is taken back.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save_answer(&mut self, at: usize, answer: &str) -> Result<(), SaveError> {
        self.take_back_to(at)?;
        self.write(&format!("{answer}\n"))?;
        self.n_answers += 1;
        Ok(())
    }

    /// Takes back all answers but the first `n`.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn take_back_to(&mut self, n: usize) -> Result<(), SaveError> {
        if let Some(n_back) = self.n_answers.checked_sub(n).filter(|n_back| *n_back > 0) {
            self.write(&format!("back {n_back}\n"))?;
            self.n_answers = n;
        }
        Ok(())
    }

    /// Makes `header` what stands before the log, whose answers are `answers`: other mods, settings or bots than when the record was begun. Until
    /// the new file is whole, the old one is there. Where the file says more than these answers (some that were taken back, which other mods
    /// might not offer, or comments) it is set aside.
    ///
    /// # Errors
    /// Where a file cannot be read, written or renamed.
    pub fn set_header<S: AsRef<str>>(&mut self, header: &str, answers: &[S]) -> Result<(), SaveError> {
        if self.header == header {
            return Ok(());
        }
        let log = answers.iter().fold(String::new(), |log, answer| log + answer.as_ref() + "\n");
        let text = fs::read_to_string(&self.path).map_err(|e| save_error(&self.path, &e))?;
        if log_text(&text) != log {
            self.begin_again(header)?;
            self.write(&log)?;
            self.n_answers = answers.len();
            return Ok(());
        }
        let beside = self.path.with_extension("game-new");
        let rewrite = || {
            fs::write(&beside, format!("{header}{log}"))?;
            fs::rename(&beside, &self.path)?;
            OpenOptions::new().append(true).open(&self.path)
        };
        self.file = rewrite().map_err(|e| save_error(&self.path, &e))?;
        header.clone_into(&mut self.header);
        self.n_answers = answers.len();
        Ok(())
    }

    /// Begins anew under `header`, for a game that does not have the answers of this one. What was kept so far is set aside under another name.
    /// Where that cannot be, everything stays as it was.
    ///
    /// # Errors
    /// Where the file cannot be renamed or the new one created.
    pub fn begin_again(&mut self, header: &str) -> Result<(), SaveError> {
        let aside = self.free_name();
        fs::rename(&self.path, &aside).map_err(|e| save_error(&self.path, &e))?;
        match RecordFile::create(&self.path, header) {
            Ok(record) => *self = record,
            Err(error) => {
                // The file that is open here is the one set aside: it goes back to where it was.
                let _ = fs::rename(&aside, &self.path);
                return Err(error);
            }
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), SaveError> {
        self.file.write_all(text.as_bytes()).map_err(|e| save_error(&self.path, &e))
    }
}

fn save_error(path: &Path, error: &std::io::Error) -> SaveError {
    SaveError { path: path.to_owned(), reason: error.to_string() }
}
