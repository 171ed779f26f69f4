//! Sheets to print, and exports.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::*;

/// Writes the mod `own` with these tiles into `folder`.
fn write_own(folder: &Path, tiles: &str) {
    let own = folder.join("own");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("mod.toml"), "[mod]\nid = \"own\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n")
        .unwrap();
    fs::write(own.join("tiles.toml"), tiles).unwrap();
}

const BEFORE: &str = "[tile]\nA = { count = 2, road = \"n-s\" }\nB = { count = 1, city = \"n\" }\n";
const AFTER: &str = "[tile]\nA = { count = 5, road = \"n-s\" }\nB = { count = 1, city = \"n-e\" }\n";

/// Runs git in a folder, without the user's configuration. Returns whether git is installed.
fn git(folder: &Path, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]);
    match command.arg("-C").arg(folder).args(args).output() {
        Ok(done) => {
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            true
        }
        Err(_) => false,
    }
}

#[test]
fn settings_and_counts_change_what_is_printed() {
    let dir = folder();
    let plain = bastide(dir.path(), &["print", "ferries"]).expect(0);
    assert!(plain.err.contains("wrote ferries.pdf (8 tiles; pages: 2;"), "{}", plain.err);
    assert!(fs::read(dir.path().join("ferries.pdf")).unwrap().starts_with(b"%PDF"));
    let args = ["print", "base", "ferries", "--out", "x.pdf", "--set", "ferries/*=2", "--set", "follower=9"];
    let more = bastide(dir.path(), &[&args[..], &["--players", "2", "--pieces", "stand-ups"]].concat()).expect(0);
    assert!(more.err.contains("wrote x.pdf (88 tiles, 20 cards and pieces; pages: "), "{}", more.err);
    for (wrong, says) in [("base.farmer=false", "base.farmers"), ("base/Kay=2", "base/K"), ("base/K=many", "0 to 1000")]
    {
        let refused = bastide(dir.path(), &["print", "base", "--out", "no.pdf", "--set", wrong]).expect(2);
        assert!(refused.err.contains(says), "{}", refused.err);
        bastide(dir.path(), &["export", "base", "--out", "no", "--set", wrong]).expect(2);
    }
    assert!(!dir.path().join("no.pdf").exists() && !dir.path().join("no").exists());
    let palette = bastide(dir.path(), &["print", "base", "--palette", "sumer"]).expect(1);
    assert!(palette.err.contains("`sumer`") && palette.err.contains("summer"), "{}", palette.err);
    let exported =
        bastide(dir.path(), &["export", "ferries", "--dpi", "30", "--to", "sheet", "--set", "ferries/*=2"]).expect(0);
    assert!(exported.err.contains("ferries-export"), "{}", exported.err);
    let list = fs::read_to_string(dir.path().join("ferries-export/items.csv")).unwrap();
    let copies: u32 = list.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse::<u32>().unwrap()).sum();
    assert_eq!(copies, 16);
}

#[test]
fn only_what_changed_since_a_folder_an_archive_or_a_commit_is_printed() {
    let dir = folder();
    write_own(&dir.path().join("old"), BEFORE);
    write_own(dir.path(), BEFORE);
    let has_git = git(dir.path(), &["init"]);
    if has_git {
        git(dir.path(), &["add", "own"]);
        git(dir.path(), &["commit", "-m", "before"]);
        git(dir.path(), &["tag", "v1"]);
    }
    bastide(dir.path(), &["pack", "./own", "--out", "own-1.zip"]).expect(0);
    write_own(dir.path(), AFTER);
    // Three more copies of A, and the only copy of B, which looks different.
    for old in ["old/own", "old", "own-1.zip"].iter().chain(["v1", "HEAD"].iter().filter(|_| has_git)) {
        let printed = bastide(dir.path(), &["print", "./own", "--since", old]).expect(0);
        assert!(printed.err.contains("wrote own.pdf (4 tiles; pages: 2;"), "{old}: {}", printed.err);
    }
    write_own(dir.path(), BEFORE);
    let same = bastide(dir.path(), &["print", "./own", "--since", "own-1.zip"]).expect(1);
    assert!(same.err.contains("nothing has changed"), "{}", same.err);
    for (old, says) in [("v2", "v2"), ("1.0.0", "commit or tag"), ("--all", "neither a path nor a commit")] {
        let refused = bastide(dir.path(), &["print", "./own", &format!("--since={old}")]).expect(1);
        assert!(refused.err.contains(says), "{}", refused.err);
    }
    // A commit from before the mod does not contain it.
    if has_git {
        git(dir.path(), &["checkout", "-q", "--orphan", "other"]);
        git(dir.path(), &["rm", "-q", "-r", "--cached", "."]);
        git(dir.path(), &["commit", "-q", "--allow-empty", "-m", "empty"]);
        let refused = bastide(dir.path(), &["print", "./own", "--since", "other"]).expect(1);
        assert!(refused.err.contains("neither a path nor a commit with these mods"), "{}", refused.err);
    }
}
