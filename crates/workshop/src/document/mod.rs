//! Texts that are open in the editor. Detects changes that other programs make to their files, and
//! merges them.

mod drafts;
mod history;
mod line_ends;

use std::io;
use std::path::{Path, PathBuf};

use loader::{ReadError, read_text};
use platform::fs::{self, Stamp};
use thiserror::Error;

pub use drafts::{Draft, Drafts};
pub use history::EditContext;

use history::History;
use line_ends::LineEnds;

/// The maximum size of a file that can be opened, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// An open text. Its lines end with LF, even if the file has other line ends.
#[derive(Clone, Debug, Default)]
pub struct Document {
    path: PathBuf,
    /// The folder of the mod, which must contain the file.
    folder: PathBuf,
    /// The content of the file on which the edited text is based: as last read, merged or saved.
    base: String,
    ends: LineEnds,
    text: String,
    /// The content that another program has written to the file, if it conflicts with the text;
    /// otherwise `None`.
    theirs: Option<String>,
    history: History,
    seen: Option<Stamp>,
}

/// The result of a check for changes by other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutsideChange {
    /// The content of the file is unchanged.
    Same,
    /// The file has changed. The document had no unsaved changes, or the same text as the file. It
    /// now has the content of the file.
    Taken,
    /// The file and the document had changes on different lines. The document now contains both.
    Merged,
    /// The file and the document have changes on the same lines. The user must choose one version;
    /// see [`Document::theirs`].
    Conflict,
    /// The file was removed.
    Gone,
}

/// A reason why a document was not saved.
#[derive(Debug, Error)]
pub enum NotSaved {
    /// Another program changed the same lines.
    #[error("another program has changed the same lines: choose which to keep, then save again")]
    Conflict,
    /// The file cannot be read, so saving might destroy unknown content.
    #[error("{0}")]
    Unreadable(#[from] ReadError),
    /// The system reported an error.
    #[error("{0}")]
    System(#[from] io::Error),
}

impl Document {
    /// Opens a file of the mod in `folder`.
    ///
    /// # Errors
    /// Returns an error if the path does not lead to a text file in that folder, or if the file is
    /// too large.
    pub fn open(path: &Path, folder: &Path) -> Result<Document, ReadError> {
        let raw = read_text(path, Some(folder), MAX_BYTES)?;
        let (base, ends) = LineEnds::split(&raw);
        let text = base.clone();
        Ok(Document {
            path: path.to_owned(),
            folder: folder.to_owned(),
            base,
            ends,
            text,
            seen: fs::stamp(path).ok(),
            ..Document::default()
        })
    }

    /// Opens the file of a draft, with the unsaved text of the draft. If another program has
    /// changed the file since the draft was stored, merges the changes or records a conflict.
    pub fn open_draft(draft: Draft) -> Document {
        let Draft { path, folder, base, text } = draft;
        let mut document = Document { path, folder, base, text, ..Document::default() };
        if let Ok(raw) = read_text(&document.path, Some(&document.folder), MAX_BYTES) {
            let (disk, ends) = LineEnds::split(&raw);
            document.ends = ends;
            document.seen = fs::stamp(&document.path).ok();
            document.apply_file_content(disk);
        }
        document
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the path, after this program has renamed the file.
    pub fn set_path(&mut self, path: &Path) {
        path.clone_into(&mut self.path);
    }

    /// Returns the folder of the mod.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the text in the editor.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the content of the file on which the edited text is based: as last read, merged or
    /// saved.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Returns whether the text has unsaved changes.
    pub fn is_changed(&self) -> bool {
        self.text != self.base
    }

    /// Returns the content that another program has written to the file, if it conflicts with the
    /// text; otherwise `None`.
    pub fn theirs(&self) -> Option<&str> {
        self.theirs.as_deref()
    }

    /// Replaces the text.
    pub fn edit(&mut self, text: String, edit: EditContext) {
        if text != self.text {
            self.history.record(&self.text, &text, edit);
            self.text = text;
        }
    }

    /// Undoes the last step: one edit, or several consecutive edits by typing. Returns the cursor
    /// before this step, in bytes; `None` if there is no step to undo.
    pub fn undo(&mut self) -> Option<usize> {
        self.history.undo(&mut self.text)
    }

    /// Redoes the last undone step. Returns the cursor after this step, in bytes; `None` if there
    /// is no step to redo.
    pub fn redo(&mut self) -> Option<usize> {
        self.history.redo(&mut self.text)
    }

    /// Checks the file for changes by other programs. Applies the changes to the text, or records a
    /// conflict. Reads the file only if its modification time or length has changed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn apply_outside_changes(&mut self) -> Result<OutsideChange, ReadError> {
        let now = fs::stamp(&self.path).ok();
        if now == self.seen {
            return Ok(OutsideChange::Same);
        }
        self.seen = now;
        if now.is_none() {
            return Ok(OutsideChange::Gone);
        }
        self.read()
    }

    fn read(&mut self) -> Result<OutsideChange, ReadError> {
        let raw = read_text(&self.path, Some(&self.folder), MAX_BYTES)?;
        let (disk, ends) = LineEnds::split(&raw);
        self.ends = ends;
        if disk == self.base {
            self.theirs = None;
            return Ok(OutsideChange::Same);
        }
        Ok(self.apply_file_content(disk))
    }

    /// Applies the new file content `disk` to the document: replaces the text, merges the changes,
    /// or records a conflict.
    fn apply_file_content(&mut self, disk: String) -> OutsideChange {
        if disk == self.base {
            return OutsideChange::Same;
        }
        if self.text == self.base || self.text == disk {
            self.replace_with(disk);
            return OutsideChange::Taken;
        }
        match diffy::merge(&self.base, &self.text, &disk) {
            Ok(both) => {
                self.base = disk;
                self.theirs = None;
                self.edit(both, EditContext::default());
                OutsideChange::Merged
            }
            Err(_) => {
                self.theirs = Some(disk);
                OutsideChange::Conflict
            }
        }
    }

    fn replace_with(&mut self, disk: String) {
        self.edit(disk.clone(), EditContext::default());
        self.base = disk;
        self.theirs = None;
    }

    /// Resolves a conflict: replaces the text with the other program's content. Undo restores the
    /// replaced text.
    pub fn take_theirs(&mut self) {
        if let Some(theirs) = self.theirs.take() {
            self.replace_with(theirs);
        }
    }

    /// Resolves a conflict: keeps the text. Saving then overwrites the other program's content.
    pub fn keep_mine(&mut self) {
        if let Some(theirs) = self.theirs.take() {
            self.base = theirs;
        }
    }

    /// Resolves a conflict by inserting both versions of the conflicting lines into the text,
    /// between conflict markers, for the user to merge by hand.
    pub fn show_both(&mut self) {
        if let Some(theirs) = self.theirs.take() {
            let both = match diffy::merge(&self.base, &self.text, &theirs) {
                Ok(both) | Err(both) => both,
            };
            self.base = theirs;
            self.edit(both, EditContext::default());
        }
    }

    /// Applies changes by other programs to the text. Then writes the text to the file. Does not
    /// write a file that already contains the text.
    ///
    /// # Errors
    /// Returns an error if there is a conflict, or if the file cannot be read or written.
    pub fn save(&mut self) -> Result<(), NotSaved> {
        // If another program has deleted the file, saving creates it again.
        if fs::is_taken(&self.path) {
            self.read()?;
        }
        if self.theirs.is_some() {
            return Err(NotSaved::Conflict);
        }
        if self.is_changed() || !fs::exists(&self.path) {
            table::write_whole(&self.path, self.ends.join(&self.base, &self.text))?;
            self.ends = self.ends.after_edit(&self.base, &self.text);
            self.base.clone_from(&self.text);
        }
        self.seen = fs::stamp(&self.path).ok();
        self.history.close_step();
        Ok(())
    }

    /// Returns the draft to store, so that unsaved changes survive when the program ends; `None` if
    /// there are no unsaved changes.
    pub fn draft(&self) -> Option<Draft> {
        self.is_changed().then(|| Draft {
            path: self.path.clone(),
            folder: self.folder.clone(),
            base: self.base.clone(),
            text: self.text.clone(),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use platform::time::Duration;
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
        document.edit(text.to_owned(), EditContext::default());
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
        assert_eq!(document.apply_outside_changes().unwrap(), OutsideChange::Taken);
        assert_eq!(document.apply_outside_changes().unwrap(), OutsideChange::Same);
        write(&mut document, "a1\nb\nc\nd\nmine\n");
        fs::write(document.path(), "theirs!\nb\nc\nd\ne\n").unwrap();
        assert_eq!(document.apply_outside_changes().unwrap(), OutsideChange::Merged);
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
        fs::remove(document.path()).unwrap();
        assert_eq!(document.apply_outside_changes().unwrap(), OutsideChange::Gone);
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
            document.edit(text.clone(), EditContext { before: 2 + i, after: 3 + i, at, is_typing: true });
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
        assert_eq!(Document::open_draft(draft.clone()).text(), document.text());
        fs::write(document.path(), "theirs\na\nb\nc\nd\n").unwrap();
        let again = Document::open_draft(draft.clone());
        assert_eq!(again.text(), "theirs\na\nb \"\"\" '\n\tc\nd\nmine é\n");
        assert!(again.is_changed());
        document.apply_outside_changes().unwrap();
        document.save().unwrap();
        drafts.file_of(&document).write().unwrap();
        assert!(drafts.all().is_empty());
    }
}
