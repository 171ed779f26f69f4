//! Files on a disk.

use std::fs::{self, File, FileType, Metadata, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use same_file::Handle;
use tempfile::{Builder, NamedTempFile};

use crate::files::{Entry, FileKind, Files, Stamp, TEMPORARY_PREFIX, text};

/// The files of a disk.
pub(crate) struct Disk;

impl Files for Disk {
    type Open = File;

    fn data_dir() -> Option<PathBuf> {
        dirs::data_dir()
    }

    fn read(path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
        }
        // The reported length is unreliable: some files grow, and some claim to be empty.
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most { Err(ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
    }

    fn list(folder: &Path, most: usize) -> io::Result<Vec<Entry>> {
        // An entry that vanishes in the meantime is left out.
        let entries = fs::read_dir(folder)?.flatten().take(most);
        let entry = |entry: fs::DirEntry| Entry {
            path: entry.path(),
            kind: entry.file_type().map_or(FileKind::Other, kind_of),
        };
        Ok(entries.map(entry).collect())
    }

    fn stamp(path: &Path) -> io::Result<Stamp> {
        fs::metadata(path).map(stamp_of)
    }

    fn link_stamp(path: &Path) -> io::Result<Stamp> {
        fs::symlink_metadata(path).map(stamp_of)
    }

    fn canonicalize(path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn create_dir_all(path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
        fs::write(path, bytes)
    }

    fn write_output(path: &Path, bytes: &[u8]) -> io::Result<()> {
        let Ok(there) = fs::metadata(path) else {
            return write_temp_beside(path, bytes)?.persist(path).map(drop).map_err(io::Error::from);
        };
        if !there.is_file() {
            return fs::write(path, bytes);
        }
        let path = fs::canonicalize(path)?;
        let new = match write_temp_beside(&path, bytes) {
            // A writable file may be in a folder that is not writable.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return fs::write(path, bytes),
            new => new?,
        };
        new.as_file().set_permissions(there.permissions())?;
        new.persist(&path)?;
        sync_folder(&path);
        Ok(())
    }

    fn rename(from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn exchange(one: &Path, other: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (one, other);
            Err(ErrorKind::Unsupported.into())
        }
    }

    fn remove(path: &Path) -> io::Result<()> {
        if fs::symlink_metadata(path)?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
    }

    fn sync(path: &Path) -> io::Result<()> {
        if path.is_dir() {
            sync_folder(&path.join("any"));
            return Ok(());
        }
        // Opens the file for writing, because some systems sync only such files.
        OpenOptions::new().write(true).open(path)?.sync_all()
    }

    fn check_writable(path: &Path) -> io::Result<()> {
        tempfile::tempfile_in(folder_of(path)).map(drop).map_err(without_temp_name)
    }

    fn create_temp_dir(place: Option<&Path>) -> io::Result<PathBuf> {
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY_PREFIX);
        Ok(place.map_or_else(|| builder.tempdir(), |place| builder.tempdir_in(place))?.keep())
    }

    fn open(path: &Path) -> io::Result<File> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
            // On systems without file locks, files stay unlocked.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    fn create(path: &Path, bytes: &[u8]) -> io::Result<File> {
        let file = write_temp_beside(path, bytes)?.persist_noclobber(path)?;
        sync_folder(path);
        Ok(file)
    }

    fn replace(path: &Path, bytes: &[u8]) -> io::Result<File> {
        let file = write_temp_beside(path, bytes)?.persist(path)?;
        sync_folder(path);
        Ok(file)
    }

    fn text_of(file: &mut File) -> io::Result<String> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.read_to_end(&mut bytes)?;
        text(bytes)
    }

    fn len_of(file: &File) -> io::Result<u64> {
        file.metadata().map(|metadata| metadata.len())
    }

    fn write_end(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
        file.set_len(at)?;
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }

    fn set_modified(file: &File, modified: SystemTime) -> io::Result<()> {
        file.set_modified(modified)
    }

    fn sync_data(file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn is_at(file: &File, path: &Path) -> io::Result<bool> {
        let there = Handle::from_path(path)?;
        Ok(file.try_clone().and_then(Handle::from_file)? == there)
    }
}

fn kind_of(file: FileType) -> FileKind {
    match file {
        file if file.is_file() => FileKind::File,
        file if file.is_dir() => FileKind::Folder,
        file if file.is_symlink() => FileKind::Link,
        _ => FileKind::Other,
    }
}

fn stamp_of(metadata: Metadata) -> Stamp {
    Stamp { kind: kind_of(metadata.file_type()), len: metadata.len(), modified: metadata.modified().ok() }
}

fn write_temp_beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // By default, only the owner can read temporary files. This temporary file becomes a normal
        // file, so it gets the usual permissions of the system.
        builder.permissions(fs::Permissions::from_mode(0o666));
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
