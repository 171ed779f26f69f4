//! Keys typed into text fields and windows, which must not act on the board behind.

use crate::common::*;
use editor::{Action, COMMANDS, Command, Overlays, Windows, Workspace};
use egui::{Key, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::kittest::Queryable as _;

fn act(window: &mut Window, action: Action) {
    window.state_mut().as_mut().unwrap().act(&egui::Context::default(), action);
    window.run_steps(4);
}

/// The state of the game and of the board that typing must not change.
#[derive(PartialEq, Debug)]
struct GameAndBoard {
    position: (usize, usize, usize),
    overlays: Overlays,
    chosen: Option<table::Spot>,
    facing: table::Facing,
    windows: Windows,
}

fn seen(window: &Window) -> GameAndBoard {
    let (session, view) = (session(window), app(window).view_state());
    GameAndBoard {
        position: (session.position_index(), session.steps().len(), session.view().tiles().len()),
        overlays: view.overlays,
        chosen: view.chosen,
        facing: view.facing,
        windows: view.windows.clone(),
    }
}

/// Presses all keys of commands that a user may type, in one frame: keys without modifiers and keys
/// that edit text. Leaves out Enter. Also leaves out Escape and the function keys, which act
/// everywhere.
fn type_all_keys(window: &mut Window) {
    let plain = COMMANDS.iter().flat_map(|info| info.keys).filter(|key| !key.modifiers.command);
    let left_out = |key: Key| key == Key::Enter || key == Key::Escape || is_function_key(key);
    let typed = plain.map(|key| (key.modifiers, key.logical_key)).filter(|(_, key)| !left_out(*key));
    let edits = [Key::Z, Key::Y, Key::ArrowLeft, Key::ArrowRight].map(|key| (Modifiers::COMMAND, key));
    let events = typed.chain(edits).map(|(modifiers, key)| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    });
    let text = egui::Event::Text("7 r".to_owned());
    let events: Vec<egui::Event> = [text].into_iter().chain(events).collect();
    window.input_mut().events.extend(events);
    window.run_steps(4);
}

fn is_function_key(key: Key) -> bool {
    key.name().strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok())
}

/// Returns the centres of all text fields.
fn fields(window: &Window) -> Vec<Pos2> {
    let single = window.query_all_by_role(Role::TextInput);
    single.chain(window.query_all_by_role(Role::MultilineTextInput)).map(|field| field.rect().center()).collect()
}

/// Clicks each text field, and types all keys before and after Enter.
fn type_into_all_fields(window: &mut Window, what: &str) {
    let (before, n) = (seen(window), fields(window).len());
    assert!(n > 0, "{what} has no text field");
    for i in 0..n {
        // Typing may hide fields.
        let Some(at) = fields(window).get(i).copied() else { continue };
        click_at(window, at, PointerButton::Primary);
        type_all_keys(window);
        press(window, Key::Enter);
        type_all_keys(window);
        assert_eq!(seen(window), before, "field {i} of {what}");
    }
}

/// Opens a window in which some turns were played, so that every key can do something.
fn begun(workspace: Workspace) -> Window {
    let mut window = open_in(workspace, game(&["base", "inns-cathedrals"], 2, 0), 1366.0, 768.0);
    for _ in 0..6 {
        press(&mut window, Key::Enter);
    }
    act(&mut window, Action::GoTo(4));
    window
}

#[test]
fn keys_act_on_the_board_if_no_window_asks() {
    let mut window = begun(Workspace::Play);
    let before = seen(&window);
    press(&mut window, Key::G);
    press(&mut window, Key::ArrowLeft);
    assert!(seen(&window).overlays.grid && seen(&window).position.0 < before.position.0);
}

#[test]
fn keys_typed_into_fields_of_windows_leave_the_board_alone() {
    for command in [
        Command::NewGame,
        Command::NewMod,
        Command::Settings,
        Command::Freeze,
        Command::Help,
        Command::Remaining,
        Command::OpenLink,
        Command::OpenRecord,
        Command::Palette,
    ] {
        let mut window = begun(Workspace::Play);
        act(&mut window, Action::Command(command));
        type_into_all_fields(&mut window, command.info().name);
    }
}

#[test]
fn keys_typed_into_fields_of_panels_leave_the_board_alone() {
    let mut window = begun(Workspace::Make);
    for command in [Command::EventLog, Command::Console] {
        act(&mut window, Action::Command(command));
        type_into_all_fields(&mut window, command.info().name);
    }
    for command in [Command::Rules, Command::Tiles] {
        act(&mut window, Action::Command(command));
        type_into_all_fields(&mut window, command.info().name);
    }
}

#[test]
fn windows_that_ask_take_keys_without_a_focus() {
    for command in [Command::NewGame, Command::NewMod, Command::Settings, Command::Freeze] {
        let mut window = begun(Workspace::Play);
        act(&mut window, Action::Command(command));
        let before = seen(&window);
        type_all_keys(&mut window);
        assert_eq!(seen(&window), before, "{}", command.info().name);
        press(&mut window, Key::Escape);
        press(&mut window, Key::G);
        assert!(seen(&window).overlays.grid, "the board has the keys again");
    }
    let mut window = begun(Workspace::Play);
    act(&mut window, Action::Command(Command::ScoreTrack));
    press(&mut window, Key::G);
    assert!(seen(&window).overlays.grid, "a window without text fields leaves the keys to the board");
}
