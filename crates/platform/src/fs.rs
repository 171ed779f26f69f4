//! Files: on the disk of a machine, or in the memory of a page.
//!
//! A file is written in one step: a reader finds either the whole old content or the whole new
//! content, even after a crash. The exceptions are [`write()`] and [`LockedFile`].

use std::io;
use std::path::{Path, PathBuf};

use web_time::SystemTime;

#[cfg(target_family = "wasm")]
use crate::browser::files::Memory as Here;
pub use crate::files::{Entry, FileKind, Stamp};
use crate::files::{Files, text};
#[cfg(not(target_family = "wasm"))]
use crate::native::files::Disk as Here;

/// The maximum number of entries that [`list`] returns.
const MAX_LISTED: usize = 100_000;

/// Returns the folder for the user's application data; `None` if the system has none.
pub fn data_dir() -> Option<PathBuf> {
    Here::data_dir()
}

/// Reads a file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn read(path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
    Here::read(path.as_ref())
}

/// Reads a regular file of at most `most` bytes. Does not read a pipe or a device, because it may
/// never end.
///
/// # Errors
/// Returns an error if the file cannot be read, or is not a regular file. The kind of the error is
/// `FileTooLarge` if the file has more than `most` bytes.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    Here::read_at_most(path, most)
}

/// Reads a text file.
///
/// # Errors
/// Returns an error if the file cannot be read, or is not text in UTF-8.
pub fn read_to_string(path: impl AsRef<Path>) -> io::Result<String> {
    text(read(path)?)
}

/// Returns the entries of a folder, sorted by name. If there are more than 100,000 entries, returns
/// 100,000 of them.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn list(folder: impl AsRef<Path>) -> io::Result<Vec<Entry>> {
    let mut entries = Here::list(folder.as_ref(), MAX_LISTED)?;
    entries.sort();
    Ok(entries)
}

/// Returns the paths of the entries of a folder, sorted by name. Returns no paths if the folder
/// cannot be read. See [`list`].
pub fn paths_in(folder: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    list(folder).unwrap_or_default().into_iter().map(|entry| entry.path)
}

/// Returns the stamp of a file. Follows links.
///
/// # Errors
/// Returns an error if nothing is at `path`, or if it cannot be inspected.
pub fn stamp(path: &Path) -> io::Result<Stamp> {
    Here::stamp(path)
}

/// Returns the stamp of a file. If `path` is a link, returns the stamp of the link itself.
///
/// # Errors
/// Returns an error if nothing is at `path`, or if it cannot be inspected.
pub fn link_stamp(path: &Path) -> io::Result<Stamp> {
    Here::link_stamp(path)
}

/// Returns whether a file or folder exists at `path`. Follows links.
pub fn exists(path: &Path) -> bool {
    stamp(path).is_ok()
}

/// Returns whether something exists at `path`, such as a link that leads nowhere.
pub fn is_taken(path: &Path) -> bool {
    link_stamp(path).is_ok()
}

/// Returns whether there is a regular file at `path`. Follows links.
pub fn is_file(path: &Path) -> bool {
    stamp(path).is_ok_and(|stamp| stamp.kind == FileKind::File)
}

/// Returns whether there is a folder at `path`. Follows links.
pub fn is_dir(path: &Path) -> bool {
    stamp(path).is_ok_and(|stamp| stamp.kind == FileKind::Folder)
}

/// Returns the absolute path of a file, without links and without `..`.
///
/// # Errors
/// Returns an error if nothing is at `path`.
pub fn canonicalize(path: impl AsRef<Path>) -> io::Result<PathBuf> {
    Here::canonicalize(path.as_ref())
}

/// Creates the folder `path` and its parents, unless they exist.
///
/// # Errors
/// Returns an error if a folder cannot be created.
pub fn create_dir_all(path: impl AsRef<Path>) -> io::Result<()> {
    Here::create_dir_all(path.as_ref())
}

/// Writes a file, replacing its content. After an error, the file may be incomplete. Faster than
/// [`write_whole`], for files in a folder that is still temporary.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    Here::write(path.as_ref(), bytes.as_ref())
}

/// Writes a file, replacing its content.
///
/// # Errors
/// Returns an error if the file cannot be written; it then keeps its old content.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    Here::replace(path, bytes.as_ref()).map(drop)
}

/// Writes a new file.
///
/// # Errors
/// Returns an error, and changes nothing, if the file exists already or cannot be written.
pub fn write_new(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    Here::create(path, bytes.as_ref()).map(drop)
}

/// Writes an output file whose path the user gave. If writing stops halfway, the old file stays as
/// it was. There is one exception: in a folder that is not writable, the file is overwritten in
/// place. Follows symbolic links, keeps permissions, and writes directly to pipes and devices.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_output(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    Here::write_output(path, bytes.as_ref())
}

/// Renames a file or folder. Replaces a file with the name `to`.
///
/// # Errors
/// Returns an error if `from` or the parent of `to` does not exist, or if `to` is a folder that is
/// not empty.
pub fn rename(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    Here::rename(from.as_ref(), to.as_ref())
}

/// Exchanges the names of two files or folders in one step. At every moment, both names exist.
///
/// # Errors
/// Returns an error if a file or folder is missing, or if the system cannot exchange names.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    Here::exchange(one, other)
}

/// Removes a file, a link, or a folder with everything in it.
///
/// # Errors
/// Returns an error if nothing is at `path`, or if it cannot be removed.
pub fn remove(path: &Path) -> io::Result<()> {
    Here::remove(path)
}

/// Waits until the files `names` in `folder`, and the folder itself, are on the disk.
///
/// # Errors
/// Returns an error if a file cannot be opened for writing, or if the disk fails.
pub fn sync_all<S: AsRef<str>>(folder: &Path, names: impl IntoIterator<Item = S>) -> io::Result<()> {
    // The caller has written all files before this function syncs the first, so the disk can write
    // them together.
    names.into_iter().try_for_each(|name| Here::sync(&folder.join(name.as_ref())))?;
    Here::sync(folder)
}

/// Tests whether a new file can be created in the folder of `path`, and leaves no file behind.
///
/// # Errors
/// Returns an error if no file can be created there.
pub fn check_writable(path: &Path) -> io::Result<()> {
    Here::check_writable(path)
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
        // If the folder cannot be removed, the system removes it at some time. The caller may also
        // have moved it.
        let _ = remove(&self.0);
    }
}

/// Makes a folder for temporary files.
///
/// # Errors
/// Returns an error if the folder cannot be made.
pub fn temp_dir() -> io::Result<TempDir> {
    Here::create_temp_dir(None).map(TempDir)
}

/// Makes a hidden temporary folder in `place`.
///
/// # Errors
/// Returns an error if the folder cannot be made there.
pub fn temp_dir_in(place: &Path) -> io::Result<TempDir> {
    Here::create_temp_dir(Some(place)).map(TempDir)
}

/// An open file with one writer. It is locked until this value is dropped, if the system can lock
/// files. Another file may take its path in the meantime; see [`LockedFile::is_at`].
#[derive(Debug)]
pub struct LockedFile(<Here as Files>::Open);

impl LockedFile {
    /// Opens an existing file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened for reading and writing. The kind of the error
    /// is `WouldBlock` if the file is locked.
    pub fn open(path: &Path) -> io::Result<LockedFile> {
        Here::open(path).map(LockedFile)
    }

    /// Creates a new file at `path`.
    ///
    /// # Errors
    /// Returns an error as [`write_new`] does.
    pub fn create(path: &Path, text: &str) -> io::Result<LockedFile> {
        Here::create(path, text.as_bytes()).map(LockedFile)
    }

    /// Puts a new file at `path`, in place of any file there.
    ///
    /// # Errors
    /// Returns an error as [`write_whole`] does.
    pub fn replace(path: &Path, text: &str) -> io::Result<LockedFile> {
        Here::replace(path, text.as_bytes()).map(LockedFile)
    }

    /// Reads the whole text of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not text in UTF-8.
    pub fn text(&mut self) -> io::Result<String> {
        Here::text_of(&mut self.0)
    }

    /// Returns the size of the file in bytes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be inspected.
    #[allow(clippy::len_without_is_empty, reason = "a size that can fail")]
    pub fn len(&self) -> io::Result<u64> {
        Here::len_of(&self.0)
    }

    /// Replaces everything after the first `at` bytes with `bytes`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. It may then contain only a part of `bytes`.
    pub fn write_end(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        Here::write_end(&mut self.0, at, bytes)
    }

    /// Sets the time of the last write.
    ///
    /// # Errors
    /// Returns an error if the system cannot set the time.
    pub fn set_modified(&self, modified: SystemTime) -> io::Result<()> {
        Here::set_modified(&self.0, modified)
    }

    /// Waits until the written data is on the disk.
    ///
    /// # Errors
    /// Returns an error if the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        Here::sync_data(&self.0)
    }

    /// Returns whether `path` still leads to this file.
    ///
    /// # Errors
    /// Returns an error if `path` does not exist or cannot be inspected.
    pub fn is_at(&self, path: &Path) -> io::Result<bool> {
        Here::is_at(&self.0, path)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::ErrorKind;

    use super::*;
    use crate::browser::files::Memory;
    use crate::native::files::Disk;

    /// Fails unless `F` behaves as this module documents.
    fn check<F: Files>() {
        let folder = F::create_temp_dir(None).unwrap();
        let file = folder.join("sub/a.txt");
        assert_eq!(F::write(&file, b"one").unwrap_err().kind(), ErrorKind::NotFound);
        F::create_dir_all(&folder.join("sub")).unwrap();
        drop(F::create(&file, b"one").unwrap());
        assert_eq!(F::create(&file, b"two").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(F::read(&folder.join("./sub/../sub/a.txt")).unwrap(), b"one");
        assert_eq!(F::canonicalize(&folder.join("sub/../sub/a.txt")).unwrap(), F::canonicalize(&file).unwrap());
        assert_eq!(F::read_at_most(&file, 3).unwrap(), b"one");
        assert_eq!(F::read_at_most(&file, 2).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert!(F::read_at_most(&folder, 2).is_err() && F::read(&folder).is_err());
        assert_eq!(F::create_dir_all(&file.join("b")).unwrap_err().kind(), ErrorKind::NotADirectory);
        let (stamp, of_folder) = (F::stamp(&file).unwrap(), F::link_stamp(&folder).unwrap());
        assert_eq!((stamp.kind, stamp.len, of_folder.kind), (FileKind::File, 3, FileKind::Folder));
        assert_eq!(F::stamp(&folder.join("b")).unwrap_err().kind(), ErrorKind::NotFound);
        assert!(F::check_writable(&file).is_ok() && F::check_writable(&folder.join("b/c.txt")).is_err());

        F::rename(&folder.join("sub"), &folder.join("other")).unwrap();
        assert_eq!(F::read(&file).unwrap_err().kind(), ErrorKind::NotFound);
        F::create_dir_all(&folder.join("sub/in")).unwrap();
        assert!(F::rename(&folder.join("other"), &folder.join("sub")).is_err(), "a full folder is in the way");
        F::remove(&folder.join("sub")).unwrap();
        assert_eq!(F::remove(&folder.join("sub")).unwrap_err().kind(), ErrorKind::NotFound);
        let other = Entry { path: folder.join("other"), kind: FileKind::Folder };
        assert_eq!(F::list(&folder, 5).unwrap(), [other]);
        let inside = Entry { path: folder.join("other/a.txt"), kind: FileKind::File };
        assert_eq!(F::list(&folder.join("other"), 5).unwrap(), std::slice::from_ref(&inside));
        assert_eq!(F::list(&folder, 0).unwrap(), []);
        assert_eq!(F::list(&inside.path, 5).unwrap_err().kind(), ErrorKind::NotADirectory);
        F::write_output(&inside.path, b"new").unwrap();
        F::sync(&inside.path).unwrap();
        assert_eq!(F::read(&inside.path).unwrap(), b"new");
        F::remove(&inside.path).unwrap();
        assert_eq!(F::list(&folder.join("other"), 5).unwrap(), []);
        let hidden = F::create_temp_dir(Some(&folder)).unwrap();
        assert!(hidden.starts_with(&folder) && F::list(&hidden, 5).unwrap().is_empty());
        F::remove(&folder).unwrap();
        assert!(F::stamp(&hidden).is_err());
    }

    /// Fails unless an open file of `F` behaves as [`LockedFile`] documents.
    fn check_locked<F: Files>() {
        let folder = F::create_temp_dir(None).unwrap();
        let path = folder.join("a.game");
        F::write(&path, b"one\ntorn").unwrap();
        let mut file = F::open(&path).unwrap();
        assert_eq!(F::open(&path).unwrap_err().kind(), ErrorKind::WouldBlock);
        assert_eq!(F::text_of(&mut file).unwrap(), "one\ntorn");
        F::write_end(&mut file, 4, b"two\n").unwrap();
        F::sync_data(&file).unwrap();
        assert_eq!((F::read(&path).unwrap(), F::len_of(&file).unwrap()), (b"one\ntwo\n".to_vec(), 8));
        assert!(F::is_at(&file, &path).unwrap());
        F::set_modified(&file, web_time::UNIX_EPOCH).unwrap();
        assert_eq!(F::stamp(&path).unwrap().modified, Some(web_time::UNIX_EPOCH));
        let new = F::replace(&path, b"new").unwrap();
        assert!(!F::is_at(&file, &path).unwrap() && F::is_at(&new, &path).unwrap());
        assert_eq!(F::text_of(&mut file).unwrap(), "one\ntwo\n", "it stays readable");
        assert_eq!(F::open(&path).unwrap_err().kind(), ErrorKind::WouldBlock, "a new file is locked, too");
        drop(new);
        F::open(&path).unwrap();
        F::remove(&folder).unwrap();
        assert_eq!(F::is_at(&file, &path).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    fn disk_and_memory_behave_alike() {
        check::<Disk>();
        check::<Memory>();
        check_locked::<Disk>();
        check_locked::<Memory>();
    }
}
