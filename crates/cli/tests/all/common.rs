//! Runs the command, for tests of its output.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::Value as Json;
use tempfile::TempDir;
use testkit::{mods_folder, small_mods_folder};

/// The result of running the command.
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

/// Returns the folder of the small test mods as an argument.
pub fn small_mods() -> String {
    small_mods_folder().to_str().unwrap().to_owned()
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
    // Writing may fail, because a command that reads no input may have ended already.
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

/// A game in a terminal, which runs while the test changes files.
pub struct TerminalGame {
    pub child: Child,
    input: ChildStdin,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: thread::JoinHandle<()>,
}

impl TerminalGame {
    pub fn start(dir: &Path, args: &[&str]) -> TerminalGame {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bastide"));
        command.args(args);
        TerminalGame::of(dir, command)
    }

    /// Starts `command` in the folder `dir`.
    pub fn of(dir: &Path, mut command: Command) -> TerminalGame {
        let mut child = command
            .current_dir(dir)
            .env("BASTIDE_MODS", mods_folder())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let shown = Arc::new(Mutex::new(Vec::new()));
        let reader = thread::spawn({
            let shown = shown.clone();
            move || {
                let mut bytes = [0; 4096];
                while let Ok(n @ 1..) = stdout.read(&mut bytes) {
                    shown.lock().unwrap().extend_from_slice(&bytes[..n]);
                }
            }
        });
        TerminalGame { child, input, shown, reader }
    }

    /// Types all lines at once, then waits until the command has shown a prompt for each of them.
    pub fn type_lines(&mut self, lines: &[&str]) {
        let n_asked = |shown: &Mutex<Vec<u8>>| shown.lock().unwrap().windows(2).filter(|w| w == b"> ").count();
        while n_asked(&self.shown) == 0 {
            assert!(self.child.try_wait().unwrap().is_none(), "the command ended without a question");
            thread::sleep(Duration::from_millis(5));
        }
        let before = n_asked(&self.shown);
        self.input.write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
        for _ in 0..2000 {
            if n_asked(&self.shown) >= before + lines.len() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the command stopped asking: {}", String::from_utf8_lossy(&self.shown.lock().unwrap()));
    }

    /// Types `line` again and again until the command shows `expected`. The command notices changed
    /// files only when a line is typed, and only once the files have stopped changing.
    pub fn type_until(&mut self, line: &str, expected: &str) {
        let text_from = |from: usize| String::from_utf8_lossy(&self.shown.lock().unwrap()[from..]).into_owned();
        let from = self.shown.lock().unwrap().len();
        for _ in 0..100 {
            self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(200));
            if text_from(from).contains(expected) {
                return;
            }
        }
        panic!("`{expected}` was not shown: {}", text_from(0));
    }

    /// Waits until the command has shown `expected`, and returns everything that it has shown.
    pub fn wait_for(&mut self, expected: &str) -> String {
        for _ in 0..6000 {
            let shown = String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned();
            if shown.contains(expected) {
                return shown;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("`{expected}` was not shown: {}", String::from_utf8_lossy(&self.shown.lock().unwrap()));
    }

    /// Returns how often the command has shown `text`.
    pub fn n_shown(&self, text: &str) -> usize {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).matches(text).count()
    }

    /// Types a line.
    pub fn type_line(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Quits the game and returns the problems that the command reported.
    pub fn quit(mut self) -> String {
        self.input.write_all(b"q\n").unwrap();
        let output = self.child.wait_with_output().unwrap();
        self.reader.join().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    }
}
