//! The operations of a place that stores files: a disk, or the memory of a page.

use std::io;
use std::path::{Path, PathBuf};

use web_time::SystemTime;

/// The prefix of the names of temporary files and folders.
pub(crate) const TEMPORARY_PREFIX: &str = ".bastide-";

/// The kind of an entry of a folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A device, a pipe or a socket.
    Other,
}

/// An entry of a folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    /// The path of the entry: the path of the folder, joined with the name of the entry.
    pub path: PathBuf,
    /// The kind of the entry. A link is not followed.
    pub kind: FileKind,
}

/// The kind, size and time of a file. Equal stamps mean that the file has most likely not changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// The kind of the file.
    pub kind: FileKind,
    /// The size in bytes. For anything but a regular file, the number has no meaning.
    pub len: u64,
    /// The time of the last write; `None` if the system does not know it.
    pub modified: Option<SystemTime>,
}

/// The operations of a place that stores files. The functions of [`fs`](crate::fs) document them.
pub(crate) trait Files {
    /// An open file.
    type Open: std::fmt::Debug;

    fn data_dir() -> Option<PathBuf>;
    fn read(path: &Path) -> io::Result<Vec<u8>>;
    fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// Returns at most `most` entries in any order.
    fn list(folder: &Path, most: usize) -> io::Result<Vec<Entry>>;
    fn stamp(path: &Path) -> io::Result<Stamp>;
    fn link_stamp(path: &Path) -> io::Result<Stamp>;
    fn canonicalize(path: &Path) -> io::Result<PathBuf>;
    fn create_dir_all(path: &Path) -> io::Result<()>;
    fn write(path: &Path, bytes: &[u8]) -> io::Result<()>;
    fn write_output(path: &Path, bytes: &[u8]) -> io::Result<()>;
    fn rename(from: &Path, to: &Path) -> io::Result<()>;
    fn exchange(one: &Path, other: &Path) -> io::Result<()>;
    fn remove(path: &Path) -> io::Result<()>;
    fn sync(path: &Path) -> io::Result<()>;
    fn check_writable(path: &Path) -> io::Result<()>;
    /// Makes a folder with an unused name in `place`, or in the system's place for temporary files.
    fn create_temp_dir(place: Option<&Path>) -> io::Result<PathBuf>;

    fn open(path: &Path) -> io::Result<Self::Open>;
    fn create(path: &Path, bytes: &[u8]) -> io::Result<Self::Open>;
    fn replace(path: &Path, bytes: &[u8]) -> io::Result<Self::Open>;
    fn text_of(file: &mut Self::Open) -> io::Result<String>;
    fn len_of(file: &Self::Open) -> io::Result<u64>;
    fn write_end(file: &mut Self::Open, at: u64, bytes: &[u8]) -> io::Result<()>;
    fn set_modified(file: &Self::Open, modified: SystemTime) -> io::Result<()>;
    fn sync_data(file: &Self::Open) -> io::Result<()>;
    fn is_at(file: &Self::Open, path: &Path) -> io::Result<bool>;
}

/// Returns the text of a file.
pub(crate) fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}
