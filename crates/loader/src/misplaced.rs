//! Warns of files with wrong names or in wrong places, which no command reads.

use std::path::Path;

use platform::fs::{self, FileKind};

use crate::files;
use crate::folder::{ICONS, MANIFEST, MAX_FILE_BYTES, SCRIPT, SEARCH_VALUE, THEME, TILES};
use crate::problem::{FileRange, Problems};

const TESTS: &str = "tests";
const TILES_FILE: &str = "tiles.toml";

/// The names in the folder of a mod that have a meaning.
const NAMES: [&str; 8] = [MANIFEST, TILES_FILE, SCRIPT, THEME, SEARCH_VALUE, TILES, TESTS, ICONS];

/// Names of files and folders that authors write by mistake, each with the right name.
const MISNAMED: [(&str, &str); 5] =
    [("mods.toml", MANIFEST), ("tile.toml", TILES_FILE), ("themes.toml", THEME), ("test", TESTS), ("icon", ICONS)];

/// The folders of a mod, each with the extension of its files and with misspelt extensions.
const FOLDERS: [(&str, &str, &[&str]); 3] =
    [(TILES, "toml", &["tml", "tom"]), (TESTS, "game", &["games", "gam"]), (ICONS, "svg", &[])];

/// Folders into which authors put the script by mistake.
const SCRIPT_FOLDERS: [&str; 4] = ["rules", "script", "scripts", "src"];

/// The maximum number of warnings for a mod.
const MAX_WARNINGS: usize = 20;

/// Warns of files in the folder of a mod that no command reads because their names or places are
/// wrong. Ignores files that do not look like files of a mod, such as pictures and licences. Each
/// warning points to `range`.
pub(crate) fn warn_of_misplaced_files(p: &mut Problems, folder: &Path, range: FileRange) {
    let top = entries(folder, "");
    let mut found = top.clone();
    let is_searched = |name: &str| FOLDERS.iter().any(|(it, ..)| *it == name) || SCRIPT_FOLDERS.contains(&name);
    for (sub, _) in top.iter().filter(|(name, kind)| *kind == FileKind::Folder && is_searched(name)) {
        let files = entries(folder, sub);
        if [TILES, TESTS].contains(&sub.as_str()) {
            let deeper = files.iter().filter(|(_, kind)| *kind == FileKind::Folder);
            found.extend(deeper.flat_map(|(deep, _)| entries(folder, deep)));
        }
        found.extend(files.into_iter().filter(|(_, kind)| *kind != FileKind::Folder));
    }
    // Some systems ignore case in names. There, the engine reads `Tiles.toml` as `tiles.toml`.
    let is_read_as =
        |right: &str| fs::exists(&folder.join(right)) && !top.iter().any(|(name, _)| name.as_str() == right);
    let mut n_warnings = 0;
    for (path, _) in &found {
        let Some(right) = right_path(path, || is_test(folder, path)) else { continue };
        if n_warnings == MAX_WARNINGS || (!path.contains('/') && is_read_as(&right)) {
            continue;
        }
        let verb = if Path::new(path).parent() == Path::new(&right).parent() { "rename" } else { "move" };
        p.warning(range, format!("`{path}` is not read")).help(format!("{verb} it to `{right}`"));
        n_warnings += 1;
    }
}

/// Returns the entries of the folder `sub` of a mod except hidden ones, by their paths relative to
/// the folder of the mod. Returns no entries if the folder cannot be read.
fn entries(folder: &Path, sub: &str) -> Vec<(String, FileKind)> {
    let listed = fs::list(folder.join(sub)).unwrap_or_default().into_iter();
    let named = listed.filter_map(|entry| Some((entry.path.file_name()?.to_str()?.to_owned(), entry.kind)));
    let shown = named.filter(|(name, _)| !name.starts_with('.'));
    shown.map(|(name, kind)| (if sub.is_empty() { name } else { format!("{sub}/{name}") }, kind)).collect()
}

/// Returns the path from which the engine reads files such as `path`. Returns `None` if the engine
/// reads `path` itself, or if `path` does not look like a file of a mod. All paths are relative to
/// the folder of the mod. `is_test` returns whether the content of the file is a test.
fn right_path(path: &str, is_test: impl FnOnce() -> bool) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lower = name.to_lowercase();
    let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
    let (_, extension) = lower.rsplit_once('.').unwrap_or((lower.as_str(), ""));
    let Some((folder, _)) = path.split_once('/') else {
        // Some editors add `.txt` to every name.
        let plain = lower.strip_suffix(".txt").filter(|it| NAMES.contains(it)).unwrap_or(&lower);
        let misnamed = MISNAMED.into_iter().find(|(wrong, _)| *wrong == plain).map(|(_, right)| right);
        let right = misnamed.or_else(|| NAMES.into_iter().find(|it| *it == plain && *it != name));
        let test = || (extension == "game").then(|| format!("{TESTS}/{stem}.game"));
        return right.map(str::to_owned).or_else(test);
    };
    if let Some((_, right, misspelt)) = FOLDERS.into_iter().find(|(it, ..)| *it == folder) {
        let text = stem.strip_suffix(right).and_then(|it| it.strip_suffix('.')).filter(|_| extension == "txt");
        let is_meant = extension == right
            || misspelt.contains(&extension)
            || text.is_some()
            || (folder == TESTS && extension == "txt" && is_test());
        if is_meant {
            return Some(format!("{folder}/{}.{right}", text.unwrap_or(stem))).filter(|it| it != path);
        }
    }
    if extension == "rhai" {
        return Some(SCRIPT.to_owned());
    }
    [THEME, TILES_FILE].into_iter().find(|it| *it == lower).map(str::to_owned)
}

/// Returns whether a file of a mod contains the first line of a test.
fn is_test(folder: &Path, path: &str) -> bool {
    let is_version = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_first = |line: &str| line.strip_prefix("bastide ").is_some_and(is_version);
    files::read_text(&folder.join(path), Some(folder), MAX_FILE_BYTES).is_ok_and(|text| text.lines().any(is_first))
}
