//! Reads the files of one mod: `mod.toml`, `tiles.toml` or `tiles/*.toml`, `rules.rhai`, and
//! `theme.toml` with `icons/*.svg`, and `search-value.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Display;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fnv::FnvHasher;
use platform::fs::{self, Entry};
use script::{FunctionInfo, ScriptSource, Vocabulary};
use theme::ThemeFile;

use crate::conditions;
use crate::files::{self, ReadError};
use crate::manifest::{self, Manifest};
use crate::misplaced;
use crate::problem::{FileIdx, Problems, display_path};
use crate::reader::{self, Node};
use crate::tiles::{self, TileDecl};

/// The name of the manifest. Each folder that contains a manifest is a mod.
pub(crate) const MANIFEST: &str = "mod.toml";
pub(crate) const TILES: &str = "tiles";
pub(crate) const SCRIPT: &str = "rules.rhai";
pub(crate) const THEME: &str = "theme.toml";
pub(crate) const ICONS: &str = "icons";
/// The file with the trained value of the bot `search`, which `bastide train` writes.
pub const SEARCH_VALUE: &str = "search-value.txt";

/// The largest size in bytes of a manifest, a theme or a file of tiles.
pub const MAX_FILE_BYTES: u64 = 1 << 20;
/// The largest number of values in a manifest. The same limit applies to all other TOML files of a
/// mod together. The limit exists because a parsed value can take some kilobytes of memory.
pub const MAX_VALUES: usize = 100_000;
/// The largest size of a script in bytes. The limit is small because the engine compiles a script
/// several times.
const MAX_SCRIPT_BYTES: u64 = 256 << 10;
/// The largest size of an icon in bytes.
const MAX_ICON_BYTES: u64 = 256 << 10;
/// The largest size of a trained value in bytes.
const MAX_SEARCH_VALUE_BYTES: u64 = 200 << 10;
/// The largest total size of the files of a mod except the manifest, in bytes.
const MAX_MOD_BYTES: u64 = 16 << 20;
/// The largest number of files in each folder of a mod, such as `tiles` or `icons`.
pub const MAX_FILES: usize = 300;
/// The largest number of entries to read from one folder.
const MAX_ENTRIES: usize = 100_000;

/// Returns the largest size in bytes of the file `name` in the folder of a mod; `None` if loading
/// the mod does not read it.
pub fn max_bytes_of_file(name: &str) -> Option<u64> {
    match name.split_once('/').map_or(name, |(folder, _)| folder) {
        MANIFEST | THEME | TILES | "tiles.toml" => Some(MAX_FILE_BYTES),
        SCRIPT => Some(MAX_SCRIPT_BYTES),
        ICONS => Some(MAX_ICON_BYTES),
        SEARCH_VALUE => Some(MAX_SEARCH_VALUE_BYTES),
        _ => None,
    }
}

/// Returns an upper estimate of the number of values in a TOML text without parsing it. Counts the
/// characters that begin or separate values and tables, including characters in texts and comments.
pub fn n_values(toml: &str) -> usize {
    toml.bytes().filter(|byte| b"=[{.,".contains(byte)).count()
}

/// Texts that replace files on disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextOverrides {
    /// Texts of single files, by path.
    pub(crate) unsaved: BTreeMap<PathBuf, Arc<str>>,
    /// All files of the bundled mods, by path.
    pub(crate) bundled: BundledTexts,
    /// `true` if a bundled mod replaces a mod on disk with the same id. `false` if a bundled mod is
    /// used only if no mod on disk has its id.
    pub(crate) replaces: bool,
}

/// The files of bundled mods, by path.
pub type BundledTexts = Arc<BTreeMap<PathBuf, Arc<str>>>;

impl TextOverrides {
    /// Returns whether the files of the mod in `folder` come from the bundled files and not from
    /// disk.
    fn is_bundled(&self, folder: &Path) -> bool {
        let manifest = folder.join(MANIFEST);
        self.bundled.contains_key(&manifest) && (self.replaces || !files::exists(&manifest))
    }

    /// Returns the ids and folders of the bundled mods.
    fn bundled_mods(&self) -> impl Iterator<Item = (String, PathBuf)> {
        let folders = self.bundled.keys().filter(|path| path.ends_with(MANIFEST)).filter_map(|path| path.parent());
        folders.filter_map(|folder| Some((folder.file_name()?.to_str()?.to_owned(), folder.to_owned())))
    }
}

/// A mod read from its folder.
#[derive(Clone, Debug)]
pub(crate) struct ModFiles {
    pub(crate) manifest: Manifest,
    pub(crate) tiles: Vec<TileDecl>,
    /// The parsed trees of all files of tiles; empty if no file contains a condition.
    pub(crate) tile_trees: Vec<Node>,
    /// True if every file of tiles could be read.
    pub(crate) tiles_are_whole: bool,
    pub(crate) script: ScriptSource,
    /// The functions that the script defines.
    pub(crate) functions: Vec<FunctionInfo>,
    /// The names of the functions that the script calls.
    pub(crate) calls: BTreeSet<String>,
    /// True if `functions` is complete, because the script compiled or the mod has no script.
    pub(crate) script_is_whole: bool,
    /// The theme of the mod, if the mod has one. The theme is not part of `hash`, because it does
    /// not affect games.
    pub(crate) theme: Option<ThemeFile>,
    /// The trained value of the bot `search`, if the mod has one. Not part of `hash`, because it
    /// does not affect the rules.
    pub(crate) search_value: Option<Arc<str>>,
    pub(crate) hash: u64,
}

impl ModFiles {
    /// Returns the qualified ids of the tiles, such as `base/K`; none if the tiles depend on
    /// settings.
    pub(crate) fn tile_ids(&self) -> impl Iterator<Item = String> {
        tile_ids(&self.manifest, &self.tiles, self.tile_trees.is_empty())
    }
}

fn tile_ids(manifest: &Manifest, tiles: &[TileDecl], are_all: bool) -> impl Iterator<Item = String> {
    let all = tiles.iter().filter(move |_| are_all);
    all.map(|tile| format!("{}/{}", manifest.id.value, tile.id.value))
}

/// Returns the manifest in `folder`, the index of its file in `p`, and whether the file is valid
/// TOML. Returns `None` if the manifest cannot be read.
pub(crate) fn read_manifest(
    p: &mut Problems,
    texts: &TextOverrides,
    folder: &Path,
    id: &str,
) -> Option<(Manifest, FileIdx, bool)> {
    let file = Folder::new(folder, texts).read_source(p, MANIFEST)?;
    let (root, is_whole) = reader::parse(p, file);
    let switches = conditions::switches(&root);
    let read = |p: &mut Problems| {
        let settled = conditions::resolve_conditions(p, &root, &switches);
        manifest::read(p, file, &settled, id)
    };
    // If the file is not valid TOML, its content could cause misleading problems. These problems
    // are discarded.
    let manifest = if is_whole { read(p)? } else { read(&mut p.clone())? };
    let tree = conditions::is_conditional(&root, false).then_some((file, root));
    Some((Manifest { switches, tree, ..manifest }, file, is_whole))
}

/// Reads all files of a mod except the manifest. Checks the script if `vocabulary` is given.
pub(crate) fn read_rest(
    p: &mut Problems,
    texts: &TextOverrides,
    folder: &Path,
    manifest: Manifest,
    manifest_file: FileIdx,
    vocabulary: Option<Vocabulary>,
) -> ModFiles {
    let mut folder = Folder::new(folder, texts);
    let mut named_files = vec![(MANIFEST.to_owned(), manifest_file)];
    let (mut tiles, mut tile_trees, mut tiles_are_whole) = (Vec::new(), Vec::new(), true);
    let single = Some(format!("{TILES}.toml")).filter(|name| folder.has(name));
    for name in single.into_iter().chain(folder.names(p, TILES, "toml")) {
        let Some(file) = folder.read_source(p, &name) else {
            tiles_are_whole = false;
            continue;
        };
        let (root, is_whole) = reader::parse(p, file);
        tiles_are_whole &= is_whole;
        if is_whole {
            let settled = conditions::resolve_conditions(p, &root, &manifest.switches);
            tiles.extend(tiles::read(p, &settled));
            tile_trees.push(root);
        }
        named_files.push((name, file));
    }
    if !tile_trees.iter().any(|root| conditions::is_conditional(root, false)) {
        tile_trees.clear();
    }
    let has_script = folder.has(SCRIPT);
    let script_file = has_script.then(|| folder.read_source(p, SCRIPT)).flatten();
    named_files.extend(script_file.map(|file| (SCRIPT.to_owned(), file)));
    let text = script_file.map_or_else(String::new, |file| p.source(file).text.to_string());
    let script = ScriptSource { owner: manifest.id.value.clone(), file: display_path(&folder.path.join(SCRIPT)), text };
    let (mut functions, mut calls) = (Vec::new(), BTreeSet::new());
    let mut script_is_whole = script_file.is_some() == has_script;
    if let (Some(_), Some(mut vocabulary)) = (script_file, vocabulary) {
        let tiles_are_known = tiles_are_whole && tile_trees.is_empty();
        vocabulary.tiles.extend(tile_ids(&manifest, &tiles, tiles_are_known));
        vocabulary.has_no_tiles = tiles_are_known && tiles.is_empty();
        let inspection = script::inspect(&script, &vocabulary);
        script_is_whole = inspection.problems.is_empty() || !inspection.functions.is_empty();
        p.extend(inspection.problems);
        (functions, calls) = (inspection.functions, inspection.calls);
    }
    for name in folder.names(p, "", "rhai").into_iter().filter(|name| !name.eq_ignore_ascii_case(SCRIPT)) {
        p.warning(manifest_file.range(0..0), format!("`{name}` is not read: the script of a mod is `{SCRIPT}`"));
    }
    if !folder.is_bundled {
        misplaced::warn_of_misplaced_files(p, folder.path, manifest_file.range(0..0));
    }
    let hash = hash(p, &named_files);
    let theme = read_theme(p, &mut folder, &manifest.id.value);
    let search_value = folder.has(SEARCH_VALUE).then(|| folder.read_text(p, SEARCH_VALUE)).flatten().map(Arc::from);
    ModFiles {
        manifest,
        tiles,
        tile_trees,
        tiles_are_whole,
        script,
        functions,
        calls,
        script_is_whole,
        theme,
        search_value,
        hash,
    }
}

/// Reads `theme.toml` with all icons in the folder of the mod. Returns `None` if the folder has no
/// readable `theme.toml`.
fn read_theme(p: &mut Problems, folder: &mut Folder<'_>, id: &str) -> Option<ThemeFile> {
    let file = if folder.has(THEME) { folder.read_source(p, THEME)? } else { return None };
    let mut icons = BTreeMap::new();
    for name in folder.names(p, ICONS, "svg") {
        if let Some(svg) = folder.read_text(p, &name) {
            icons.insert(name, svg);
        }
    }
    let text = p.source(file).text.to_string();
    Some(ThemeFile { owner: id.to_owned(), label: display_path(&folder.path.join(THEME)), text, icons })
}

/// A reader of the files in the folder of a mod. The reader reports files that cannot be read.
struct Folder<'f> {
    path: &'f Path,
    texts: &'f TextOverrides,
    /// `true` if the files of the mod come from the bundled files and not from disk.
    is_bundled: bool,
    /// The number of bytes that the reader may still read.
    n_left: u64,
    /// The number of values that the reader may still read from TOML files.
    n_values_left: usize,
}

impl<'f> Folder<'f> {
    fn new(path: &'f Path, texts: &'f TextOverrides) -> Folder<'f> {
        let is_bundled = texts.is_bundled(path);
        Folder { path, texts, is_bundled, n_left: MAX_MOD_BYTES, n_values_left: MAX_VALUES }
    }

    /// Returns whether the folder contains an entry with this name, of any type.
    fn has(&self, name: &str) -> bool {
        let path = self.path.join(name);
        self.texts.unsaved.contains_key(&path)
            || if self.is_bundled { self.texts.bundled.contains_key(&path) } else { files::exists(&path) }
    }

    /// Returns the sorted paths of the files in folder `sub` with this extension, relative to the
    /// folder of the mod. Omits hidden files. The list is empty if there is no such folder.
    fn names(&self, p: &mut Problems, sub: &str, extension: &str) -> Vec<String> {
        let folder = self.path.join(sub);
        let mut names = Vec::new();
        if self.is_bundled {
            let paths = self.texts.bundled.keys().filter(|path| path.parent() == Some(&folder));
            let named = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
            let name = named.filter_map(|path| path.file_name()?.to_str());
            return name.map(|name| if sub.is_empty() { name.to_owned() } else { format!("{sub}/{name}") }).collect();
        }
        if !files::exists(&folder) {
            return names;
        }
        let open = || -> Result<_, ReadError> {
            match fs::canonicalize(&folder)?.starts_with(fs::canonicalize(self.path)?) {
                true => Ok(fs::list(&folder)?),
                false => Err(ReadError::LeadsOut(self.path.to_owned())),
            }
        };
        let entries = match open() {
            Ok(entries) => entries,
            Err(error) => {
                report_unreadable(p, &folder, error);
                return names;
            }
        };
        for Entry { path, .. } in entries.into_iter().take(MAX_ENTRIES) {
            if path.extension().is_none_or(|found| found != extension) {
                continue;
            }
            match path.file_name().and_then(OsStr::to_str) {
                Some(name) if name.starts_with('.') => {}
                Some(name) => names.push(if sub.is_empty() { name.to_owned() } else { format!("{sub}/{name}") }),
                None => {
                    let message = format!("{} is not read: its name is not text in UTF-8", display_path(&path));
                    p.general_warning(message);
                }
            }
        }
        names.sort();
        if names.len() > MAX_FILES {
            let message =
                format!("{} has {} files; at most {MAX_FILES} are allowed", display_path(&folder), names.len());
            p.general_error(message);
            names.truncate(MAX_FILES);
        }
        names
    }

    /// Reads the text file `name` in the folder of the mod. If the file is unreadable, reports the
    /// file and returns `None`.
    fn read_text(&mut self, p: &mut Problems, name: &str) -> Option<String> {
        let path = self.path.join(name);
        let most = max_bytes_of_file(name).unwrap_or(MAX_FILE_BYTES);
        let bundled = || self.texts.bundled.get(&path).filter(|_| self.is_bundled);
        if let Some(text) = self.texts.unsaved.get(&path).or_else(bundled) {
            return Some(text.to_string());
        }
        match files::read_text(&path, Some(self.path), most.min(self.n_left)) {
            Ok(text) => {
                self.n_left -= text.len() as u64;
                // Some editors begin a file with a byte order mark.
                Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
            }
            Err(ReadError::NotText(e)) => {
                let valid = e.utf8_error().valid_up_to();
                let file = p.add_source(&path, String::from_utf8_lossy(e.as_bytes()).into_owned());
                p.error(file.range(valid..valid), "this is not text in UTF-8").help("save the file as UTF-8");
                None
            }
            Err(ReadError::TooLarge(_)) if self.n_left < most => {
                let limit = format!("the files of a mod may have at most {MAX_MOD_BYTES} bytes together");
                report_unreadable(p, &path, limit);
                None
            }
            Err(error) => {
                report_unreadable(p, &path, error);
                None
            }
        }
    }

    /// Reads the text file `name` and adds it to the sources of `p`, so that problems can refer to
    /// the file. Reports an unreadable or too long file, and returns `None` for it.
    fn read_source(&mut self, p: &mut Problems, name: &str) -> Option<FileIdx> {
        let text = self.read_text(p, name)?;
        let path = self.path.join(name);
        if name.ends_with(".toml") {
            let Some(n_left) = self.n_values_left.checked_sub(n_values(&text)) else {
                let limit = format!("the TOML files of a mod may have at most {MAX_VALUES} values together");
                report_unreadable(p, &path, limit);
                return None;
            };
            self.n_values_left = n_left;
        }
        Some(p.add_source(&path, text))
    }
}

fn report_unreadable(p: &mut Problems, path: &Path, reason: impl Display) {
    p.general_error(format!("cannot read {}: {reason}", display_path(path)));
}

/// Returns an FNV-1a hash of the names and texts of `files`, the same on every machine. Ignores the
/// type of line ends, because version control may change line ends.
fn hash(p: &Problems, files: &[(String, FileIdx)]) -> u64 {
    let mut hasher = FnvHasher::default();
    for (name, file) in files {
        for text in [name, &*p.source(*file).text] {
            text.split('\r').for_each(|part| hasher.write(part.as_bytes()));
            // No text contains this byte, which separates the texts. Therefore moving text from one
            // file to the next changes the hash.
            hasher.write_u8(0xff);
        }
    }
    hasher.finish()
}

/// Returns the id and folder of each mod in the search path `paths` and of each bundled mod in use,
/// sorted by id. Mods with the same id are in the order of the search path.
pub(crate) fn scan(paths: &[PathBuf], texts: &TextOverrides) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    let mut add = |folder: PathBuf| {
        let id = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        // A folder with an invalid or unreadable manifest counts too: loading the mod reports the
        // manifest.
        if id.is_empty() || !files::exists(&folder.join(MANIFEST)) {
            return;
        }
        let true_path = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        if known.insert(true_path) {
            found.push((id, folder));
        }
    };
    for path in paths {
        // A path may be the folder of a mod itself, for example if its author works in that folder.
        let itself = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        if files::exists(&itself.join(MANIFEST)) {
            add(if path.file_name().is_some() { path.clone() } else { itself });
            continue;
        }
        fs::paths_in(path).for_each(&mut add);
    }
    for (id, folder) in texts.bundled_mods() {
        if texts.replaces {
            found.retain(|(there, _)| *there != id);
        }
        if found.iter().all(|(there, _)| *there != id) {
            found.push((id, folder));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}
