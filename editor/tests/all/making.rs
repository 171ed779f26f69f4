//! Making a mod in the window, and the order in which windows close.

use crate::common::*;
use editor::{Command, StartOptions};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), command);
    window.run_steps(4);
}

#[test]
fn a_mod_is_made_shown_and_its_tile_drawn() {
    let base = CopiedMod::of("base");
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    command(&mut window, Command::NewMod);
    for label in ["Id", "Title", "Template", "Folder"] {
        assert!(window.query_all_by_label(label).next().is_some(), "{label}");
    }
    click(&mut window, "Make it");
    window.run_steps(4);
    assert!(base.library().join("my-mod/mod.toml").exists(), "the folder of the project comes first");
    assert_eq!(session(&window).view().mods().len(), 2);
    assert!(window.query_all_by_label_contains("1 of 5 done").next().is_some(), "the list of steps is shown");
    let steps = window.get_by_label("Show its tiles").rect();
    for place in session(&window).view().places() {
        let spot = app(&window).board().screen_rect_of(place.spot);
        assert!(!spot.intersects(steps), "the steps do not cover the place {}", place.spot);
    }
    click(&mut window, "Show its tiles");
    window.query_all_by_label_contains("my-mod/well: ").next().expect("the tile is in the list").click();
    window.run_steps(4);
    click(&mut window, "Draw my-mod/well now");
    let drawn = session(&window).view().tile_to_place().expect("the new tile is the tile to place");
    assert_eq!(session(&window).view().tiles_declared().name(drawn), "my-mod/well");
    assert!(
        session(&window).is_live() && session(&window).turn() == 1,
        "the game is at its latest position, in the same turn"
    );
    assert!(window.query_all_by_label_contains("2 of 5 done").next().is_some());
}

#[test]
fn escape_closes_what_is_open_before_it_takes_anything_back() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    let n_tiles = session(&window).view().tiles().len();
    click(&mut window, "View");
    assert!(window.query_all_by_label_contains("Zoom in").next().is_some());
    press(&mut window, Key::Escape);
    assert!(window.query_all_by_label_contains("Zoom in").next().is_none(), "the menu is closed");
    assert_eq!(session(&window).view().tiles().len(), n_tiles);
    command(&mut window, Command::NewMod);
    press(&mut window, Key::Escape);
    assert!(!app(&window).view_state().windows.new_mod);
    assert_eq!(session(&window).view().tiles().len(), n_tiles);
    press(&mut window, Key::Escape);
    assert_eq!(session(&window).view().tiles().len(), n_tiles - 1, "no window is open, so Escape picks up the tile");
}

#[test]
fn a_mod_says_what_it_brings_and_its_settings_are_tried_in_the_running_game() {
    let mut start = game(&["base"], 2, 2);
    start.setup.iter_mut().flat_map(|s| &mut s.bots).for_each(|(_, bot)| *bot = "greedy".to_owned());
    let mut window = open(start, 1400.0, 900.0);
    wait_until(&mut window, "a finished game", |app| app.snapshot().view().is_over());
    let scores = |window: &Window| session(window).view().scores();
    let before = scores(&window);
    command(&mut window, Command::ModsPanel);
    window.run_steps(6);
    for text in ["In this game", "Not in this game", "Needed by", "Farmers", "24 kinds", "If switched off"] {
        assert!(window.query_all_by_label_contains(text).next().is_some(), "{text}");
    }
    let choose = |window: &mut Window, value: &str| {
        click(window, "Small city");
        window.get_by_role_and_label(egui::accesskit::Role::Button, value).click();
        window.run_steps(4);
    };
    choose(&mut window, "4");
    wait_until(&mut window, "dear small cities", |app| app.snapshot().setup().settings.len() == 1);
    assert!(window.query_all_by_label_contains("default: 2").next().is_some());
    assert_ne!(scores(&window), before);
    choose(&mut window, "2");
    wait_until(&mut window, "the game with the default setting", |app| app.snapshot().setup().settings.is_empty());
    assert_eq!(scores(&window), before);
    // The checkbox has the same name as this button.
    window.get_by_role_and_label(egui::accesskit::Role::Button, "Inns & Cathedrals").click();
    window.run_steps(6);
    assert!(window.query_all_by_label_contains("If switched on").next().is_some());
}
