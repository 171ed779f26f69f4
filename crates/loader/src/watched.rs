//! Which files are watched: not those that programs make for themselves.

use std::path::Path;

/// Returns whether editors and tools make such files for themselves: hidden ones, backups, and what is renamed when saving is done.
pub(crate) fn is_temporary(below_root: &Path) -> bool {
    below_root.iter().any(|name| {
        let name = name.to_string_lossy();
        // `4913` is what vim makes to see whether it may write in the folder.
        let ends = ["~", ".tmp", ".swp", ".swx", ".bak", ".part", ".orig", "___"];
        name.starts_with(['.', '#']) || ends.iter().any(|end| name.ends_with(end)) || name == "4913"
    })
}
