//! Tests of the window that starts a new game.

use std::time::{Duration, Instant};

use crate::common::*;
use editor::{Command, StartOptions, Workspace};
use egui::{Key, Modifiers, PointerButton, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

#[test]
fn a_player_may_have_a_name_of_two_words() {
    let mut window = open(game(&["base"], 2, 0), 1366.0, 768.0);
    press_with(&mut window, Modifiers::COMMAND, Key::N);
    window.run_steps(4);
    window.get_by_label("Name of player 1").focus();
    window.run_steps(2);
    press_with(&mut window, Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text("Anna Maria".to_owned()));
    window.run_steps(4);
    click(&mut window, "Begin");
    window.run_steps(4);
    assert_eq!(session(&window).setup().players[0], "Anna_Maria");
    assert!(session(&window).record_text().contains("\nplayers Anna_Maria blue\n"));
    assert!(window.query_all_by_label_contains("Player Anna Maria").next().is_some());
    // The name is read from the record, and starting a game from it keeps the name.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("names.game");
    std::fs::write(&file, session(&window).record_text()).unwrap();
    let mut window = open(StartOptions { open: Some(file), ..game(&["base"], 2, 0) }, 1366.0, 768.0);
    assert!(window.query_all_by_label_contains("Player Anna Maria").next().is_some());
    press_with(&mut window, Modifiers::COMMAND, Key::N);
    window.run_steps(4);
    click(&mut window, "Begin");
    window.run_steps(4);
    assert_eq!(session(&window).setup().players, ["Anna_Maria", "blue"]);
}

/// When the window opens again, the game of the board is chosen and can begin, also after *Play
/// again*.
#[test]
fn a_new_game_can_begin_when_the_window_opens_again() {
    let mut window = open_in(Workspace::Play, game(&["base", "winter"], 2, 0), 1366.0, 768.0);
    let opens = |window: &mut Window| {
        press_with(window, Modifiers::COMMAND, Key::N);
        window.run_steps(4);
        assert!(app(window).view_state().windows.new_game);
        assert!(!window.get_by_label("Begin").accesskit_node().is_disabled());
    };
    opens(&mut window);
    press(&mut window, Key::Escape);
    opens(&mut window);
    click(&mut window, "Begin");
    let mods: Vec<&str> = session(&window).setup().mods.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(mods.len(), 2, "{mods:?}");
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::PlayAgain);
    window.run_steps(4);
    opens(&mut window);
}

/// The window is as large as the screen allows each time it opens.
#[test]
fn a_new_game_has_room_after_the_screen_has_grown() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 390.0, 844.0);
    let players = |window: &mut Window| {
        press_with(window, Modifiers::COMMAND, Key::N);
        window.run_steps(4);
        let rect = window.get_by_label("Players").rect();
        press(window, Key::Escape);
        window.run_steps(4);
        rect
    };
    assert!(players(&mut window).left() < 100.0, "the players are below the mods");
    window.set_size(egui::vec2(1366.0, 768.0));
    window.run_steps(4);
    let wide = players(&mut window);
    assert!(wide.left() > 600.0 && wide.right() < 1200.0, "{wide}");
    window.set_size(egui::vec2(390.0, 844.0));
    window.run_steps(4);
    assert!(players(&mut window).left() < 100.0);
}

/// The window for a new game has the number of each piece, tile and card.
#[test]
fn a_new_game_may_have_other_numbers_of_one_tile() {
    let mut window = open(game(&["base"], 2, 0), 1400.0, 900.0);
    press_with(&mut window, Modifiers::COMMAND, Key::N);
    let begun = Instant::now();
    while window.query_by_label("Number of tiles and pieces").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(10), "the mods are read");
        window.run_steps(1);
    }
    click(&mut window, "Number of tiles and pieces");
    click(&mut window, "Base game: each tile and card");
    assert_eq!(window.query_all_by_label("base/X").count(), 1, "the number of this tile");
    for (label, n) in [("base/X", 5.0), ("base/D", 0.0), ("Follower", 2.0), ("Base: copies of each tile", 3.0)] {
        window.get_by_role_and_label(Role::SpinButton, label).set_value_accesskit(n);
        window.run_steps(2);
    }
    click(&mut window, "Begin");
    window.run_steps(4);
    let text = session(&window).record_text();
    for set in ["set base/X 5", "set base/D 0", "set follower 2", "set base/* 3"] {
        assert!(text.contains(&format!("\n{set}\n")), "{text}");
    }
    // The record opens with these numbers.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("counts.game");
    std::fs::write(&file, &text).unwrap();
    let window = open(StartOptions { open: Some(file), ..game(&["base"], 2, 0) }, 1366.0, 768.0);
    assert!(session(&window).record_text().contains("\nset base/X 5\n"));
}

/// The expansions of the chosen game are listed below the games. *All* ticks them, another game has
/// others, and the first game still has its ticks afterwards.
#[test]
fn a_new_game_has_the_expansions_of_its_game() {
    let mut window = open(game(&["winter"], 2, 0), 1400.0, 900.0);
    press_with(&mut window, Modifiers::COMMAND, Key::N);
    let begun = Instant::now();
    while window.query_by_role_and_label(Role::CheckBox, "Ferries").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(10), "the mods are read");
        window.run_steps(1);
    }
    let choose = |window: &mut Window, role: Role, label: &str| {
        window.get_by_role_and_label(role, label).click();
        window.run_steps(4);
    };
    click(&mut window, "All");
    click(&mut window, "All");
    choose(&mut window, Role::RadioButton, "Hunters & Gatherers");
    let has = |window: &Window, label: &str| window.query_by_role_and_label(Role::CheckBox, label).is_some();
    assert!(!has(&window, "Ferries") && has(&window, "The Scout"));
    choose(&mut window, Role::CheckBox, "The Scout");
    choose(&mut window, Role::RadioButton, "Base game");
    choose(&mut window, Role::CheckBox, "Gold Mines");
    let begun = Instant::now();
    while session(&window).setup().mods.len() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(10), "the game begins");
        click(&mut window, "Begin");
    }
    let mods: Vec<String> = session(&window).setup().mods.iter().map(|it| it.id.clone()).collect();
    let n = |id: &str| mods.iter().filter(|it| *it == id).count();
    assert_eq!(["base", "winter", "ferries", "robbers"].map(n), [1; 4], "{mods:?}");
    assert_eq!(["gold-mines", "scout"].map(n), [0; 2], "{mods:?}");
}

/// Each game and expansion has a card with a cover. A click with the pointer or a key chooses it.
#[test]
fn expansions_are_chosen_on_their_covers() {
    for size in [[1366.0, 768.0], [682.0, 400.0], [390.0, 844.0]] {
        let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), size[0], size[1]);
        press_with(&mut window, Modifiers::COMMAND, Key::N);
        let is_known = |window: &Window, label: &str, value: &str| {
            let card = window.query_by_role_and_label(Role::CheckBox, label);
            card.is_some_and(|card| card.accesskit_node().value().as_deref() == Some(value))
        };
        let begun = Instant::now();
        while !is_known(&window, "Winter Edition", "84 tiles") || !is_known(&window, "Messages", "rules only") {
            assert!(begun.elapsed() < Duration::from_secs(60), "the covers are painted");
            window.run_steps(1);
            std::thread::sleep(Duration::from_millis(20));
        }
        window.run_steps(2);
        let card = |window: &Window| window.get_by_role_and_label(Role::CheckBox, "Gold Mines").rect();
        let rect = card(&window);
        assert!(rect.width() >= 92.0 && rect.height() >= 85.0, "{rect:?}");
        window.get_by_role_and_label(Role::CheckBox, "Gold Mines").scroll_to_me();
        window.run_steps(4);
        let middle = card(&window).center();
        click_at(&mut window, middle, PointerButton::Primary);
        // The space bar chooses the card with the focus.
        window.get_by_role_and_label(Role::CheckBox, "Ferries").focus();
        window.run_steps(2);
        press(&mut window, Key::Space);
        click(&mut window, "Begin");
        wait_until(&mut window, "the game", |app| app.snapshot().setup().mods.len() > 2);
        let mut mods: Vec<String> = session(&window).setup().mods.iter().map(|it| it.id.clone()).collect();
        mods.sort();
        assert_eq!(mods, ["base", "ferries", "gold-mines"], "{size:?}");
    }
}

#[test]
fn a_covered_window_shows_no_tooltip() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1400.0, 900.0);
    let is_told = |window: &Window| window.query_by_label("Only tiles that fit somewhere now.").is_some();
    press(&mut window, Key::T);
    window.get_by_label("fits somewhere").hover();
    window.run_steps(30);
    assert!(is_told(&window));
    press_with(&mut window, Modifiers::COMMAND, Key::N);
    window.run_steps(8);
    assert!(window.query_by_label("Begin").is_some() && !is_told(&window));
    press(&mut window, Key::Escape);
    press(&mut window, Key::T);
    window.run_steps(30);
    assert!(is_told(&window), "the pointer is back");
}

#[test]
fn the_welcome_strip_does_not_come_back() {
    let mut window = open_in(Workspace::Play, game(&["base"], 2, 0), 1366.0, 768.0);
    window.state_mut().as_mut().unwrap().settings.welcome = true;
    window.run_steps(2);
    click(&mut window, "Play now");
    assert!(window.query_by_label("Welcome to Bastide").is_none());
    click(&mut window, "Begin");
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Settings);
    window.run_steps(4);
    click(&mut window, "Restore defaults");
    window.run_steps(4);
    assert!(window.query_by_label("Welcome to Bastide").is_none() && !app(&window).settings.welcome);
}
