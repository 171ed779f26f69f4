//! The window that prints: choices, preview and PDF.

use std::fs;

use crate::common::*;
use editor::Command;
use egui::{Context, Key};
use egui_kittest::kittest::Queryable as _;
use table::Setup;

fn opened(settings: &[(&str, &str)]) -> Window {
    let mut start = game(&["base", "ferries"], 2, 0);
    let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    start.setup = start.setup.map(|setup| Setup { settings, ..setup });
    let mut window = open(start, 1024.0, 600.0);
    window.state_mut().as_mut().unwrap().run_command(&Context::default(), Command::Print);
    window.run_steps(2);
    wait_for_pages(&mut window, "the first page", |n| n > 0);
    window
}

fn wait_for_pages(window: &mut Window, what: &str, fits: impl Fn(usize) -> bool) {
    let long = std::time::Duration::from_secs(60);
    wait_long_until(window, what, long, |app| app.n_pages_to_print().is_some_and(&fits));
}

fn says(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn the_sheets_of_the_game_are_shown_and_saved() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("sheets.pdf");
    let mut window = opened(&[]);
    let n_pages = app(&window).n_pages_to_print().unwrap();
    assert!(says(&window, "80 tiles, 16 cards and pieces") && says(&window, &format!("Page 1 of {n_pages}")));
    click(&mut window, "Next");
    assert!(says(&window, &format!("Page 2 of {n_pages}")));
    // With fewer mods and larger tiles, the sheets have other numbers of pages and tiles. The shown
    // page still exists.
    click(&mut window, "Base game");
    wait_for_pages(&mut window, "the pages of one mod", |n| n != n_pages);
    assert!(says(&window, "8 tiles, 2 cards and pieces"));
    click(&mut window, "Save PDF…");
    press_with(&mut window, egui::Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Text(file.to_str().unwrap().to_owned()));
    window.run_steps(2);
    press(&mut window, Key::Enter);
    let saved = format!("saved {}", file.display());
    wait_until(&mut window, "the PDF", move |app| app.notifications().items().iter().any(|it| it.text == saved));
    assert!(fs::read(&file).unwrap().starts_with(b"%PDF"));
}

#[test]
fn the_counts_are_those_of_the_settings_and_what_cannot_be_printed_is_told() {
    let mut window = opened(&[("ferries/*", "3")]);
    assert!(says(&window, "96 tiles"), "three times eight ferries and 72 tiles of the base game");
    for title in ["Base game", "Ferries"] {
        click(&mut window, title);
    }
    let long = std::time::Duration::from_secs(60);
    wait_long_until(&mut window, "the reason", long, |app| app.n_pages_to_print().is_none());
    assert!(says(&window, "no tiles, cards or pieces"));
}
