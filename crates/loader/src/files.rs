//! Reading files of strangers: regular files of a limited size, and of a mod only what lies in its folder.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use platform::fs::{self, File, FileType};
use thiserror::Error;

use crate::problem::shown;

/// The most bytes that a record may have. A game of two thousand tiles has 100 kB.
pub const MOST_RECORD_BYTES: u64 = 4 << 20;

/// Why a file is not read.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// It is a folder, a device, a pipe or a socket.
    #[error("it is {0}, and only regular files are read")]
    NotAFile(&'static str),
    /// It is a link to what is not there.
    #[error("it is a link that leads nowhere")]
    LeadsNowhere,
    /// It is a link out of the folder whose files are read.
    #[error("it is a link that leads out of {}", shown(.0))]
    LeadsOut(PathBuf),
    /// It has more bytes than are read.
    #[error("it has more than {} kB, the most that is read", .0 >> 10)]
    TooLarge(u64),
    /// It is no text.
    #[error("it is not text in UTF-8")]
    NotText(FromUtf8Error),
    /// The system says so.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Reads a text file of at most `most` bytes. Of the folder `inside`, if there is one, it must lie below after links were followed.
///
/// Nothing but regular files is ever opened: opening a pipe waits for ever, and a device has no end.
///
/// # Errors
/// Where it is not there, not such a file, or not text.
pub fn read_text(path: &Path, inside: Option<&Path>, most: u64) -> Result<String, Unreadable> {
    let is_link = fs::symlink_metadata(path)?.is_symlink();
    let metadata = fs::metadata(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound if is_link => Unreadable::LeadsNowhere,
        _ => Unreadable::System(e),
    })?;
    if let Some(folder) = inside
        && !fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?)
    {
        return Err(Unreadable::LeadsOut(folder.to_owned()));
    }
    if !metadata.is_file() {
        return Err(Unreadable::NotAFile(what_it_is(metadata.file_type())));
    }
    let file = File::open(path)?;
    // It may be another one since it was looked at.
    if !file.metadata()?.is_file() {
        return Err(Unreadable::NotAFile("no file any more"));
    }
    // What the system says of its length is not to be relied on: some files grow, some say that they are empty.
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Unreadable::TooLarge(most));
    }
    String::from_utf8(bytes).map_err(Unreadable::NotText)
}

fn what_it_is(file: FileType) -> &'static str {
    if file.is_dir() { "a folder" } else { "a device, a pipe or a socket" }
}

/// Returns whether something has this path, be it a link that leads nowhere or something that may not be looked at: reading it says so.
pub(crate) fn is_there(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(e) => e.kind() == io::ErrorKind::PermissionDenied,
    }
}
