//! Drafts: stored copies of unsaved texts, which survive a restart.

use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use loader::read_text;
use platform::fs;
use table::StoredFile;
use toml_edit::{DocumentMut, value};

use super::Document;

/// The maximum size of a draft, in bytes. A draft contains two texts, the file as read and the
/// edited text, and some characters are escaped.
const MAX_BYTES: u64 = 32 << 20;

/// An unsaved text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// The file that the user edited.
    pub path: PathBuf,
    /// The folder of the mod that contains the file.
    pub folder: PathBuf,
    /// The content of the file on which the edited text is based.
    pub base: String,
    /// The edited text, which is not saved to the file yet.
    pub text: String,
}

/// The folder that contains drafts.
#[derive(Clone, Debug)]
pub struct Drafts {
    folder: PathBuf,
}

impl Drafts {
    /// Returns the folder `drafts` inside `data`. Writes nothing yet.
    pub fn new(data: &Path) -> Drafts {
        Drafts { folder: data.join("drafts") }
    }

    /// Returns the file for the draft of a document. The caller must write it. If the document has
    /// no unsaved changes, writing it removes the file.
    pub fn file_of(&self, document: &Document) -> StoredFile {
        let text = document.draft().map(|draft| {
            let mut kept = DocumentMut::new();
            let shown = |path: &Path| value(path.to_string_lossy().into_owned());
            kept.insert("path", shown(&draft.path));
            kept.insert("folder", shown(&draft.folder));
            kept.insert("base", value(draft.base));
            kept.insert("text", value(draft.text));
            kept.to_string()
        });
        StoredFile { path: self.path(document.path()), text }
    }

    /// Returns a [`StoredFile`] that removes the draft of a document. The caller must write it.
    pub fn removal_of(&self, document: &Document) -> StoredFile {
        StoredFile { path: self.path(document.path()), text: None }
    }

    /// Returns all stored drafts, sorted by the path of the edited file. Skips invalid drafts.
    pub fn all(&self) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = fs::paths_in(&self.folder).filter_map(|file| read(&file)).collect();
        drafts.sort_by(|a, b| a.path.cmp(&b.path));
        drafts
    }

    fn path(&self, path: &Path) -> PathBuf {
        let mut hasher = FnvHasher::default();
        hasher.write(path.to_string_lossy().as_bytes());
        self.folder.join(format!("{:016x}.toml", hasher.finish()))
    }
}

fn read(file: &Path) -> Option<Draft> {
    let kept: DocumentMut = read_text(file, None, MAX_BYTES).ok()?.parse().ok()?;
    let text = |key: &str| kept.get(key).and_then(|item| item.as_str()).map(str::to_owned);
    let (path, folder) = (PathBuf::from(text("path")?), PathBuf::from(text("folder")?));
    Some(Draft { path, folder, base: text("base")?, text: text("text")? })
}
