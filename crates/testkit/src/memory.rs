//! The memory of a process.

use std::fs;
use std::path::Path;

/// Returns the memory held by this process in kilobytes; 0 if the system does not report it.
pub fn held_memory_kb() -> u64 {
    status_kb("/proc/self/status".as_ref(), "VmRSS:")
}

/// Returns the number of kilobytes after `name` in the status file of a process; 0 if the file does
/// not state it.
pub(crate) fn status_kb(file: &Path, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}
