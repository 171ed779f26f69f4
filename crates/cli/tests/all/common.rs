//! Running the command, for the tests of what it prints.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;
use tempfile::TempDir;
use testkit::mods_folder;

/// What a run of the command came to.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn expect(self, code: i32) -> Ran {
        assert_eq!(self.code, code, "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        self
    }

    pub fn json_lines(&self) -> Vec<Json> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }
}

pub fn bastide_with(folder: &Path, args: &[&str], input: &str) -> Ran {
    bastide_from(&mods_folder(), folder, args, input)
}

/// Runs the command with the mods in `mods`.
pub fn bastide_from(mods: &Path, folder: &Path, args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bastide"))
        .args(args)
        .current_dir(folder)
        .env("BASTIDE_MODS", mods)
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may be gone already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let ran = Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) };
    assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    ran
}

pub fn bastide(folder: &Path, args: &[&str]) -> Ran {
    bastide_with(folder, args, "")
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub fn written(folder: &TempDir, name: &str, text: &str) -> String {
    fs::write(folder.path().join(name), text).unwrap();
    name.to_owned()
}
