//! Short versions of the long sessions. Each session runs in a separate process, so that its memory
//! can be measured. tests/README.md has the figures of the long versions.

use std::process::Command;

fn sitting(what: &str, n: usize) {
    let output = Command::new(env!("CARGO_BIN_EXE_long")).args([what, &n.to_string()]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    eprint!("{text}");
}

#[test]
fn many_tiles() {
    sitting("tiles", 200);
}

#[test]
fn many_reloads() {
    sitting("reloads", 50);
}

#[test]
fn many_undos() {
    sitting("undos", 100);
}

#[test]
fn many_games() {
    sitting("games", 120);
}
