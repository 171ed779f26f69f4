//! Files on disk: the functions of `std::fs` that Bastide uses, and functions that replace a file
//! in one step. A reader finds either the whole old text or the whole new text, even after a crash.

use std::fs::OpenOptions;
pub use std::fs::{
    File, FileType, TryLockError, canonicalize, create_dir, create_dir_all, metadata, read, read_dir, read_to_string,
    remove_dir_all, remove_file, rename, symlink_metadata, write,
};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use same_file::Handle;
pub use tempfile::TempDir;
use tempfile::{Builder, NamedTempFile};

/// Returns the folder for the user's application data; `None` if the system has none.
pub fn data_dir() -> Option<PathBuf> {
    dirs::data_dir()
}

/// Returns whether a file or folder exists at `path`.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Returns whether there is a file at `path`.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Returns whether there is a folder at `path`.
pub fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// Opens an existing file for reading and writing.
///
/// # Errors
/// Returns an error if the file does not exist or cannot be opened.
pub fn open_writable(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(path)
}

/// Returns whether `path` still leads to `file`.
///
/// # Errors
/// Returns an error if `path` does not exist or cannot be inspected.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let there = Handle::from_path(path)?;
    Ok(file.try_clone().and_then(Handle::from_file)? == there)
}

/// Makes a folder for temporary files, which is removed when the returned value is dropped.
///
/// # Errors
/// Returns an error if the folder cannot be made.
pub fn temp_dir() -> io::Result<TempDir> {
    tempfile::tempdir()
}

/// Makes a hidden temporary folder in `place`, which is removed when the returned value is dropped.
///
/// # Errors
/// Returns an error if the folder cannot be made there.
pub fn temp_dir_in(place: &Path) -> io::Result<TempDir> {
    Builder::new().prefix(".bastide-").tempdir_in(place)
}

/// Writes `text` to the file `path`, replacing its content.
///
/// # Errors
/// Returns an error if the file cannot be written; it then keeps its old content.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    replace(path, text).map(drop)
}

/// Writes an output file whose path the user gave. If writing stops halfway, the old file stays as
/// it was. There is one exception: in a folder that is not writable, the file is overwritten in
/// place. Follows symbolic links, keeps permissions, and writes directly to pipes and devices.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_output(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let Ok(there) = metadata(path) else {
        return write_temp_beside(path, bytes.as_ref())?.persist(path).map(drop).map_err(io::Error::from);
    };
    if !there.is_file() {
        return write(path, bytes);
    }
    let path = canonicalize(path)?;
    let new = match write_temp_beside(&path, bytes.as_ref()) {
        // A writable file may be in a folder that is not writable.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return write(path, bytes),
        new => new?,
    };
    new.as_file().set_permissions(there.permissions())?;
    new.persist(&path)?;
    sync_folder(&path);
    Ok(())
}

/// Waits until the files `names` in `folder`, and the folder itself, are on the disk.
///
/// # Errors
/// Returns an error if a file cannot be opened for writing, or if the disk fails.
pub fn sync_all<S: AsRef<str>>(folder: &Path, names: impl IntoIterator<Item = S>) -> io::Result<()> {
    // The caller has written all files before this function syncs the first, so the disk can write
    // them together. Opens the files for writing, because some systems sync only such files.
    let sync = |name: S| OpenOptions::new().write(true).open(folder.join(name.as_ref()))?.sync_all();
    names.into_iter().try_for_each(sync)?;
    sync_folder(&folder.join("any"));
    Ok(())
}

/// Exchanges the names of two files or folders in one step. At every moment, both names exist.
///
/// # Errors
/// Returns an error if a file or folder is missing, or if the system cannot exchange names.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (one, other);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Writes `text` to a new file at `path`.
///
/// # Errors
/// Returns an error, and changes nothing, if the file exists already or the folder cannot be
/// written to.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    create(path, text).map(drop)
}

/// Puts a new file with `bytes` at `path`, in place of any file there. Locks the new file if the
/// system can.
///
/// # Errors
/// Returns an error as [`write_whole`] does.
pub fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<File> {
    let file = write_temp_beside(path, bytes.as_ref())?.persist(path)?;
    sync_folder(path);
    Ok(file)
}

/// Makes a new file at `path` with `text`, locked as in [`replace`].
///
/// # Errors
/// Returns an error as [`write_new`] does.
pub fn create(path: &Path, text: &str) -> io::Result<File> {
    let file = write_temp_beside(path, text.as_bytes())?.persist_noclobber(path)?;
    sync_folder(path);
    Ok(file)
}

/// Tests whether a new file can be created in the folder of `path`, and leaves no file behind.
///
/// # Errors
/// Returns an error if no file can be created there.
pub fn check_writable(path: &Path) -> io::Result<()> {
    tempfile::tempfile_in(folder_of(path)).map(drop).map_err(without_temp_name)
}

fn write_temp_beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".bastide-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // By default, only the owner can read temporary files. This temporary file becomes a normal
        // file, so it gets the usual permissions of the system.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut new = builder.tempfile_in(folder_of(path)).map_err(without_temp_name)?;
    // No other process knows of the file yet, so locking fails only if the system cannot lock
    // files.
    let _ = new.as_file().try_lock();
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    Ok(new)
}

/// Returns an error without the name of the temporary file, which the user has never seen.
fn without_temp_name(error: io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|it| it.source()).and_then(|it| it.downcast_ref::<io::Error>());
    inner.and_then(io::Error::raw_os_error).map_or(error, io::Error::from_raw_os_error)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder of `path`, so that the new name of the file survives a power cut. On a system
/// that cannot sync folders, does nothing.
fn sync_folder(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}
