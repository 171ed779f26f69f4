//! Puzzles: opening and repeating a puzzle, and copying a position of the game as the link of one.

use std::path::Path;

use egui::Context;
use table::{Seat, Session};
use workshop::link::{Link, MAX_CHARS_TO_COPY, RECORD_FILE};
use workshop::puzzle::setup_for;

use super::App;
use crate::actions::PuzzleAction;
use crate::games::Games;
use crate::notifications::Tone;
use crate::panels::Pane;
use crate::puzzle::Puzzle;
use crate::shown_error::ShownError;

impl App {
    /// Returns the folders in which this game may be stored. If the game has no record yet, its
    /// next answer creates a record there. Returns `None` for a puzzle or a lesson, which are not
    /// stored, or if there is no data folder.
    pub(super) fn games_to_store_in(&self) -> Option<Games> {
        if self.is_exercise() { None } else { self.games() }
    }

    /// Returns the number of puzzles found in the game; `None` before a search has succeeded.
    pub fn n_puzzles(&self) -> Option<usize> {
        self.dialogs.puzzles.n_found()
    }

    /// Returns the puzzle on the board, if there is one.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        self.play.puzzle.as_ref().filter(|puzzle| puzzle.is_on_board(&self.snapshot))
    }

    /// Performs an action on puzzles.
    pub(super) fn act_on_puzzles(&mut self, ctx: &Context, action: PuzzleAction) {
        match action {
            PuzzleAction::Copy(at, seat, solution) => self.copy_puzzle(ctx, at, seat, solution),
            PuzzleAction::Again => self.begin_puzzle_again(Vec::new()),
            PuzzleAction::PlayBestMove => {
                if let Some(best) = self.puzzle().and_then(Puzzle::best_move) {
                    self.begin_puzzle_again(best.answers.clone());
                }
            }
            PuzzleAction::Leave => {
                self.play.puzzle = None;
                self.leave_exercise();
            }
        }
    }

    fn copy_puzzle(&mut self, ctx: &Context, at: usize, seat: Seat, solution: Vec<String>) {
        let seen = &self.snapshot;
        let record = seen.record_text_until(&setup_for(seen.loaded().catalogue(), seen.setup(), seat), at);
        let link = Link::of_game(seen.loaded(), record).map(|link| link.with_solution(solution).text());
        let Some(text) = self.ok_or_notify_refused(link) else { return };
        let n_letters = text.len();
        if n_letters > MAX_CHARS_TO_COPY {
            let problem = "too long for many programs: the mods are too large";
            return self.notify(Tone::Bad, format!("the link would have {n_letters} characters, {problem}"));
        }
        ctx.copy_text(format!("{}#{text}", self.settings.address_of_links()));
        let way = self.opening_hint();
        self.notify(Tone::Good, format!("copied a puzzle link, {n_letters} characters. {way}"));
    }

    /// Puts the puzzle of a link on the board. The user's moves in the puzzle are not stored. When
    /// the user leaves the puzzle, the window returns to the game of
    /// [`game_to_return_to`](App::game_to_return_to).
    pub(super) fn open_puzzle(&mut self, link: Link) {
        let Some(data) = self.store.data.clone() else {
            self.notify(Tone::Bad, "this link cannot be opened: there is no folder for games and settings");
            return;
        };
        let games = Games::new(&data);
        let folder = games.folder_of_link(&link.text());
        let (file, home) = (folder.join(RECORD_FILE), self.mods.home.clone());
        let left = self.game_to_return_to();
        let work = move |session: &mut Session| {
            let (opened, puzzle) =
                open_puzzle_session(session, link, &folder, &file, |file| games.library_for(file, &home))?;
            *session = opened;
            Ok::<_, ShownError>(puzzle)
        };
        self.replace_game("opening a puzzle", work, move |app, opened| {
            app.play.left_game = left;
            let Some(puzzle) = app.ok_or_notify(opened) else { return };
            app.show_other_game();
            puzzle.warnings.iter().for_each(|warning| app.notify(Tone::Changed, warning));
            app.play.puzzle = Some(puzzle);
            app.show_pane(Pane::Board);
            app.rewatch_mods();
        });
    }

    /// Goes back to the position of the puzzle, then plays `answers`.
    fn begin_puzzle_again(&mut self, answers: Vec<String>) {
        let Some(puzzle) = self.play.puzzle.as_mut() else { return };
        let at = puzzle.begin_again(!answers.is_empty());
        self.rewind_to(at, answers);
    }

    /// Goes back to the position after `at` answers, deletes the later answers, then plays
    /// `answers`.
    pub(super) fn rewind_to(&mut self, at: usize, answers: Vec<String>) {
        let work = move |session: &mut Session| {
            session.go_to(at);
            session.delete_later_answers();
            for answer in &answers {
                // The game asks a player with two score markers which marker to move. This choice
                // is not part of a puzzle, so the first marker moves.
                while session.answer_text(answer).is_err() && session.answer_text("marker 1").is_ok() {}
            }
        };
        self.run_on_game_thread("rewinding", work, |app, ()| app.play.last_move = app.frames.started.elapsed());
        self.view_state.chosen = None;
        self.view_state.preview = None;
    }

    /// Updates the puzzle on the board, if there is one.
    pub(super) fn poll_puzzle(&mut self, ctx: &Context) {
        let seen = self.snapshot.clone();
        if let Some(puzzle) = self.play.puzzle.as_mut().filter(|puzzle| puzzle.is_on_board(&seen)) {
            puzzle.update(ctx, &seen);
        }
    }
}

/// Opens a puzzle at its position. The returned session does not deal chance automatically, so that
/// the puzzle does not reveal the next draw.
fn open_puzzle_session(
    session: &Session,
    link: Link,
    folder: &Path,
    file: &Path,
    library: impl FnOnce(&Path) -> table::Library,
) -> Result<(Session, Puzzle), ShownError> {
    link.write_into(folder).map_err(|refused| ShownError::new(refused.message))?;
    let claimed = link.solution.unwrap_or_default();
    let opened = session.open_other_record(&library(file), file)?;
    if !opened.is_whole {
        let why = opened.warnings.join("; ");
        return Err(ShownError::new(format!("this puzzle cannot be opened: it does not fit your mods: {why}")));
    }
    let mut session = opened.session;
    session.pause_chance();
    let warnings = if opened.warnings.is_empty() {
        Vec::new()
    } else {
        vec![format!("this puzzle was made with other mods: {}", opened.warnings.join("; "))]
    };
    let puzzle = Puzzle::new(&session, claimed, warnings)?;
    Ok((session, puzzle))
}
