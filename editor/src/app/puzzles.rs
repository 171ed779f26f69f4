//! Puzzles: opening a puzzle, judging the user's move in it, and copying a position of the game as
//! the link of a puzzle.

use std::path::Path;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use egui::Context;
use platform::task;
use table::{Actor, AwaitedActor, STACK_BYTES, Seat, Session, Snapshot, StopFlag};
use workshop::link::{Link, MAX_CHARS_TO_COPY, RECORD_FILE};
use workshop::puzzle::{JudgedMove, Solution, setup_for};

use super::App;
use crate::actions::PuzzleAction;
use crate::games::Games;
use crate::layout::Pane;
use crate::notifications::Tone;
use crate::remote::{self, mods_of};
use crate::shown_error::ShownError;

/// The puzzle that was opened last, and its stage.
pub struct Puzzle {
    /// The number of the session in which the puzzle is played.
    session: u64,
    /// The number of answers before the position of the puzzle.
    at: usize,
    /// The player who has to find the best move.
    pub seat: Seat,
    /// The answers, in order, of the move that the author of the puzzle considers best.
    claimed: Vec<String>,
    /// Warnings for the user: the user's mods differ from the mods of the puzzle's author, or the
    /// author's move is not clearly the best with the user's mods.
    pub warnings: Vec<String>,
    /// The values of the moves, or the reason why they cannot be computed; `None` while they are
    /// unknown.
    solution: Option<Result<Solution, ShownError>>,
    /// The user's answers, in order; `None` until the user's move is complete.
    given: Option<Vec<String>>,
    /// True if the user has asked for the best move.
    is_shown: bool,
    solving: Option<SolutionSearch>,
}

/// A search for the solution in progress.
struct SolutionSearch {
    found: Receiver<Result<Option<Solution>, ShownError>>,
    stop: StopFlag,
}

impl Drop for SolutionSearch {
    fn drop(&mut self) {
        self.stop.request();
    }
}

/// The stage of a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub enum PuzzleStage {
    /// The user's move is not complete yet.
    Open,
    /// The user's move is being judged.
    Judging,
    /// The user's move is judged. The first move is the user's, the second the best; each has its
    /// value.
    Judged(JudgedMove, JudgedMove),
    /// The user has asked for the best move, which is given with its value.
    Shown(JudgedMove),
    /// The puzzle cannot be judged, for this reason.
    Failed(String),
}

impl Puzzle {
    fn new(session: &Session, claimed: Vec<String>, warnings: Vec<String>) -> Result<Puzzle, ShownError> {
        let AwaitedActor::Person(seat) = session.awaited_actor() else {
            return Err(ShownError::new("this puzzle cannot be opened: no player is to move at its end"));
        };
        let (solution, given, solving) = (None, None, None);
        Ok(Puzzle {
            session: session.id(),
            at: session.position_index(),
            seat,
            claimed,
            warnings,
            solution,
            given,
            is_shown: false,
            solving,
        })
    }

    /// Returns whether this puzzle is on the board.
    pub(super) fn is_on_board(&self, seen: &Snapshot) -> bool {
        self.session == seen.id()
    }

    /// Returns whether the user's move is complete. Decisions after this move do not belong to the
    /// puzzle.
    pub(super) fn is_answered(&self, seen: &Snapshot) -> bool {
        seen.is_live() && seen.position_index() > self.at && seen.awaited_actor() != AwaitedActor::Person(self.seat)
    }

    /// Returns the stage of the puzzle.
    pub fn stage(&self) -> PuzzleStage {
        let solution = match &self.solution {
            Some(Err(why)) => return PuzzleStage::Failed(format!("the solution cannot be computed: {why}")),
            Some(Ok(solution)) => Some(solution),
            None => None,
        };
        let best = solution.and_then(Solution::best);
        match (&self.given, solution.zip(best)) {
            (None, _) => PuzzleStage::Open,
            (Some(_), None) => PuzzleStage::Judging,
            (Some(_), Some((_, best))) if self.is_shown => PuzzleStage::Shown(best.clone()),
            (Some(given), Some((solution, best))) => match solution.find_move(given) {
                Some(judged) => PuzzleStage::Judged(judged.clone(), best.clone()),
                None => PuzzleStage::Judging,
            },
        }
    }

    /// Returns whether the best move is known.
    pub fn is_solved(&self) -> bool {
        matches!(self.solution, Some(Ok(_)))
    }

    fn solve(&mut self, ctx: &Context, seen: &Snapshot) {
        let (say, found) = channel();
        let (mods, record, given) = (mods_of(seen), seen.record_text_until(seen.setup(), self.at), self.given.clone());
        let (stop, ctx) = (StopFlag::default(), ctx.clone());
        let stopped = stop.clone();
        let work = move || async move {
            let solution = remote::solve_position(&mods, record, given, || !stopped.is_requested()).await;
            // Sending fails if the user has left the puzzle.
            let _ = say.send(solution);
            ctx.request_repaint();
        };
        match task::spawn("puzzle", STACK_BYTES, work) {
            Ok(_) => self.solving = Some(SolutionSearch { found, stop }),
            Err(error) => self.solution = Some(Err(error.into())),
        }
    }

    /// Polls the search for the solution.
    fn poll(&mut self) {
        let Some(solving) = &self.solving else { return };
        let found = match solving.found.try_recv() {
            Ok(Ok(Some(solution))) => Ok(solution),
            Ok(Err(why)) => Err(why),
            Ok(Ok(None)) | Err(TryRecvError::Disconnected) => Err(ShownError::new("the search was stopped")),
            Err(TryRecvError::Empty) => return,
        };
        self.solving = None;
        if let (Ok(solution), None) = (&found, &self.solution) {
            let agrees = solution.find_move(&self.claimed).is_some_and(|claimed| claimed.behind <= 0.0);
            if !agrees || !solution.is_puzzle() {
                let text = "with your mods, the move of the puzzle's author is not clearly the best";
                self.warnings.push(text.to_owned());
            }
        }
        self.solution = Some(found);
    }
}

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
                let best =
                    self.puzzle().and_then(|puzzle| Some(puzzle.solution.as_ref()?.as_ref().ok()?.best()?.clone()));
                if let Some(best) = best {
                    self.begin_puzzle_again(best.answers);
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
        match link {
            Ok(text) if text.len() > MAX_CHARS_TO_COPY => {
                self.notify(
                    Tone::Bad,
                    format!(
                        "the link would have {} characters, too long for many programs: the mods are too large",
                        text.len()
                    ),
                );
            }
            Ok(text) => {
                let n_letters = text.len();
                ctx.copy_text(format!("{}#{text}", self.settings.address_of_links()));
                let way = self.opening_hint();
                self.notify(Tone::Good, format!("copied a puzzle link, {n_letters} characters. {way}"));
            }
            Err(refused) => self.notify_refused(&refused),
        }
    }

    /// Puts the puzzle of a link on the board. The user's moves in the puzzle are not stored. When
    /// the user leaves the puzzle, the window returns to the game of
    /// [`game_before_exercise`](App::game_before_exercise).
    pub(super) fn open_puzzle(&mut self, link: Link) {
        let Some(data) = self.store.data.clone() else {
            self.notify(Tone::Bad, "this link cannot be opened: there is no folder for games and settings");
            return;
        };
        let games = Games::new(&data);
        let folder = games.folder_of_link(&link.text());
        let (file, home) = (folder.join(RECORD_FILE), self.mods.home.clone());
        let left = self.game_before_exercise();
        let work = move |session: &mut Session| {
            let (opened, puzzle) =
                open_puzzle_session(session, link, &folder, &file, |file| games.library_for(file, &home))?;
            *session = opened;
            Ok::<_, ShownError>(puzzle)
        };
        self.replace_game("opening a puzzle", work, move |app, opened| match opened {
            Ok(puzzle) => {
                app.notifications.dismiss_all();
                app.reset_view();
                app.play.is_playing = false;
                app.play.left_game = left;
                puzzle.warnings.iter().for_each(|warning| app.notify(Tone::Changed, warning.clone()));
                app.play.puzzle = Some(puzzle);
                app.show_pane(Pane::Board);
                app.rewatch_mods();
            }
            Err(error) => {
                app.play.left_game = left;
                app.notify(Tone::Bad, error);
            }
        });
    }

    /// Goes back to the position of the puzzle, then plays `answers`.
    fn begin_puzzle_again(&mut self, answers: Vec<String>) {
        let Some(puzzle) = self.play.puzzle.as_mut() else { return };
        (puzzle.given, puzzle.is_shown) = (None, !answers.is_empty());
        let at = puzzle.at;
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

    /// Starts or polls the search for the solution. When the user's move is complete, stores its
    /// answers.
    pub(super) fn poll_puzzle(&mut self, ctx: &Context) {
        let seen = self.snapshot.clone();
        let Some(puzzle) = self.play.puzzle.as_mut().filter(|puzzle| puzzle.is_on_board(&seen)) else { return };
        puzzle.poll();
        if puzzle.solving.is_none() && puzzle.solution.is_none() {
            puzzle.solve(ctx, &seen);
        }
        let by_seat = |step: &&std::sync::Arc<table::Step>| step.who == Actor::Player(puzzle.seat);
        let answers: Vec<String> =
            seen.steps().iter().skip(puzzle.at).take_while(by_seat).map(|step| step.text.clone()).collect();
        let is_asked = matches!(seen.awaited_actor(), AwaitedActor::Person(seat) if seat == puzzle.seat);
        let is_settled = seen.is_live() && !answers.is_empty() && !is_asked;
        if seen.position_index() <= puzzle.at {
            puzzle.given = None;
        } else if is_settled && puzzle.given.is_none() {
            puzzle.given = Some(answers.into_iter().filter(|text| !text.starts_with("marker ")).collect());
        }
        // The search skips moves that look bad. If the user makes a skipped move, a second search
        // judges it.
        let is_unjudged = |puzzle: &Puzzle| match (&puzzle.solution, &puzzle.given) {
            (Some(Ok(solution)), Some(given)) => solution.find_move(given).is_none(),
            _ => false,
        };
        if is_unjudged(puzzle) && puzzle.solving.is_none() {
            puzzle.solve(ctx, &seen);
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
