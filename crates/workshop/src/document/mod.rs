//! An open text: what was read from the disk, what stands in the editor, and what another program has made of the file meanwhile.

mod drafts;
mod history;
mod line_ends;

use std::io;
use std::path::{Path, PathBuf};

use loader::{Unreadable, read_text};
use platform::fs;
use platform::time::{Duration, SystemTime};
use thiserror::Error;

pub use drafts::{Draft, Drafts};

use history::History;
use line_ends::LineEnds;

/// The most bytes that a file may have to be opened.
const MOST_BYTES: u64 = 4 << 20;

/// An open text. Lines end with a line feed in it, however they do in the file.
#[derive(Clone, Debug)]
pub struct Document {
    path: PathBuf,
    /// The folder of the mod, in which the file must lie.
    folder: PathBuf,
    /// What was read or written last.
    base: String,
    ends: LineEnds,
    text: String,
    /// What another program has written, where that and what stands here do not go together.
    theirs: Option<String>,
    history: History,
    seen: Option<Seen>,
}

/// What the system says of a file without reading it: when it was written, and how long it is.
type Seen = (Option<SystemTime>, u64);

/// What another program has done to the file of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// Nothing.
    Same,
    /// It has changed the file; nothing was changed here, so its text stands here now.
    Taken,
    /// It has changed other lines than were changed here; both changes stand here now.
    Merged,
    /// It has changed the same lines. Somebody has to say which are meant, see [`Document::theirs`].
    Conflict,
    /// The file is not there any more.
    Gone,
}

/// Why a document was not saved.
#[derive(Debug, Error)]
pub enum NotSaved {
    /// Another program has changed the same lines.
    #[error("another program has changed the same lines: choose which are kept, then save again")]
    Conflict,
    /// The file cannot be read, so that nobody knows what would be lost.
    #[error("{0}")]
    Unreadable(#[from] Unreadable),
    /// The system says so.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// An edit, as whoever makes it tells it: for undoing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edit {
    /// Where the cursor was before, in bytes.
    pub before: usize,
    /// Where it is now, in bytes.
    pub after: usize,
    /// When, counted from whatever time.
    pub at: Duration,
    /// Whether it is one of many small ones, which are undone together: typing.
    pub is_typing: bool,
}

impl Document {
    /// Opens a file of the mod in `folder`.
    ///
    /// # Errors
    /// Where it is no text file in that folder.
    pub fn open(path: &Path, folder: &Path) -> Result<Document, Unreadable> {
        let raw = read_text(path, Some(folder), MOST_BYTES)?;
        let (base, ends) = LineEnds::of(&raw);
        let text = base.clone();
        Ok(Document {
            path: path.to_owned(),
            folder: folder.to_owned(),
            base,
            ends,
            text,
            theirs: None,
            history: History::default(),
            seen: seen(path),
        })
    }

    /// Opens the file of a draft with what was written into it. What has happened to the file since is merged, or waits for a choice.
    pub fn of_draft(draft: Draft) -> Document {
        let mut document = Document {
            ends: LineEnds::default(),
            path: draft.path,
            folder: draft.folder,
            base: draft.base,
            text: draft.text,
            theirs: None,
            history: History::default(),
            seen: None,
        };
        if let Ok(raw) = read_text(&document.path, Some(&document.folder), MOST_BYTES) {
            let (disk, ends) = LineEnds::of(&raw);
            document.ends = ends;
            document.seen = seen(&document.path);
            document.meet(disk);
        }
        document
    }

    /// Returns where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder of the mod.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what stands in the editor.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns what was read or written last.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns whether something stands here that is not in the file.
    pub fn is_changed(&self) -> bool {
        self.text != self.base
    }

    /// Returns what another program has written into the same lines, if a choice is open.
    pub fn theirs(&self) -> Option<&str> {
        self.theirs.as_deref()
    }

    /// Puts another text in the place of the one that stands here.
    pub fn edit(&mut self, text: String, edit: Edit) {
        if text != self.text {
            self.history.note(&self.text, &text, edit);
            self.text = text;
        }
    }

    /// Takes the last edit back. Returns where the cursor was before it.
    pub fn undo(&mut self) -> Option<usize> {
        self.history.undo(&mut self.text)
    }

    /// Makes the edit again that was taken back last. Returns where the cursor was after it.
    pub fn redo(&mut self) -> Option<usize> {
        self.history.redo(&mut self.text)
    }

    /// Looks whether another program has changed the file. It is read only where the system says that it was written.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn look(&mut self) -> Result<Outside, Unreadable> {
        let now = seen(&self.path);
        if now == self.seen {
            return Ok(Outside::Same);
        }
        self.seen = now;
        if now.is_none() {
            return Ok(Outside::Gone);
        }
        self.read()
    }

    fn read(&mut self) -> Result<Outside, Unreadable> {
        let raw = read_text(&self.path, Some(&self.folder), MOST_BYTES)?;
        let (disk, ends) = LineEnds::of(&raw);
        self.ends = ends;
        if disk == self.base {
            self.theirs = None;
            return Ok(Outside::Same);
        }
        Ok(self.meet(disk))
    }

    /// Takes note that the file holds `disk`.
    fn meet(&mut self, disk: String) -> Outside {
        if disk == self.base {
            return Outside::Same;
        }
        if self.text == self.base || self.text == disk {
            self.take(disk);
            return Outside::Taken;
        }
        match diffy::merge(&self.base, &self.text, &disk) {
            Ok(both) => {
                self.base = disk;
                self.theirs = None;
                self.edit(both, Edit::default());
                Outside::Merged
            }
            Err(_) => {
                self.theirs = Some(disk);
                Outside::Conflict
            }
        }
    }

    fn take(&mut self, disk: String) {
        self.edit(disk.clone(), Edit::default());
        self.base = disk;
        self.theirs = None;
    }

    /// Takes what another program has written, and drops what stands here; undoing brings it back.
    pub fn take_theirs(&mut self) {
        if let Some(theirs) = self.theirs.take() {
            self.take(theirs);
        }
    }

    /// Keeps what stands here: saving writes it over what another program has written.
    pub fn keep_mine(&mut self) {
        if let Some(theirs) = self.theirs.take() {
            self.base = theirs;
        }
    }

    /// Lets both stand here, one below the other with lines of marks around them, to be put together by hand.
    pub fn show_both(&mut self) {
        if let Some(theirs) = self.theirs.take() {
            let both = match diffy::merge(&self.base, &self.text, &theirs) {
                Ok(both) | Err(both) => both,
            };
            self.base = theirs;
            self.edit(both, Edit::default());
        }
    }

    /// Writes what stands here into the file, if it differs. What another program has written since is looked at before.
    ///
    /// # Errors
    /// Where a choice is open, or the file cannot be read or written.
    pub fn save(&mut self) -> Result<(), NotSaved> {
        // Whoever has a file open here and deletes it elsewhere can still save it.
        if fs::symlink_metadata(&self.path).is_ok() {
            self.read()?;
        }
        if self.theirs.is_some() {
            return Err(NotSaved::Conflict);
        }
        if self.is_changed() || seen(&self.path).is_none() {
            table::write_whole(&self.path, &self.ends.write(&self.base, &self.text))?;
            self.ends = self.ends.after(&self.base, &self.text);
            self.base.clone_from(&self.text);
        }
        self.seen = seen(&self.path);
        self.history.close();
        Ok(())
    }

    /// Returns what has to be kept so that nothing is lost when the program ends; `None` where everything is in the file.
    pub fn draft(&self) -> Option<Draft> {
        self.is_changed().then(|| Draft {
            path: self.path.clone(),
            folder: self.folder.clone(),
            base: self.base.clone(),
            text: self.text.clone(),
        })
    }
}

fn seen(path: &Path) -> Option<Seen> {
    fs::metadata(path).ok().map(|data| (data.modified().ok(), data.len()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn opened(text: &str) -> (TempDir, Document) {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("rules.rhai");
        fs::write(&path, text).unwrap();
        let document = Document::open(&path, temp.path()).unwrap();
        (temp, document)
    }

    fn write(document: &mut Document, text: &str) {
        document.edit(text.to_owned(), Edit::default());
    }

    fn on_disk(document: &Document) -> String {
        fs::read_to_string(document.path()).unwrap()
    }

    #[test]
    fn saving_changes_only_what_was_changed() {
        for raw in ["a\r\nb\r\nc", "\u{feff}a\nb\nc\n", "a\r\nb\nc\r\n", ""] {
            let (_temp, mut document) = opened(raw);
            document.save().unwrap();
            assert_eq!(on_disk(&document), raw);
            assert!(!document.text().contains('\r'));
        }
        let (_temp, mut document) = opened("\u{feff}a\r\nb\nc\r\nd\r\n");
        write(&mut document, "a\nb\nc2\nnew\nd\n");
        assert!(document.is_changed());
        document.save().unwrap();
        assert_eq!(on_disk(&document), "\u{feff}a\r\nb\nc2\r\nnew\r\nd\r\n");
        assert!(!document.is_changed());
        write(&mut document, "a\nb\nc2\nnew\nd\ne");
        document.save().unwrap();
        assert_eq!(on_disk(&document), "\u{feff}a\r\nb\nc2\r\nnew\r\nd\r\ne");
    }

    #[test]
    fn what_another_program_writes_is_taken_merged_or_asked_about() {
        let (_temp, mut document) = opened("a\nb\nc\nd\ne\n");
        fs::write(document.path(), "a1\nb\nc\nd\ne\n").unwrap();
        assert_eq!(document.look().unwrap(), Outside::Taken);
        assert_eq!(document.look().unwrap(), Outside::Same);
        write(&mut document, "a1\nb\nc\nd\nmine\n");
        fs::write(document.path(), "theirs!\nb\nc\nd\ne\n").unwrap();
        assert_eq!(document.look().unwrap(), Outside::Merged);
        assert_eq!(document.text(), "theirs!\nb\nc\nd\nmine\n");
        fs::write(document.path(), "theirs!\nb\nc\nd\nyours too\n").unwrap();
        assert!(matches!(document.save(), Err(NotSaved::Conflict)), "saving looks first");
        assert!(on_disk(&document).contains("yours too"), "nothing was overwritten");
        let mut other = document.clone();
        other.show_both();
        assert!(
            other.text().contains("mine") && other.text().contains("yours too") && other.text().contains("<<<<<<<")
        );
        let mut other = document.clone();
        other.take_theirs();
        assert_eq!((other.text(), other.is_changed()), ("theirs!\nb\nc\nd\nyours too\n", false));
        document.keep_mine();
        document.save().unwrap();
        assert_eq!(on_disk(&document), "theirs!\nb\nc\nd\nmine\n");
        fs::remove_file(document.path()).unwrap();
        assert_eq!(document.look().unwrap(), Outside::Gone);
        document.save().unwrap();
        assert_eq!(on_disk(&document), "theirs!\nb\nc\nd\nmine\n", "what was deleted elsewhere can be saved again");
    }

    #[test]
    fn typing_is_undone_by_the_word() {
        let (_temp, mut document) = opened("x\n");
        let mut text = "x\n".to_owned();
        for (i, c) in "one two".chars().enumerate() {
            text.insert(2 + i, c);
            let at = Duration::from_millis(100 * i as u64);
            document.edit(text.clone(), Edit { before: 2 + i, after: 3 + i, at, is_typing: true });
        }
        assert_eq!((document.undo(), document.text()), (Some(6), "x\none "));
        assert_eq!((document.undo(), document.text()), (Some(2), "x\n"));
        assert_eq!(document.undo(), None);
        assert_eq!((document.redo(), document.text()), (Some(6), "x\none "));
        write(&mut document, "y");
        assert_eq!(document.redo(), None, "what was written since is another branch");
        document.undo();
        assert_eq!(document.text(), "x\none ");
    }

    #[test]
    fn drafts_survive_the_program() {
        let (temp, mut document) = opened("a\nb\nc\nd\n");
        let drafts = Drafts::new(&temp.path().join("data"));
        drafts.file_of(&document).write().unwrap();
        assert!(drafts.all().is_empty(), "there is nothing to keep");
        write(&mut document, "a\nb \"\"\" '\n\tc\nd\nmine é\n");
        drafts.file_of(&document).write().unwrap();
        let [draft] = &drafts.all()[..] else { panic!("one draft") };
        assert_eq!(Document::of_draft(draft.clone()).text(), document.text());
        fs::write(document.path(), "theirs\na\nb\nc\nd\n").unwrap();
        let again = Document::of_draft(draft.clone());
        assert_eq!(again.text(), "theirs\na\nb \"\"\" '\n\tc\nd\nmine é\n");
        assert!(again.is_changed());
        document.look().unwrap();
        document.save().unwrap();
        drafts.file_of(&document).write().unwrap();
        assert!(drafts.all().is_empty());
    }
}
