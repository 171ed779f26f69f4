//! Recognizes temporary files, which the watcher ignores.

use std::path::Path;

/// Returns whether the file is a temporary file of an editor or tool: a hidden file, a backup, or a
/// file that the editor renames when it has finished saving.
pub(crate) fn is_temporary(below_root: &Path) -> bool {
    below_root.iter().any(|name| {
        let name = name.to_string_lossy();
        // Vim creates `4913` to test whether it may write to the folder.
        let ends = ["~", ".tmp", ".swp", ".swx", ".bak", ".part", ".orig", "___"];
        name.starts_with(['.', '#']) || ends.iter().any(|end| name.ends_with(end)) || name == "4913"
    })
}
