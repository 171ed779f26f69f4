//! Adding, renaming and removing files of mods, and removing mods.

use std::fs;

use crate::common::*;
use crate::reload::watched;
use editor::{Action, App, Command, StartOptions, Tone};
use egui::{Key, PointerButton, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use table::RulesChoice;
use testkit::CopiedMod;

/// Writes the mod `mill`, with one tile, beside the base game.
fn write_mill(base: &CopiedMod) {
    let folder = base.library().join("mill");
    fs::create_dir_all(folder.join("tests")).unwrap();
    let manifest =
        "[mod]\nid = \"mill\"\nversion = \"1.2.0\"\napi = 1\ntitle = \"The Mill\"\nrequires = [\"base ^1.0\"]\n";
    fs::write(folder.join("mod.toml"), manifest).unwrap();
    fs::write(folder.join("tiles.toml"), "[tile]\nbend = { count = 2, road = \"e-s\" }\n").unwrap();
    fs::write(folder.join("rules.rhai"), "fn tile_placed(tile) { score(turn.player, 2, \"a tile\"); }\n").unwrap();
}

/// Opens a window with a game of the base game and the mod `mill`.
fn with_mill(base: &CopiedMod) -> Window {
    write_mill(base);
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["mill"], 2, 0) };
    open(start, 1366.0, 768.0)
}

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(4);
}

fn command(window: &mut Window, command: Command) {
    act(window, Action::Command(command));
}

fn type_text(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(4);
}

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

/// Waits until a notification with this text comes.
fn wait_for_news(window: &mut Window, text: &str) {
    wait_until(window, text, |app| app.notifications().items().iter().any(|item| item.text.contains(text)));
}

fn plays(app: &App, id: &str) -> bool {
    app.snapshot().view().mods().iter().any(|info| info.id == id)
}

/// Opens the menu of a file in the list of files.
fn open_menu(window: &mut Window, name: &str) {
    click(window, &format!("Rename or delete {name}"));
}

#[test]
fn a_deleted_file_leaves_the_game_and_undo_brings_it_back_with_its_draft() {
    let base = CopiedMod::of("base");
    let mut window = with_mill(&base);
    let script = base.library().join("mill/rules.rhai");
    act(&mut window, Action::OpenFile(script.clone(), 1));
    type_text(&mut window, "// a draft\n");
    assert_eq!(app(&window).n_unsaved_texts(), 1);
    let n_functions = |app: &App| app.snapshot().loaded().catalogue().functions.len();
    let before = n_functions(app(&window));
    open_menu(&mut window, "rules.rhai");
    click(&mut window, "Delete");
    wait_for_news(&mut window, "deleted mill/rules.rhai");
    assert!(!script.exists() && app(&window).n_unsaved_texts() == 0);
    assert_ne!(app(&window).shown_text(), Some(&*script), "its tab is closed");
    assert!(n_functions(app(&window)) < before, "the game goes on without the script");
    assert_eq!(session(&window).problems().n_errors(), 0);
    click(&mut window, "Bring back mill/rules.rhai");
    wait_for_news(&mut window, "restored mill/rules.rhai");
    assert_eq!(fs::read_to_string(&script).unwrap().lines().count(), 1, "the file is unchanged");
    assert_eq!(app(&window).shown_text(), Some(&*script));
    assert_eq!((app(&window).n_unsaved_texts(), n_functions(app(&window))), (1, before));
    window.run_steps(4);
    assert!(window.query_by_label("Bring back mill/rules.rhai").is_none(), "a deletion can be undone only once");
    press_with(&mut window, egui::Modifiers::COMMAND, Key::S);
    assert!(fs::read_to_string(&script).unwrap().starts_with("// a draft\n"));
}

#[test]
fn a_manifest_stays_and_files_are_added_and_renamed() {
    let base = CopiedMod::of("base");
    let mut window = with_mill(&base);
    let file = |name: &str| base.library().join("mill").join(name);
    act(&mut window, Action::OpenFile(file("rules.rhai"), 1));
    open_menu(&mut window, "mod.toml");
    for reason in ["Bastide finds this file by its name", "Every mod needs this file"] {
        assert!(is_shown(&window, reason), "{reason}");
    }
    click(&mut window, "Delete");
    assert!(file("mod.toml").exists());
    press(&mut window, Key::Escape);
    click(&mut window, "New file");
    click(&mut window, "README.md");
    wait_for_news(&mut window, "created ");
    assert!(fs::read_to_string(file("README.md")).unwrap().starts_with("# Mill"));
    assert_eq!(app(&window).shown_text(), Some(&*file("README.md")));
    click(&mut window, "New file");
    click(&mut window, "Test…");
    // The field has the focus.
    type_text(&mut window, "First test");
    assert!(is_shown(&window, "lower-case letters"));
    press_with(&mut window, egui::Modifiers::COMMAND, Key::A);
    type_text(&mut window, "first");
    press(&mut window, Key::Enter);
    window.run_steps(4);
    assert!(file("tests/first.game").exists() && app(&window).view_state().windows.name_file.is_none());
    type_text(&mut window, "# mine\n");
    open_menu(&mut window, "first.game");
    click(&mut window, "Rename…");
    press_with(&mut window, egui::Modifiers::COMMAND, Key::A);
    type_text(&mut window, "second");
    window.get_by_role_and_label(Role::Button, "Rename").click();
    window.run_steps(4);
    assert!(!file("tests/first.game").exists() && file("tests/second.game").exists());
    assert_eq!(app(&window).shown_text(), Some(&*file("tests/second.game")), "the tab shows the renamed file");
    assert_eq!(app(&window).n_unsaved_texts(), 1, "the unsaved text moves with the file");
    press_with(&mut window, egui::Modifiers::COMMAND, Key::S);
    let saved = fs::read_to_string(file("tests/second.game")).unwrap();
    assert!(saved.contains("# mine\n") && !file("tests/first.game").exists());
}

#[test]
fn a_test_is_deleted_in_the_tests_panel_and_comes_back() {
    let base = CopiedMod::of("base");
    let mut window = watched(base.library());
    command(&mut window, Command::Tests);
    wait_until(&mut window, "the tests", |app| !app.tests().tests().is_empty());
    let (test, n) = (app(&window).tests().tests()[0].clone(), app(&window).tests().tests().len());
    let at = window.get_by_role_and_label(Role::Button, &test.name()).rect().center();
    click_at(&mut window, at, PointerButton::Secondary);
    click(&mut window, "Delete");
    wait_until(&mut window, "the removal of the test", |app| app.tests().tests().len() == n - 1);
    assert!(!test.case.file.exists());
    click(&mut window, &format!("Bring back base/tests/{}.game", test.name()));
    wait_until(&mut window, "the test", |app| app.tests().tests().len() == n);
}

#[test]
fn a_mod_is_removed_from_the_game_and_comes_back() {
    let base = CopiedMod::of("base");
    let mut window = with_mill(&base);
    let folder = base.library().join("mill");
    act(&mut window, Action::OpenFile(folder.join("rules.rhai"), 1));
    type_text(&mut window, "// a draft\n");
    command(&mut window, Command::ModsPanel);
    window.run_steps(4);
    click(&mut window, "Remove…");
    assert!(is_shown(&window, "Remove The Mill 1.2.0?") && is_shown(&window, "This game uses it. Without it: "));
    assert!(folder.exists(), "the window asks first");
    click(&mut window, "Remove");
    wait_for_news(&mut window, "removed mill");
    assert!(!folder.exists() && plays(app(&window), "base") && !plays(app(&window), "mill"));
    assert!(session(&window).mods_on_disk().unwrap().iter().all(|row| row.id != "mill"));
    assert_eq!(app(&window).n_unsaved_texts(), 0);
    click(&mut window, "Bring back mill");
    wait_for_news(&mut window, "restored mill");
    assert!(
        folder.join("rules.rhai").exists() && plays(app(&window), "mill"),
        "the mod is on disk and in this game again"
    );
    assert_eq!(app(&window).n_unsaved_texts(), 1);

    // The user can restore a removed mod from the list even after the notification is gone.
    let without = RulesChoice { mods: vec!["base".to_owned()], settings: Vec::new() };
    act(&mut window, Action::PlayBy(without));
    wait_until(&mut window, "the base game", |app| !plays(app, "mill"));
    window.get_by_role_and_label(Role::Button, "The Mill").click();
    window.run_steps(4);
    click(&mut window, "Remove…");
    click(&mut window, "Remove");
    wait_until(&mut window, "the removal", |_| !folder.exists());
    command(&mut window, Command::RestoreMods);
    assert!(is_shown(&window, "mill-1.2.0"));
    click(&mut window, "Restore mill");
    wait_until(&mut window, "the mod", |app| {
        app.snapshot().mods_on_disk().is_some_and(|mods| mods.iter().any(|row| row.id == "mill"))
    });
    assert!(folder.join("mod.toml").exists() && !plays(app(&window), "mill"));
    assert!(is_shown(&window, "No mods or files were removed"));
}

#[test]
fn a_mod_that_is_put_back_replaces_the_failure() {
    let (base, aside) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    write_mill(&base);
    let [here, there] = [base.library(), aside.path()].map(|folder| folder.join("mill"));
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), watch: true, ..game(&["mill"], 2, 0) };
    let mut window = open(start, 1366.0, 768.0);
    fs::rename(&here, &there).unwrap();
    wait_for_news(&mut window, "not applied");
    fs::rename(&there, &here).unwrap();
    wait_for_news(&mut window, "the rules are unchanged");
    let notifications = app(&window).notifications();
    let (news, _) = notifications.current(notifications.last().unwrap().at).unwrap();
    assert!(plays(app(&window), "mill") && news.tone != Tone::Bad, "{news:?}");
}

#[test]
fn the_rules_of_the_game_cannot_be_removed() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1024.0, 600.0);
    command(&mut window, Command::ModsPanel);
    window.run_steps(4);
    click(&mut window, "Remove…");
    assert!(is_shown(&window, "Start another game first"));
    click(&mut window, "Remove");
    assert!(base.file("mod.toml").exists());
    click(&mut window, "Cancel");
    assert!(app(&window).view_state().windows.remove_mod.is_none());
    assert!(app(&window).notifications().items().iter().all(|item| item.tone != Tone::Bad));
}

#[test]
fn a_new_icon_begins_as_a_copy_of_a_built_in_icon() {
    let base = CopiedMod::of("base");
    let mut window = with_mill(&base);
    let file = |name: &str| base.library().join("mill").join(name);
    act(&mut window, Action::OpenFile(file("rules.rhai"), 1));
    let is_grey = |window: &Window| window.get_by_label("Create").accesskit_node().is_disabled();
    click(&mut window, "New file");
    click(&mut window, "Icon…");
    assert!(is_grey(&window), "no icon is chosen");
    crate::tiles::type_into(&mut window, "Search icons", "grapes");
    click(&mut window, "Icon grapes");
    click(&mut window, "Create");
    wait_for_news(&mut window, "created ");
    let grapes = workshop::builtin_icons().find(|(name, _)| *name == "grapes").unwrap().1;
    assert_eq!(fs::read_to_string(file("icons/grapes.svg")).unwrap(), grapes, "the name follows the icon");
    assert_eq!(app(&window).shown_text(), Some(&*file("rules.rhai")), "the drawing is not shown as text");
    // The text of a drawing opens only on request.
    click(&mut window, "New file");
    click(&mut window, "Icon…");
    let field = window.get_by_role_and_label(Role::TextInput, "Name").rect().center();
    click_at(&mut window, field, PointerButton::Primary);
    type_text(&mut window, "disc");
    click(&mut window, "Draw it as SVG…");
    wait_until(&mut window, "the drawing", |app| app.shown_text() == Some(&*file("icons/disc.svg")));
    assert!(fs::read_to_string(file("icons/disc.svg")).unwrap().contains("<circle"));
}
