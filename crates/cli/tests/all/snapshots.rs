//! Compares whole outputs of the command with files in `tests/snapshots`.

use std::fmt::Write as _;
use std::fs;

use expect_test::expect_file;
use tempfile::TempDir;
use testkit::mods_folder;

use crate::common::{bastide, bastide_with, folder, written};

/// Returns an output of the command with paths relative to the temporary folder and to the folder
/// of mods.
fn plain(dir: &TempDir, text: &str) -> String {
    let text = text.replace(&format!("{}/", dir.path().display()), "");
    text.replace(&format!("{}/", mods_folder().display()), "mods/")
}

/// Compares the report of `bastide check` on each broken mod.
#[test]
fn problems_of_broken_mods() {
    let mods = include_str!("../snapshots/broken_mods.txt");
    let mut shown = String::new();
    for broken in mods.split("\n=== ").skip(1) {
        let (id, files) = broken.split_once('\n').unwrap();
        let dir = folder();
        let own = dir.path().join(id);
        fs::create_dir(&own).unwrap();
        let manifest = format!("[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\ntitle = \"{id}\"\nrequires = [\"base\"]\n");
        fs::write(own.join("mod.toml"), manifest).unwrap();
        for file in format!("\n{files}").split("\n-- ").skip(1) {
            let (name, text) = file.split_once('\n').unwrap();
            fs::write(own.join(name), format!("{}\n", text.trim_end())).unwrap();
        }
        let ran = bastide(dir.path(), &["check", &format!("./{id}")]);
        write!(shown, "=== {id}: exit code {}\n{}{}\n", ran.code, plain(&dir, &ran.out), plain(&dir, &ran.err))
            .unwrap();
    }
    expect_file!["../snapshots/check.txt"].assert_eq(&shown);
}

/// Plays mods with mistakes that appear only at run time. The mods load, and the messages name the
/// line and a remedy.
#[test]
fn mistakes_that_are_seen_when_they_run() {
    let mods = include_str!("../snapshots/mistakes.txt");
    let mut shown = String::new();
    for mistake in mods.split("\n=== ").skip(1) {
        let (id, text) = mistake.split_once('\n').unwrap();
        let (manifest, script) = match text.split_once("-- rules.rhai\n") {
            Some((manifest, script)) => (manifest.strip_prefix("-- mod.toml\n").unwrap(), script),
            None => ("", text),
        };
        let dir = folder();
        let own = dir.path().join(id);
        fs::create_dir(&own).unwrap();
        let head = format!("[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\ntitle = \"{id}\"\nrequires = [\"base\"]\n");
        fs::write(own.join("mod.toml"), head + manifest).unwrap();
        fs::write(own.join("rules.rhai"), script).unwrap();
        let path = format!("./{id}");
        bastide(dir.path(), &["check", &path]).expect(0);
        let played = bastide(dir.path(), &["play", "--mods", &path, "--players", "random,random", "--seed", "1"]);
        let text = plain(&dir, &format!("{}{}", played.out, played.err));
        let told: Vec<&str> = text.lines().filter(|line| line.contains(" failed")).collect();
        write!(shown, "=== {id}: exit code {}\n{}\n\n", played.code, told.join("\n")).unwrap();
    }
    expect_file!["../snapshots/mistakes_told.txt"].assert_eq(&shown);
}

/// Migrates a mod of an earlier version, and compares the report and the new files. A dry run
/// writes nothing, and a second run finds nothing to rewrite.
#[test]
fn a_mod_of_an_earlier_version() {
    let old = [
        ("mod.toml", include_str!("../snapshots/migrate/mod.toml")),
        ("rules.rhai", include_str!("../snapshots/migrate/rules.rhai")),
    ];
    let dir = folder();
    let own = dir.path().join("old");
    fs::create_dir(&own).unwrap();
    old.iter().for_each(|(name, text)| fs::write(own.join(name), text).unwrap());
    let mut shown = String::new();
    for words in [&["migrate", "./old", "--dry-run"][..], &["migrate", "./old"], &["migrate", "./old"]] {
        let ran = bastide(dir.path(), words);
        write!(shown, "$ bastide {}\n{}exit code {}\n\n", words.join(" "), plain(&dir, &ran.out), ran.code).unwrap();
        if words.len() == 3 {
            assert!(old.iter().all(|(name, text)| fs::read_to_string(own.join(name)).unwrap() == *text));
        }
    }
    for (name, _) in old {
        write!(shown, "-- {name}\n{}", fs::read_to_string(own.join(name)).unwrap()).unwrap();
    }
    expect_file!["../snapshots/migrate/told.txt"].assert_eq(&shown);
    let newer = own.join("mod.toml");
    fs::write(&newer, old[0].1.replace("only_mem", "only_tag").replace("version", "api = 2\nversion")).unwrap();
    let ran = bastide(dir.path(), &["check", "./old", "--short"]).expect(1);
    assert!(ran.out.contains("mod.toml:3:7: error: the mod is written in version 2 of the language"), "{}", ran.out);
}

/// Compares the pages that the program generates from its tables. The other pages are plain files.
#[test]
fn pages_of_the_reference() {
    let dir = folder();
    bastide(dir.path(), &["docs", "--out", "reference"]).expect(0);
    for name in ["scripts.md", "bastide.d.rhai"] {
        let page = fs::read_to_string(dir.path().join("reference").join(name)).unwrap();
        expect_file![format!("../snapshots/docs/{name}")].assert_eq(&page);
    }
}

/// Replays a whole game with awards of several lines, pieces of several kinds, goods and gold.
#[test]
fn a_replayed_game_with_board_awards_and_scores() {
    let dir = folder();
    let game = written(&dir, "game.game", include_str!("../snapshots/game.game"));
    let shown = bastide(dir.path(), &["replay", &game]).expect(0).out;
    expect_file!["../snapshots/replay.txt"].assert_eq(&shown);
}

/// Replays a game with parts that letters on the board cannot show: links, and the score track.
#[test]
fn a_replayed_game_with_ferries_and_robbers() {
    let dir = folder();
    let game = written(&dir, "track.game", include_str!("../snapshots/track.game"));
    let shown = bastide(dir.path(), &["replay", &game]).expect(0).out;
    expect_file!["../snapshots/track.txt"].assert_eq(&shown);
}

/// Compares the board, the options and the scores that a person sees in the terminal.
#[test]
fn a_game_played_in_the_terminal() {
    let dir = folder();
    let args = ["play", "--mods", "inns-cathedrals", "--players", "human,human", "--seed", "5", "--record", "g.game"];
    let shown = bastide_with(dir.path(), &args, "?\n1\n1\n2\n1\nb\ns\nnonsense\nu\nr\n1\n1\nq\n").expect(0);
    expect_file!["../snapshots/play.txt"].assert_eq(&plain(&dir, &format!("{}{}", shown.out, shown.err)));
}

/// Compares the lines that a person reads in a few positions, without the boards.
#[test]
fn lines_and_options_of_games_in_the_terminal() {
    let games = include_str!("../snapshots/play_texts.txt");
    let mut shown = String::new();
    for game in games.split("\n=== ").skip(1) {
        let (title, text) = game.split_once('\n').unwrap();
        let (record, typed) = text.split_once("-- typed\n").unwrap();
        let dir = folder();
        let file = written(&dir, "g.game", &format!("bastide 1\nseed 1\n{}\n", record.trim_end()));
        let typed: String = typed.trim().lines().chain(["q"]).map(|line| format!("{line}\n")).collect();
        let ran = bastide_with(dir.path(), &["play", &file], &typed).expect(0);
        let is_board = |line: &&str| line.contains("+--") || line.contains('|') || line.contains("c city");
        let lines: Vec<&str> = ran.out.lines().filter(|line| !is_board(line) && !line.trim().is_empty()).collect();
        write!(shown, "=== {title}\n{}\n{}\n", lines.join("\n"), plain(&dir, &ran.err)).unwrap();
    }
    expect_file!["../snapshots/play_texts_told.txt"].assert_eq(&shown);
}
