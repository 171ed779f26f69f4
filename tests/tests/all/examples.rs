//! Examples of the language. The examples of hooks in the reference form a mod, which is played.
//! Everything that version 1 added for rules that no mod could express before has a small mod as an
//! example, and cases.

use std::fs;
use std::path::Path;

use record::start_game;
use rules::{Hook, Setup};
use tests::{load_any, load_from, mods_folder, play_at_random, rules};

#[test]
fn every_hook_has_an_example_that_is_played() {
    let mods = ["hook-examples"];
    let loaded = load_any(&mods);
    let script = loaded.scripts().iter().find(|script| script.owner == mods[0]).unwrap();
    for hook in Hook::ALL {
        let begins = format!("fn {}({})", hook.info().name, hook.info().params.join(", "));
        assert!(script.text.contains(&begins), "{begins}");
    }
    for seed in 0..20 {
        let setup = Setup::of(&mods, 2 + (seed % 3) as usize);
        let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
        play_at_random(&mut game, seed, |_| {});
    }
}

#[test]
fn examples_of_hooks_run_in_a_fresh_mod() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("fresh");
    fs::create_dir(&folder).unwrap();
    let manifest = "[mod]\nid = \"fresh\"\nversion = \"1.0.0\"\napi = 1\nrequires = [\"base\"]\n";
    fs::write(folder.join("mod.toml"), manifest).unwrap();
    // A menu offers options, which the manifest must declare.
    let hooks = script::reference().iter().filter(|entry| entry.kind.is_hook());
    let examples: Vec<&str> =
        hooks.map(|entry| entry.example.as_str()).filter(|example| !example.contains("option(\"")).collect();
    assert!(examples.len() + 3 == Hook::ALL.len(), "only three menus need a manifest");
    fs::write(folder.join("rules.rhai"), examples.join("\n\n")).unwrap();
    let mods = ["fresh"];
    let loaded = load_from(&[mods_folder(), dir.path().to_owned()], &mods);
    for seed in 0..5 {
        let setup = Setup::of(&mods, 2);
        let mut game = start_game(rules(&loaded, &setup), setup).unwrap();
        play_at_random(&mut game, seed, |_| {});
    }
}

/// The additions of version 1 for rules that no mod could express before: a word of the reference,
/// and the small mod that is its example and has cases.
const ADDED: [(&str, &str, &str); 18] = [
    ("a question before the final count", "before_final_scoring", "last-moves"),
    ("a mod ends the game", "end_game", "sudden-end"),
    ("a mod says who wins", "game_winners", "last-standing"),
    ("a mod breaks ties", "game_winners", "tie-breakers"),
    ("a tile that fits nowhere", "tile_fits_nowhere", "rescue-bridges"),
    ("`given` after `setup`", "given setup", "laid-board"),
    ("pieces on an edge", "border(spot, edge)", "fences"),
    ("piles on an edge", "border_piles", "footbridges"),
    ("links on an edge", "relink(site", "footbridges"),
    ("groups of a deck are asked", "deck_groups", "deck-groups"),
    ("groups of a deck are filled", "put_into", "deck-groups"),
    ("additions to what another mod declares", "[add.kind.<name>]", "river-fish"),
    ("an open row", "put_in_row", "open-market"),
    ("a zone by its name", "zone_at", "named-zones"),
    ("placements on any land", "any_land", "any-land"),
    ("kinds that count as a piece", "piece_kinds", "any-land"),
    ("a picture of a tile", "[tile.<id>]", "own-pictures"),
    ("draws of mods in `expect`", "expect decision chance", "open-market"),
];

#[test]
fn everything_that_was_added_has_an_example_and_a_case() {
    let reference = [
        script::docs(),
        loader::mod_reference(),
        loader::tiles_reference(),
        theme::theme_reference(),
        record::RECORD_REFERENCE.to_owned(),
    ];
    for (what, word, id) in ADDED {
        assert!(reference.iter().any(|page| page.contains(word)), "{what}: `{word}` in the reference");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mods").join(id);
        let files = ["mod.toml", "tiles.toml", "theme.toml", "rules.rhai"];
        let texts: Vec<String> = files.iter().filter_map(|file| fs::read_to_string(folder.join(file)).ok()).collect();
        let n_lines: usize = texts.iter().map(|text| text.lines().count()).sum();
        assert!(n_lines > 0 && n_lines < 60, "{what}: {id} has {n_lines} lines");
        let cases = fs::read_dir(folder.join("tests")).unwrap().map(|case| case.unwrap().path());
        let cases: Vec<String> = cases.map(|case| fs::read_to_string(case).unwrap()).collect();
        assert!(cases.iter().any(|case| case.contains("\nexpect ")), "{what}: a case of {id}");
        let name = word.split(['(', '.']).next().unwrap();
        let is_used = texts.iter().chain(&cases).any(|text| text.contains(name));
        assert!(is_used, "{what}: {id} uses `{name}`");
    }
}
