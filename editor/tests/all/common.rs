//! Functions that open and operate a window without a display, for tests.
use std::time::{Duration, Instant};

use editor::{App, StartOptions, Workspace};
use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use table::{PromptKind, Setup, Snapshot, Spot};
use testkit::mods_folder;

pub type Window = Harness<'static, Option<App>>;

/// Returns the options to open a game for `n_players` players, with bots at the last `n_bots`
/// seats.
pub fn game(ids: &[&str], n_players: usize, n_bots: usize) -> StartOptions {
    let mut setup = Setup { seed: Some(4), ..Setup::of(ids, n_players) };
    let players = setup.players.clone();
    setup.bots = players.iter().rev().take(n_bots).map(|p| (p.clone(), "random".to_owned())).collect();
    StartOptions { mods: Some(vec![mods_folder()]), setup: Some(setup), at_once: true, ..StartOptions::default() }
}

/// Opens a window in the workspace with panels, and shows the log and the time bar. It is `width`
/// by `height` points large.
pub fn open(start: StartOptions, width: f32, height: f32) -> Window {
    let mut window = open_in(Workspace::Make, start, width, height);
    if window.query_all_by_label_contains("Event log").next().is_none() {
        window.state_mut().as_mut().unwrap().run_command(&egui::Context::default(), editor::Command::BottomDock);
        window.run_steps(4);
    }
    window
}

/// Opens a window in the workspace `workspace`. It is `width` by `height` points large.
pub fn open_in(workspace: Workspace, start: StartOptions, width: f32, height: f32) -> Window {
    build(workspace, start, vec2(width, height), None)
}

/// Opens a window in the workspace Play, with moving tiles and pieces. A frame takes `step`
/// seconds.
pub fn open_moving(start: StartOptions, width: f32, height: f32, step: f32) -> Window {
    build(Workspace::Play, start, vec2(width, height), Some(step))
}

fn build(workspace: Workspace, start: StartOptions, size: egui::Vec2, step: Option<f32>) -> Window {
    let mut start = Some(start);
    let frame = move |ui: &mut egui::Ui, app: &mut Option<App>| {
        let app = app.get_or_insert_with(|| {
            let mut app = App::new(ui.ctx(), start.take().unwrap_or_default()).unwrap();
            app.settings.welcome = false;
            app.settings.first_steps = false;
            app.settings.workspace = workspace;
            app.settings.motion = step.is_some();
            app.settings.bot_pause = 0.0;
            app.settings.dark = Some(false);
            app
        });
        app.show(ui);
    };
    let mut window = Harness::builder()
        .with_step_dt(step.unwrap_or(0.25))
        .with_size(size)
        .with_pixels_per_point(1.0)
        .with_max_steps(64)
        .build_ui_state(frame, None);
    window.run_steps(4);
    window
}

pub fn app(window: &Window) -> &App {
    window.state().as_ref().unwrap()
}

pub fn session(window: &Window) -> &Snapshot {
    app(window).snapshot()
}

/// Presses a key and runs three frames.
pub fn press(window: &mut Window, key: Key) {
    press_with(window, Modifiers::NONE, key);
}

pub fn press_with(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

/// Clicks at a point of the window.
pub fn click_at(window: &mut Window, at: Pos2, button: PointerButton) {
    window.hover_at(at);
    window.run_steps(2);
    for pressed in [true, false] {
        window.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        window.run_steps(1);
    }
    window.run_steps(3);
}

/// Clicks the button called `label`.
pub fn click(window: &mut Window, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(4);
}

/// Returns the first spot, in the order of the legal placements, on which the drawn tile fits.
pub fn first_place(session: &Snapshot) -> Spot {
    session.view().places()[0].spot
}

/// Lists the labels that the legal placements of the drawn tile should have, each once.
pub fn offered_places(session: &Snapshot) -> Vec<String> {
    let places = session.view().places();
    let mut labels: Vec<String> = places.iter().map(|p| format!("Place the tile at {}", p.spot)).collect();
    labels.sort();
    labels.dedup();
    labels
}

/// Returns whether a piece may be deployed at the current position.
pub fn asks_for_piece(session: &Snapshot) -> bool {
    session.view().prompt().is_some_and(|p| p.kind == PromptKind::Deploy)
}

/// Draws frames until `holds` returns true, for at most ten seconds.
pub fn wait_until(window: &mut Window, what: &str, holds: impl Fn(&App) -> bool) {
    wait_long_until(window, what, Duration::from_secs(10), holds);
}

/// Draws frames until the text `label` is shown.
pub fn wait_for_label(window: &mut Window, label: &str) {
    let begun = Instant::now();
    while window.query_all_by_label(label).next().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(10), "timed out waiting for the text {label:?}");
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Draws frames until `holds` returns true, for at most `long`.
pub fn wait_long_until(window: &mut Window, what: &str, long: Duration, holds: impl Fn(&App) -> bool) {
    let begun = Instant::now();
    while !holds(app(window)) {
        let told = app(window).notifications().items();
        assert!(begun.elapsed() < long, "timed out waiting for {what}; notifications: {told:?}");
        window.run_steps(1);
        std::thread::sleep(Duration::from_millis(5));
    }
    window.run_steps(2);
}
