//! The rule editor: writing rules in the window.

use std::fs;

use crate::common::*;
use editor::{Action, App, Command, StartOptions};
use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable as _;
use testkit::CopiedMod;

/// The modifiers of the Ctrl key, as a keyboard sends them.
const CTRL: Modifiers = Modifiers { ctrl: true, ..Modifiers::COMMAND };

/// Opens a window with a copy of the base game and its script.
fn writing(base: &CopiedMod) -> Window {
    let start = StartOptions { mods: Some(vec![base.library().to_owned()]), ..game(&["base"], 2, 0) };
    let mut window = open(start, 1366.0, 768.0);
    act(&mut window, Action::OpenFile(base.file("rules.rhai"), 1));
    window.run_steps(4);
    window
}

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(4);
}

fn type_text(window: &mut Window, text: &str) {
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(4);
}

fn says(window: &Window, words: &str) -> bool {
    window.query_all_by_label_contains(words).next().is_some()
}

fn n_laid(app: &App) -> usize {
    app.snapshot().view().tiles().len()
}

#[test]
fn a_script_is_broken_marked_mended_and_saved_while_the_game_goes_on() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    assert!(window.query_by_role(Role::MultilineTextInput).is_some());
    assert!(says(&window, "no problems in this file"));
    press_with(&mut window, CTRL, Key::End);
    type_text(&mut window, "\nfn scored(scoring) { scor(scoring.moves[0].player, 1, \"x\"); }\n");
    let n_lines = base.read("rules.rhai").lines().count();
    let mark = format!("error in line {}", n_lines + 2);
    assert!(says(&window, &mark), "the mistake is marked before the script is saved");
    assert!(says(&window, "did you mean `score`?") && app(&window).n_unsaved_texts() == 1);
    assert!(session(&window).problems().is_empty(), "the game does not use the unsaved script");
    click(&mut window, "Write score");
    assert!(!says(&window, "error in line"), "the suggested word is inserted");
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    window.run_steps(4);
    assert!(base.read("rules.rhai").ends_with("{ score(scoring.moves[0].player, 1, \"x\"); }\n"));
    assert!(app(&window).n_unsaved_texts() == 0 && session(&window).problems().is_empty());
    let revision = session(&window).mods_revision();
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(app(&window).n_unsaved_texts(), 1, "the key undoes in the text, not in the game");
    assert_eq!(session(&window).mods_revision(), revision);
    press_with(&mut window, Modifiers::COMMAND, Key::Y);
    assert!(app(&window).n_unsaved_texts() == 0);
    // The game is unchanged and can continue.
    click(&mut window, "Board");
    let before = n_laid(app(&window));
    press(&mut window, Key::Escape);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert_eq!(n_laid(app(&window)), before + 1);
}

#[test]
fn drafts_survive_the_window_and_other_programs_lose_nothing() {
    let (base, data) = (CopiedMod::of("base"), tempfile::tempdir().unwrap());
    let start = || StartOptions {
        mods: Some(vec![base.library().to_owned()]),
        data: Some(data.path().to_owned()),
        ..game(&["base"], 2, 0)
    };
    let mut window = open(start(), 1366.0, 768.0);
    act(&mut window, Action::OpenFile(base.file("rules.rhai"), 1));
    type_text(&mut window, "// mine\n");
    // The draft is stored soon after typing, so that it survives a crash.
    wait_until(&mut window, "the draft", |_| data.path().join("drafts").is_dir());
    drop(window);
    let mut window = open(start(), 1366.0, 768.0);
    let text = base.read("rules.rhai");
    fs::write(base.file("rules.rhai"), format!("{text}// theirs\n")).unwrap();
    act(&mut window, Action::OpenFile(base.file("rules.rhai"), 1));
    assert!(app(&window).n_unsaved_texts() == 1);
    wait_until(&mut window, "the other program", |app| {
        app.notifications().items().iter().any(|it| it.text.contains("both changes were merged"))
    });
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(base.read("rules.rhai"), format!("// mine\n{text}// theirs\n"));
    fs::write(base.file("rules.rhai"), "// all theirs\n").unwrap();
    type_text(&mut window, "// more of mine\n");
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    assert_eq!(base.read("rules.rhai"), "// all theirs\n", "nothing is overwritten");
    assert!(says(&window, "Another program changed the same lines"));
    click(&mut window, "Take theirs");
    assert!(app(&window).n_unsaved_texts() == 0);
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Rules);
}

#[test]
fn words_are_found_lines_become_comments_and_tabs_indent() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    press_with(&mut window, CTRL, Key::End);
    type_text(&mut window, "// one\ntwo");
    press_with(&mut window, Modifiers::COMMAND, Key::Slash);
    press(&mut window, Key::Tab);
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    let written = base.read("rules.rhai");
    assert!(written.ends_with("// one\n// two  ") && app(&window).n_unsaved_texts() == 0);
    press_with(&mut window, Modifiers::COMMAND, Key::F);
    type_text(&mut window, "city");
    assert!(window.query_by_label("Find").is_some() && says(&window, " matches"));
    press(&mut window, Key::Escape);
    assert!(window.query_by_label("Find").is_none());
}

#[test]
fn words_are_offered_explained_and_found() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    press_with(&mut window, CTRL, Key::End);
    type_text(&mut window, "fn strength(piece, feature) { feat");
    assert!(says(&window, "word feature"), "the name of the parameter");
    press(&mut window, Key::Tab);
    type_text(&mut window, ".n_t");
    press(&mut window, Key::Tab);
    type_text(&mut window, " }");
    assert!(window.query_by_label("word n_tiles").is_none(), "the list is gone");
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    assert!(base.read("rules.rhai").ends_with("fn strength(piece, feature) { feature.n_tiles }"));
    assert!(session(&window).problems().is_empty());
    // The definition of the tag is in the manifest.
    type_text(&mut window, " // ");
    press_with(&mut window, Modifiers::COMMAND, Key::Z);
    act(&mut window, Action::OpenFile(base.file("rules.rhai"), 8));
    press_with(&mut window, Modifiers::COMMAND, Key::F);
    type_text(&mut window, "shield\"");
    press(&mut window, Key::Enter);
    press(&mut window, Key::Escape);
    press(&mut window, Key::ArrowLeft);
    press(&mut window, Key::F12);
    assert!(app(&window).shown_text().is_some_and(|path| path.ends_with("mod.toml")));
    press(&mut window, Key::F1);
    assert!(says(&window, "Search") || says(&window, "Clear"), "help is open");
    act(&mut window, Action::OpenFile(base.file("rules.rhai"), 1));
    act(&mut window, Action::InsertExample("fn final_scoring() {\n    note(\"x\");\n}\n".to_owned()));
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    assert!(base.read("rules.rhai").ends_with("feature.n_tiles }\n\nfn final_scoring() {\n    note(\"x\");\n}\n"));
    assert!(session(&window).problems().is_empty());
}

#[test]
fn the_trace_and_the_console_look_into_rules() {
    let base = CopiedMod::of("base");
    let script = base.read("rules.rhai");
    base.write("rules.rhai", &format!("{script}\nfn tile_placed(tile) {{ score(turn.player, 2, \"a tile\"); }}\n"));
    let mut window = writing(&base);
    click(&mut window, "Board");
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Trace);
    window.run_steps(6);
    assert!(says(&window, "score(red, 2, \"a tile\")"), "the effects of this turn are listed");
    click(&mut window, "Whole game");
    assert!(window.query_by_label("tile_placed").is_some());
    click(&mut window, "tile_placed");
    assert!(app(&window).shown_text().is_some_and(|path| path.ends_with("rules.rhai")));
    window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), Command::Console);
    window.run_steps(6);
    let ask = |window: &mut Window, text: &str| {
        let at = window.get_by_role_and_label(Role::TextInput, "Evaluate a script expression").rect().center();
        click_at(window, at, egui::PointerButton::Primary);
        type_text(window, text);
        press(window, Key::Enter);
        window.run_steps(4);
    };
    ask(&mut window, "30 + 12");
    assert!(window.query_by_label("42").is_some());
    ask(&mut window, "score(turn.player, 1, \"x\")");
    assert!(says(&window, "may only look"));
}

#[test]
fn what_is_typed_faster_than_frames_come_stands_in_the_order_in_which_it_was_typed() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    press_with(&mut window, CTRL, Key::End);
    let before = base.read("rules.rhai");
    let key =
        |key| egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    let text = |text: &str| egui::Event::Text(text.to_owned());
    let fast = [
        text("fn a() {"),
        key(Key::Enter),
        text("let tile_1 = 1;"),
        key(Key::Enter),
        text("til"),
        key(Key::Enter),
        text("}"),
        key(Key::Enter),
        text("b"),
    ];
    window.input_mut().events.extend(fast);
    window.run_steps(20);
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    let after = base.read("rules.rhai");
    // A suggested word is not inserted unless the user selects it.
    assert_eq!(after.strip_prefix(&before), Some("fn a() {\n    let tile_1 = 1;\n    til\n}\nb"));
    type_text(&mut window, " feat");
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    press_with(&mut window, Modifiers::COMMAND, Key::S);
    assert!(!base.read("rules.rhai").ends_with("feat\n"), "the selected word is inserted");
}

#[test]
fn a_hook_is_found_by_its_words_and_added() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    click(&mut window, "Add a hook");
    // The field has the focus immediately, so that keys go to it and not to the board.
    type_text(&mut window, "turn_ended");
    press(&mut window, Key::T);
    assert!(!app(&window).view_state().windows.remaining);
    assert!(says(&window, "turn_ended") && !says(&window, "tile_placed"));
    let field = window.get_by_label("Find a hook").rect();
    click_at(&mut window, field.center(), egui::PointerButton::Primary);
    assert!(says(&window, "Find a hook"), "a click into the field does not close the list");
    click(&mut window, "turn_ended");
    assert!(!says(&window, "Find a hook"));
    assert_eq!(app(&window).n_unsaved_texts(), 1, "an example is added at the end of the script");
}

#[test]
fn help_finds_the_keys_of_themes() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    press(&mut window, Key::F1);
    for word in ["colour", "picture", "palette", "icon", "glyph", "pattern"] {
        crate::tiles::type_into(&mut window, "Search the help", word);
        assert!(says(&window, "Manifests (") && !says(&window, "Manifests (0)"), "{word}");
        click(&mut window, "Clear");
    }
}

#[test]
fn the_tab_of_rules_begins_with_the_script_of_the_game() {
    let mut window = open(game(&["base"], 2, 0), 1366.0, 768.0);
    window.query_all_by_label("Rules").next().expect("the tab").click();
    window.run_steps(6);
    assert!(!says(&window, "No file is open"));
    assert!(says(&window, "rules.rhai"));
    assert!(window.query_by_role(Role::MultilineTextInput).is_some(), "the script is shown");
}

/// After a long line, a new line begins at the left edge of the view.
#[test]
fn the_view_follows_the_cursor_into_a_new_line() {
    let base = CopiedMod::of("base");
    let mut window = writing(&base);
    let left = |window: &Window| window.get_by_role(Role::MultilineTextInput).rect().left();
    let begin = left(&window);
    press_with(&mut window, CTRL, Key::Home);
    type_text(&mut window, &format!("{} ", "x".repeat(400)));
    window.run_steps(8);
    assert!(left(&window) < begin - 100.0);
    press(&mut window, Key::Enter);
    window.run_steps(8);
    assert!((left(&window) - begin).abs() < 1.0, "{} {begin}", left(&window));
}
