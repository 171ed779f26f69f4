//! The window that finds puzzles in the game on the board: it judges the current position, or
//! searches the game for positions with one clearly best move.

use egui::{Context, Image, ProgressBar, RichText, ScrollArea, TextureHandle, Ui, vec2};
use table::{Revision, Seat, Snapshot};
use workshop::puzzle::{PuzzleCandidate, Solution};

use super::place;
use crate::actions::{Action, PuzzleAction};
use crate::jobs::{FindPuzzlesJob, FoundPuzzle, JobHandle, RecordedGame, SolveJob};
use crate::notifications::Tone;
use crate::panels::widgets::action_button;
use crate::panels::{last_laid_before, lead_text, move_text};
use crate::png_texture::png_texture;
use crate::shown_error::ShownError;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The largest size of a puzzle's picture, in points.
const PICTURE_SIZE: f32 = 110.0;

/// The window and the puzzles found.
#[derive(Default)]
pub struct PuzzlesWindow {
    /// The verdict on a position, or the pending request for the verdict. The revision is the
    /// revision of the session at this position.
    here: Option<(Revision, PositionVerdict)>,
    game: Option<GameSearch>,
}

/// The values of the moves at a position, from which the window judges whether it is a puzzle.
enum PositionVerdict {
    Asked(JobHandle<(), Solution>),
    Known(Result<Solution, ShownError>),
}

/// A search for puzzles in a whole game, and the puzzles found.
struct GameSearch {
    /// The record that was searched.
    record: String,
    search: JobHandle<u8, Vec<FoundPuzzle>>,
    percent: u8,
    found: Option<Result<Vec<ShownPuzzle>, ShownError>>,
}

/// A puzzle with the picture of its board.
struct ShownPuzzle {
    puzzle: PuzzleCandidate,
    picture: Option<TextureHandle>,
}

fn whole_record(session: &Snapshot) -> String {
    session.record_text_until(session.setup(), session.steps().len())
}

impl PuzzlesWindow {
    /// Returns the number of puzzles found; `None` until the search through the game has ended.
    pub fn n_found(&self) -> Option<usize> {
        self.game.as_ref()?.found.as_ref()?.as_ref().ok().map(Vec::len)
    }

    /// Starts a search for puzzles in the game on the board.
    pub fn start_search(&mut self, ctx: &Context, session: &Snapshot, palette: Option<String>) {
        let game = RecordedGame::until(session, session.steps().len());
        let record = game.record.clone();
        let search = JobHandle::start(ctx, FindPuzzlesJob { game, palette });
        self.game = Some(GameSearch { record, search, percent: 0, found: None });
    }

    /// Starts to judge whether the current position is a puzzle.
    fn judge_position(&mut self, ctx: &Context, session: &Snapshot) {
        let job = SolveJob { game: RecordedGame::of(session), given: None };
        self.here = Some((session.revision(), PositionVerdict::Asked(JobHandle::start(ctx, job))));
    }

    fn poll(&mut self, ctx: &Context) {
        if let Some((_, here)) = &mut self.here
            && let PositionVerdict::Asked(search) = here
            && let Some(found) = search.poll(drop)
        {
            *here = PositionVerdict::Known(found);
        }
        if let Some(game) = self.game.as_mut().filter(|game| game.found.is_none())
            && let Some(found) = game.search.poll(|percent| game.percent = percent)
        {
            let shown = |FoundPuzzle { puzzle, png }| {
                let picture = png_texture(ctx, &format!("puzzle {}", puzzle.at), &png);
                ShownPuzzle { puzzle, picture }
            };
            game.found = Some(found.map(|found| found.into_iter().map(shown).collect()));
        }
    }

    /// Draws the window if it is open. Otherwise, stops the searches.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.puzzles {
            self.here.take_if(|(_, here)| matches!(here, PositionVerdict::Asked(_)));
            self.game.take_if(|game| game.found.is_none());
            return;
        }
        self.poll(ctx);
        let mut is_open = true;
        place::centred(ctx, "Puzzles", [520.0, 460.0]).open(&mut is_open).show(ctx, |ui| {
            ui.label("A puzzle is a position with one clearly best move: a place and a piece.");
            ui.weak("Bots try each move in thirty simulated games.");
            ui.separator();
            self.position_verdict(ui, cx);
            ui.separator();
            self.game_puzzles(ui, cx);
        });
        cx.view_state.windows.puzzles &= is_open;
    }

    /// Draws the verdict on the current position, or the button that requests it.
    fn position_verdict(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        ui.strong("Position on the board");
        let session = cx.session;
        match &self.here {
            Some((revision, PositionVerdict::Asked(..))) if *revision == session.revision() => {
                ui.horizontal(|ui| {
                    ui.spinner();
                    ui.label("Trying each move…");
                });
            }
            Some((revision, PositionVerdict::Known(found))) if *revision == session.revision() => match found {
                Err(why) => drop(ui.label(format!("Not a puzzle: {why}."))),
                Ok(solution) if solution.is_puzzle() => {
                    let seat = Seat(solution.seat);
                    let margin = solution.margin();
                    let name = session.view().name(seat);
                    ui.label(format!("A puzzle: {name}'s best move is {margin:.1} points better than the next."));
                    if let Some(best) = solution.best() {
                        ui.horizontal(|ui| copy_button(ui, cx, session.position_index(), solution));
                        ui.collapsing("The solution", |ui| {
                            let last = last_laid_before(session, session.position_index());
                            ui.label(format!("{}: {}", move_text(cx.session.view(), best, last), lead_text(best)))
                        });
                    }
                }
                Ok(solution) => drop(ui.label(not_a_puzzle(solution.margin()))),
            },
            _ => {
                if ui.button("Make a puzzle").clicked() {
                    self.judge_position(ui.ctx(), session);
                }
            }
        }
    }

    /// Draws the puzzles found in the whole game, or the button that starts the search.
    fn game_puzzles(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        ui.strong("Whole game");
        let is_of_this = self.game.as_ref().is_some_and(|game| game.record == whole_record(cx.session));
        let mut looks = false;
        match self.game.as_ref().filter(|_| is_of_this) {
            None => looks = ui.button("Find puzzles").clicked(),
            Some(GameSearch { found: None, percent, .. }) => {
                ui.add(ProgressBar::new(f32::from(*percent) / 100.0).show_percentage());
            }
            Some(GameSearch { found: Some(Err(why)), .. }) => {
                ui.colored_label(tone_colour(ui, Tone::Bad), why.to_string());
            }
            Some(GameSearch { found: Some(Ok(found)), .. }) if found.is_empty() => {
                ui.label("No puzzles: no position has one clearly best move.");
            }
            Some(GameSearch { found: Some(Ok(found)), .. }) => {
                ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    for ShownPuzzle { puzzle, picture } in found {
                        // Skips secret decisions, because they cannot be puzzles.
                        if !cx.session.steps().get(puzzle.at).is_some_and(|step| step.is_secret) {
                            row(ui, cx, puzzle, picture.as_ref());
                        }
                    }
                });
            }
        }
        if looks {
            self.start_search(ui.ctx(), cx.session, cx.settings.palette.clone());
        }
    }
}

fn row(ui: &mut Ui, cx: &mut UiContext<'_>, puzzle: &PuzzleCandidate, texture: Option<&TextureHandle>) {
    let name = cx.session.view().name(Seat(puzzle.solution.seat)).to_owned();
    ui.horizontal(|ui| {
        if let Some(texture) = texture {
            let alt = format!("The board in turn {}", puzzle.turn);
            ui.add(Image::new(texture).max_size(vec2(PICTURE_SIZE, PICTURE_SIZE)).alt_text(alt));
        }
        ui.vertical(|ui| {
            ui.label(RichText::new(format!("Turn {}, {name}", puzzle.turn)).strong());
            ui.label(format!("Best move: {:.1} points ahead of the next best", puzzle.solution.margin()));
            ui.horizontal_wrapped(|ui| {
                copy_button(ui, cx, puzzle.at, &puzzle.solution);
                action_button(ui, cx, "Show", "Shows this position on the board.", Action::GoTo(puzzle.at));
            });
        });
    });
    ui.separator();
}

fn copy_button(ui: &mut Ui, cx: &mut UiContext<'_>, at: usize, solution: &Solution) {
    let about = "Copy a link with the game up to here, the mods it needs, and the solution.";
    let Some(best) = solution.best() else { return };
    let copy = PuzzleAction::Copy(at, Seat(solution.seat), best.answers.clone());
    action_button(ui, cx, "Copy puzzle link", about, Action::Puzzle(copy));
}

/// Returns why a position is not a puzzle if the best move is `margin` points better than the next.
fn not_a_puzzle(margin: f64) -> String {
    if margin < 0.05 {
        return "Not a puzzle: another move is as good.".to_owned();
    }
    format!("Not a puzzle: the next best move is only {margin:.1} points behind.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_margin_is_shown_as_zero_points() {
        assert_eq!(not_a_puzzle(0.04), "Not a puzzle: another move is as good.");
        assert_eq!(not_a_puzzle(0.3), "Not a puzzle: the next best move is only 0.3 points behind.");
    }
}
