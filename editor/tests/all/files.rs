//! Choosing files by typing their paths.

use std::fs;

use crate::common::*;
use editor::Command;
use egui::{Context, Key};
use egui_kittest::kittest::Queryable as _;

fn command(window: &mut Window, command: Command) {
    window.state_mut().as_mut().unwrap().run_command(&Context::default(), command);
    window.run_steps(4);
}

/// Types into the focused field and confirms.
fn enter(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(2);
    press(window, Key::Enter);
}

#[test]
fn a_typed_path_is_opened_and_one_that_leads_nowhere_is_told() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("typed.game");
    fs::write(&file, "bastide 1\nmods base\nplayers anna ben\nseed 1\n").unwrap();
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    command(&mut window, Command::OpenRecord);
    enter(&mut window, "/nowhere/at/all.game");
    assert!(window.query_by_label_contains("there is no file /nowhere/at/all.game").is_some());
    command(&mut window, Command::TakeBack);
    command(&mut window, Command::OpenRecord);
    // A typed folder is opened. Then the name of a file in it is enough.
    enter(&mut window, temp.path().to_str().unwrap());
    enter(&mut window, "typed.game");
    assert_eq!(session(&window).setup().players, ["anna", "ben"]);
    command(&mut window, Command::OpenRecord);
    window.event(egui::Event::Text(file.to_str().unwrap().to_owned()));
    window.run_steps(2);
    click(&mut window, "Open");
    assert!(app(&window).notifications().items().iter().any(|item| item.text.contains("typed.game")));
}

#[test]
fn a_picture_is_saved_at_the_chosen_path_and_replaces_nothing_unasked() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("board.png");
    fs::write(&file, "mine").unwrap();
    let mut window = open(game(&["base"], 2, 0), 1024.0, 700.0);
    command(&mut window, Command::PictureOfMoment);
    press_with(&mut window, egui::Modifiers::COMMAND, Key::A);
    enter(&mut window, file.to_str().unwrap());
    assert!(window.query_by_label_contains("already exists").is_some());
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    click(&mut window, "Replace");
    let saved = format!("saved {}", file.display());
    wait_until(&mut window, "the picture", move |app| app.notifications().items().iter().any(|it| it.text == saved));
    assert!(fs::read(&file).unwrap().starts_with(b"\x89PNG"));
}
