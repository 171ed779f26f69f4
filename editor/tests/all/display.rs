//! The program in a real window on a virtual display.
//!
//! Without Xvfb, xdotool and xclip these tests are skipped, unless `BASTIDE_DISPLAY_TESTS` is set,
//! as in `.ci/run`.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use testkit::CopiedMod;

/// The time limit for any wait on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A virtual display. Dropping the value ends the display.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts a display; returns `None` if the programs are not installed and not required.
    fn start() -> Option<Display> {
        let missing: Vec<&str> = ["Xvfb", "xdotool", "xclip"].into_iter().filter(|it| !is_installed(it)).collect();
        if !missing.is_empty() {
            let text = format!("a test with a real window needs {}", missing.join(", "));
            assert!(std::env::var_os("BASTIDE_DISPLAY_TESTS").is_none(), "{text}");
            eprintln!("skipped: {text}");
            return None;
        }
        let mut server = Command::new("Xvfb");
        // Without `-noreset`, the server resets after its last client leaves, and briefly refuses
        // the next client.
        server.args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"]);
        let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Some(Display { server, name: format!(":{}", number.trim()) })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.name).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        command
    }

    fn xdotool(&self, words: &[&str]) -> Output {
        self.command("xdotool").args(words).output().unwrap()
    }

    /// Opens the window on the display and gives it the keyboard focus.
    fn open(&self, data: &Path, mods: &Path) -> RealWindow<'_> {
        let mut program = self.command(env!("CARGO_BIN_EXE_bastide-editor"));
        program.env("BASTIDE_DATA", data).env("BASTIDE_MODS", mods).stderr(Stdio::piped());
        // File dialogs of the desktop would open on the user's own display.
        program.env_remove("DBUS_SESSION_BUS_ADDRESS");
        let mut window = RealWindow { display: self, program: program.spawn().unwrap() };
        let begun = Instant::now();
        loop {
            if let Some(status) = window.program.try_wait().unwrap() {
                let mut said = String::new();
                std::io::Read::read_to_string(window.program.stderr.as_mut().unwrap(), &mut said).unwrap();
                panic!("the program has ended: {status}: {said}");
            }
            let found = self.xdotool(&["search", "--onlyvisible", "--name", "^Bastide$"]);
            let id = String::from_utf8_lossy(&found.stdout).trim().to_owned();
            if !id.is_empty() && self.xdotool(&["windowfocus", "--sync", &id]).status.success() {
                // The window needs time for its first frames.
                thread::sleep(Duration::from_secs(1));
                return window;
            }
            assert!(begun.elapsed() < LONG, "no window is shown");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Puts a text on the clipboard, from another program.
    fn put(&self, text: &str) {
        let mut xclip = self.command("xclip");
        let mut xclip = xclip.args(["-selection", "clipboard", "-i"]).stdin(Stdio::piped()).spawn().unwrap();
        xclip.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(xclip.wait().unwrap().success());
    }

    /// Waits until another program can read a text from the clipboard for which `is_meant` returns
    /// true. Returns the text.
    fn wait_for(&self, what: &str, is_meant: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let read = self.command("timeout").args(["5", "xclip", "-selection", "clipboard", "-o"]).output().unwrap();
            let text = String::from_utf8_lossy(&read.stdout).into_owned();
            if read.status.success() && is_meant(&text) {
                return text;
            }
            assert!(begun.elapsed() < LONG, "another program finds no {what} on the clipboard, but {text:?}");
            thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The program with its window.
struct RealWindow<'d> {
    display: &'d Display,
    program: Child,
}

impl RealWindow<'_> {
    fn keys(&self, keys: &[&str]) {
        for key in keys {
            assert!(self.display.xdotool(&["key", key]).status.success());
            thread::sleep(Duration::from_millis(300));
        }
    }

    fn write(&self, text: &str) {
        assert!(self.display.xdotool(&["type", "--delay", "30", text]).status.success());
        thread::sleep(Duration::from_millis(300));
    }

    /// Runs a command by its name.
    fn give(&self, command: &str) {
        self.keys(&["ctrl+p"]);
        self.write(command);
        self.keys(&["Return"]);
    }
}

impl Drop for RealWindow<'_> {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn is_installed(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}

#[test]
fn what_is_copied_reaches_other_programs_and_what_they_copy_is_pasted() {
    let Some(display) = Display::start() else { return };
    let temp = tempfile::tempdir().unwrap();
    let window = display.open(temp.path(), &testkit::mods_folder());
    window.keys(&["ctrl+l"]);
    let record = display.wait_for("record", |text| text.starts_with("bastide 1\n"));
    assert!(record.contains("mods base"), "{record}");
    window.give("Copy link");
    let link = display.wait_for("link", |text| text.starts_with("http://localhost:8080/#b1."));
    let record = workshop::link::Link::read(&link).unwrap().record;
    assert!(record.contains("mods base"), "{record}");
    // Pastes a text from another program into the field for links. Then copies it with one more
    // letter.
    display.put("https://elsewhere.example/#b1.pasted");
    window.give("Open link");
    window.keys(&["ctrl+v", "End", "x", "ctrl+a", "ctrl+c"]);
    display.wait_for("text of the field", |text| text == "https://elsewhere.example/#b1.pastedx");
}

#[test]
fn the_program_opens_its_window_without_mods_and_with_a_broken_base_game() {
    let Some(display) = Display::start() else { return };
    let broken = CopiedMod::of("base");
    fs::write(broken.file("rules.rhai"), "fn (\n").unwrap();
    let temp = tempfile::tempdir().unwrap();
    for mods in [temp.path().join("none"), broken.library().to_owned()] {
        let window = display.open(&temp.path().join("data"), &mods);
        window.keys(&["ctrl+l"]);
        let record = display.wait_for("record", |text| text.starts_with("bastide 1\n"));
        assert!(record.contains("mods base"), "{record}");
        display.put("");
    }
}
