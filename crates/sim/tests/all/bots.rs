//! How strong bots are, measured over many games.

use std::fs;
use std::path::{Path, PathBuf};

use loader::Library;
use players::{Player, PlayerInfo, View, player_named};
use rules::Setup;
use sim::{Plan, Report};

/// Plays greedy against random players with these mods.
fn greedy_against_random(library: &Library, mods: &[&str]) -> Report {
    played(library, mods, ["greedy", "random"].map(|name| player_named(name).unwrap()))
}

fn played(library: &Library, mods: &[&str], players: [PlayerInfo; 2]) -> Report {
    let loaded = library.load(mods).0.unwrap();
    let settings = loaded.settings_from(&[]).unwrap();
    let plan = Plan { seed: 5, n_threads: 2, ..Plan::new(Setup::of(mods, 2), settings, players.to_vec(), 24) };
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

/// A bot that fails in every third game, at its tenth answer.
struct Stumbler {
    fails: bool,
    n_chosen: usize,
}

impl Player for Stumbler {
    fn begin(&mut self, seed: u64) {
        *self = Stumbler { fails: seed.is_multiple_of(3), n_chosen: 0 };
    }

    fn choose(&mut self, _: &View<'_>) -> usize {
        self.n_chosen += 1;
        assert!(!self.fails || self.n_chosen < 10, "it has stumbled");
        0
    }
}

#[test]
fn a_panic_costs_its_game_alone() {
    let about = "falls";
    let stumbler = PlayerInfo::new("stumbler", about, |_| Box::new(Stumbler { fails: false, n_chosen: 0 }));
    let report = played(&Library::builtin(), &["base"], [stumbler, player_named("random").unwrap()]);
    assert!(report.n_games == 24 && report.n_faults > 0 && report.n_faults < 24, "{report:?}");
    let told = &report.faults.first().unwrap().message;
    assert!(told.contains("it has stumbled (crates/sim/tests/all/bots.rs:"), "{told}");
}

/// Which marker moves is asked after every score. A player who does not look through that question
/// takes all answers that score for worthless ones.
#[test]
fn two_score_markers_do_not_weaken_a_greedy_player() {
    let temp = tempfile::tempdir().unwrap();
    let own = temp.path().join("markers");
    fs::create_dir(&own).unwrap();
    let manifest = "[mod]\nid = \"markers\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n\n[track]\nmarkers = 2\n";
    fs::write(own.join("mod.toml"), manifest).unwrap();
    let mods: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../mods");
    let library = Library::open(&[mods, temp.path().to_owned()]);
    let [one, two] = ["base", "markers"].map(|id| greedy_against_random(&library, &[id]).seats()[0].mean());
    assert!(two > 0.9 * one, "{one:.1} points with one marker, {two:.1} with two");
}
