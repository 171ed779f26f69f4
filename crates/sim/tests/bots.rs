//! How strong bots are, measured over many games.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use loader::Library;
use players::player_named;
use rules::Setup;
use sim::{Plan, Report};

/// Plays greedy against random players with these mods.
fn greedy_against_random(library: &Library, mods: &[&str]) -> Report {
    let loaded = library.load(mods).0.unwrap();
    let plan = Plan {
        setup: Setup::of(mods, 2),
        settings: loaded.settings_from(&[]).unwrap(),
        players: ["greedy", "random"].map(|name| *player_named(name).unwrap()).to_vec(),
        n_games: 24,
        seed: 5,
        n_threads: 2,
        with_records: false,
        counts_calls: false,
    };
    sim::run(&loaded, &plan, None, &mut |_| {}).unwrap()
}

/// A mod of its own, required by nothing.
fn written(folder: &Path, id: &str, manifest: &str, script: &str) {
    let own = folder.join(id);
    fs::create_dir(&own).unwrap();
    let manifest = format!("[mod]\nid = \"{id}\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n{manifest}");
    fs::write(own.join("mod.toml"), manifest).unwrap();
    fs::write(own.join("rules.rhai"), script).unwrap();
}

/// A hint is only advice: one that fails stops no game, and whoever simulates is told.
#[test]
fn a_hint_that_fails_is_told() {
    let temp = tempfile::tempdir().unwrap();
    written(temp.path(), "advice", "", "fn hint(option) {\n    let none = 0; 1 / none\n}\n");
    let mods: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    let library = Library::open(&[mods, temp.path().to_owned()]);
    let report = greedy_against_random(&library, &["advice"]);
    assert_eq!((report.n_faults, report.n_failed_hints), (0, report.n_games));
    let (number, message) = report.failed_hint.unwrap();
    assert_eq!(number, 0);
    assert!(message.contains("rules.rhai:2:") && message.contains("zero") && message.contains("hint"), "{message}");
}

/// Which marker moves is asked after every score. A player who does not look through that question takes all answers that score for
/// worthless ones.
#[test]
fn two_score_markers_do_not_weaken_a_greedy_player() {
    let temp = tempfile::tempdir().unwrap();
    let own = temp.path().join("markers");
    fs::create_dir(&own).unwrap();
    let manifest = "[mod]\nid = \"markers\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n\n[track]\nmarkers = 2\n";
    fs::write(own.join("mod.toml"), manifest).unwrap();
    let mods: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    let library = Library::open(&[mods, temp.path().to_owned()]);
    let [one, two] = ["base", "markers"].map(|id| greedy_against_random(&library, &[id]).seats[0].mean());
    assert!(two > 0.9 * one, "{one:.1} points with one marker, {two:.1} with two");
}
