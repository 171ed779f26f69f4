//! The files of a page: one tree in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use web_time::SystemTime;

/// The folder whose files are not stored.
pub(super) const TEMPORARY: &str = "/tmp";

static FILE_TREE: Mutex<FileTree> = Mutex::new(FileTree {
    nodes: BTreeMap::new(),
    supplied: BTreeSet::new(),
    removed: BTreeSet::new(),
    watchers: Vec::new(),
});

/// A file that changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// The path of the file.
    pub path: PathBuf,
    /// The content of the file, or `None` if the file was removed.
    pub bytes: Option<Vec<u8>>,
    /// The time of the change.
    pub modified: SystemTime,
}

/// A file or folder.
#[derive(Clone, Debug)]
pub(super) enum FileNode {
    Folder,
    File(Arc<Mutex<Content>>),
}

/// The content of a file.
#[derive(Debug)]
pub(super) struct Content {
    pub bytes: Vec<u8>,
    pub modified: SystemTime,
    /// True if the page need not store this content: it has stored the content already, is storing
    /// it, or came with it.
    pub is_kept: bool,
    pub is_locked: bool,
}

impl Content {
    pub fn new(bytes: Vec<u8>) -> Content {
        Content { bytes, modified: SystemTime::now(), is_kept: false, is_locked: false }
    }
}

pub(super) struct FileTree {
    pub nodes: BTreeMap<PathBuf, FileNode>,
    /// The paths of the files that come with the page.
    pub supplied: BTreeSet<PathBuf>,
    /// The paths of the removed files that `take_changes` has not returned yet.
    pub removed: BTreeSet<PathBuf>,
    pub watchers: Vec<Sender<PathBuf>>,
}

/// Calls `work` with the tree.
pub(super) fn with_tree<T>(work: impl FnOnce(&mut FileTree) -> T) -> T {
    work(&mut FILE_TREE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Locks the content of a file.
pub(super) fn lock_content(file: &Mutex<Content>) -> MutexGuard<'_, Content> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the absolute, normalised path.
pub(super) fn whole_path(path: &Path) -> PathBuf {
    let mut whole = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::Normal(name) => whole.push(name),
            Component::ParentDir => drop(whole.pop()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    whole
}

impl FileTree {
    pub fn get(&self, path: &Path) -> io::Result<&FileNode> {
        let path = whole_path(path);
        match self.nodes.get(&path) {
            Some(node) => Ok(node),
            None if path == Path::new("/") => Ok(&FileNode::Folder),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    pub fn file(&self, path: &Path) -> io::Result<&Arc<Mutex<Content>>> {
        match self.get(path)? {
            FileNode::File(file) => Ok(file),
            FileNode::Folder => Err(ErrorKind::IsADirectory.into()),
        }
    }

    /// Returns an error if the parent of `path` (absolute) is not an existing folder.
    pub fn check_parent(&self, path: &Path) -> io::Result<()> {
        match self.get(path.parent().unwrap_or(path))? {
            FileNode::Folder => Ok(()),
            FileNode::File(_) => Err(ErrorKind::NotADirectory.into()),
        }
    }

    pub fn make_folders(&mut self, path: &Path) -> io::Result<()> {
        for folder in path.ancestors() {
            if let Some(FileNode::File(_)) = self.nodes.get(folder) {
                return Err(ErrorKind::NotADirectory.into());
            }
        }
        for folder in path.ancestors().filter(|folder| folder.parent().is_some()) {
            self.nodes.entry(folder.to_owned()).or_insert(FileNode::Folder);
        }
        Ok(())
    }

    /// Iterates over everything below `folder` (absolute).
    pub fn below(&self, folder: &Path) -> impl Iterator<Item = (&PathBuf, &FileNode)> {
        let from = folder.to_owned();
        self.nodes.range(from.clone()..).take_while(move |(path, _)| path.starts_with(&from)).skip_while({
            let itself = folder.to_owned();
            move |(path, _)| **path == itself
        })
    }

    /// Puts a file at `path` and creates its folders.
    pub fn put(&mut self, path: &Path, content: Content) {
        let path = whole_path(path);
        let _ = path.parent().map(|folder| self.make_folders(folder));
        self.removed.remove(&path);
        self.nodes.insert(path, FileNode::File(Arc::new(Mutex::new(content))));
    }

    /// Removes the entry of the file or folder at `path` (absolute), but not the entries below the
    /// folder.
    pub fn remove_entry(&mut self, path: &Path) {
        if let Some(FileNode::File(_)) = self.nodes.remove(path) {
            self.removed.insert(path.to_owned());
            self.notify(path);
        }
    }

    /// Notifies the watchers that a file changed.
    pub fn notify(&mut self, path: &Path) {
        self.watchers.retain(|watcher| watcher.send(path.to_owned()).is_ok());
    }

    pub fn take_changes(&mut self) -> Vec<FileChange> {
        let modified = SystemTime::now();
        let removed = std::mem::take(&mut self.removed).into_iter();
        let mut changes: Vec<FileChange> = removed.map(|path| FileChange { path, bytes: None, modified }).collect();
        for (path, node) in &self.nodes {
            let FileNode::File(file) = node else { continue };
            let mut content = lock_content(file);
            if !std::mem::replace(&mut content.is_kept, true) {
                changes.push(FileChange {
                    path: path.clone(),
                    bytes: Some(content.bytes.clone()),
                    modified: content.modified,
                });
            }
        }
        changes.retain(|change| !change.path.starts_with(TEMPORARY));
        changes
    }
}
