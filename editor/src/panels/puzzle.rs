//! The bar of a puzzle on the board: what is to be found, and how good what was answered is.

use egui::{Panel, RichText, Ui};
use table::Seat;
use workshop::puzzle::Judged;

use super::log_rows::told;
use super::widgets::seat_mark_ui;
use crate::app::{Puzzle, PuzzleAction, Stage};
use crate::notifications::Tone;
use crate::style::tone_colour;
use crate::ui_context::{Action, UiContext};

/// Draws the bar, above the time bar.
pub fn puzzle(ui: &mut Ui, cx: &mut UiContext<'_>, puzzle: &Puzzle) {
    Panel::bottom("puzzle").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            seat_mark_ui(ui, cx, puzzle.seat, 18.0);
            let stage = puzzle.stage();
            told_stage(ui, cx, puzzle.seat, &stage);
            for warning in &puzzle.warnings {
                ui.colored_label(tone_colour(ui, Tone::Changed), warning);
            }
            if !matches!(stage, Stage::Open)
                && ui.button("Try again").on_hover_text("Takes the answer back: find a better one.").clicked()
            {
                cx.act(Action::Puzzle(PuzzleAction::Again));
            }
            if !matches!(stage, Stage::Shown(_)) && puzzle.is_solved() {
                let about = "Shows the best answer on the board, and what it is worth.";
                if ui.button("Show the solution").on_hover_text(about).clicked() {
                    cx.act(Action::Puzzle(PuzzleAction::Show));
                }
            }
            let (leave, about) = if cx.has_left_game {
                ("Back to my game", "Goes on with the game that was left for this puzzle; it is kept.")
            } else {
                ("Leave the puzzle", "Begins a game.")
            };
            if ui.button(leave).on_hover_text(about).clicked() {
                cx.act(Action::Puzzle(PuzzleAction::Leave));
            }
        });
    });
}

fn told_stage(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, stage: &Stage) {
    let name = cx.session.view().name(seat);
    let how = "Points are those ahead of the others, expected after two more rounds: an average of thirty lines of play by greedy players.";
    match stage {
        Stage::Open => {
            let text =
                format!("Puzzle: {name} to play. One answer is best by far, a place and what is put there. Find it.");
            ui.label(RichText::new(text).strong()).on_hover_text(how);
        }
        Stage::Judging => {
            ui.spinner();
            ui.label("How good is that? Some lines of play are tried.");
        }
        Stage::Judged(given, _) if given.behind <= 0.0 => {
            let text = format!("Found: nothing is better. {} expected.", points(given));
            ui.colored_label(tone_colour(ui, Tone::Good), RichText::new(text).strong()).on_hover_text(how);
        }
        Stage::Judged(given, best) => {
            let text = format!(
                "There is something better: {} expected of yours, {} of the best answer.",
                points(given),
                points(best)
            );
            ui.colored_label(tone_colour(ui, Tone::Changed), RichText::new(text).strong()).on_hover_text(how);
        }
        Stage::Shown(best) => {
            let text = format!("The solution: {name} {}. {} expected.", words(best), points(best));
            ui.label(RichText::new(text).strong()).on_hover_text(how);
        }
        Stage::Failed(why) => drop(ui.colored_label(tone_colour(ui, Tone::Bad), why)),
    }
}

/// Says how many points are expected of an answer.
pub fn points(judged: &Judged) -> String {
    format!("{:+.1} points", judged.points)
}

/// Says an answer in words.
pub fn words(judged: &Judged) -> String {
    judged.answers.iter().map(|text| told(text, None)).collect::<Vec<_>>().join(", ")
}
