//! Cards shown above or in place of the decision: a failed mod, new rules that do not fit the game,
//! the end of the game.

use std::path::PathBuf;

use egui::{Button, Color32, Frame, Margin, RichText, Stroke, Ui, vec2};
use table::{Fault, Seat, Snapshot};

use super::podium::result_text;
use super::widgets::{open_on_click, request_on_click, seat_mark_ui};
use crate::actions::Action;
use crate::command::Command;
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

fn card(ui: &mut Ui, colour: Color32, add: impl FnOnce(&mut Ui)) {
    let fill = colour.gamma_multiply(if ui.visuals().dark_mode { 0.16 } else { 0.10 });
    let frame = Frame::new().fill(fill).stroke(Stroke::new(1.0, colour)).corner_radius(5.0);
    frame.inner_margin(Margin::same(7)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

fn wide_button(ui: &mut Ui, cx: &mut UiContext<'_>, command: Command, about: &str) {
    let info = command.info();
    let button = Button::new(info.name).min_size(vec2(ui.available_width(), 26.0)).wrap();
    let about = if about.is_empty() { info.about } else { about };
    request_on_click(cx, &ui.add(button).on_hover_text(about), Action::Command(command));
}

/// Returns the path of the file of a mod that has the name `name` in messages. Returns `name`
/// itself if there is no such file.
pub fn path_of(session: &Snapshot, name: &str) -> PathBuf {
    let read = session.sources().iter().chain(session.problems().sources());
    read.into_iter().find(|s| s.name == name).map_or_else(|| PathBuf::from(name), |s| s.path.clone())
}

/// Draws the failure of a mod: the message, the place in the mod's file, and the ways to continue.
pub fn fault(ui: &mut Ui, cx: &mut UiContext<'_>, fault: &Fault) {
    let red = tone_colour(ui, Tone::Bad);
    // A failure without mods is a bug of the program.
    let who = if fault.mods.is_empty() { "The game".to_owned() } else { fault.mods.join(" and ") };
    card(ui, red, |ui| {
        ui.label(RichText::new(format!("{who} failed")).strong().color(red));
        let failure = &fault.failure;
        ui.label(&failure.message);
        let place = format!("{}:{}:{}", failure.file, failure.line, failure.column);
        if failure.file.is_empty() {
            ui.weak(format!("in {}", fault.function));
        } else {
            ui.weak(format!("{place}, in {}", fault.function));
        }
        ui.label("Correct the file and save it to play on.");
        ui.horizontal_wrapped(|ui| {
            if !failure.file.is_empty() {
                let path = path_of(cx.session, &failure.file);
                open_on_click(&ui.button("Open file"), cx, &path, failure.line.max(1));
            }
            let undo = ui.add_enabled(cx.session.undo_target().is_some(), Button::new("Undo"));
            let undo = undo.on_hover_text(Command::Undo.info().about);
            request_on_click(cx, &undo, Action::Command(Command::Undo));
        });
    });
}

/// Draws the three ways to continue after a rule change that does not fit the game.
pub fn diverged(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(diverged) = cx.session.divergence() else { return };
    let amber = tone_colour(ui, Tone::Changed);
    let turn = diverged.turn;
    card(ui, amber, |ui| {
        ui.label(RichText::new(format!("The new rules do not fit turn {turn}")).strong().color(amber));
        // After the first sentence, the reason may list the offered options. The list is long, so
        // only the tooltip shows it.
        let reason = diverged.reason.split(". ").next().unwrap_or_default();
        ui.label(reason).on_hover_text(&diverged.reason);
        ui.weak("The old rules apply until you choose.");
        for (command, about) in [
            (Command::KeepOldRules, "Keeps the old rules until a file changes again.".to_owned()),
            (Command::StopThere, format!("Goes back to turn {turn}. This branch stays.")),
            (Command::FromHere, "Starts a new record from this board.".to_owned()),
        ] {
            wide_button(ui, cx, command, &about);
            ui.small(about);
        }
    });
}

/// Draws the end of the game: the winners, and the next steps.
pub fn game_over(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let view = cx.session.view();
    let scores = view.scores();
    let winners: Vec<Seat> = view.winners().seats().collect();
    ui.horizontal_wrapped(|ui| {
        winners.iter().for_each(|seat| {
            seat_mark_ui(ui, cx, *seat, 22.0);
        });
        ui.label(RichText::new("The game is over").size(16.0).strong());
    });
    ui.label(result_text(&scores, &winners, |seat| view.name(seat).to_owned()));
    ui.add_space(4.0);
    if !cx.is_guest {
        wide_button(ui, cx, Command::PlayAgain, "");
        wide_button(ui, cx, Command::NewGame, "");
    }
    let how = Button::new("Score sheet").min_size(vec2(ui.available_width(), 26.0));
    if ui.add(how).on_hover_text("Show every score, with its mod and rule.").clicked() {
        cx.view_state.windows.breakdown = winners.first().copied().or(Some(Seat(0)));
    }
}
