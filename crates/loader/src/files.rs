//! Reads untrusted files: only regular files of limited size, and for a mod only files inside its
//! folder.

use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use platform::fs::{self, FileKind};
use thiserror::Error;

use crate::problem::display_path;

/// The maximum size of a record, in bytes. For comparison, the record of a game with two thousand
/// tiles takes 100 kB.
pub const MAX_RECORD_BYTES: u64 = 4 << 20;

/// The maximum size of the README of a mod, in bytes. A longer text could take seconds to lay out.
pub const MAX_README_BYTES: u64 = 512 << 10;

/// A reason why a file cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The path does not lead to a regular file. The text names the type of the entry, such as a
    /// folder.
    #[error("it is {0}, and only regular files are read")]
    NotAFile(&'static str),
    /// The path is a dangling link.
    #[error("it is a broken link")]
    LeadsNowhere,
    /// The path is a link that leads out of this folder, to which reading is restricted.
    #[error("it is a link that leads out of {}", display_path(.0))]
    LeadsOut(PathBuf),
    /// The file is larger than this limit in bytes.
    #[error("it is larger than {} kB, the limit for this file", .0 >> 10)]
    TooLarge(u64),
    /// The content is not UTF-8 text.
    #[error("it is not text in UTF-8")]
    NotText(FromUtf8Error),
    /// The system reported an error.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Reads a text file of at most `most` bytes. If `inside` is given, the file must lie below that
/// folder after all links in `path` have been followed.
///
/// Opens only regular files, because opening a pipe may block for ever, and a device has no end.
///
/// # Errors
/// Returns an error if the file does not exist, is not a regular file, is too large, lies outside
/// `inside`, or is not UTF-8 text.
pub fn read_text(path: &Path, inside: Option<&Path>, most: u64) -> Result<String, ReadError> {
    let is_link = fs::link_stamp(path)?.kind == FileKind::Link;
    let stamp = fs::stamp(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound if is_link => ReadError::LeadsNowhere,
        _ => ReadError::System(e),
    })?;
    if let Some(folder) = inside
        && !fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?)
    {
        return Err(ReadError::LeadsOut(folder.to_owned()));
    }
    match stamp.kind {
        FileKind::File => {}
        FileKind::Folder => return Err(ReadError::NotAFile("a folder")),
        FileKind::Link | FileKind::Other => return Err(ReadError::NotAFile("a device, a pipe or a socket")),
    }
    let bytes = fs::read_at_most(path, most).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => ReadError::TooLarge(most),
        _ => ReadError::System(error),
    })?;
    String::from_utf8(bytes).map_err(ReadError::NotText)
}

/// Returns whether something exists at `path`. A dangling link and an unreadable file count too,
/// because reading the path reports such problems.
pub(crate) fn exists(path: &Path) -> bool {
    match fs::link_stamp(path) {
        Ok(_) => true,
        Err(e) => e.kind() == io::ErrorKind::PermissionDenied,
    }
}
