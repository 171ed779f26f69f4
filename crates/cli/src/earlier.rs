//! Finds earlier versions of mods, so that a command can compare them with the current mods. The
//! earlier versions come from a folder, from an archive, or from a git commit.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use diagnostic::Diagnostic;
use loader::Library;
use platform::fs::{self, TempDir};
use workshop::Package;
use workshop::corpus::library_with;

use crate::context::{self, CliError, Context};

/// A library in which mods have earlier versions.
pub struct EarlierMods {
    /// The library.
    pub library: Library,
    /// The folder with unpacked mods, which is removed when this value is dropped.
    _unpacked: Option<TempDir>,
}

/// The help message if the user names neither a path nor a commit. It explains why a version number
/// is not enough: only the newest version is on disk.
const HELP: &str = "name the folder or the archive (from `bastide pack`) of an earlier version, or a commit or tag \
                    of the git repository that contains the mod";

fn problem(message: String) -> CliError {
    CliError::Problem(Diagnostic::without_place(message).with_help(HELP))
}

impl EarlierMods {
    /// Finds earlier versions of the mods `ids`. `since` is the path of a mod, of a folder of mods
    /// or of an archive, or the name of a commit.
    ///
    /// # Errors
    /// Returns an error if none of the mods is found, or if they cannot be read.
    pub fn find(context: &Context, since: &Path, ids: &[String]) -> Result<EarlierMods, CliError> {
        if since.is_dir() {
            if !Library::open(&[since.to_owned()]).ids().iter().any(|id| ids.contains(id)) {
                return Err(problem(format!("{} contains none of these mods", since.display())));
            }
            return Ok(EarlierMods { library: library_with(context.library(), since)?, _unpacked: None });
        }
        let unpacked = fs::temp_dir()
            .map_err(|error| context::problem(format!("the earlier mods cannot be unpacked: {error}")))?;
        let packages = match since.is_file() {
            true => vec![Package::read(since)?],
            false => of_commit(since, context.library(), ids)?,
        };
        if !packages.iter().any(|package| ids.contains(&package.id)) {
            return Err(problem(format!("{} contains none of these mods", since.display())));
        }
        for package in &packages {
            package.install(unpacked.path(), false)?;
        }
        let library = library_with(context.library(), unpacked.path())?;
        Ok(EarlierMods { library, _unpacked: Some(unpacked) })
    }
}

/// Returns the mods of `library` as they were at `commit`. Leaves out mods that the commit does not
/// contain, such as mods outside the git repository.
///
/// # Errors
/// Returns an error if the commit contains none of the mods `ids`, or if a mod cannot be read.
fn of_commit(commit: &Path, library: &Library, ids: &[String]) -> Result<Vec<Package>, CliError> {
    let name = commit.display();
    // Git would read a name that begins with a hyphen as an option.
    let Some(commit) = commit.to_str().filter(|commit| !commit.starts_with('-')) else {
        return Err(problem(format!("`{name}` is neither a path nor a commit")));
    };
    let (mut packages, mut reason) = (Vec::new(), None);
    for id in library.ids() {
        let Some(folder) = library.folder(&id).filter(|folder| folder.is_dir()) else { continue };
        match archive(&folder, commit, &id) {
            Ok(zip) => packages.push(Package::from_zip(&zip)?),
            // The mod is newer than the commit, or belongs to another repository.
            Err(error) if ids.contains(&id) => reason = reason.or(Some(format!("{}: {error}", folder.display()))),
            Err(_) => {}
        }
    }
    match reason {
        Some(reason) if !packages.iter().any(|package| ids.contains(&package.id)) => {
            Err(problem(format!("`{name}` is neither a path nor a commit with these mods: {reason}")))
        }
        _ => Ok(packages),
    }
}

/// Returns the mod in `folder` at a commit, as a zip archive.
///
/// # Errors
/// Returns an error if git has no such commit, or if the commit does not contain the mod.
fn archive(folder: &Path, commit: &str, id: &str) -> Result<Vec<u8>, GitError> {
    let hash = git(folder, &["rev-parse", "--verify", "--quiet", &format!("{commit}^{{commit}}")])?;
    let hash = String::from_utf8_lossy(&hash);
    // Checks that the commit contains the mod. Otherwise git would make an empty archive.
    git(folder, &["cat-file", "-e", &format!("{}:./mod.toml", hash.trim())])?;
    git(folder, &["archive", "--format=zip", &format!("--prefix={id}/"), hash.trim()])
}

/// A reason why git does not give what it is asked for.
#[derive(Debug, thiserror::Error)]
enum GitError {
    #[error("the program git cannot be started: {0}")]
    NotStarted(io::Error),
    /// Contains the first line that git wrote.
    #[error("{0}")]
    Refused(String),
}

/// Runs git in a folder, and returns its output.
fn git(folder: &Path, args: &[&str]) -> Result<Vec<u8>, GitError> {
    let mut command = Command::new("git");
    let command = command.arg("-C").arg(PathBuf::from(folder)).args(args).stdin(Stdio::null());
    let done = command.output().map_err(GitError::NotStarted)?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("there is no such commit");
    Err(GitError::Refused(line.trim_start_matches("fatal: ").to_owned()))
}
