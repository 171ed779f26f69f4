//! Installs mods. The user can inspect a mod before installing it. Installation copies either all
//! files of the mod or none, and keeps a replaced mod as a backup.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use diagnostic::{Diagnostic, Severity};
use loader::{Library, shown_path};
use platform::fs::{self, Entry, FileKind};

use crate::package::Package;

/// The folder beside the mods that contains replaced and removed mods, and removed files.
pub(crate) const REPLACED_FOLDER: &str = ".replaced";

/// The age at which an installation removes the temporary folder of an earlier, interrupted
/// installation. An installation in progress may still use a newer folder.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Information about a package before it is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackageContents {
    /// The number of tile types in the package; 0 if the package cannot be loaded.
    pub n_tiles: usize,
    /// The functions of the package's script that the engine calls; empty if the package cannot be
    /// loaded.
    pub functions: Vec<String>,
    /// The number of tests in the package.
    pub n_tests: usize,
    /// The total size of the package's files, in bytes.
    pub n_bytes: usize,
    /// The errors when the package is loaded together with the installed mods, such as a missing
    /// requirement. Each error is a sentence.
    pub problems: Vec<String>,
    /// The version and folder of the installed mod with the same id; `None` if there is none.
    pub installed: Option<(String, PathBuf)>,
}

/// An installed mod.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledMod {
    /// The folder of the mod.
    pub folder: PathBuf,
    /// The backup of the replaced mod; `None` if no mod was replaced.
    pub backup: Option<PathBuf>,
}

impl Package {
    /// Inspects the package: unpacks the mod into a temporary folder, and loads it together with
    /// the installed mods. Calls no function of the mod.
    ///
    /// # Errors
    /// Returns an error if the temporary folder cannot be written.
    pub fn inspect(&self, library: &Library) -> Result<PackageContents, Diagnostic> {
        let cannot =
            |e: io::Error| Diagnostic::without_place(format!("the mod cannot be unpacked for inspection: {e}"));
        let temp = fs::temp_dir().map_err(cannot)?;
        let folder = temp.path().join(&self.id);
        self.write_into(&folder).map_err(cannot)?;
        let others = library.ids().into_iter().filter(|id| *id != self.id).filter_map(|id| library.folder(&id));
        let paths: Vec<PathBuf> = others.chain([folder]).collect();
        let (loaded, problems) = Library::open(&paths).load(&[&self.id]);
        let errors = problems.list().iter().filter(|problem| problem.severity == Severity::Error);
        let said = errors.map(|p| p.to_string().replace(&format!("{}/", shown_path(temp.path())), ""));
        let catalogue = loaded.as_ref().map(|loaded| loaded.catalogue());
        let own = catalogue.and_then(|it| it.mods.iter().position(|info| info.id == self.id));
        let mut functions: Vec<String> = catalogue.map_or_else(Vec::new, |it| {
            it.functions.iter().filter(|f| Some(f.owner.idx()) == own).map(|f| f.name.clone()).collect()
        });
        functions.sort();
        functions.dedup();
        Ok(PackageContents {
            n_tiles: catalogue.map_or(0, |it| it.own_tiles(&self.id).len()),
            functions,
            n_tests: self.files.keys().filter(|name| name.starts_with("tests/")).count(),
            n_bytes: self.files.values().map(String::len).sum(),
            problems: said.collect(),
            installed: self.installed_copy(library),
        })
    }

    /// Returns the version and folder of the installed mod with the id of this package; `None` if
    /// no mod with this id is installed.
    pub fn installed_copy(&self, library: &Library) -> Option<(String, PathBuf)> {
        let folder = library.folder(&self.id)?;
        let version = Package::from_folder(&folder).map_or_else(|_| "(unreadable)".to_owned(), |it| it.version);
        Some((version, folder))
    }

    /// Installs the mod in `place`, a folder of mods. The mod's id becomes the name of its folder.
    /// If `replaces` is true, moves an existing mod to the folder `.replaced` in `place`.
    ///
    /// # Errors
    /// Returns an error and changes nothing if the mod is already installed and `replaces` is
    /// false. Also returns an error if a file has the name of the mod's folder, or if the system
    /// refuses to write to `place`.
    pub fn install(&self, place: &Path, replaces: bool) -> Result<InstalledMod, Diagnostic> {
        let folder = place.join(&self.id);
        let cannot = |e: io::Error| {
            let message = format!("{} cannot be written: {e}", shown_path(&folder));
            Diagnostic::without_place(message).with_help("nothing has changed; choose another folder of mods")
        };
        let there = fs::link_stamp(&folder).ok();
        if let Some(there) = &there {
            if there.kind != FileKind::Folder {
                let message = format!("{} exists and is not a folder", shown_path(&folder));
                return Err(
                    Diagnostic::without_place(message).with_help("nothing was written; move that file away first")
                );
            }
            if !replaces {
                let version =
                    Package::from_folder(&folder).map_or_else(|_| String::new(), |it| format!(" {}", it.version));
                let message =
                    format!("{}{version} is already installed; this is {} {}", self.id, self.id, self.version);
                let help = "nothing was written; replacing the installed mod keeps it as a backup";
                return Err(Diagnostic::without_place(message).with_help(help));
            }
        }
        remove_abandoned(place);
        // The temporary folder is in `place`, so that the last step of the installation is a
        // rename.
        let temp = fs::temp_dir_in(place).map_err(cannot)?;
        let new = temp.path().join(&self.id);
        self.write_into(&new).and_then(|()| fs::sync_all(&new, self.files.keys())).map_err(cannot)?;
        let backup = match there {
            Some(_) => Some(replace(place, &folder, &new).map_err(cannot)?),
            None => {
                fs::rename(&new, &folder).map_err(cannot)?;
                None
            }
        };
        Ok(InstalledMod { folder, backup })
    }

    /// Writes all files to a new folder. The file names are safe, because reading the package has
    /// checked them.
    fn write_into(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for (name, text) in &self.files {
            let path = folder.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&path, text)?;
        }
        Ok(())
    }
}

/// Replaces the mod in `folder` with the mod in `new`, and returns the path of the backup.
fn replace(place: &Path, folder: &Path, new: &Path) -> io::Result<PathBuf> {
    let backup = backup_of(place, folder)?;
    // Tries to exchange the two folders in one step, so that `folder` always contains a mod. Not
    // every system can do this.
    fs::rename(new, &backup)?;
    if fs::exchange(&backup, folder).is_ok() {
        return Ok(backup);
    }
    fs::rename(&backup, new)?;
    fs::rename(folder, &backup)?;
    if let Err(error) = fs::rename(new, folder) {
        // Puts the old mod back. If this step fails too, the old mod stays in the backup.
        let _ = fs::rename(&backup, folder);
        return Err(error);
    }
    Ok(backup)
}

/// Removes temporary folders that interrupted installations left in `place`, if they are older than
/// [`ABANDONED_AFTER`].
fn remove_abandoned(place: &Path) {
    let entries = fs::list(place).unwrap_or_default().into_iter();
    for Entry { path, .. } in entries.filter(|entry| entry.kind == FileKind::Folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(stamp) = fs::link_stamp(&path) else { continue };
        let age = stamp.modified.and_then(|modified| modified.elapsed().ok());
        if name.starts_with(".bastide-") && age.is_some_and(|age| age > ABANDONED_AFTER) {
            // If the folder cannot be removed, a later installation tries again.
            let _ = fs::remove(&path);
        }
    }
}

/// Returns an unused path in the folder `.replaced`, which contains the id and the version of the
/// mod in `folder`. Creates `.replaced` if necessary. Libraries do not load mods from `.replaced`.
pub(crate) fn backup_of(place: &Path, folder: &Path) -> io::Result<PathBuf> {
    let aside = replaced_folder(place)?;
    let id = folder.file_name().unwrap_or_default().to_string_lossy();
    let version = Package::from_folder(folder).map_or_else(|_| String::new(), |it| format!("-{}", it.version));
    // The version in a manifest may contain any characters.
    let version: String =
        version.chars().filter(|c| c.is_ascii_alphanumeric() || ['.', '-', '+'].contains(c)).take(40).collect();
    let names = (1..).map(|n| if n == 1 { format!("{id}{version}") } else { format!("{id}{version}-{n}") });
    let free = names.map(|name| aside.join(name)).find(|path| !fs::is_taken(path));
    Ok(free.unwrap_or_else(|| aside.join(id.as_ref())))
}

/// Returns the path of the folder `.replaced` in `place`. Creates the folder if necessary.
pub(crate) fn replaced_folder(place: &Path) -> io::Result<PathBuf> {
    let aside = place.join(REPLACED_FOLDER);
    fs::create_dir_all(&aside)?;
    if fs::link_stamp(&aside)?.kind != FileKind::Folder {
        return Err(io::Error::other(format!("{} is not a folder", shown_path(&aside))));
    }
    Ok(aside)
}
