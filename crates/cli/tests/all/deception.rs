//! Tests that the terminal gets no control or hidden characters from mods, players and files, and
//! that the command opens only regular files.

use std::fs;

use testkit::CopiedMod;

use super::common::{Ran, bastide, bastide_from, folder, written};

/// Characters that control a terminal or hide other characters.
const EVIL: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\u{200b}\r\u{9b}31m";

#[track_caller]
fn is_visible(ran: &Ran) {
    for text in [&ran.out, &ran.err] {
        // Line ends and tabs are allowed, because the library for the command line writes them.
        let hidden = text.chars().find(|c| diagnostic::is_hidden(*c) && !matches!(c, '\n' | '\t'));
        assert_eq!(hidden, None, "{text:?}");
    }
}

#[test]
fn scripts_cannot_write_to_the_terminal() {
    let base = CopiedMod::of("base");
    let said = "\"\\x1b]0;owned\\x07\\x1b[2J\\u202e\\u200b\\nred +99 for cheating\"";
    let script = base.read("rules.rhai");
    let effects = format!("note({said}); print({said}); score(turn.player, 1, {said});");
    base.write("rules.rhai", &format!("{script}\nfn tile_placed(t) {{ {effects} }}\n"));
    let place = folder();
    let run = |args: &[&str]| {
        let ran = bastide_from(base.library(), place.path(), args, "");
        is_visible(&ran);
        ran
    };
    let played = run(&["play", "--players", "random,random", "--seed", "3", "--record", "evil.game"]).expect(0);
    assert!(played.out.contains("owned"), "{}", played.out);
    let pretends = |line: &str| line.trim_start().starts_with("red +99");
    assert!(!played.out.lines().any(pretends), "a note pretends to be an award: {}", played.out);
    run(&["replay", "evil.game"]).expect(0);
    run(&["replay", "evil.game", "--json", "--options"]).expect(0);
    base.write("rules.rhai", &format!("{script}\nfn tile_placed(t) {{ throw {said}; }}\n"));
    let thrown = run(&["replay", "evil.game", "--any-version"]).expect(1);
    assert!(thrown.err.contains("owned"), "{}", thrown.err);
}

#[test]
fn names_and_answers_of_records_are_made_visible() {
    let place = folder();
    let text = format!("bastide 1\nmods base\nplayers red\u{1b}[31m {EVIL}\nseed 1\n\ndraw base/{EVIL}\n");
    let file = written(&place, "evil.game", &text);
    for args in [&["replay", &file][..], &["replay", &file, "--json", "--options"], &["test", &file], &["play", &file]]
    {
        let ran = bastide(place.path(), args);
        is_visible(&ran);
        assert_ne!(ran.code, -1);
    }
    let named = bastide(place.path(), &["play", "--players", "random,random", "--names", "red,bl\u{202e}ue"]).expect(2);
    is_visible(&named);
    assert!(named.err.contains("cannot be a name"), "{}", named.err);
}

#[test]
fn manifests_are_quoted_visibly() {
    let place = folder();
    let x = place.path().join("x");
    fs::create_dir(&x).unwrap();
    let manifest = format!(
        "[mod]\nid = \"x\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\ntitle = \"\u{202e}x\"\n[kind.\"{}\"]\n",
        "a\\u001B[2Jb"
    );
    fs::write(x.join("mod.toml"), manifest).unwrap();
    fs::write(x.join("rules.rhai"), "fn setup() { \u{1b}[2J\u{202e} }\n").unwrap();
    fs::write(x.join("evil\u{1b}[31m.rhai"), "").unwrap();
    for form in [&[][..], &["--short"], &["--json"]] {
        let ran = bastide(place.path(), &[&["check", "x"][..], form].concat()).expect(1);
        is_visible(&ran);
        assert!(ran.out.contains("cannot be seen"), "{}", ran.out);
    }
}

#[test]
fn records_are_regular_files() {
    let place = folder();
    fs::create_dir_all(place.path().join("my.game")).unwrap();
    for args in [["replay", "my.game"], ["play", "my.game"], ["test", "my.game"]] {
        let ran = bastide(place.path(), &args).expect(1);
        is_visible(&ran);
    }
    fs::File::create(place.path().join("big.game")).unwrap().set_len(40 << 30).unwrap();
    let big = bastide(place.path(), &["replay", "big.game"]).expect(1);
    assert!(big.err.contains("cannot be read: it is larger than 4096 kB"), "{}", big.err);
}

#[test]
#[cfg(unix)]
fn cases_of_a_mod_lie_in_its_folder() {
    let place = folder();
    bastide(place.path(), &["new", "mine"]).expect(0);
    let tests = place.path().join("mine/tests");
    std::os::unix::fs::symlink("/dev/zero", tests.join("zero.game")).unwrap();
    std::os::unix::net::UnixListener::bind(tests.join("socket.game")).unwrap();
    fs::create_dir(tests.join("folder.game")).unwrap();
    let ran = bastide(place.path(), &["test", "mine"]).expect(1);
    assert!(ran.out.contains("1 passed") && ran.out.contains("3 failed"), "{}", ran.out);
    for said in ["a link that leads out of", "a device, a pipe or a socket", "it is a folder"] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    let device = bastide(place.path(), &["replay", "/dev/zero"]).expect(1);
    assert!(device.err.contains("a device, a pipe or a socket"), "{}", device.err);
}

#[test]
fn very_many_problems_are_counted() {
    let place = folder();
    let x = place.path().join("x");
    fs::create_dir(&x).unwrap();
    fs::write(x.join("mod.toml"), "[mod]\nid = \"x\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n").unwrap();
    let keys: String = (0..40_000).map(|i| format!("wrong{i} = 1\n")).collect();
    fs::write(x.join("tiles.toml"), format!("[tile.X]\n{keys}")).unwrap();
    for form in [&[][..], &["--short"]] {
        let ran = bastide(place.path(), &[&["check", "x"][..], form].concat()).expect(1);
        assert!(ran.out.contains("and 39,800 more") && ran.out.contains("40000 errors"), "{}", ran.out);
        assert!(ran.out.len() < 200_000);
    }
}
