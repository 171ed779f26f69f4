//! Installing a mod: what it holds is known before, it is there whole or not at all, and nothing that was there is lost.

use std::io;
use std::path::{Path, PathBuf};

use diagnostic::{Diagnostic, Severity};
use loader::{Library, shown_path};
use platform::fs;
use table::write_whole;

use crate::package::Package;

/// The folder, beside the mods, in which those lie that were replaced.
const REPLACED: &str = ".replaced";

/// What is to be known of a package before it is installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// How many kinds of tiles it has.
    pub n_tiles: usize,
    /// The functions of its script that the engine calls.
    pub functions: Vec<String>,
    /// How many tests come with it.
    pub n_tests: usize,
    /// How many bytes its files have.
    pub n_bytes: usize,
    /// What is wrong with it beside the mods that are here: a mod that it requires may not be there. A sentence each.
    pub problems: Vec<String>,
    /// The mod of the same id that is here: its version and its folder.
    pub installed: Option<(String, PathBuf)>,
}

/// A mod that was installed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installed {
    /// Its folder.
    pub folder: PathBuf,
    /// Where the one is now that was there before.
    pub backup: Option<PathBuf>,
}

impl Package {
    /// Looks at what it holds: it is loaded with the mods that are here, in a folder that goes away again, and none of its functions is run.
    ///
    /// # Errors
    /// Where there is no room for that folder.
    pub fn contents(&self, library: &Library) -> Result<Contents, Diagnostic> {
        let cannot = |e: io::Error| Diagnostic::without_place(format!("the mod cannot be unpacked to look at it: {e}"));
        let temp = fs::temp_dir().map_err(cannot)?;
        let folder = temp.path().join(&self.id);
        self.write_into(&folder, |path, text| fs::write(path, text)).map_err(cannot)?;
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
        let prefix = format!("{}/", self.id);
        Ok(Contents {
            n_tiles: catalogue.map_or(0, |it| it.tile_set.tiles.iter().filter(|t| t.name.starts_with(&prefix)).count()),
            functions,
            n_tests: self.files.keys().filter(|name| name.starts_with("tests/")).count(),
            n_bytes: self.files.values().map(String::len).sum(),
            problems: said.collect(),
            installed: self.installed(library),
        })
    }

    /// Returns the version and the folder of the mod with this id that is here.
    pub fn installed(&self, library: &Library) -> Option<(String, PathBuf)> {
        let folder = library.folder(&self.id)?;
        let version = Package::from_folder(&folder)
            .map_or_else(|_| "of a version that cannot be read".to_owned(), |it| it.version);
        Some((version, folder))
    }

    /// Puts the mod into `place`, a folder of mods, in a folder called by its id. Where there is one already and `replaces` says so, that one goes into
    /// the folder `.replaced` beside it.
    ///
    /// # Errors
    /// Where there is one already and nobody said that it is to be replaced, or `place` cannot be written to; then all is as before.
    pub fn install(&self, place: &Path, replaces: bool) -> Result<Installed, Diagnostic> {
        let folder = place.join(&self.id);
        let cannot = |e: io::Error| {
            let message = format!("{} cannot be written: {e}", shown_path(&folder));
            Diagnostic::without_place(message).with_help("nothing has changed; choose another folder of mods")
        };
        let there = fs::symlink_metadata(&folder).ok();
        if let Some(there) = &there {
            if !there.is_dir() {
                let message = format!("{} is there and is no folder", shown_path(&folder));
                return Err(Diagnostic::without_place(message).with_help("nothing was written; move it away first"));
            }
            if !replaces {
                let version =
                    Package::from_folder(&folder).map_or_else(|_| String::new(), |it| format!(" {}", it.version));
                let message = format!("{}{version} is there already; this is {} {}", self.id, self.id, self.version);
                let help = "nothing was written; replacing it keeps what is there as a backup";
                return Err(Diagnostic::without_place(message).with_help(help));
            }
        }
        // A folder beside it, so that the last step is a change of names.
        let temp = fs::temp_dir_in(place).map_err(cannot)?;
        let new = temp.path().join(&self.id);
        self.write_into(&new, write_whole).map_err(cannot)?;
        let backup = match there {
            Some(_) => Some(set_aside(place, &folder).map_err(cannot)?),
            None => None,
        };
        if let Err(error) = fs::rename(&new, &folder) {
            if let Some(backup) = &backup {
                // What was there is there again, or still in the backup, which is told of.
                let _ = fs::rename(backup, &folder);
            }
            return Err(cannot(error));
        }
        Ok(Installed { folder, backup })
    }

    /// Writes all files into a folder that is made. Their names were checked when they were read.
    fn write_into(&self, folder: &Path, write: impl Fn(&Path, &str) -> io::Result<()>) -> io::Result<()> {
        fs::create_dir(folder)?;
        for (name, text) in &self.files {
            let path = folder.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            write(&path, text)?;
        }
        Ok(())
    }
}

/// Moves a mod to where it is no mod any more, under a name that says which it was.
fn set_aside(place: &Path, folder: &Path) -> io::Result<PathBuf> {
    let aside = place.join(REPLACED);
    fs::create_dir_all(&aside)?;
    if !fs::symlink_metadata(&aside)?.is_dir() {
        return Err(io::Error::other(format!("{} is no folder", shown_path(&aside))));
    }
    let id = folder.file_name().unwrap_or_default().to_string_lossy();
    let version = Package::from_folder(folder).map_or_else(|_| String::new(), |it| format!("-{}", it.version));
    // A version is whatever the manifest says.
    let version: String =
        version.chars().filter(|c| c.is_ascii_alphanumeric() || ['.', '-', '+'].contains(c)).take(40).collect();
    let names = (1..).map(|n| if n == 1 { format!("{id}{version}") } else { format!("{id}{version}-{n}") });
    let free = names.map(|name| aside.join(name)).find(|path| fs::symlink_metadata(path).is_err());
    let backup = free.unwrap_or_else(|| aside.join(id.as_ref()));
    fs::rename(folder, &backup)?;
    Ok(backup)
}
