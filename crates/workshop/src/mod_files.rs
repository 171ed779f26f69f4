//! Creates, renames and removes files of a mod. Removed files and mods move to the folder
//! `.replaced` beside the mods. The user can restore them from there.

use std::io;
use std::path::{Path, PathBuf};

use loader::{MAX_FILE_BYTES, read_text, title_of};
use platform::fs;
use toml_edit::DocumentMut;

use crate::file_error::FileError;
use crate::install::{REPLACED_FOLDER, backup_of, replaced_folder};
use crate::test_files::{check_name, write_test};

/// The ending of the names of those folders in `.replaced` that contain removed files. Ids of mods
/// contain no dots, so no mod has such a name.
const REMOVED_FILES_ENDING: &str = ".files";

/// The folders that may contain files of a mod, relative to the mod's folder. The empty text is the
/// mod's folder itself.
const FOLDERS: [&str; 4] = ["", "tiles", "icons", "tests"];

/// The file that every mod has.
const MANIFEST: &str = "mod.toml";

/// A kind of file that the user can add to a mod.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// The script of the mod.
    Script,
    /// A file of tiles.
    Tiles,
    /// The theme: colours and icons.
    Theme,
    /// The README, which explains the rules.
    Readme,
    /// A drawing of a piece, a tag or a token.
    Icon,
    /// A test.
    Test,
}

impl FileKind {
    /// All kinds of files.
    pub const ALL: [FileKind; 6] =
        [FileKind::Script, FileKind::Tiles, FileKind::Theme, FileKind::Readme, FileKind::Icon, FileKind::Test];

    /// Returns the name that every file of this kind has; `None` if the user chooses the name.
    pub fn fixed_name(self) -> Option<&'static str> {
        match self {
            FileKind::Script => Some("rules.rhai"),
            FileKind::Tiles => Some("tiles.toml"),
            FileKind::Theme => Some("theme.toml"),
            FileKind::Readme => Some("README.md"),
            FileKind::Icon | FileKind::Test => None,
        }
    }

    /// Returns the path of a file of this kind in the mod in `folder`. `name` has no extension; it
    /// is ignored if the kind has a fixed name.
    pub fn path(self, folder: &Path, name: &str) -> PathBuf {
        match self.fixed_name() {
            Some(fixed) => folder.join(fixed),
            None if self == FileKind::Icon => folder.join("icons").join(format!("{name}.svg")),
            None => folder.join("tests").join(format!("{name}.game")),
        }
    }

    /// Returns the initial text of a new file of this kind. `id` is the id of the mod.
    fn text(self, id: &str) -> String {
        match self {
            FileKind::Script => "// Functions that the engine calls: `Add a hook` lists them.\n".to_owned(),
            FileKind::Tiles => {
                "# One tile in each line, such as: bend = { count = 2, road = \"e-s\" }\n[tile]\n".to_owned()
            }
            FileKind::Theme => "# Colours and icons of this mod. `F1` lists the keys.\n".to_owned(),
            FileKind::Readme => format!("# {}\nThe rules of this mod, for players.\n", title_of(id)),
            FileKind::Icon => "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\">\n\
                               <circle cx=\"32\" cy=\"32\" r=\"24\" fill=\"currentColor\"/>\n</svg>\n"
                .to_owned(),
            FileKind::Test => format!(
                "# The subject of this test, in one sentence.\nbastide 1\nmods {id}\nplayers red blue\nseed 1\n"
            ),
        }
    }
}

/// Creates a file of the mod in `folder` with a short initial text, and returns its path. `name` is
/// as in [`FileKind::path`].
///
/// # Errors
/// Returns an error if the name is not permitted, or if the file exists or cannot be written.
pub fn create_file(folder: &Path, kind: FileKind, name: &str) -> Result<PathBuf, FileError> {
    create(folder, kind, name, &kind.text(&file_name(folder)))
}

/// Creates a file with an icon of the mod in `folder`, and returns its path. `svg` is the drawing.
///
/// # Errors
/// Returns the same errors as [`create_file`].
pub fn create_icon(folder: &Path, name: &str, svg: &str) -> Result<PathBuf, FileError> {
    create(folder, FileKind::Icon, name, svg)
}

fn create(folder: &Path, kind: FileKind, name: &str, text: &str) -> Result<PathBuf, FileError> {
    if kind == FileKind::Test {
        return write_test(folder, name, text);
    }
    let path = kind.path(folder, name);
    if kind.fixed_name().is_none() {
        check_name(name)?;
    }
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| table::write_new(&path, text));
    written.map_err(FileError::not_created(&path))?;
    Ok(path)
}

/// Returns the reason why a file of the mod in `folder` cannot be renamed; `None` if it can be
/// renamed.
pub fn why_not_renamed(folder: &Path, path: &Path) -> Option<&'static str> {
    let mut fixed = FileKind::ALL.into_iter().filter_map(FileKind::fixed_name).chain([MANIFEST]);
    let is_fixed = fixed.any(|name| folder.join(name) == path);
    is_fixed.then_some("Bastide finds this file by its name.")
}

/// Returns the reason why a file of the mod in `folder` cannot be removed; `None` if it can be
/// removed.
pub fn why_not_removed(folder: &Path, path: &Path) -> Option<&'static str> {
    let is_manifest = path == folder.join(MANIFEST);
    is_manifest.then_some("Every mod needs this file. To remove the whole mod, use the panel Mods.")
}

/// Renames a file of the mod in `folder`, and returns its new path. `name` is the new name without
/// the extension, which stays the same.
///
/// # Errors
/// Returns an error if the name is not permitted, if a file with this name exists, or if the system
/// refuses.
pub fn rename_file(folder: &Path, path: &Path, name: &str) -> Result<PathBuf, FileError> {
    if let Some(why) = why_not_renamed(folder, path) {
        return Err(FileError::refused(path, "renamed", why));
    }
    check_name(name)?;
    let new = renamed(path, name);
    rename_if_free(path, &new)?;
    Ok(new)
}

/// Returns the path of a file after renaming it to `name`. The extension stays the same.
pub fn renamed(path: &Path, name: &str) -> PathBuf {
    let extension = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{name}{extension}"))
}

/// A removed mod, or a removed file of a mod.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemovedItem {
    /// The folder of the mod, which may no longer exist.
    pub folder: PathBuf,
    /// The path before the removal: the folder of the mod, or a file in this folder.
    pub original: PathBuf,
    /// The current path, in `.replaced`.
    pub stored: PathBuf,
}

impl RemovedItem {
    /// Returns the name to show, such as `my-mod` or `my-mod/rules.rhai`.
    pub fn name(&self) -> String {
        let name = self.original.strip_prefix(self.folder.parent().unwrap_or(&self.folder)).unwrap_or(&self.original);
        name.to_string_lossy().replace('\\', "/")
    }

    /// Returns true for a removed mod, and false for a removed file of a mod.
    pub fn is_mod(&self) -> bool {
        self.original == self.folder
    }

    /// Moves the mod or the file back.
    ///
    /// # Errors
    /// Returns an error if another mod or file has taken the place, if the mod of the file was
    /// removed, or if the system refuses.
    pub fn restore(&self) -> Result<(), FileError> {
        if !self.is_mod() && !fs::is_dir(&self.folder) {
            return Err(FileError::ModRemoved(self.folder.clone()));
        }
        rename_if_free(&self.stored, &self.original)
    }

    /// Lists the removed mods and files of the folders of mods `places`, sorted by path. The list
    /// includes mods that an installation has replaced.
    pub fn list(places: &[PathBuf]) -> Vec<RemovedItem> {
        let mut found = Vec::new();
        for place in places {
            for stored in fs::paths_in(place.join(REPLACED_FOLDER)) {
                match file_name(&stored).strip_suffix(REMOVED_FILES_ENDING) {
                    Some(id) => found.extend(removed_files(&place.join(id), &stored)),
                    None => found.extend(id_in_manifest(&stored).map(|id| {
                        let folder = place.join(id);
                        RemovedItem { original: folder.clone(), folder, stored }
                    })),
                }
            }
        }
        found.sort_by(|a, b| (&a.original, &a.stored).cmp(&(&b.original, &b.stored)));
        found.dedup();
        found
    }
}

/// Removes the mod in `folder`: moves it to `.replaced`.
///
/// # Errors
/// Returns an error if the system refuses.
pub fn remove_mod(folder: &Path) -> Result<RemovedItem, FileError> {
    let place = folder.parent().unwrap_or(folder);
    let moved = backup_of(place, folder).and_then(|stored| fs::rename(folder, &stored).map(|()| stored));
    let stored = moved.map_err(FileError::failed(folder, "removed"))?;
    Ok(RemovedItem { folder: folder.to_owned(), original: folder.to_owned(), stored })
}

/// Removes a file of the mod in `folder`: moves it to `.replaced`.
///
/// # Errors
/// Returns an error if the mod needs the file, or if the system refuses.
pub fn remove_file(folder: &Path, path: &Path) -> Result<RemovedItem, FileError> {
    if let Some(why) = why_not_removed(folder, path) {
        return Err(FileError::refused(path, "removed", why));
    }
    let moved = stored_file(folder, path).and_then(|stored| fs::rename(path, &stored).map(|()| stored));
    let stored = moved.map_err(FileError::failed(path, "removed"))?;
    Ok(RemovedItem { folder: folder.to_owned(), original: path.to_owned(), stored })
}

/// Returns an unused path in `.replaced` for a file of the mod in `folder`. Creates the folder of
/// this path.
fn stored_file(folder: &Path, path: &Path) -> io::Result<PathBuf> {
    let below = path.strip_prefix(folder).map_err(|_| io::Error::other("it is not a file of this mod"))?;
    let aside = replaced_folder(folder.parent().unwrap_or(folder))?
        .join(format!("{}{REMOVED_FILES_ENDING}", file_name(folder)));
    let first = aside.join(below);
    first.parent().map_or(Ok(()), fs::create_dir_all)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let paths = (2..).map(|n| renamed(&first, &format!("{stem}-{n}")));
    Ok([first.clone()].into_iter().chain(paths).find(|path| !fs::is_taken(path)).unwrap_or(first))
}

fn removed_files(folder: &Path, stored: &Path) -> Vec<RemovedItem> {
    let files = FOLDERS.iter().flat_map(|sub| fs::paths_in(stored.join(sub))).filter(|path| fs::is_file(path));
    let removed = files.filter_map(|path| {
        let original = folder.join(path.strip_prefix(stored).ok()?);
        Some(RemovedItem { folder: folder.to_owned(), original, stored: path })
    });
    removed.collect()
}

/// Returns the id in the manifest of the mod in `folder`. `None` if there is no manifest, or if the
/// id in it cannot be the name of a folder.
fn id_in_manifest(folder: &Path) -> Option<String> {
    let text = read_text(&folder.join(MANIFEST), Some(folder), MAX_FILE_BYTES).ok()?;
    let manifest: DocumentMut = text.parse().ok()?;
    let id = manifest.get("mod")?.get("id")?.as_str()?;
    loader::is_mod_id(id).then(|| id.to_owned())
}

/// Renames a file or folder. Refuses if a file or folder with the name `to` exists.
fn rename_if_free(from: &Path, to: &Path) -> Result<(), FileError> {
    if fs::is_taken(to) {
        return Err(FileError::Exists(to.to_owned()));
    }
    let done = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::rename(from, to));
    done.map_err(FileError::failed(to, "written"))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use testkit::CopiedMod;

    use super::*;

    #[test]
    fn removed_files_come_back() {
        let base = CopiedMod::of("base");
        let (folder, script) = (base.library().join("base"), base.file("rules.rhai"));
        let text = base.read("rules.rhai");
        let removed = remove_file(&folder, &script).unwrap();
        assert_eq!(removed.name(), "base/rules.rhai");
        assert!(!script.exists() && !removed.is_mod());
        std::fs::write(&script, "// another\n").unwrap();
        let other = remove_file(&folder, &script).unwrap();
        assert_ne!(removed.stored, other.stored, "the first copy is not overwritten");
        let names = |list: Vec<RemovedItem>| list.iter().map(RemovedItem::name).collect::<Vec<_>>();
        let all = || RemovedItem::list(&[base.library().to_owned()]);
        assert_eq!(names(all()), ["base/rules-2.rhai", "base/rules.rhai"]);
        removed.restore().unwrap();
        assert_eq!(base.read("rules.rhai"), text);
        assert!(removed.restore().unwrap_err().to_string().contains("already exists"));
        assert!(remove_file(&folder, &base.file("mod.toml")).unwrap_err().to_string().contains("needs this file"));
        assert!(base.file("mod.toml").exists());
    }

    #[test]
    fn removed_mods_come_back_before_their_files() {
        let base = CopiedMod::of("base");
        let folder = base.library().join("base");
        let file = remove_file(&folder, &base.file("theme.toml")).unwrap();
        let removed = remove_mod(&folder).unwrap();
        assert!(removed.is_mod() && !folder.exists());
        let all = RemovedItem::list(&[base.library().to_owned()]);
        assert_eq!(all, [removed.clone(), file.clone()]);
        assert!(file.restore().unwrap_err().to_string().contains("restore this mod first"));
        removed.restore().unwrap();
        file.restore().unwrap();
        assert!(base.file("theme.toml").exists() && RemovedItem::list(&[base.library().to_owned()]).is_empty());
    }

    #[test]
    fn files_are_created_and_renamed_but_never_overwritten() {
        let base = CopiedMod::of("base");
        let folder = base.library().join("base");
        for kind in FileKind::ALL {
            let made = create_file(&folder, kind, "bear");
            let is_new = kind.fixed_name().is_none();
            assert_eq!(made.is_ok(), is_new, "{made:?}");
        }
        let bear = base.file("tests/bear.game");
        let wolf = rename_file(&folder, &bear, "wolf").unwrap();
        assert!(wolf == base.file("tests/wolf.game") && wolf.exists() && !bear.exists());
        create_file(&folder, FileKind::Test, "bear").unwrap();
        assert!(rename_file(&folder, &wolf, "bear").unwrap_err().to_string().contains("already exists"));
        assert!(rename_file(&folder, &wolf, "../bear").unwrap_err().to_string().contains("cannot be the name"));
        assert!(rename_file(&folder, &base.file("rules.rhai"), "other").is_err());
        let mut cache = crate::RulesCache::new(loader::Library::open(&[base.library().to_owned()]));
        cache.load(&["base".to_owned()]).expect("the new files have no errors");
    }
}
