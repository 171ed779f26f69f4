//! Recognizes the files of mods, and temporary files, which the watcher ignores.

use std::path::Path;

use crate::folder::SEARCH_VALUE;

/// Returns true if a change of the file or folder `path` may change a game or its bots: manifests,
/// scripts, pictures and trained values of mods, and folders. Records, seats and other files beside
/// them do not.
pub fn may_change_game(path: &Path) -> bool {
    // A path without an extension, or with one that is not Unicode, may be a deleted folder.
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    matches!(ending, "toml" | "rhai" | "svg" | "") || path.ends_with(SEARCH_VALUE)
}

/// Returns whether `below_root`, a path relative to a watched folder, is a temporary file of an
/// editor or tool, or lies in a temporary folder. Temporary files are hidden files, backups, and
/// files that an editor renames when it has finished saving.
pub(crate) fn is_temporary(below_root: &Path) -> bool {
    below_root.iter().any(|name| {
        let name = name.to_string_lossy();
        // Vim creates `4913` to test whether it may write to the folder.
        let ends = ["~", ".tmp", ".swp", ".swx", ".bak", ".part", ".orig", "___"];
        name.starts_with(['.', '#']) || ends.iter().any(|end| name.ends_with(end)) || name == "4913"
    })
}
