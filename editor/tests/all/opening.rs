//! The window opens with any content on disk: without mods, and with broken ones.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::*;
use editor::{Action, Command, StartOptions};
use egui::{Context, Key, Modifiers};
use table::Setup;
use testkit::CopiedMod;
use workshop::bundled_mods::Originals;

/// Returns the options to open a game with the mods in `mods`. Bundled mods replace mods that are
/// missing there.
fn start(mods: &Path) -> StartOptions {
    let originals = Some(Arc::new(Originals::bundled_in(mods)));
    StartOptions { mods: Some(vec![mods.to_owned()]), originals, ..game(&["base"], 2, 0) }
}

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&Context::default(), command);
    window.run_steps(6);
}

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&Context::default(), action);
    window.run_steps(6);
}

fn problems(window: &Window) -> Vec<String> {
    session(window).problems().list().iter().map(ToString::to_string).collect()
}

fn told(window: &Window) -> String {
    app(window).notifications().items().iter().map(|item| format!("{}\n", item.text)).collect()
}

#[test]
fn a_broken_base_game_is_played_as_it_came_until_it_is_mended() {
    for (file, text) in [("rules.rhai", "fn (\n"), ("mod.toml", "[mod\n"), ("tiles.toml", "A = { count = 1")] {
        let base = CopiedMod::of("base");
        let whole = fs::read_to_string(base.file(file)).unwrap();
        fs::write(base.file(file), text).unwrap();
        let mut window = open(start(base.library()), 1200.0, 800.0);
        assert_eq!(session(&window).view().mods()[0].title, "Base game", "{file}");
        assert!(told(&window).contains("this game uses the bundled mods"), "{}", told(&window));
        let first = &problems(&window)[0];
        assert!(first.contains(file), "{first}");
        // A click on the problem opens its place.
        let place = first.split(": ").next().unwrap().to_owned();
        click(&mut window, &place);
        assert_eq!(app(&window).shown_text(), Some(&*base.file(file)));
        // Meanwhile, a tile is placed.
        command(&mut window, Command::Confirm);
        // The repaired mod is applied to the same game.
        fs::write(base.file(file), whole).unwrap();
        base.edit("mod.toml", "title = \"Base game\"", "title = \"Mended game\"");
        command(&mut window, Command::Reload);
        assert_eq!(problems(&window), [""; 0]);
        assert_eq!(session(&window).view().mods()[0].title, "Mended game");
    }
}

#[test]
fn what_cannot_be_read_is_played_as_it_came() {
    let base = CopiedMod::of("base");
    fs::remove_file(base.file("tiles.toml")).unwrap();
    fs::create_dir(base.file("tiles.toml")).unwrap();
    let window = open(start(base.library()), 1200.0, 800.0);
    assert!(problems(&window)[0].contains("only regular files are read"), "{:?}", problems(&window));
    assert_eq!(session(&window).view().n_tiles_left(), 70);
}

#[test]
fn a_base_game_that_loads_and_cannot_begin_is_played_as_it_came() {
    let base = CopiedMod::of("base");
    base.edit("mod.toml", "players = [2, 6]", "players = [3, 6]");
    let mut wanted = start(base.library());
    wanted.setup = None;
    let window = open(wanted, 1200.0, 800.0);
    assert_eq!(session(&window).view().n_seats(), 2);
    assert!(told(&window).contains("this game uses the bundled mods"), "{}", told(&window));
}

#[test]
fn without_a_folder_of_mods_all_bundled_ones_are_there() {
    let temp = tempfile::tempdir().unwrap();
    let mods = temp.path().join("mods");
    let mut window = open(start(&mods), 1200.0, 800.0);
    assert_eq!(problems(&window), [""; 0]);
    act(&mut window, Action::LookAtDisk);
    let found = session(&window).mods_on_disk().unwrap();
    assert!(found.iter().any(|row| row.id == "river") && found.iter().all(|row| row.error.is_none()));
    act(&mut window, Action::Begin(Box::new(Setup::of(&["river"], 2))));
    assert_eq!(session(&window).view().mods().len(), 2, "{}", told(&window));
    // Restoring writes the mods to disk, where the user can change them.
    command(&mut window, Command::RestoreMods);
    click(&mut window, "Restore everything");
    assert!(mods.join("river/mod.toml").is_file(), "{}", told(&window));
    assert!(app(&window).changed_mods().is_empty());
}

#[test]
fn a_broken_own_mod_is_among_the_problems_and_the_base_game_on_the_board() {
    let temp = tempfile::tempdir().unwrap();
    let own = temp.path().join("own");
    fs::create_dir(&own).unwrap();
    let manifest = "[mod]\nid = \"own\"\ntitle = \"Own\"\nversion = \"1.0.0\"\nrequires = [\"base\"]\n";
    fs::write(own.join("mod.toml"), manifest).unwrap();
    fs::write(own.join("rules.rhai"), "fn tile_placed(tile) {\n    scor(turn.player, 1);\n}\n").unwrap();
    let base = CopiedMod::of("base");
    let mut wanted = start(base.library());
    wanted.mods_paths = vec![temp.path().to_owned()];
    wanted.setup = game(&["own"], 2, 0).setup;
    let mut window = open(wanted, 1200.0, 800.0);
    assert_eq!(session(&window).view().mods().len(), 1);
    let first = &problems(&window)[0];
    assert!(first.contains("rules.rhai:2:5"), "{first}");
    let place = first.split(": ").next().unwrap().to_owned();
    click(&mut window, &place);
    assert_eq!(app(&window).shown_text(), Some(&*own.join("rules.rhai")));
}

#[test]
fn bundled_mods_are_read_only_until_the_user_allows_changes() {
    let base = CopiedMod::of("base");
    let script = base.file("rules.rhai");
    let whole = fs::read_to_string(&script).unwrap();
    let mut window = open(start(base.library()), 1200.0, 800.0);
    act(&mut window, Action::OpenFile(script.clone(), 1));
    let type_and_save = |window: &mut Window| {
        window.event(egui::Event::Text("// mine\n".to_owned()));
        window.run_steps(2);
        press_with(window, Modifiers::COMMAND, Key::S);
    };
    type_and_save(&mut window);
    // The comment key does not bypass the protection.
    press_with(&mut window, Modifiers::COMMAND, Key::Slash);
    assert_eq!(app(&window).n_unsaved_texts(), 0);
    assert_eq!(fs::read_to_string(&script).unwrap(), whole);
    click(&mut window, "Allow changes");
    type_and_save(&mut window);
    assert_eq!(fs::read_to_string(&script).unwrap(), format!("// mine\n{whole}"), "{}", told(&window));
    // The changes are shown and can be reverted.
    assert!(app(&window).changed_mods().iter().any(|(id, _)| id == "base"));
    command(&mut window, Command::RestoreMods);
    click(&mut window, "Restore everything");
    assert_eq!(fs::read_to_string(&script).unwrap(), whole);
}

#[test]
fn keys_that_follow_a_command_at_once_reach_the_text() {
    for n_frames in 0..4 {
        let base = CopiedMod::of("base");
        let mut window = open(start(base.library()), 1366.0, 768.0);
        act(&mut window, Action::OpenFile(base.file("rules.rhai"), 1));
        press_with(&mut window, Modifiers::COMMAND, Key::P);
        window.event(egui::Event::Text("Allow changes".to_owned()));
        window.run_steps(4);
        window.key_press(Key::Enter);
        window.run_steps(n_frames + 1);
        // All of these keys arrive in one frame, as on a slow machine.
        for key in [Key::ArrowDown, Key::ArrowDown, Key::Home] {
            let modifiers = Modifiers::NONE;
            let event = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
            window.input_mut().events.push(event);
        }
        window.input_mut().events.push(egui::Event::Text("typed".to_owned()));
        window.run_steps(4);
        press_with(&mut window, Modifiers::COMMAND, Key::S);
        let third = base.read("rules.rhai").lines().nth(2).unwrap().to_owned();
        assert!(third.starts_with("typed///"), "after {n_frames} frames: {third}");
    }
}

#[test]
fn tiles_of_bundled_mods_are_read_only_until_the_user_allows_changes() {
    let base = CopiedMod::of("base");
    let mut window = open(start(base.library()), 1200.0, 800.0);
    command(&mut window, Command::Tiles);
    click(&mut window, "All tiles");
    click(&mut window, "Tile base/K");
    click(&mut window, "Open in the designer");
    assert!(app(&window).tiles().shown_draft().is_none(), "it is read-only");
    click(&mut window, "Allow changes");
    click(&mut window, "Open in the designer");
    assert_eq!(app(&window).tiles().shown_draft().unwrap().id, "K");
}
