//! Checks that code for browsers uses files, threads and the clock only through `platform`.

use std::fs;
use std::path::{Path, PathBuf};

/// The checked crates, which also run in a browser.
const PARTS: [&str; 7] = ["loader", "players", "script", "sim", "table", "workshop", "../editor"];

/// Source files that are not compiled for browsers.
const NATIVE: [&str; 6] = [
    "loader/src/watch.rs",
    "editor/src/main.rs",
    "editor/src/screenshot.rs",
    "sim/src/run.rs",
    "editor/src/chooser.rs",
    "workshop/src/mistakes.rs",
];

/// Names of the standard library that a browser does not provide.
const MISSING: [&str; 7] = [
    "std::fs",
    "thread::Builder",
    "thread::spawn",
    "std::time::{Duration, Instant",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::time::{SystemTime",
];

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true if path.ends_with("tests") => {}
            true => sources(&path, into),
            false if path.extension().is_some_and(|ending| ending == "rs") => into.push(path),
            false => {}
        }
    }
}

#[test]
fn what_runs_in_a_browser_asks_for_nothing_that_is_not_there() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../crates"));
    let mut files = Vec::new();
    PARTS.iter().for_each(|part| sources(&crates.join(part).join("src"), &mut files));
    assert!(files.len() > 100);
    let mut wrong = Vec::new();
    for file in files {
        if NATIVE.iter().any(|native| file.ends_with(native)) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let outside_tests = text.split("#[cfg(test)]").next().unwrap_or_default();
        let found = MISSING.iter().filter(|missing| outside_tests.contains(**missing));
        wrong.extend(found.map(|missing| format!("{}: {missing}", file.display())));
    }
    assert!(wrong.is_empty(), "use `platform` instead:\n{}", wrong.join("\n"));
}
