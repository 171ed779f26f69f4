//! A record on disk: it grows line by line, belongs to one writer, and mends itself.
#![expect(clippy::indexing_slicing, reason = "as many answers as were found to be the same")]

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use platform::fs::{self, File, OpenOptions, TryLockError};
use record::{Entry, Record, header_text, log_text};

/// A game could not be saved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SaveError {
    /// Another window or terminal keeps its game there.
    #[error("{} is in use: another window or terminal keeps its game there", .0.display())]
    InUse(PathBuf),
    /// The file cannot be read or written.
    #[error("the game cannot be kept in {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

impl SaveError {
    fn new(path: &Path, error: &io::Error) -> SaveError {
        let reason = match error.kind() {
            io::ErrorKind::AlreadyExists => "there is a file already".to_owned(),
            _ => error.to_string(),
        };
        SaveError::Failed { path: path.to_owned(), reason }
    }
}

/// A record on disk with the answers that are in force in it. While it is open, nobody else can have it open: the file is locked.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    /// The file, locked; nothing as long as there is nothing to keep.
    file: Option<File>,
    header: String,
    /// The answers in force.
    answers: Vec<String>,
    /// How many bytes its whole lines take.
    len: u64,
    /// Whether its log is just the answers in force: nothing that was taken back, no comment.
    is_plain: bool,
    /// Whether a write has failed, so that there may be more in the file than its whole lines.
    is_torn: bool,
    /// Where a line was put last that the new rules do not know.
    set_aside: Option<PathBuf>,
}

/// What has become of a file that was opened.
enum Whereabouts {
    /// It is where it was.
    Here,
    /// It was not made yet, or somebody has deleted it.
    Nowhere,
    /// Another file has its name, or somebody else has written to it.
    Replaced,
}

impl RecordFile {
    /// Plans a record in `path`. The file is made when there is something to keep: a game in which nobody has answered leaves none.
    pub fn planned(path: PathBuf) -> RecordFile {
        let (header, answers) = (String::new(), Vec::new());
        RecordFile { path, file: None, header, answers, len: 0, is_plain: true, is_torn: false, set_aside: None }
    }

    /// Creates a record that begins with `header`.
    ///
    /// # Errors
    /// Where the file is there already or cannot be written.
    pub fn create(path: &Path, header: &str) -> Result<RecordFile, SaveError> {
        let mut record = RecordFile::planned(path.to_owned());
        record.make(header, &[]).map_err(|e| SaveError::new(path, &e))?;
        Ok(record)
    }

    /// Makes the folder of a planned record, and tries whether a file can be made in it.
    ///
    /// # Errors
    /// Where it cannot be: then nothing would be kept.
    pub(crate) fn prepare(&self) -> Result<(), SaveError> {
        let tried = match (&self.file, self.path.parent()) {
            (None, Some(folder)) => fs::create_dir_all(folder).and_then(|()| fs::try_to_write(&self.path)),
            _ => Ok(()),
        };
        tried.map_err(|e| SaveError::new(&self.path, &e))
    }

    /// Opens the record in `path` to go on with it. A torn last line does not count; it goes when the next answer is kept.
    ///
    /// # Errors
    /// Where it is in use, or cannot be read or written.
    pub fn open(path: &Path) -> Result<RecordFile, SaveError> {
        let failed = |e: &io::Error| SaveError::new(path, e);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(|e| failed(&e))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(SaveError::InUse(path.to_owned())),
            // Where files cannot be locked at all, they are not.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|e| failed(&e))?;
        let whole = text.rfind('\n').and_then(|i| text.get(..=i)).unwrap_or_default();
        let (record, _) = Record::parse(whole);
        let mut answers = Vec::new();
        for line in record.lines {
            match line.entry {
                Entry::Answer(answer) => answers.push(answer),
                Entry::Back(n) => answers.truncate(answers.len().saturating_sub(n)),
                Entry::Expect(_) | Entry::End => {}
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
        match opened.whereabouts() {
            Whereabouts::Here => Ok(opened),
            // Its writer has put a new one in its place just now.
            Whereabouts::Nowhere | Whereabouts::Replaced => Err(SaveError::InUse(path.to_owned())),
        }
    }

    /// Returns a name beside `path` that no file has yet: `my.1.game` beside `my.game`.
    pub fn free_name(path: &Path) -> PathBuf {
        let names = (1u32..).map(|n| path.with_extension(format!("{n}.game")));
        names.into_iter().find(|path| !fs::exists(path)).unwrap_or_default()
    }

    /// Returns where it is, or will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether there is a file: nobody makes one for a game in which nothing was answered.
    pub fn is_made(&self) -> bool {
        self.file.is_some()
    }

    /// Returns where the record was copied to before the game went on in a way in which it could not be read any more, if that happened.
    pub fn set_aside(&self) -> Option<&Path> {
        self.set_aside.as_deref()
    }

    /// Brings the file to say `header` and then `line`, whatever it said before and whatever went wrong since: answers are added at its end, and
    /// those that are no part of the line taken back.
    ///
    /// With another header, by which answers may mean something else, the file is written anew as a whole; where it says more than the
    /// beginning of `line` a copy of it is set aside first. A file that was deleted is made again, and where another one has its name this one
    /// goes on beside it.
    ///
    /// # Errors
    /// Where a file cannot be written. Then the next call writes what this one has not.
    pub fn keep<S: AsRef<str>>(&mut self, header: &str, line: &[S]) -> Result<(), SaveError> {
        let line: Vec<&str> = line.iter().map(AsRef::as_ref).collect();
        let done = match self.whereabouts() {
            Whereabouts::Here if self.header == header => self.append(&line),
            Whereabouts::Here => self.rewrite(header, &line),
            Whereabouts::Nowhere => match self.make(header, &line) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.make_beside(header, &line),
                made => made,
            },
            Whereabouts::Replaced => self.make_beside(header, &line),
        };
        done.map_err(|e| SaveError::new(&self.path, &e))
    }

    /// Waits until what was written is on the disk, so that it is there after the machine has lost power.
    ///
    /// # Errors
    /// Where the disk says that it is not.
    pub fn sync(&self) -> Result<(), SaveError> {
        self.file.as_ref().map_or(Ok(()), File::sync_data).map_err(|e| SaveError::new(&self.path, &e))
    }

    fn whereabouts(&self) -> Whereabouts {
        let Some(file) = &self.file else { return Whereabouts::Nowhere };
        match fs::is_at(file, &self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Whereabouts::Nowhere,
            Ok(false) => Whereabouts::Replaced,
            // What somebody has added is not overwritten.
            _ if !self.is_torn && file.metadata().is_ok_and(|m| m.len() > self.len) => Whereabouts::Replaced,
            _ => Whereabouts::Here,
        }
    }

    fn append(&mut self, line: &[&str]) -> io::Result<()> {
        let n_same = self.answers.iter().zip(line).take_while(|(a, b)| a == *b).count();
        let n_back = self.answers.len() - n_same;
        let back = if n_back > 0 { format!("back {n_back}\n") } else { String::new() };
        let text = format!("{back}{}", lines(&line[n_same..]));
        let Some(file) = self.file.as_mut().filter(|_| self.is_torn || !text.is_empty()) else { return Ok(()) };
        if self.is_torn {
            file.set_len(self.len)?;
        }
        self.is_torn = true;
        let written = file.seek(SeekFrom::Start(self.len)).and_then(|_| file.write_all(text.as_bytes()));
        if written.is_err() {
            // Half a line is worse than none; where it cannot be taken off now, it is before the next write.
            let _ = file.set_len(self.len);
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
        let is_beginning = self.answers.len() <= line.len() && self.answers.iter().zip(line).all(|(a, b)| a == b);
        if !(self.is_plain && is_beginning) {
            self.set_aside = Some(self.copy_aside()?);
        }
        let file = fs::replace(&self.path, &whole_text(header, line))?;
        self.begin(file, header, line);
        Ok(())
    }

    fn make(&mut self, header: &str, line: &[&str]) -> io::Result<()> {
        let file = fs::create(&self.path, &whole_text(header, line))?;
        self.begin(file, header, line);
        Ok(())
    }

    fn make_beside(&mut self, header: &str, line: &[&str]) -> io::Result<()> {
        self.path = RecordFile::free_name(&self.path);
        self.make(header, line)
    }

    /// Goes on with `file`, which was just written.
    fn begin(&mut self, file: File, header: &str, line: &[&str]) {
        self.file = Some(file);
        self.header = header.to_owned();
        self.answers = line.iter().map(|&answer| answer.to_owned()).collect();
        self.len = whole_text(header, line).len() as u64;
        (self.is_plain, self.is_torn) = (true, false);
    }

    /// Copies the file to a free name beside it, as old as it is. At no moment is the record short: the copy is whole before anything else.
    fn copy_aside(&self) -> io::Result<PathBuf> {
        let text = fs::read_to_string(&self.path)?;
        let aside = RecordFile::free_name(&self.path);
        let copy = fs::create(&aside, &text)?;
        if let Ok(modified) = fs::metadata(&self.path).and_then(|m| m.modified()) {
            // The newest file is the game that was played last.
            let _ = copy.set_modified(modified);
        }
        Ok(aside)
    }
}

fn whole_text(header: &str, line: &[&str]) -> String {
    format!("{header}{}", lines(line))
}

fn lines<S: AsRef<str>>(answers: &[S]) -> String {
    answers.iter().fold(String::new(), |text, answer| text + answer.as_ref() + "\n")
}
