//! Files in the memory of a page. The page stores the changes (see [`take_changes`]).

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use web_time::SystemTime;

pub use super::tree::FileChange;
use super::tree::{self, Content, FileNode, lock_content, whole_path};
use crate::files::{Entry, FileKind, Files, Stamp, TEMPORARY_PREFIX, text};

/// Adds a file that comes with the page, so that the page need not store it.
pub fn add_supplied(path: &Path, bytes: Vec<u8>) {
    tree::with_tree(|tree| {
        tree.supplied.insert(whole_path(path));
        tree.put(path, Content { is_kept: true, ..Content::new(bytes) });
    });
}

/// Applies a change that the page has stored earlier: writes or removes the file.
pub fn restore(change: FileChange) {
    tree::with_tree(|tree| match change.bytes {
        Some(bytes) => {
            tree.put(&change.path, Content { is_kept: true, modified: change.modified, ..Content::new(bytes) })
        }
        None => drop(tree.nodes.remove(&whole_path(&change.path))),
    });
}

/// Returns the files changed since the last call, except those in `/tmp`, for the page to store.
pub fn take_changes() -> Vec<FileChange> {
    tree::with_tree(tree::FileTree::take_changes)
}

/// Marks a file returned by [`take_changes`] as changed again, because storing it failed.
pub fn mark_changed(path: &Path) {
    tree::with_tree(|tree| match tree.nodes.get(&whole_path(path)) {
        Some(FileNode::File(file)) => lock_content(file).is_kept = false,
        _ => drop(tree.removed.insert(whole_path(path))),
    });
}

/// Returns a channel that receives the paths of files that the program creates, replaces, renames
/// or removes from now on. Writes to an open file are not reported.
pub fn watch() -> Receiver<PathBuf> {
    let (say, heard) = channel();
    tree::with_tree(|tree| tree.watchers.push(say));
    heard
}

/// The files in the memory of this page.
pub(crate) struct Memory;

/// An open file. Its content stays readable if another file later takes its path.
#[derive(Debug)]
pub(crate) struct OpenFile(Arc<Mutex<Content>>);

impl OpenFile {
    fn lock(content: &Arc<Mutex<Content>>) -> io::Result<OpenFile> {
        let is_locked = std::mem::replace(&mut lock_content(content).is_locked, true);
        if is_locked { Err(ErrorKind::WouldBlock.into()) } else { Ok(OpenFile(content.clone())) }
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        lock_content(&self.0).is_locked = false;
    }
}

impl Files for Memory {
    type Open = OpenFile;

    fn data_dir() -> Option<PathBuf> {
        Some(PathBuf::from("/data"))
    }

    fn read(path: &Path) -> io::Result<Vec<u8>> {
        tree::with_tree(|tree| Ok(lock_content(tree.file(path)?).bytes.clone()))
    }

    fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
        Some(Memory::read(path)?).filter(|bytes| bytes.len() as u64 <= most).ok_or(ErrorKind::FileTooLarge.into())
    }

    fn list(folder: &Path, most: usize) -> io::Result<Vec<Entry>> {
        tree::with_tree(|tree| {
            let folder = whole_path(folder);
            if let FileNode::File(_) = tree.get(&folder)? {
                return Err(ErrorKind::NotADirectory.into());
            }
            let inside = tree.below(&folder).filter(|(path, _)| path.parent() == Some(&folder)).take(most);
            Ok(inside.map(|(path, node)| Entry { path: path.clone(), kind: stamp_of(node).kind }).collect())
        })
    }

    fn stamp(path: &Path) -> io::Result<Stamp> {
        tree::with_tree(|tree| tree.get(path).map(stamp_of))
    }

    fn link_stamp(path: &Path) -> io::Result<Stamp> {
        Memory::stamp(path)
    }

    fn canonicalize(path: &Path) -> io::Result<PathBuf> {
        Memory::stamp(path).map(|_| whole_path(path))
    }

    fn create_dir_all(path: &Path) -> io::Result<()> {
        tree::with_tree(|tree| tree.make_folders(&whole_path(path)))
    }

    fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        Memory::replace(path, bytes).map(drop)
    }

    fn write_output(path: &Path, bytes: &[u8]) -> io::Result<()> {
        Memory::write(path, bytes)
    }

    fn rename(from: &Path, to: &Path) -> io::Result<()> {
        tree::with_tree(|tree| {
            let (from, to) = (whole_path(from), whole_path(to));
            tree.get(&from)?;
            tree.check_parent(&to)?;
            if tree.below(&to).next().is_some() {
                return Err(ErrorKind::DirectoryNotEmpty.into());
            }
            let moved: Vec<PathBuf> = tree.below(&from).map(|(path, _)| path.clone()).chain([from.clone()]).collect();
            for path in moved {
                let Some(node) = tree.nodes.get(&path).cloned() else { continue };
                tree.remove_entry(&path);
                let below = path.strip_prefix(&from).unwrap_or(Path::new(""));
                let new = if below.as_os_str().is_empty() { to.clone() } else { to.join(below) };
                if let FileNode::File(file) = &node {
                    lock_content(file).is_kept = false;
                }
                tree.notify(&new);
                tree.removed.remove(&new);
                tree.nodes.insert(new, node);
            }
            Ok(())
        })
    }

    fn exchange(_: &Path, _: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    fn remove(path: &Path) -> io::Result<()> {
        tree::with_tree(|tree| {
            let path = whole_path(path);
            tree.get(&path)?;
            let inside: Vec<PathBuf> = tree.below(&path).map(|(path, _)| path.clone()).collect();
            inside.iter().chain([&path]).for_each(|path| tree.remove_entry(path));
            Ok(())
        })
    }

    /// Does nothing. If the page cannot store a file, it reports that later.
    fn sync(_: &Path) -> io::Result<()> {
        Ok(())
    }

    fn check_writable(path: &Path) -> io::Result<()> {
        tree::with_tree(|tree| tree.check_parent(&whole_path(path)))
    }

    fn create_temp_dir(place: Option<&Path>) -> io::Result<PathBuf> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let place = place.unwrap_or(Path::new(tree::TEMPORARY));
        let path = place.join(format!("{TEMPORARY_PREFIX}{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
        Memory::create_dir_all(&path)?;
        Ok(path)
    }

    fn open(path: &Path) -> io::Result<OpenFile> {
        tree::with_tree(|tree| OpenFile::lock(tree.file(path)?))
    }

    fn create(path: &Path, bytes: &[u8]) -> io::Result<OpenFile> {
        match Memory::stamp(path) {
            Ok(_) => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => Memory::replace(path, bytes),
        }
    }

    fn replace(path: &Path, bytes: &[u8]) -> io::Result<OpenFile> {
        tree::with_tree(|tree| {
            tree.check_parent(&whole_path(path))?;
            if matches!(tree.get(path), Ok(FileNode::Folder)) {
                return Err(ErrorKind::IsADirectory.into());
            }
            tree.put(path, Content::new(bytes.to_vec()));
            tree.notify(&whole_path(path));
            OpenFile::lock(tree.file(path)?)
        })
    }

    fn text_of(file: &mut OpenFile) -> io::Result<String> {
        text(lock_content(&file.0).bytes.clone())
    }

    fn len_of(file: &OpenFile) -> io::Result<u64> {
        Ok(lock_content(&file.0).bytes.len() as u64)
    }

    fn write_end(file: &mut OpenFile, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut content = lock_content(&file.0);
        content.bytes.resize(at as usize, 0);
        content.bytes.extend_from_slice(bytes);
        (content.is_kept, content.modified) = (false, SystemTime::now());
        Ok(())
    }

    fn set_modified(file: &OpenFile, modified: SystemTime) -> io::Result<()> {
        lock_content(&file.0).modified = modified;
        Ok(())
    }

    /// Does nothing; see [`Memory::sync`].
    fn sync_data(_: &OpenFile) -> io::Result<()> {
        Ok(())
    }

    fn is_at(file: &OpenFile, path: &Path) -> io::Result<bool> {
        tree::with_tree(|tree| Ok(Arc::ptr_eq(tree.file(path)?, &file.0)))
    }
}

fn stamp_of(node: &FileNode) -> Stamp {
    match node {
        FileNode::Folder => Stamp { kind: FileKind::Folder, len: 0, modified: None },
        FileNode::File(file) => {
            let content = lock_content(file);
            Stamp { kind: FileKind::File, len: content.bytes.len() as u64, modified: Some(content.modified) }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn changed_in(folder: &Path) -> Vec<(String, Option<String>)> {
        let changes = take_changes().into_iter().filter(|change| change.path.starts_with(folder));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
        changes.map(|change| (name(&change.path), change.bytes.map(text))).collect()
    }

    #[test]
    fn what_changes_is_handed_out_once() {
        let folder = Path::new("/kept");
        let heard = watch();
        add_supplied(&folder.join("a-supplied.txt"), b"one".to_vec());
        assert_eq!(changed_in(folder), []);
        Memory::write(&folder.join("a-supplied.txt"), b"two").unwrap();
        Memory::write(&folder.join("own.txt"), b"mine").unwrap();
        let both =
            [("a-supplied.txt".to_owned(), Some("two".to_owned())), ("own.txt".to_owned(), Some("mine".to_owned()))];
        assert_eq!(changed_in(folder), both);
        assert_eq!(changed_in(folder), []);
        mark_changed(&folder.join("own.txt"));
        assert_eq!(changed_in(folder), both[1..]);
        assert_eq!(heard.try_iter().filter(|path| path.starts_with(folder)).count(), 2);
        Memory::remove(&folder.join("own.txt")).unwrap();
        assert_eq!(changed_in(folder), [("own.txt".to_owned(), None)]);
        let back =
            FileChange { path: folder.join("own.txt"), bytes: Some(b"mine".to_vec()), modified: SystemTime::now() };
        restore(back.clone());
        assert_eq!(Memory::read(&folder.join("own.txt")).unwrap(), b"mine");
        restore(FileChange { bytes: None, ..back });
        assert!(Memory::stamp(&folder.join("own.txt")).is_err());
        assert_eq!(changed_in(folder), []);
    }
}
