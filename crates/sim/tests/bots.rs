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
