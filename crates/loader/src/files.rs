//! Reads untrusted files: only regular files of limited size, and for a mod only files inside its
//! folder.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use platform::fs::{self, File, FileType};
use thiserror::Error;

use crate::problem::display_path;

/// The maximum size of a record, in bytes. For comparison, the record of a game with two thousand
/// tiles takes 100 kB.
pub const MAX_RECORD_BYTES: u64 = 4 << 20;

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
    let is_link = fs::symlink_metadata(path)?.is_symlink();
    let metadata = fs::metadata(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound if is_link => ReadError::LeadsNowhere,
        _ => ReadError::System(e),
    })?;
    if let Some(folder) = inside
        && !fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?)
    {
        return Err(ReadError::LeadsOut(folder.to_owned()));
    }
    if !metadata.is_file() {
        return Err(ReadError::NotAFile(type_label(metadata.file_type())));
    }
    let file = File::open(path)?;
    // The file may have been replaced since the check of its type above.
    if !file.metadata()?.is_file() {
        return Err(ReadError::NotAFile("no longer a file"));
    }
    // The reported length is unreliable: some files grow, and some claim to be empty.
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge(most));
    }
    String::from_utf8(bytes).map_err(ReadError::NotText)
}

fn type_label(file: FileType) -> &'static str {
    if file.is_dir() { "a folder" } else { "a device, a pipe or a socket" }
}

/// Returns whether something exists at `path`. A dangling link and an unreadable file count too,
/// because reading the path reports such problems.
pub(crate) fn exists(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(e) => e.kind() == io::ErrorKind::PermissionDenied,
    }
}
