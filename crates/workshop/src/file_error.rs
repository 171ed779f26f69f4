//! The reasons why files of mods cannot be read or changed.

use std::io;
use std::path::{Path, PathBuf};

use loader::{ReadError, shown_path};
use thiserror::Error;

use crate::manifest_edit::EditError;

/// A reason why a file of a mod cannot be read or changed. The text is a sentence without a full
/// stop.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the texts say what is wrong")]
pub enum FileError {
    #[error("{} cannot be read: {error}", shown_path(path))]
    NotRead { path: PathBuf, error: ReadError },
    #[error("{} cannot be {done}: {error}", shown_path(path))]
    Failed { path: PathBuf, done: &'static str, error: io::Error },
    #[error("{} is not {done}: {why}", shown_path(path))]
    Refused { path: PathBuf, done: &'static str, why: &'static str },
    #[error("{}: {error}", shown_path(path))]
    NotEdited { path: PathBuf, error: EditError },
    #[error("{} already exists", shown_path(.0))]
    Exists(PathBuf),
    #[error("{} already exists: choose another name", shown_path(.0))]
    NameTaken(PathBuf),
    #[error("`{name}` cannot be the name of a file: {why}")]
    Name { name: String, why: &'static str },
    #[error("{} was removed: restore this mod first", shown_path(.0))]
    ModRemoved(PathBuf),
    #[error("{0} cannot be loaded, so its kinds of land are unknown")]
    KindsUnknown(String),
    #[error("there is no tile `{id}` in {} any more", shown_path(folder))]
    NoTile { id: String, folder: PathBuf },
    #[error("this mod already has a tile `{0}`: choose another id")]
    TileExists(String),
    #[error("another program has changed tile `{0}`: open it again before you delete it")]
    TileChanged(String),
}

impl FileError {
    /// Returns a function that makes an error of reading the file at `path`.
    pub(crate) fn not_read(path: &Path) -> impl Fn(ReadError) -> FileError {
        move |error| FileError::NotRead { path: path.to_owned(), error }
    }

    /// Returns a function that makes an error of changing the file at `path`. `done` is what cannot
    /// be done, such as "written".
    pub(crate) fn failed(path: &Path, done: &'static str) -> impl Fn(io::Error) -> FileError {
        move |error| FileError::Failed { path: path.to_owned(), done, error }
    }

    /// Returns the error for a file that must not be changed. `done` is what is not done.
    pub(crate) fn refused(path: &Path, done: &'static str, why: &'static str) -> FileError {
        FileError::Refused { path: path.to_owned(), done, why }
    }

    /// Returns a function that makes an error of changing the text of the file at `path`.
    pub(crate) fn not_edited(path: &Path) -> impl Fn(EditError) -> FileError {
        move |error| FileError::NotEdited { path: path.to_owned(), error }
    }

    /// Returns a function that makes an error of creating the file or folder at `path`.
    pub(crate) fn not_created(path: &Path) -> impl Fn(io::Error) -> FileError {
        move |error| match error.kind() {
            io::ErrorKind::AlreadyExists => FileError::NameTaken(path.to_owned()),
            _ => FileError::failed(path, "written")(error),
        }
    }
}
