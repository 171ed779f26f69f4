//! The memory of a process.

use std::fs;

/// Returns the memory held by this process in kilobytes; 0 if the system does not report it.
pub fn held_memory_kb() -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}
