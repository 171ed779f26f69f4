//! A record on disk: a file that grows line by line, has one writer, and is repaired after failed
//! writes.
#![expect(clippy::indexing_slicing, reason = "`line` begins with the `n_same` common answers")]

use std::io;
use std::path::{Path, PathBuf};

use diagnostic::ExpectOrDefault;
use loader::MAX_RECORD_BYTES;
use platform::fs::{self, LockedFile};
use record::{LogEntry, Record, header_text, log_text};

/// A reason why a game could not be saved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SaveError {
    /// Another window or terminal is using the file.
    #[error("{} is in use: another window or terminal saves its game there", .0.display())]
    InUse(PathBuf),
    /// The record has reached the maximum length of a readable record.
    #[error(
        "the game is too long, so no more answers are saved in {}; undo moves, or begin another \
         game", .0.display()
    )]
    TooLong(PathBuf),
    /// The file cannot be read or written.
    #[error("the game cannot be saved in {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// The message of the system.
        reason: String,
    },
}

/// The record would exceed the maximum length of a readable record.
#[derive(Debug, thiserror::Error)]
#[error("the record is too long to be read again")]
struct RecordTooLong;

impl SaveError {
    fn new(path: &Path, error: &io::Error) -> SaveError {
        if error.get_ref().is_some_and(|inner| inner.is::<RecordTooLong>()) {
            return SaveError::TooLong(path.to_owned());
        }
        let reason = match error.kind() {
            io::ErrorKind::AlreadyExists => "the file already exists".to_owned(),
            _ => error.to_string(),
        };
        SaveError::Failed { path: path.to_owned(), reason }
    }
}

/// A record on disk with its current answers. An open file is locked, so that no other window or
/// terminal saves to the same file.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    /// The locked file; `None` until the file is created.
    file: Option<LockedFile>,
    header: String,
    /// The answers in the file, without undone answers.
    answers: Vec<String>,
    /// The length of the complete lines of the file, in bytes.
    len: u64,
    /// True if the log in the file consists only of `answers`, without undone answers and comments.
    is_plain: bool,
    /// True if the last write failed, so that an incomplete line may follow the complete lines.
    is_torn: bool,
    /// The path of the copy of the old file, if a rewrite has dropped a part of the file; otherwise
    /// `None`.
    set_aside: Option<PathBuf>,
}

/// The state of a record's file on disk.
enum RecordFileState {
    /// The file is at its path.
    Here,
    /// The file is not created yet, or is deleted.
    Nowhere,
    /// Another file has taken the path, or another program has written to the file.
    Replaced,
}

impl RecordFile {
    /// Prepares a record that will be saved in `path`. The first call of [`write`](Self::write)
    /// creates the file, so a game that is never saved leaves no file.
    pub fn planned(path: PathBuf) -> RecordFile {
        let (header, answers) = (String::new(), Vec::new());
        RecordFile { path, file: None, header, answers, len: 0, is_plain: true, is_torn: false, set_aside: None }
    }

    /// Creates a record that begins with `header`.
    ///
    /// # Errors
    /// Returns an error if the file exists or cannot be written.
    pub fn create(path: &Path, header: &str) -> Result<RecordFile, SaveError> {
        let mut record = RecordFile::planned(path.to_owned());
        record.create_file(header, &[]).map_err(|e| SaveError::new(path, &e))?;
        Ok(record)
    }

    /// Creates the folder of a planned record and tests whether a file can be created in it.
    ///
    /// # Errors
    /// Returns an error if the folder or a file cannot be created.
    pub(crate) fn prepare(&self) -> Result<(), SaveError> {
        let tried = match (&self.file, self.path.parent()) {
            (None, Some(folder)) => fs::create_dir_all(folder).and_then(|()| fs::check_writable(&self.path)),
            _ => Ok(()),
        };
        tried.map_err(|e| SaveError::new(&self.path, &e))
    }

    /// Opens the record in `path` to continue it. Ignores an incomplete last line. The next write
    /// removes this line.
    ///
    /// # Errors
    /// Returns an error if the file is in use, or cannot be read or written.
    pub fn open(path: &Path) -> Result<RecordFile, SaveError> {
        let failed = |e: &io::Error| SaveError::new(path, e);
        let mut file = LockedFile::open(path).map_err(|e| match e.kind() {
            io::ErrorKind::WouldBlock => SaveError::InUse(path.to_owned()),
            _ => failed(&e),
        })?;
        let text = file.text().map_err(|e| failed(&e))?;
        let whole = text.rfind('\n').and_then(|i| text.get(..=i)).unwrap_or_default();
        let (record, _) = Record::parse(whole);
        let mut answers = Vec::new();
        for line in record.lines {
            match line.entry {
                LogEntry::Answer(answer) => answers.push(answer),
                LogEntry::Back(n) => answers.truncate(answers.len().saturating_sub(n)),
                LogEntry::Expect(_) | LogEntry::End => {}
            }
        }
        let opened = RecordFile {
            header: header_text(&record.setup),
            is_plain: log_text(whole) == lines(&answers),
            answers,
            len: whole.len() as u64,
            is_torn: whole.len() < text.len(),
            file: Some(file),
            ..RecordFile::planned(path.to_owned())
        };
        match opened.file_state() {
            RecordFileState::Here => Ok(opened),
            // Another program has just replaced the file.
            RecordFileState::Nowhere | RecordFileState::Replaced => Err(SaveError::InUse(path.to_owned())),
        }
    }

    /// Returns an unused path beside `path`, such as `my.1.game` for `my.game`.
    pub fn unused_path(path: &Path) -> PathBuf {
        let names = (1u32..).map(|n| path.with_extension(format!("{n}.game")));
        names.into_iter().find(|path| !fs::exists(path)).expect_or_default("some name is unused")
    }

    /// Returns the path of the record.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the file has been created; see [`planned`](Self::planned).
    pub(crate) fn is_made(&self) -> bool {
        self.file.is_some()
    }

    /// Returns the path of the copy of the old file, if a rewrite has dropped a part of the file;
    /// otherwise `None`.
    pub fn backup_path(&self) -> Option<&Path> {
        self.set_aside.as_deref()
    }

    /// Updates the file so that it contains `header` and the answers `line`; also repairs the file
    /// after a failed write. If the file contains answers that are no longer part of `line`,
    /// appends an entry that undoes these answers. Then appends the new answers.
    ///
    /// Rewrites the file if the header has changed, because a new header may give the answers
    /// another meaning. Also rewrites the file if undone answers and comments make it too long.
    /// Before a rewrite, copies the file if its log contains more than the first answers of `line`,
    /// such as undone answers or comments.
    ///
    /// Creates a deleted file again. If another file has taken the name, or another program has
    /// added to the file, continues the record in a new file in the same folder.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written or would be too long. The next call repeats the
    /// attempt.
    pub fn write<S: AsRef<str>>(&mut self, header: &str, line: &[S]) -> Result<(), SaveError> {
        let line: Vec<&str> = line.iter().map(AsRef::as_ref).collect();
        let done = match self.file_state() {
            RecordFileState::Here if self.header == header => self.append(&line),
            RecordFileState::Here => self.rewrite(header, &line),
            RecordFileState::Nowhere => match self.create_file(header, &line) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.create_renamed_file(header, &line),
                made => made,
            },
            RecordFileState::Replaced => self.create_renamed_file(header, &line),
        };
        done.map_err(|e| SaveError::new(&self.path, &e))
    }

    /// Waits until the written data is on the disk, so that it survives a power failure.
    ///
    /// # Errors
    /// Returns an error if the disk reports an error.
    pub fn sync(&self) -> Result<(), SaveError> {
        self.file.as_ref().map_or(Ok(()), LockedFile::sync).map_err(|e| SaveError::new(&self.path, &e))
    }

    fn file_state(&self) -> RecordFileState {
        let Some(file) = &self.file else { return RecordFileState::Nowhere };
        match file.is_at(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => RecordFileState::Nowhere,
            Ok(false) => RecordFileState::Replaced,
            // If the file is longer, another program has added lines, which must not be
            // overwritten.
            _ if !self.is_torn && file.len().is_ok_and(|len| len > self.len) => RecordFileState::Replaced,
            _ => RecordFileState::Here,
        }
    }

    fn append(&mut self, line: &[&str]) -> io::Result<()> {
        let n_same = self.answers.iter().zip(line).take_while(|(a, b)| a == *b).count();
        let n_back = self.answers.len() - n_same;
        let back = if n_back > 0 { format!("back {n_back}\n") } else { String::new() };
        let text = format!("{back}{}", lines(&line[n_same..]));
        if self.len + text.len() as u64 > MAX_RECORD_BYTES {
            // A rewrite drops undone answers and comments, so the record may then be short enough.
            return if self.is_plain {
                Err(io::Error::other(RecordTooLong))
            } else {
                self.rewrite(&self.header.clone(), line)
            };
        }
        let Some(file) = self.file.as_mut().filter(|_| self.is_torn || !text.is_empty()) else { return Ok(()) };
        self.is_torn = true;
        let written = file.write_end(self.len, text.as_bytes());
        if written.is_err() {
            // Removes the incomplete line. If this fails too, the next write tries again.
            let _ = file.write_end(self.len, &[]);
            return written;
        }
        self.is_torn = false;
        self.len += text.len() as u64;
        self.is_plain &= n_back == 0;
        self.answers.truncate(n_same);
        self.answers.extend(line[n_same..].iter().map(|&answer| answer.to_owned()));
        Ok(())
    }

    fn rewrite(&mut self, header: &str, line: &[&str]) -> io::Result<()> {
        let text = whole_text(header, line)?;
        let is_beginning = self.answers.len() <= line.len() && self.answers.iter().zip(line).all(|(a, b)| a == b);
        if !(self.is_plain && is_beginning) {
            self.set_aside = Some(self.create_backup()?);
        }
        let file = LockedFile::replace(&self.path, &text)?;
        self.continue_with(file, header, line, text.len());
        Ok(())
    }

    fn create_file(&mut self, header: &str, line: &[&str]) -> io::Result<()> {
        let text = whole_text(header, line)?;
        let file = LockedFile::create(&self.path, &text)?;
        self.continue_with(file, header, line, text.len());
        Ok(())
    }

    fn create_renamed_file(&mut self, header: &str, line: &[&str]) -> io::Result<()> {
        self.path = RecordFile::unused_path(&self.path);
        self.create_file(header, line)
    }

    /// Continues with `file`, which has a length of `n_bytes` and contains exactly `header` and the
    /// answers `line`.
    fn continue_with(&mut self, file: LockedFile, header: &str, line: &[&str], n_bytes: usize) {
        self.file = Some(file);
        self.header = header.to_owned();
        self.answers = line.iter().map(|&answer| answer.to_owned()).collect();
        self.len = n_bytes as u64;
        (self.is_plain, self.is_torn) = (true, false);
    }

    /// Copies the file to an unused name beside it, and preserves the modification time. The
    /// original stays in place, so that a crash never loses answers.
    fn create_backup(&self) -> io::Result<PathBuf> {
        let text = fs::read_to_string(&self.path)?;
        let aside = RecordFile::unused_path(&self.path);
        let copy = LockedFile::create(&aside, &text)?;
        if let Some(modified) = fs::stamp(&self.path).ok().and_then(|stamp| stamp.modified) {
            // The program assumes that the file with the latest modification time contains the last
            // game, so the copy must not look newer.
            let _ = copy.set_modified(modified);
        }
        Ok(aside)
    }
}

/// Returns the text of a whole record.
///
/// # Errors
/// Returns [`RecordTooLong`] if the text exceeds the maximum length of a readable record.
fn whole_text(header: &str, line: &[&str]) -> io::Result<String> {
    let text = format!("{header}{}", lines(line));
    if text.len() as u64 > MAX_RECORD_BYTES { Err(io::Error::other(RecordTooLong)) } else { Ok(text) }
}

fn lines<S: AsRef<str>>(answers: &[S]) -> String {
    answers.iter().fold(String::new(), |text, answer| text + answer.as_ref() + "\n")
}
