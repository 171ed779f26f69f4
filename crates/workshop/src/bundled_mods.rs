//! The bundled mods: the original texts, the user's changes, and the restoration of the original
//! texts.

use std::collections::BTreeSet;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diffy::create_patch;
use loader::{BundledTexts, Library, builtin_mods};
use platform::fs;

use crate::configured_mods::loaded_files;

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The maximum size of a file to compare, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The original texts of bundled mods.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Originals {
    /// The folder on disk for copies of the bundled mods. It need not exist.
    folder: PathBuf,
    /// The texts, by the paths of their files on disk.
    texts: BundledTexts,
}

/// The difference between a file on disk and the bundled file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileDifference {
    /// The numbers of added lines and of removed lines.
    Changed(usize, usize),
    /// The file on disk was deleted, is not text, or is too large to compare.
    Missing,
    /// The file is not bundled.
    New,
}

/// A file of a bundled mod that differs from the bundled file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The path of the file relative to the folder of its mod, with `/` between folders.
    pub name: String,
    /// The kind of difference.
    pub difference: FileDifference,
    /// The difference as a patch without its header. Removed lines begin with `-`, added lines with
    /// `+`.
    pub lines: String,
}

/// The contents of files before [`Originals::restore`]: the path and the content of each file;
/// `None` for a file that did not exist.
pub type OldContents = Vec<(PathBuf, Option<Vec<u8>>)>;

impl Originals {
    /// Makes the originals from the texts of the bundled files. Each item of `texts` is the path of
    /// a file in `folder`, such as `base/rules.rhai`, and its text.
    pub fn new(folder: &Path, texts: impl IntoIterator<Item = (String, String)>) -> Originals {
        let texts = texts.into_iter().map(|(name, text)| (folder.join(name), Arc::from(text))).collect();
        Originals { folder: folder.to_owned(), texts: Arc::new(texts) }
    }

    /// Returns the mods compiled into this program. Their folder on disk is the first folder of
    /// [`builtin_mods`] that contains a bundled mod. If there is none, their folder is `mods`
    /// beside the program.
    pub fn bundled() -> Originals {
        let ids = || BUNDLED.iter().filter_map(|(name, _)| name.strip_suffix("/mod.toml"));
        let holds_one = |folder: &PathBuf| ids().any(|id| fs::exists(&folder.join(id)));
        let beside_program = || Some(env::current_exe().ok()?.parent()?.join("mods"));
        let folder = builtin_mods().into_iter().find(holds_one).or_else(beside_program).unwrap_or_default();
        Originals::bundled_in(&folder)
    }

    /// Returns the mods compiled into this program, with `folder` as their folder.
    pub fn bundled_in(folder: &Path) -> Originals {
        Originals::new(folder, BUNDLED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())))
    }

    /// Returns a library of the mods in the folders `paths`, and of the bundled mods that are
    /// missing there.
    pub fn library(&self, mut paths: Vec<PathBuf>) -> Library {
        // `restore` writes bundled mods to this folder, so the library must read it.
        if !paths.contains(&self.folder) {
            paths.push(self.folder.clone());
        }
        Library::open(&paths).with_bundled_fallback(self.texts())
    }

    /// Returns the texts by the paths of their files. The loader uses a text if its file is missing
    /// on disk.
    pub fn texts(&self) -> BundledTexts {
        self.texts.clone()
    }

    /// Returns the folder on disk for copies of the bundled mods. It need not exist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether the mod in `folder` is bundled.
    pub fn contains_mod(&self, folder: &Path) -> bool {
        self.texts.contains_key(&folder.join("mod.toml"))
    }

    /// Returns the ids of the bundled mods, sorted.
    pub fn ids(&self) -> Vec<String> {
        let id = |path: &PathBuf| {
            path.strip_prefix(&self.folder).ok()?.iter().next().map(|id| id.to_string_lossy().into_owned())
        };
        let mut ids: Vec<String> = self.texts.keys().filter_map(id).collect();
        ids.dedup();
        ids
    }

    /// Returns the folder of the bundled mod `id` on disk, which need not exist.
    pub fn folder_of(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// Returns the files of the mod in `folder` that differ from the bundled files; empty if the
    /// mod is not bundled. Includes added files only if they are `.toml`, `.rhai` or `.svg` files,
    /// because other files do not affect games.
    pub fn changes(&self, folder: &Path) -> Vec<ChangedFile> {
        let own = || self.texts.iter().filter(|(path, _)| path.starts_with(folder));
        if folder.parent() != Some(&*self.folder) || own().next().is_none() {
            return Vec::new();
        }
        let paths: BTreeSet<PathBuf> = loaded_files(folder).chain(own().map(|(path, _)| path.clone())).collect();
        paths.into_iter().filter_map(|path| self.changed_file(folder, path)).collect()
    }

    fn changed_file(&self, folder: &Path, path: PathBuf) -> Option<ChangedFile> {
        let original = self.texts.get(&path);
        let now = loader::read_text(&path, Some(folder), MAX_BYTES).ok();
        let [before, after] = [original.map(|text| &**text), now.as_deref()];
        if before == after {
            return None;
        }
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        let lines: String =
            create_patch(before, after).to_string().lines().skip(2).map(|line| format!("{line}\n")).collect();
        let n = |sign: char| lines.lines().filter(|line| line.starts_with(sign)).count();
        let difference = match (original, &now) {
            (None, _) => FileDifference::New,
            (Some(_), None) => FileDifference::Missing,
            (Some(_), Some(_)) => FileDifference::Changed(n('+'), n('-')),
        };
        let name =
            path.strip_prefix(folder).unwrap_or(&path).components().map(|part| part.as_os_str().to_string_lossy());
        let name = name.collect::<Vec<_>>().join("/");
        Some(ChangedFile { path, name, difference, lines })
    }

    /// Restores the bundled contents of `files`. Removes files that are not bundled. Returns the
    /// old contents; [`undo_restore`] can restore the files from them.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written. Before it returns the error, undoes
    /// the changes to the other files, if possible.
    pub fn restore(&self, files: &[PathBuf]) -> io::Result<OldContents> {
        let mut before = OldContents::new();
        for path in files {
            let done = read_content(path).and_then(|content| {
                before.push((path.clone(), content));
                write_or_remove(path, self.texts.get(path).map(|text| text.as_bytes()))
            });
            if let Err(error) = done {
                // This may fail for the file that could not be written. The failure does no harm,
                // because that file is unchanged.
                let _ = undo_restore(&before);
                return Err(error);
            }
        }
        Ok(before)
    }
}

/// Restores the contents that files had before [`Originals::restore`].
///
/// # Errors
/// Returns an error if a file cannot be written.
pub fn undo_restore(before: &OldContents) -> io::Result<()> {
    before.iter().try_for_each(|(path, text)| write_or_remove(path, text.as_deref()))
}

/// Reads the bytes of a file. Returns `None` if the file does not exist.
fn read_content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes `content` to a file, or removes the file if `content` is `None`.
fn write_or_remove(path: &Path, content: Option<&[u8]>) -> io::Result<()> {
    match content {
        Some(content) => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write_whole(path, content)
        }
        None if fs::exists(path) => fs::remove(path),
        None => Ok(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use testkit::CopiedMod;

    use super::*;

    fn originals(of: &CopiedMod) -> Originals {
        let text = |name: &str| (format!("base/{name}"), std::fs::read_to_string(of.file(name)).unwrap());
        Originals::new(of.library(), ["mod.toml", "tiles.toml", "rules.rhai"].map(text))
    }

    #[test]
    fn a_file_that_is_no_text_comes_back() {
        let base = CopiedMod::of("base");
        let originals = originals(&base);
        let file = base.file("rules.rhai");
        std::fs::write(&file, b"\xff no text").unwrap();
        let before = originals.restore(std::slice::from_ref(&file)).unwrap();
        assert!(std::fs::read_to_string(&file).is_ok());
        undo_restore(&before).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"\xff no text");
    }

    fn told(originals: &Originals, base: &CopiedMod) -> Vec<(String, FileDifference)> {
        let changes = originals.changes(&base.library().join("base"));
        let mut told: Vec<_> = changes.into_iter().map(|it| (it.name, it.difference)).collect();
        told.retain(|(name, _)| !name.starts_with("icons/") && name != "theme.toml");
        told
    }

    #[test]
    fn a_library_without_mods_on_disk_has_the_bundled_ones() {
        let nowhere = tempfile::tempdir().unwrap();
        let library = Originals::bundled_in(&nowhere.path().join("mods")).library(Vec::new());
        assert!(Library::open(library.paths()).ids().is_empty());
        let loaded = crate::RulesCache::new(library).load(&["inns-cathedrals".to_owned()]).unwrap();
        assert_eq!(loaded.catalogue().mods.len(), 2);
    }

    #[test]
    fn what_was_changed_is_named_and_comes_back_and_that_can_be_undone() {
        let base = CopiedMod::of("base");
        let originals = originals(&base);
        assert_eq!(told(&originals, &base), []);
        base.edit("tiles.toml", "K = { count = 3", "K = { count = 9");
        std::fs::remove_file(base.file("rules.rhai")).unwrap();
        std::fs::write(base.file("more.toml"), "").unwrap();
        let changed = [
            ("more.toml".to_owned(), FileDifference::New),
            ("rules.rhai".to_owned(), FileDifference::Missing),
            ("tiles.toml".to_owned(), FileDifference::Changed(1, 1)),
        ];
        assert_eq!(told(&originals, &base), changed);
        let changes = originals.changes(&base.library().join("base"));
        let tiles = changes.iter().find(|it| it.name == "tiles.toml").unwrap();
        assert!(
            tiles.lines.contains("+K = { count = 9") && tiles.lines.contains("-K = { count = 3"),
            "{}",
            tiles.lines
        );
        let files: Vec<PathBuf> = ["more.toml", "rules.rhai", "tiles.toml"].map(|name| base.file(name)).to_vec();
        let before = originals.restore(&files).unwrap();
        assert_eq!(told(&originals, &base), []);
        assert!(!base.file("more.toml").exists());
        undo_restore(&before).unwrap();
        assert_eq!(told(&originals, &base), changed);
        // A mod that is not bundled cannot be restored.
        assert_eq!(originals.changes(Path::new("/somewhere/else/base")), []);
    }
}
