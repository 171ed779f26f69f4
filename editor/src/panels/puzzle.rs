//! The bar below the board that shows a puzzle: the task, and the value of the user's move.

use egui::{Panel, RichText, Ui};
use table::{GameView, Seat, Spot};
use workshop::puzzle::JudgedMove;

use super::log::last_laid_before;
use super::log_rows::{RowSubject, answer_label, subject_of};
use super::widgets::{action_button, seat_mark_ui};
use crate::actions::{Action, PuzzleAction};
use crate::notifications::Tone;
use crate::puzzle::{Puzzle, PuzzleStage};
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// Draws the bar at the bottom, above the time bar.
pub fn puzzle(ui: &mut Ui, cx: &mut UiContext<'_>, puzzle: &Puzzle) {
    Panel::bottom("puzzle").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            seat_mark_ui(ui, cx, puzzle.seat, 18.0);
            let stage = puzzle.stage();
            show_stage(ui, cx, puzzle.seat, &stage);
            for warning in &puzzle.warnings {
                ui.colored_label(tone_colour(ui, Tone::Changed), warning);
            }
            if !matches!(stage, PuzzleStage::Open) {
                let about = "Undo your move so that you can try another one.";
                action_button(ui, cx, "Try again", about, Action::Puzzle(PuzzleAction::Again));
            }
            if !matches!(stage, PuzzleStage::Shown(_)) && puzzle.is_solved() {
                let about = "Show the best move on the board, and its value.";
                action_button(ui, cx, "Show the solution", about, Action::Puzzle(PuzzleAction::PlayBestMove));
            }
            let (leave, about) = if cx.has_left_game {
                ("Return to my game", "Continues the game you left for this puzzle.")
            } else {
                ("Leave the puzzle", "Starts a new game.")
            };
            action_button(ui, cx, leave, about, Action::Puzzle(PuzzleAction::Leave));
        });
    });
}

fn show_stage(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, stage: &PuzzleStage) {
    let name = cx.session.view().name(seat);
    let how = "Expected lead after two more rounds: the mean of thirty games between greedy bots.";
    match stage {
        PuzzleStage::Open => {
            let text = format!("Puzzle: {name} to move. Find the one best move: a place and a piece.");
            ui.label(RichText::new(text).strong()).on_hover_text(how);
        }
        PuzzleStage::Judging => {
            ui.spinner();
            ui.label("Checking your move…");
        }
        PuzzleStage::Judged(given, _) if given.behind <= 0.0 => {
            let text = format!("Solved: no move is better. Expected lead: {}.", lead_text(given));
            ui.colored_label(tone_colour(ui, Tone::Good), RichText::new(text).strong()).on_hover_text(how);
        }
        PuzzleStage::Judged(given, best) => {
            let (yours, best) = (lead_text(given), lead_text(best));
            let text = format!("Not the best move. Expected lead: {yours} after yours, {best} after the best.");
            ui.colored_label(tone_colour(ui, Tone::Changed), RichText::new(text).strong()).on_hover_text(how);
        }
        PuzzleStage::Shown(best) => {
            let at = cx.session.position_index().saturating_sub(best.answers.len());
            let best_move = move_text(cx.session.view(), best, last_laid_before(cx.session, at));
            let text = format!("The solution: {name} {best_move}. Expected lead: {}.", lead_text(best));
            ui.label(RichText::new(text).strong()).on_hover_text(how);
        }
        PuzzleStage::Failed(why) => drop(ui.colored_label(tone_colour(ui, Tone::Bad), why)),
    }
}

/// Returns the expected lead after a move as text, such as `+2.5 points`.
pub fn lead_text(judged: &JudgedMove) -> String {
    format!("{:+.1} points", judged.points)
}

/// Returns a move as words for players. `last` is the spot of the tile that was placed before the
/// move.
pub fn move_text(view: GameView<'_>, judged: &JudgedMove, mut last: Spot) -> String {
    let mut told = Vec::new();
    for text in &judged.answers {
        told.push(answer_label(Some(view), text, None, last));
        if let (true, RowSubject::Spot(spot)) = (text.starts_with("place "), subject_of(text)) {
            last = spot;
        }
    }
    told.join(", ")
}
