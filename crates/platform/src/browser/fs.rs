//! Files in memory, with the functions of `std::fs`. The page stores the changes (see
//! [`take_changes`]).
//!
//! The file is long because it covers everything of `std::fs` that Bastide uses, with the errors
//! that a disk would give.

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use web_time::SystemTime;

// Symbolic links do not exist here, and a write to memory never stops halfway.
pub use self::{metadata as symlink_metadata, write as write_output, write as write_whole};
pub use super::tree::FileChange;
use super::tree::{self, Content, FileNode, lock_content, whole_path};

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
/// or removes from now on. Writes to an open [`File`] are not reported.
pub fn watch() -> Receiver<PathBuf> {
    let (say, heard) = channel();
    tree::with_tree(|tree| tree.watchers.push(say));
    heard
}

/// The type of a directory entry; the value is true for a folder, false for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileType(bool);

impl FileType {
    /// Returns whether the entry is a folder.
    pub fn is_dir(&self) -> bool {
        self.0
    }
}

/// The metadata of a file or folder.
#[derive(Clone, Debug)]
pub struct Metadata {
    is_dir: bool,
    len: u64,
    modified: SystemTime,
}

impl Metadata {
    fn of(node: &FileNode) -> Metadata {
        match node {
            FileNode::Folder => Metadata { is_dir: true, len: 0, modified: web_time::UNIX_EPOCH },
            FileNode::File(file) => {
                let content = lock_content(file);
                Metadata { is_dir: false, len: content.bytes.len() as u64, modified: content.modified }
            }
        }
    }

    /// Returns the type of the file or folder.
    pub fn file_type(&self) -> FileType {
        FileType(self.is_dir)
    }

    /// Returns whether these are the metadata of a folder.
    pub fn is_dir(&self) -> bool {
        self.is_dir
    }

    /// Returns whether these are the metadata of a file.
    pub fn is_file(&self) -> bool {
        !self.is_dir
    }

    /// Returns whether these are the metadata of a symbolic link: always false.
    pub fn is_symlink(&self) -> bool {
        false
    }

    /// Returns the size in bytes.
    #[allow(clippy::len_without_is_empty, reason = "`std::fs::Metadata` has no `is_empty` either")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the time of the last write of a file; the Unix epoch for a folder.
    ///
    /// # Errors
    /// Never fails in a browser.
    pub fn modified(&self) -> io::Result<SystemTime> {
        Ok(self.modified)
    }
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub struct DirEntry {
    path: PathBuf,
    file_type: FileType,
}

impl DirEntry {
    /// Returns the path of the entry.
    pub fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Returns the name of the entry.
    pub fn file_name(&self) -> OsString {
        self.path.file_name().unwrap_or_default().to_owned()
    }

    /// Returns the type of the entry.
    ///
    /// # Errors
    /// Never fails in a browser.
    pub fn file_type(&self) -> io::Result<FileType> {
        Ok(self.file_type)
    }
}

/// See `std::fs::metadata`.
///
/// # Errors
/// Returns an error if the path does not exist.
pub fn metadata(path: impl AsRef<Path>) -> io::Result<Metadata> {
    tree::with_tree(|tree| tree.get(path.as_ref()).map(Metadata::of))
}

/// Returns the folder for the user's application data.
pub fn data_dir() -> Option<PathBuf> {
    Some(PathBuf::from("/data"))
}

/// Returns whether `path` exists.
pub fn exists(path: &Path) -> bool {
    metadata(path).is_ok()
}

/// Returns whether there is a file at `path`.
pub fn is_file(path: &Path) -> bool {
    metadata(path).is_ok_and(|about| about.is_file())
}

/// Returns whether there is a folder at `path`.
pub fn is_dir(path: &Path) -> bool {
    metadata(path).is_ok_and(|about| about.is_dir())
}

/// See `std::fs::canonicalize`.
///
/// # Errors
/// Returns an error if the path does not exist.
pub fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    metadata(path.as_ref()).map(|_| whole_path(path.as_ref()))
}

/// See `std::fs::read`.
///
/// # Errors
/// Returns an error if there is no such file.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    tree::with_tree(|tree| Ok(lock_content(tree.file(path.as_ref())?).bytes.clone()))
}

/// See `std::fs::read_to_string`.
///
/// # Errors
/// Returns an error if there is no such file, or it is not text.
pub fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// See `std::fs::write`.
///
/// # Errors
/// Returns an error if the folder of the file does not exist, or if `path` is a folder.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    replace(path.as_ref(), bytes).map(drop)
}

/// See `std::fs::create_dir`.
///
/// # Errors
/// Returns an error if the path exists already or its parent does not.
pub fn create_dir(path: impl AsRef<Path>) -> io::Result<()> {
    tree::with_tree(|tree| {
        let path = whole_path(path.as_ref());
        tree.check_parent(&path)?;
        match tree.nodes.contains_key(&path) {
            true => Err(ErrorKind::AlreadyExists.into()),
            false => {
                tree.nodes.insert(path, FileNode::Folder);
                Ok(())
            }
        }
    })
}

/// See `std::fs::create_dir_all`.
///
/// # Errors
/// Returns an error if a file is in the way.
pub fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    tree::with_tree(|tree| tree.make_folders(&whole_path(path.as_ref())))
}

/// See `std::fs::read_dir`.
///
/// # Errors
/// Returns an error if there is no such folder.
pub fn read_dir(path: impl AsRef<Path>) -> io::Result<impl Iterator<Item = io::Result<DirEntry>>> {
    let entries = tree::with_tree(|tree| -> io::Result<Vec<DirEntry>> {
        let folder = whole_path(path.as_ref());
        match tree.get(&folder)? {
            FileNode::Folder => {}
            FileNode::File(_) => return Err(ErrorKind::NotADirectory.into()),
        }
        let inside = tree.below(&folder).filter(|(path, _)| path.parent() == Some(&folder));
        let entry = |(path, node): (&PathBuf, &FileNode)| DirEntry {
            path: path.clone(),
            file_type: FileType(matches!(node, FileNode::Folder)),
        };
        Ok(inside.map(entry).collect())
    })?;
    Ok(entries.into_iter().map(Ok))
}

/// See `std::fs::remove_file`.
///
/// # Errors
/// Returns an error if there is no such file.
pub fn remove_file(path: impl AsRef<Path>) -> io::Result<()> {
    tree::with_tree(|tree| {
        tree.file(path.as_ref())?;
        tree.remove_entry(&whole_path(path.as_ref()));
        Ok(())
    })
}

/// See `std::fs::remove_dir_all`. If `path` is a file, removes the file.
///
/// # Errors
/// Returns an error if the path does not exist.
pub fn remove_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    tree::with_tree(|tree| {
        let folder = whole_path(path.as_ref());
        tree.get(&folder)?;
        let inside: Vec<PathBuf> = tree.below(&folder).map(|(path, _)| path.clone()).collect();
        inside.iter().chain([&folder]).for_each(|path| tree.remove_entry(path));
        Ok(())
    })
}

/// See `std::fs::rename`.
///
/// # Errors
/// Returns an error if `from` or the parent of `to` does not exist, or if `to` is a folder that is
/// not empty.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    tree::with_tree(|tree| {
        let (from, to) = (whole_path(from.as_ref()), whole_path(to.as_ref()));
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

/// Does nothing: the page stores all changed files by itself (see [`take_changes`]).
///
/// # Errors
/// Never fails in a browser.
pub fn sync_all<S: AsRef<str>>(_: &Path, _: impl IntoIterator<Item = S>) -> io::Result<()> {
    Ok(())
}

/// Returns an error, because this implementation cannot exchange the names of files.
///
/// # Errors
/// Always returns `Unsupported`.
pub fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Writes `text` to a new file at `path`.
///
/// # Errors
/// Returns an error if the file exists or its folder does not.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    create(path, text).map(drop)
}

/// Puts a new file with `bytes` at `path`, in place of any file there.
///
/// # Errors
/// Returns an error as [`write`] does.
pub fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<File> {
    tree::with_tree(|tree| {
        tree.check_parent(&whole_path(path))?;
        if matches!(tree.get(path), Ok(FileNode::Folder)) {
            return Err(ErrorKind::IsADirectory.into());
        }
        tree.put(path, Content::new(bytes.as_ref().to_vec()));
        tree.notify(&whole_path(path));
        Ok(File { content: tree.file(path)?.clone(), at: 0, has_lock: false })
    })
}

/// Creates a new file at `path` with `text`, and locks it.
///
/// # Errors
/// Returns an error as [`write_new`] does.
pub fn create(path: &Path, text: &str) -> io::Result<File> {
    if exists(path) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let mut file = replace(path, text)?;
    let _ = file.try_lock();
    Ok(file)
}

/// Opens an existing file for reading and writing.
///
/// # Errors
/// Returns an error as [`File::open`] does.
pub fn open_writable(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Tests whether a file could be written at `path`.
///
/// # Errors
/// Returns an error if the folder of the file does not exist.
pub fn check_writable(path: &Path) -> io::Result<()> {
    tree::with_tree(|tree| tree.check_parent(&whole_path(path)))
}

/// Returns whether `file` is the file at `path`.
///
/// # Errors
/// Returns an error if there is no file at `path`.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    tree::with_tree(|tree| Ok(Arc::ptr_eq(tree.file(path)?, &file.content)))
}

/// A temporary folder, which is removed when this value is dropped.
#[derive(Debug)]
pub struct TempDir(PathBuf);

impl TempDir {
    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = remove_dir_all(&self.0);
    }
}

/// Creates a temporary folder, which is removed when the returned value is dropped.
///
/// # Errors
/// Never fails in a browser.
pub fn temp_dir() -> io::Result<TempDir> {
    create_dir_all(tree::TEMPORARY)?;
    temp_dir_in(Path::new(tree::TEMPORARY))
}

/// Creates a hidden temporary folder in `place`.
///
/// # Errors
/// Returns an error if `place` does not exist.
pub fn temp_dir_in(place: &Path) -> io::Result<TempDir> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let path = place.join(format!(".bastide-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
    create_dir(&path)?;
    Ok(TempDir(path))
}

/// The reason why a file could not be locked.
#[derive(Debug)]
pub enum TryLockError {
    /// The file is locked by another handle.
    WouldBlock,
    /// Files cannot be locked.
    Error(io::Error),
}

/// An open file. Its content stays readable if another file later replaces the file at the same
/// path.
#[derive(Debug)]
pub struct File {
    content: Arc<Mutex<Content>>,
    at: u64,
    has_lock: bool,
}

impl File {
    /// Opens a file for reading and writing.
    ///
    /// # Errors
    /// Returns an error if the file does not exist.
    pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
        tree::with_tree(|tree| Ok(File { content: tree.file(path.as_ref())?.clone(), at: 0, has_lock: false }))
    }

    /// Locks the file until this `File` is dropped.
    ///
    /// # Errors
    /// Returns an error if another handle has locked the file.
    pub fn try_lock(&mut self) -> Result<(), TryLockError> {
        if !self.has_lock && std::mem::replace(&mut lock_content(&self.content).is_locked, true) {
            return Err(TryLockError::WouldBlock);
        }
        self.has_lock = true;
        Ok(())
    }

    /// Returns the metadata of the file.
    ///
    /// # Errors
    /// Never fails in a browser.
    pub fn metadata(&self) -> io::Result<Metadata> {
        Ok(Metadata::of(&FileNode::File(self.content.clone())))
    }

    /// Truncates the file to `len` bytes or fills it up with zeros.
    ///
    /// # Errors
    /// Never fails in a browser.
    pub fn set_len(&self, len: u64) -> io::Result<()> {
        let mut content = lock_content(&self.content);
        content.bytes.resize(len as usize, 0);
        content.is_kept = false;
        Ok(())
    }

    /// Sets the time of the last write.
    ///
    /// # Errors
    /// Never fails in a browser.
    pub fn set_modified(&self, modified: SystemTime) -> io::Result<()> {
        lock_content(&self.content).modified = modified;
        Ok(())
    }

    /// Does nothing. If the page cannot store a file, it reports that later.
    ///
    /// # Errors
    /// Never fails in a browser.
    pub fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if self.has_lock {
            lock_content(&self.content).is_locked = false;
        }
    }
}

impl Read for File {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let content = lock_content(&self.content);
        let n = content.bytes.get(self.at as usize..).unwrap_or_default().read(into)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut content = lock_content(&self.content);
        let at = self.at as usize;
        if content.bytes.len() < at + bytes.len() {
            content.bytes.resize(at + bytes.len(), 0);
        }
        if let Some(place) = content.bytes.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
        (content.is_kept, content.modified) = (false, SystemTime::now());
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let len = lock_content(&self.content).bytes.len() as i64;
        let at = match to {
            SeekFrom::Start(at) => at as i64,
            SeekFrom::End(by) => len + by,
            SeekFrom::Current(by) => self.at as i64 + by,
        };
        self.at = u64::try_from(at).map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// Returns a separate folder for one test, because all tests share one tree of files.
    fn folder(name: &str) -> PathBuf {
        let folder = Path::new("/").join(name);
        create_dir_all(&folder).unwrap();
        folder
    }

    fn changed_in(folder: &Path) -> Vec<(String, Option<String>)> {
        let changes = take_changes().into_iter().filter(|change| change.path.starts_with(folder));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
        changes.map(|change| (name(&change.path), change.bytes.map(text))).collect()
    }

    #[test]
    fn files_behave_as_on_disk() {
        let folder = folder("disk");
        let file = folder.join("sub/a.txt");
        assert_eq!(write(&file, "one").unwrap_err().kind(), ErrorKind::NotFound);
        create_dir(folder.join("sub")).unwrap();
        write_new(&file, "one").unwrap();
        assert_eq!(write_new(&file, "two").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(read_to_string(folder.join("./sub/../sub/a.txt")).unwrap(), "one");
        assert_eq!(create_dir_all(file.join("b")).unwrap_err().kind(), ErrorKind::NotADirectory);
        rename(folder.join("sub"), folder.join("other")).unwrap();
        assert!(!exists(&file) && is_file(&folder.join("other/a.txt")));
        let names: Vec<_> = read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["other"]);
        remove_dir_all(folder.join("other")).unwrap();
        assert_eq!(read_dir(&folder).unwrap().count(), 0);
        let gone = temp_dir_in(&folder).unwrap().path().to_owned();
        assert!(!exists(&gone));
    }

    #[test]
    fn an_open_file_is_written_in_place_and_belongs_to_one() {
        let path = folder("open").join("a.game");
        write(&path, "one\ntorn").unwrap();
        let mut file = open_writable(&path).unwrap();
        file.try_lock().unwrap();
        assert!(matches!(File::open(&path).unwrap().try_lock(), Err(TryLockError::WouldBlock)));
        file.set_len(4).unwrap();
        file.seek(SeekFrom::Start(4)).unwrap();
        file.write_all(b"two\n").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "one\ntwo\n");
        assert!(is_at(&file, &path).unwrap());
        write_whole(&path, "new").unwrap();
        assert!(!is_at(&file, &path).unwrap());
    }

    #[test]
    fn what_changes_is_handed_out_once() {
        let folder = folder("kept");
        let heard = watch();
        add_supplied(&folder.join("a-supplied.txt"), b"one".to_vec());
        assert_eq!(changed_in(&folder), []);
        write(folder.join("a-supplied.txt"), "two").unwrap();
        write(folder.join("own.txt"), "mine").unwrap();
        let both =
            [("a-supplied.txt".to_owned(), Some("two".to_owned())), ("own.txt".to_owned(), Some("mine".to_owned()))];
        assert_eq!(changed_in(&folder), both);
        assert_eq!(changed_in(&folder), []);
        mark_changed(&folder.join("own.txt"));
        assert_eq!(changed_in(&folder), both[1..]);
        assert_eq!(heard.try_iter().filter(|path| path.starts_with(&folder)).count(), 2);
        remove_file(folder.join("own.txt")).unwrap();
        assert_eq!(changed_in(&folder), [("own.txt".to_owned(), None)]);
        let back =
            FileChange { path: folder.join("own.txt"), bytes: Some(b"mine".to_vec()), modified: SystemTime::now() };
        restore(back.clone());
        assert_eq!(read(folder.join("own.txt")).unwrap(), b"mine");
        restore(FileChange { bytes: None, ..back });
        assert!(!exists(&folder.join("own.txt")));
        assert_eq!(changed_in(&folder), []);
    }
}
