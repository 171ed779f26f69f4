//! The window with the first steps towards the user's own expansion: a mod, a tile, a piece, a rule
//! and a test. A finished step has a tick. The window appears only over the board, so that it does
//! not cover the rule editor or the designer.

use egui::{Align2, Context, Rect, RichText, ScrollArea, Ui, Window, vec2};
use platform::fs;
use table::{Actor, RulesChoice, Seat, Snapshot, shown_path};
use workshop::mod_files::FileKind;

use crate::actions::{Action, FileAction};
use crate::command::Command;
use crate::panels::widgets::request_on_click;
use crate::settings::{FirstStepsState, N_FIRST_STEPS, TESTED};
use crate::ui_context::UiContext;

/// The height of the board, in points, from which the window is open at first.
const OPEN_FROM: f32 = 420.0;

/// The height of the title bar and of the frame, in points.
const TITLE_HEIGHT: f32 = 60.0;

/// Draws the window in a corner of the board, unless the user has closed it. Without a mod of the
/// user in the game, the window appears only among the panels of the workspace Make. The view of
/// the board keeps beside the window.
pub fn first_steps(ctx: &Context, cx: &mut UiContext<'_>, board: Rect) {
    cx.view_state.first_steps_rect = None;
    if let Some(guide) = current_guide(cx).filter(|_| !cx.is_exercise)
        && cx.settings.guide.as_ref() != Some(&guide)
    {
        cx.settings.guide = Some(guide);
    }
    let guide = cx.settings.guide.clone().filter(|guide| fs::exists(&guide.folder.join("mod.toml")));
    let is_in_play = guide.as_ref().is_some_and(|guide| guide.done[IN_PLAY]);
    if !cx.settings.first_steps || !is_in_play && (cx.has_cards || cx.is_exercise) {
        return;
    }
    let mut is_open = true;
    let title = if guide.is_some() { "Your mod in six steps" } else { "Make your own expansion" };
    let window = Window::new(title).id(egui::Id::unique("first steps")).open(&mut is_open).resizable(false);
    let window = window.collapsible(true).default_open(board.height() >= OPEN_FROM);
    let window = window.max_height(board.height() - TITLE_HEIGHT);
    let corner = board.left_bottom() + vec2(10.0, -10.0);
    let window = window.default_width(330.0).default_pos(corner).pivot(Align2::LEFT_BOTTOM).constrain_to(board);
    let shown = window.show(ctx, |ui| {
        // A scroll area of the window itself would be as high as possible.
        ScrollArea::vertical().auto_shrink([false, true]).show(ui, |ui| match &guide {
            Some(guide) => steps(ui, cx, guide),
            None => steps_without_mod(ui, cx),
        });
    });
    cx.view_state.first_steps_rect = shown.filter(|_| is_open).map(|shown| shown.response.rect);
    cx.settings.first_steps = is_open;
}

/// The index of the step in which the mod becomes part of the game. In contrast to the other steps,
/// this step is open again when another game begins without the mod.
const IN_PLAY: usize = 0;

/// Returns the first steps, with the steps that the user has finished now. Prefers a mod in play:
/// the mod of the steps so far, or else the user's newest mod. Returns `None` if there are neither
/// steps so far nor a mod of the user in play.
fn current_guide(cx: &UiContext<'_>) -> Option<FirstStepsState> {
    let is_in_play = |guide: &&FirstStepsState| cx.session.view().mods().iter().any(|info| info.id == guide.id);
    let so_far = cx.settings.guide.as_ref();
    let guide = so_far.filter(is_in_play).cloned().or_else(|| newest_own_mod(cx)).or_else(|| so_far.cloned())?;
    let mut done = done_steps(cx.session, &guide);
    done.iter_mut().zip(guide.done).skip(IN_PLAY + 1).for_each(|(now, before)| *now |= before);
    Some(FirstStepsState { done, ..guide })
}

/// Returns the state for the last mod in play that the user made in this or an earlier run, if any.
fn newest_own_mod(cx: &UiContext<'_>) -> Option<FirstStepsState> {
    let (i, info) = cx.session.view().mods().iter().enumerate().rev().find(|(i, _)| {
        let folder = cx.session.mod_folder(*i);
        folder.is_some_and(|folder| cx.settings.own_mods.iter().any(|own| own == folder))
    })?;
    Some(FirstStepsState {
        id: info.id.clone(),
        folder: cx.session.mod_folder(i)?.to_owned(),
        hash: Some(info.hash),
        is_read: true,
        ..FirstStepsState::default()
    })
}

/// Returns true for each of the steps that are finished in this game. Moves of bots finish no step.
fn done_steps(session: &Snapshot, guide: &FirstStepsState) -> [bool; N_FIRST_STEPS] {
    let view = session.view();
    let own = view.mods().iter().position(|info| info.id == guide.id);
    let prefix = format!("{}/", guide.id);
    let is_own = |tile| view.tiles_declared().name(tile).starts_with(&prefix);
    let is_person = |seat: Seat| !session.is_bot(seat);
    let moves = || session.steps().iter().filter(|step| matches!(step.who, Actor::Player(seat) if is_person(seat)));
    let tile_at = |spot| view.tiles().iter().find(|placed| placed.spot == spot).map(|placed| placed.tile);
    let is_laid = moves().filter_map(|step| tile_at(step.laid?)).any(is_own);
    let waits = view.unplaced_tile().is_some_and(is_own) || view.tile_to_place().is_some_and(is_own);
    let is_drawn = waits && is_person(view.player());
    // If the mod has a piece but no tiles, deploying the piece finishes the steps of drawing and
    // placing a tile.
    let pieces = view.pieces_of_mod(&guide.id);
    let deployments: Vec<String> = pieces.iter().map(|name| format!("deploy {name} ")).collect();
    let is_put = moves().any(|step| deployments.iter().any(|words| step.text.starts_with(words)));
    let (is_drawn, is_laid) = (is_drawn || is_put, is_laid || is_put);
    let has_look = !pieces.is_empty() || fs::exists(&guide.folder.join("theme.toml"));
    let hash = own.map(|i| view.mods()[i].hash);
    let is_changed = guide.hash.is_some() && hash.is_some() && hash != guide.hash;
    [own.is_some(), is_laid || is_drawn, is_laid, has_look, is_changed, false]
}

/// Draws the steps before the user has a mod. Only the first step can be done.
fn steps_without_mod(ui: &mut Ui, cx: &mut UiContext<'_>) {
    step(ui, false, "Make a mod from an example");
    button(ui, cx, Command::NewMod);
    for text in ["Draw a tile", "Add a piece, or choose looks", "Write a rule", "Test it"] {
        step(ui, false, text);
    }
}

fn steps(ui: &mut Ui, cx: &mut UiContext<'_>, guide: &FirstStepsState) {
    let done = guide.done;
    let n_done = done.iter().filter(|done| **done).count();
    ui.weak(format!("{} · {n_done} of {N_FIRST_STEPS} done", shown_path(&guide.folder)));
    step(ui, done[IN_PLAY], "It is part of this game");
    if !done[IN_PLAY] {
        let about = "Add the mod to the running game, which is replayed with it.";
        if ui.button("Play with it").on_hover_text(about).clicked() {
            let mut chosen = RulesChoice::from_setup(cx.session.setup());
            chosen.mods.push(guide.id.clone());
            cx.request_action(Action::PlayBy(chosen));
        }
    }
    if cx.session.view().tiles_declared().of_mod(&guide.id).next().is_some() {
        step(ui, done[1], "Take one of its tiles from the bag");
        ui.horizontal_wrapped(|ui| {
            if !done[1] && ui.button("Show its tiles").clicked() {
                cx.view_state.find_tile = Some(format!("{}/", guide.id));
                cx.view_state.windows.remaining = true;
            }
            button(ui, cx, Command::NewTile);
        });
        step(ui, done[2], "Place it and see what it scores");
    } else if let Some(piece) = cx.session.view().pieces_of_mod(&guide.id).first() {
        step(ui, done[1], &format!("Place a tile where the {piece} may stand"));
        step(ui, done[2], &format!("Put the {piece} there and see what it scores"));
    } else {
        step(ui, done[1], "Make a tile for it");
        button(ui, cx, Command::NewTile);
        step(ui, done[2], "Place it");
    }
    step(ui, done[3], "Add a piece, or choose looks");
    button(ui, cx, Command::Looks);
    step(ui, done[4], "Change its rules and save; the game applies them immediately");
    ui.horizontal_wrapped(|ui| {
        if !fs::exists(&guide.folder.join("rules.rhai"))
            && ui.small_button("New rules.rhai").on_hover_text("Add a script for rules.").clicked()
        {
            let create = FileAction::Create(guide.folder.clone(), FileKind::Script, String::new());
            cx.request_action(Action::Files(create));
        }
        for file in ["rules.rhai", "tiles.toml", "mod.toml"] {
            let path = guide.folder.join(file);
            if fs::exists(&path) && ui.small_button(file).on_hover_text("Open this file.").clicked() {
                cx.request_action(Action::OpenFile(path, 1));
            }
        }
    });
    step(ui, done[TESTED], "Run its tests, or freeze a position as a new test");
    ui.horizontal_wrapped(|ui| {
        for command in [Command::RunTests, Command::Freeze] {
            if button(ui, cx, command)
                && let Some(guide) = cx.settings.guide.as_mut().filter(|_| command == Command::RunTests)
            {
                guide.done[TESTED] = true;
            }
        }
    });
}

/// Draws the button of a command. Returns whether the user clicked it.
fn button(ui: &mut Ui, cx: &mut UiContext<'_>, command: Command) -> bool {
    let button = ui.button(command.info().name).on_hover_text(command.info().about);
    request_on_click(cx, &button, Action::Command(command));
    button.clicked()
}

fn step(ui: &mut Ui, mut is_done: bool, text: &str) {
    ui.scope(|ui| {
        // Open steps are not faded, although the user cannot tick them.
        if !is_done {
            ui.visuals_mut().disabled_alpha = 1.0;
        }
        ui.add_enabled(false, egui::Checkbox::new(&mut is_done, RichText::new(text)));
    });
}
