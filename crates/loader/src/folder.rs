//! The files of one mod: `mod.toml`, `tiles.toml` or `tiles/*.toml`, `rules.rhai`, and `theme.toml` with `icons/*.svg`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use script::{FunctionInfo, ScriptSource, Vocabulary};
use theme::ThemeFile;

use crate::conditions;
use crate::manifest::{self, Manifest};
use crate::problem::{FileIdx, Problems, shown};
use crate::reader::{self, Node};
use crate::tiles::{self, TileDecl};

/// The file that makes a folder a mod.
pub(crate) const MANIFEST: &str = "mod.toml";
const TILES: &str = "tiles";
const SCRIPT: &str = "rules.rhai";
const THEME: &str = "theme.toml";
const ICONS: &str = "icons";

/// A mod as it was read from its folder.
#[derive(Clone, Debug)]
pub(crate) struct ModFiles {
    pub(crate) manifest: Manifest,
    pub(crate) tiles: Vec<TileDecl>,
    /// The trees of all files of tiles, where something in them hangs on switches.
    pub(crate) tile_trees: Vec<Node>,
    /// Whether every file of tiles could be read.
    pub(crate) tiles_are_whole: bool,
    pub(crate) script: ScriptSource,
    /// The functions that the script defines.
    pub(crate) functions: Vec<FunctionInfo>,
    /// Names of what it calls.
    pub(crate) calls: BTreeSet<String>,
    /// Whether the script could be compiled, so that what is not in `functions` is not there.
    pub(crate) script_is_whole: bool,
    /// How the mod looks, if it says so. No part of the hash: looks change no game.
    pub(crate) theme: Option<ThemeFile>,
    pub(crate) hash: u64,
}

/// Returns the manifest in `folder`, the file, and whether its grammar is right.
pub(crate) fn read_manifest(p: &mut Problems, folder: &Path, id: &str) -> Option<(Manifest, FileIdx, bool)> {
    let file = read_file(p, &folder.join(MANIFEST))?;
    let (root, is_whole) = reader::parse(p, file);
    let switches = conditions::switches(&root);
    let read = |p: &mut Problems| {
        let settled = conditions::settle(p, &root, &switches);
        manifest::read(p, file, &settled, id)
    };
    // What is left of a broken file would only bring more problems of things that are there after all.
    let manifest = if is_whole { read(p)? } else { read(&mut p.clone())? };
    let tree = conditions::is_conditional(&root, false).then_some((file, root));
    Some((Manifest { switches, tree, ..manifest }, file, is_whole))
}

/// Reads what lies beside the manifest; the script is looked at where it is known which names it may use.
pub(crate) fn read_rest(
    p: &mut Problems,
    folder: &Path,
    manifest: Manifest,
    manifest_file: FileIdx,
    vocabulary: Option<&Vocabulary>,
) -> ModFiles {
    let mut named_files = vec![(MANIFEST.to_owned(), manifest_file)];
    let (mut tiles, mut tile_trees, mut tiles_are_whole) = (Vec::new(), Vec::new(), true);
    for name in tile_files(folder) {
        let Some(file) = read_file(p, &folder.join(&name)) else {
            tiles_are_whole = false;
            continue;
        };
        let (root, is_whole) = reader::parse(p, file);
        tiles_are_whole &= is_whole;
        if is_whole {
            let settled = conditions::settle(p, &root, &manifest.switches);
            tiles.extend(tiles::read(p, &settled));
            tile_trees.push(root);
        }
        named_files.push((name, file));
    }
    let path = folder.join(SCRIPT);
    let script_file = if path.is_file() { read_file(p, &path) } else { None };
    named_files.extend(script_file.map(|file| (SCRIPT.to_owned(), file)));
    let text = script_file.map_or_else(String::new, |file| p.source(file).text.to_string());
    let script = ScriptSource { owner: manifest.id.value.clone(), file: shown(&path), text };
    let (mut functions, mut calls, mut script_is_whole) = (Vec::new(), BTreeSet::new(), true);
    if let (Some(_), Some(vocabulary)) = (script_file, vocabulary) {
        (functions, calls, script_is_whole) = inspect(p, &script, vocabulary);
    }
    warn_of_other_scripts(p, folder, manifest_file);
    if !tile_trees.iter().any(|root| conditions::is_conditional(root, false)) {
        tile_trees.clear();
    }
    let hash = hash(p, &named_files);
    let theme = read_theme(p, folder, &manifest.id.value);
    ModFiles { manifest, tiles, tile_trees, tiles_are_whole, script, functions, calls, script_is_whole, theme, hash }
}

/// `theme.toml` with all icons that lie in the folder of the mod.
fn read_theme(p: &mut Problems, folder: &Path, id: &str) -> Option<ThemeFile> {
    let path = folder.join(THEME);
    let file = if path.is_file() { read_file(p, &path)? } else { return None };
    let mut icons = BTreeMap::new();
    for name in file_names(&folder.join(ICONS), "svg") {
        match fs::read_to_string(folder.join(ICONS).join(&name)) {
            Ok(svg) => {
                icons.insert(format!("{ICONS}/{name}"), svg);
            }
            Err(e) => {
                p.error(file.range(0..0), format!("cannot read {ICONS}/{name}: {e}"));
            }
        }
    }
    let text = p.source(file).text.to_string();
    Some(ThemeFile { owner: id.to_owned(), label: shown(&path), text, icons })
}

/// Compiles and lints the script.
fn inspect(
    p: &mut Problems,
    script: &ScriptSource,
    vocabulary: &Vocabulary,
) -> (Vec<FunctionInfo>, BTreeSet<String>, bool) {
    let inspection = script::inspect(script, vocabulary);
    let is_whole = inspection.problems.is_empty() || !inspection.functions.is_empty();
    p.extend(inspection.problems);
    (inspection.functions, inspection.calls, is_whole)
}

/// `tiles.toml`, then the files in `tiles/` by name.
fn tile_files(folder: &Path) -> Vec<String> {
    let single = format!("{TILES}.toml");
    let mut names: Vec<String> = file_names(&folder.join(TILES), "toml").map(|n| format!("{TILES}/{n}")).collect();
    names.sort();
    if folder.join(&single).is_file() {
        names.insert(0, single);
    }
    names
}

fn warn_of_other_scripts(p: &mut Problems, folder: &Path, manifest_file: FileIdx) {
    let mut others: Vec<String> = file_names(folder, "rhai").filter(|name| name != SCRIPT).collect();
    others.sort();
    for name in others {
        p.warning(manifest_file.range(0..0), format!("`{name}` is not read: the script of a mod is `{SCRIPT}`"));
    }
}

/// Returns names of the files in `folder` that end so, hidden ones left out.
fn file_names(folder: &Path, extension: &'static str) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(move |e| e.path().is_file() && e.path().extension().is_some_and(|x| x == extension));
    files.filter_map(|e| e.file_name().into_string().ok()).filter(|name| !name.starts_with('.'))
}

/// Reads a text file; what cannot be read is noted.
fn read_file(p: &mut Problems, path: &Path) -> Option<FileIdx> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) => {
            p.general_error(format!("cannot read {}: {e}", shown(path)));
            return None;
        }
    };
    match String::from_utf8(bytes) {
        // Some editors begin a file with a mark that says nothing.
        Ok(text) => Some(p.add_source(path, text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())),
        Err(e) => {
            let valid = e.utf8_error().valid_up_to();
            let file = p.add_source(path, String::from_utf8_lossy(e.as_bytes()).into_owned());
            p.error(file.range(valid..valid), "this is not text in UTF-8").help("save the file as UTF-8");
            None
        }
    }
}

/// Hashes names and texts (FNV-1a), the same on every machine: line ends do not count, since version control may change them.
fn hash(p: &Problems, files: &[(String, FileIdx)]) -> u64 {
    let mut hasher = FnvHasher::default();
    for (name, file) in files {
        for text in [name, &*p.source(*file).text] {
            text.split('\r').for_each(|part| hasher.write(part.as_bytes()));
            // No text holds this byte, so that nothing can move from one file to the next unseen.
            hasher.write_u8(0xff);
        }
    }
    hasher.finish()
}

/// Returns the mod folders in the search path `paths`: id and folder, sorted by id, then by path.
pub(crate) fn scan(paths: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    let mut add = |folder: PathBuf| {
        let id = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        let is_known = found.iter().any(|(_, known)| same_folder(known, &folder));
        if folder.join(MANIFEST).is_file() && !id.is_empty() && !is_known {
            found.push((id, folder));
        }
    };
    for path in paths {
        // A path may be a mod itself, as when somebody works in its folder.
        let itself = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        if itself.join(MANIFEST).is_file() {
            add(if path.file_name().is_some() { path.clone() } else { itself });
            continue;
        }
        let mut folders: Vec<PathBuf> = fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
        folders.sort();
        folders.into_iter().for_each(&mut add);
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn same_folder(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).ok().is_some_and(|a| fs::canonicalize(b).ok() == Some(a))
}
