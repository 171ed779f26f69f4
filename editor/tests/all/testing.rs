//! Test cases made from positions: frozen, run, failing after a rule change, accepted.

use std::fs;

use crate::common::*;
use crate::reload::watched;
use editor::{Action, Command, TestState};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;

fn is_shown(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

fn states(app: &editor::App) -> Vec<TestState> {
    app.tests().tests().iter().map(|test| app.tests().state(test)).collect()
}

#[test]
fn a_moment_is_frozen_turns_red_and_is_accepted() {
    let base = CopiedMod::of("base");
    fs::remove_dir_all(base.file("tests")).unwrap();
    let mut window = watched(base.library());
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Tests);
    window.run_steps(4);
    assert!(is_shown(&window, "No tests yet. Press Ctrl+T in a game to make one."));
    let is_of_road = |award: &std::sync::Arc<table::Award>| award.reason.contains("road");
    let scored = session(&window).steps().iter().position(|step| step.awards.iter().any(is_of_road)).unwrap();
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), Action::GoTo(scored + 1));
    window.run_steps(2);
    press_with(&mut window, Modifiers::COMMAND, Key::T);
    window.run_steps(4);
    for text in ["Description", "Points of the last turn", "If the game ended here", "expect award"] {
        assert!(is_shown(&window, text), "{text}");
    }
    assert!(is_shown(&window, "gets points for"), "the name says what is tested, and stays true with other numbers");
    click(&mut window, "Write the test");
    wait_until(&mut window, "a green test", |app| states(app) == [TestState::Green]);
    let test = app(&window).tests().tests()[0].clone();
    let text = fs::read_to_string(&test.case.file).unwrap();
    assert!(test.case.file.starts_with(base.file("tests")) && text.starts_with("# ") && text.contains("expect award"));

    let manifest = base.read("mod.toml");
    let dear = manifest.replace("complete = \"tiles\"", "complete = \"5 * tiles\"").replace("\"2 *", "\"9 *");
    base.write("mod.toml", &dear);
    wait_until(&mut window, "a red test", |app| states(app) == [TestState::Red]);
    wait_until(&mut window, "the news", |app| {
        app.notifications().items().iter().any(|it| it.text == "1 of 1 tests fails: see Tests")
    });
    window.run_steps(4);
    assert!(is_shown(&window, "Tests (1)"));
    assert!(window.query_all_by_label(&test.name()).count() == 2, "the failing test is opened automatically");
    assert!(
        is_shown(&window, "actual") && is_shown(&window, "expect award"),
        "the expected and the actual values are shown"
    );
    click(&mut window, "Accept as expected…");
    assert!(is_shown(&window, "lines change"), "the changes are shown before they are written");
    assert_eq!(fs::read_to_string(&test.case.file).unwrap(), text, "nothing is written before the user agrees");
    click(&mut window, "Write these lines");
    wait_until(&mut window, "a green test", |app| states(app) == [TestState::Green]);
    let now = fs::read_to_string(&test.case.file).unwrap();
    assert!(now != text && now.lines().count() == text.lines().count());

    // Under the original rules the accepted test fails again, and opens at the failing position.
    base.write("mod.toml", &manifest);
    wait_until(&mut window, "a red test", |app| states(app) == [TestState::Red]);
    window.run_steps(4);
    click(&mut window, "Show on the board");
    wait_until(&mut window, "the game of the test", |app| app.snapshot().setup().bots.is_empty());
    let at = session(&window).position_index();
    assert!(!session(&window).steps()[at - 1].awards.is_empty(), "the game is at the failing position");
}

#[test]
fn what_no_test_touches_is_listed() {
    let base = CopiedMod::of("base");
    for file in fs::read_dir(base.file("tests")).unwrap().map(|file| file.unwrap().path()) {
        if !file.ends_with("b01_completed_road.game") {
            fs::remove_file(file).unwrap();
        }
    }
    let start = editor::StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1400.0, 900.0);
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::RunTests);
    wait_until(&mut window, "the end of the run", |app| !app.tests().uncovered().is_empty());
    assert_eq!(states(app(&window)), [TestState::Green]);
    let untouched = &app(&window).tests().uncovered()[0];
    assert!(!untouched.tiles.contains(&"base/U".to_owned()) && untouched.tiles.contains(&"base/C".to_owned()));
    let n = untouched.tiles.len();
    assert!(is_shown(&window, &format!("Not covered: {n} of 24 tiles never laid")), "{untouched:?}");
}
