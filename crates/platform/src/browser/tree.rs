//! The files of a page, by path: one tree, in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use web_time::SystemTime;

use super::fs::Change;

/// The folder whose files nobody keeps.
pub(super) const TEMPORARY: &str = "/tmp";

static TREE: Mutex<Tree> = Mutex::new(Tree {
    nodes: BTreeMap::new(),
    brought: BTreeSet::new(),
    removed: BTreeSet::new(),
    watchers: Vec::new(),
});

/// What is at a path.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Folder,
    File(Arc<Mutex<Content>>),
}

/// What a file holds.
#[derive(Debug)]
pub(super) struct Content {
    pub bytes: Vec<u8>,
    pub modified: SystemTime,
    /// Whether the page keeps it as it is.
    pub is_kept: bool,
    pub is_locked: bool,
}

impl Content {
    pub fn new(bytes: Vec<u8>) -> Content {
        Content { bytes, modified: SystemTime::now(), is_kept: false, is_locked: false }
    }
}

pub(super) struct Tree {
    pub nodes: BTreeMap<PathBuf, Node>,
    /// The files that come with the page: that one is gone has to be kept as well.
    pub brought: BTreeSet<PathBuf>,
    /// The files that are gone, of which the page does not know yet.
    pub removed: BTreeSet<PathBuf>,
    pub watchers: Vec<Sender<PathBuf>>,
}

/// Does something with all files.
pub(super) fn with<T>(work: impl FnOnce(&mut Tree) -> T) -> T {
    work(&mut TREE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Returns what a file holds, to be looked at or changed.
pub(super) fn inode(file: &Mutex<Content>) -> MutexGuard<'_, Content> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a path from the root, without detours.
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

impl Tree {
    pub fn get(&self, path: &Path) -> io::Result<&Node> {
        let path = whole_path(path);
        match self.nodes.get(&path) {
            Some(node) => Ok(node),
            None if path == Path::new("/") => Ok(&Node::Folder),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    pub fn file(&self, path: &Path) -> io::Result<&Arc<Mutex<Content>>> {
        match self.get(path)? {
            Node::File(file) => Ok(file),
            Node::Folder => Err(ErrorKind::IsADirectory.into()),
        }
    }

    /// Fails where the folder is not there in which `path`, a whole one, is to be.
    pub fn folder_above(&self, path: &Path) -> io::Result<()> {
        match self.get(path.parent().unwrap_or(path))? {
            Node::Folder => Ok(()),
            Node::File(_) => Err(ErrorKind::NotADirectory.into()),
        }
    }

    pub fn make_folders(&mut self, path: &Path) -> io::Result<()> {
        for folder in path.ancestors() {
            if let Some(Node::File(_)) = self.nodes.get(folder) {
                return Err(ErrorKind::NotADirectory.into());
            }
        }
        for folder in path.ancestors().filter(|folder| folder.parent().is_some()) {
            self.nodes.entry(folder.to_owned()).or_insert(Node::Folder);
        }
        Ok(())
    }

    /// What is in `folder`, a whole path, and in folders in it.
    pub fn below(&self, folder: &Path) -> impl Iterator<Item = (&PathBuf, &Node)> {
        let from = folder.to_owned();
        self.nodes.range(from.clone()..).take_while(move |(path, _)| path.starts_with(&from)).skip_while({
            let itself = folder.to_owned();
            move |(path, _)| **path == itself
        })
    }

    /// Puts a file into its place, with the folders that it lies in.
    pub fn put(&mut self, path: &Path, content: Content) {
        let path = whole_path(path);
        let _ = path.parent().map(|folder| self.make_folders(folder));
        self.removed.remove(&path);
        self.nodes.insert(path, Node::File(Arc::new(Mutex::new(content))));
    }

    /// Takes away what is at `path`, a whole one.
    pub fn take(&mut self, path: &Path) {
        if let Some(Node::File(_)) = self.nodes.remove(path) {
            self.removed.insert(path.to_owned());
            self.tell(path);
        }
    }

    /// Tells those who watch that a file has changed.
    pub fn tell(&mut self, path: &Path) {
        self.watchers.retain(|watcher| watcher.send(path.to_owned()).is_ok());
    }

    pub fn take_changes(&mut self) -> Vec<Change> {
        let modified = SystemTime::now();
        let removed = std::mem::take(&mut self.removed).into_iter();
        let mut changes: Vec<Change> = removed.map(|path| Change { path, bytes: None, modified }).collect();
        for (path, node) in &self.nodes {
            let Node::File(file) = node else { continue };
            let mut content = inode(file);
            if !std::mem::replace(&mut content.is_kept, true) {
                changes.push(Change {
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
