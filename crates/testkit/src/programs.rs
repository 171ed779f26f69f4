//! Programs that a test writes and runs.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes an executable script.
///
/// A system refuses to run a file that any process has open for writing. A process that another
/// test starts at the same moment inherits our open files for a moment. `install` therefore writes
/// the executable file, so that our process never opens it.
pub fn write_program(file: &Path, script: &str) {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("script");
    fs::write(&text, script).unwrap();
    assert!(Command::new("install").args(["-m", "755"]).arg(&text).arg(file).status().unwrap().success());
}
