//! Runs the command with every mod of tests/hostile. The command must end by itself and in time,
//! stay within its memory, and print no control characters.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use testkit::{ExpectedOutcome, HostileMod, run_limited, visible};

/// The maximum memory of a command, in bytes.
const MAX_MEMORY: u64 = 300 << 20;
/// The maximum address space of a command, in bytes. It includes memory that the command reserves
/// but does not touch.
const MAX_ADDRESSES: u64 = 4 << 30;
/// The time after which a command counts as hung. No command takes that long, even on a busy
/// machine.
const HUNG: Duration = Duration::from_secs(60);

/// Runs the command with each mod. To try only mods whose names contain `sort`:
/// `HOSTILE=sort cargo test -p cli --test all hostile`.
#[test]
fn hostile_mods_do_not_get_through() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile");
    let complaints = Mutex::new(Vec::new());
    let n = HostileMod::for_each(&folder, |hostile| {
        let found = tried(hostile);
        if !found.is_empty() {
            complaints.lock().unwrap().push(format!("--- {}\n{}", hostile.name, found.join("\n")));
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{} of {} mods:\n{}", complaints.len(), n, complaints.join("\n"));
}

/// Tries each record of tests/hostile/records. The command must draw or refuse a picture within the
/// same memory.
#[test]
fn hostile_records_do_not_get_through() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile/records");
    let mut complaints = Vec::new();
    for record in std::fs::read_dir(records).unwrap().map(|entry| entry.unwrap().path()) {
        let record = record.to_str().unwrap();
        for (out, code) in [("x.png", 1), ("x.gif", 1), ("x.svg", 0)] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::create_dir(folder.path().join("mods")).unwrap();
            let found = run(folder.path(), &["picture", record, "--out", out], "", Some(code));
            complaints.extend(found.iter().map(|it| format!("{record} {out}: {it}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn tried(hostile: &HostileMod) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("mods");
    std::fs::create_dir(&library).unwrap();
    hostile.write_into(&library);
    let ids = hostile.mods.join(",");
    let is_refused = matches!(hostile.fate, ExpectedOutcome::Refused(_));
    let mut complaints = run(folder.path(), &["check", "--mods", &ids], "", Some(i32::from(is_refused)));
    if !is_refused {
        // Types the first option `hostile.answers` times, but at most 80 times.
        let typed = "1\n".repeat(hostile.answers.min(80));
        complaints.extend(run(
            folder.path(),
            &["play", "--mods", &ids, "--players", "human,human", "--seed", "1"],
            &typed,
            None,
        ));
        // These mods also run in `sim`, whose threads have smaller stacks.
        if ["agenda/", "deep/", "sort/"].iter().any(|topic| hostile.name.starts_with(topic)) {
            complaints.extend(run(folder.path(), &["sim", "--mods", &ids, "--games", "1"], "", None));
        }
    }
    complaints
}

fn run(folder: &Path, args: &[&str], typed: &str, code: Option<i32>) -> Vec<String> {
    let library = ["--mods-path", "mods"];
    let args: Vec<&str> = args.iter().copied().chain(library).collect();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_bastide"));
    let watched = run_limited(&program, &args, typed, folder, MAX_ADDRESSES, HUNG);
    let mut complaints: Vec<String> = watched.failure_message().into_iter().collect();
    if let (Some(code), Some(status)) = (code, watched.status)
        && status.code() != Some(code)
    {
        complaints.push(format!(
            "ended with {status}, not {code}:\n{}{}",
            visible(&watched.out),
            visible(&watched.err)
        ));
    }
    if watched.peak > MAX_MEMORY {
        complaints.push(format!("held {} MB", watched.peak >> 20));
    }
    for printed in [&watched.out, &watched.err] {
        let text = String::from_utf8_lossy(printed);
        if let Some(line) = text.lines().find(|line| line.contains(is_raw)) {
            complaints.push(format!("prints raw: {}", visible(line.as_bytes())));
        }
        if String::from_utf8(printed.clone()).is_err() {
            complaints.push("prints what is no text".to_owned());
        }
        if text.contains("root:x:0:0") {
            complaints.push("prints a file of the machine".to_owned());
        }
    }
    complaints.iter().map(|complaint| format!("bastide {}: {complaint}", args[0])).collect()
}

/// Returns whether a character moves the cursor, changes the terminal, changes the direction of the
/// following text, or is invisible.
fn is_raw(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
