//! The window with the first five steps in a new mod. A finished step has a tick. The window
//! appears only over the board, so that it does not cover the rule editor or the designer.

use egui::{Align2, Context, Rect, RichText, Ui, Window, vec2};
use platform::fs;
use table::Snapshot;

use crate::command::Command;
use crate::ui_context::{Action, UiContext};
use crate::view_state::FirstStepsState;

/// The height of the board, in points, from which the window is open at first.
const OPEN_FROM: f32 = 420.0;

/// Draws the window in a corner of the board, if the user has made a mod and has not closed the
/// window. The view of the board keeps beside the window.
pub fn first_steps(ctx: &Context, cx: &mut UiContext<'_>, board: Rect) {
    cx.view_state.first_steps_rect = None;
    let Some(guide) = cx.view_state.guide.clone().filter(|guide| !guide.is_closed) else { return };
    let mut is_open = true;
    let window = Window::new("Your mod in five steps").open(&mut is_open).resizable(false).collapsible(true);
    let window = window.default_open(board.height() >= OPEN_FROM);
    let corner = board.left_bottom() + vec2(10.0, -10.0);
    let window = window.default_width(330.0).default_pos(corner).pivot(Align2::LEFT_BOTTOM).constrain_to(board);
    let shown = window.show(ctx, |ui| {
        let done = done_steps(cx.session, &guide);
        steps(ui, cx, &guide, done);
    });
    cx.view_state.first_steps_rect = shown.filter(|_| is_open).map(|shown| shown.response.rect);
    if let Some(guide) = &mut cx.view_state.guide {
        guide.is_closed = !is_open;
    }
}

/// Returns true for each of the five steps that the user has finished.
fn done_steps(session: &Snapshot, guide: &FirstStepsState) -> [bool; 5] {
    let view = session.view();
    let own = view.mods().iter().position(|info| info.id == guide.id);
    let prefix = format!("{}/", guide.id);
    let is_own = |tile| view.tiles_declared().name(tile).starts_with(&prefix);
    let is_laid = view.tiles().iter().any(|placed| is_own(placed.tile));
    let is_drawn = view.unplaced_tile().is_some_and(is_own) || view.tile_to_place().is_some_and(is_own);
    // If the mod has a piece but no tiles, deploying the piece finishes the steps of drawing and
    // placing a tile.
    let pieces: Vec<String> = view.pieces_of_mod(&guide.id).iter().map(|name| format!("deploy {name} ")).collect();
    let is_put = session.steps().iter().any(|step| pieces.iter().any(|words| step.text.starts_with(words)));
    let (is_drawn, is_laid) = (is_drawn || is_put, is_laid || is_put);
    let hash = own.map(|i| view.mods()[i].hash);
    let is_changed = guide.hash.is_some() && hash.is_some() && hash != guide.hash;
    [own.is_some(), is_laid || is_drawn, is_laid, is_changed, guide.is_tested]
}

fn steps(ui: &mut Ui, cx: &mut UiContext<'_>, guide: &FirstStepsState, done: [bool; 5]) {
    let n_done = done.iter().filter(|done| **done).count();
    ui.weak(format!("{} · {n_done} of 5 done", table::shown_path(&guide.folder)));
    step(ui, done[0], "It is part of this game");
    if cx.session.view().tiles_declared().of_mod(&guide.id).next().is_some() {
        step(ui, done[1], "Take one of its tiles from the bag");
        ui.horizontal_wrapped(|ui| {
            if !done[1] && ui.button("Show its tiles").clicked() {
                cx.view_state.find_tile = Some(format!("{}/", guide.id));
                cx.view_state.windows.remaining = true;
            }
            if ui.button("New tile…").on_hover_text(Command::NewTile.info().about).clicked() {
                cx.request_command(Command::NewTile);
            }
        });
        step(ui, done[2], "Place it and see what it scores");
    } else if let Some(piece) = cx.session.view().pieces_of_mod(&guide.id).first() {
        step(ui, done[1], &format!("Place a tile where the {piece} may stand"));
        step(ui, done[2], &format!("Put the {piece} there and see what it scores"));
    } else {
        step(ui, done[1], "Make a tile for it");
        if ui.button("New tile…").on_hover_text(Command::NewTile.info().about).clicked() {
            cx.request_command(Command::NewTile);
        }
        step(ui, done[2], "Lay it");
    }
    step(ui, done[3], "Change its rules and save; the game applies them immediately");
    ui.horizontal_wrapped(|ui| {
        for file in ["tiles.toml", "mod.toml", "rules.rhai"] {
            let path = guide.folder.join(file);
            if fs::exists(&path) && ui.small_button(file).on_hover_text("Opens this file.").clicked() {
                cx.request_action(Action::OpenFile(path, 1));
            }
        }
    });
    step(ui, done[4], "Run its tests, or freeze a position as a new test");
    ui.horizontal_wrapped(|ui| {
        for command in [Command::RunTests, Command::Freeze] {
            if ui.small_button(command.info().name).on_hover_text(command.info().about).clicked() {
                cx.request_command(command);
                if let Some(guide) = cx.view_state.guide.as_mut().filter(|_| command == Command::RunTests) {
                    guide.is_tested = true;
                }
            }
        }
    });
}

fn step(ui: &mut Ui, mut is_done: bool, text: &str) {
    let text = RichText::new(text);
    let text = if is_done { text.weak() } else { text.strong() };
    ui.add_enabled(false, egui::Checkbox::new(&mut is_done, text));
}
