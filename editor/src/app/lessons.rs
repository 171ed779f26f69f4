//! The guided first game: opens its lessons, and checks their goals.

use std::path::PathBuf;

use table::{Library, Session};

use super::App;
use crate::actions::LessonAction;
use crate::lessons::{Lesson, LessonStage, OpenLesson, lessons};
use crate::notifications::Tone;
use crate::panels::Pane;
use crate::settings::{Workspace, first_setup};

impl App {
    /// Returns the lesson on the board, if there is one.
    pub fn lesson(&self) -> Option<&OpenLesson> {
        self.play.lesson.as_ref().filter(|lesson| lesson.is_on_board(&self.snapshot))
    }

    /// Returns whether a puzzle or a lesson is on the board. In this case, moves are not stored,
    /// and neither bots nor chance move.
    pub(super) fn is_exercise(&self) -> bool {
        self.puzzle().is_some() || self.lesson().is_some()
    }

    /// Returns whether a puzzle or a lesson is on the board and the user's moves in it are over.
    pub(super) fn is_exercise_answered(&self) -> bool {
        self.puzzle().is_some_and(|puzzle| puzzle.is_answered(&self.snapshot))
            || self.lesson().is_some_and(|lesson| lesson.is_answered(&self.snapshot))
    }

    /// Returns the record to which the user can return after an exercise (a puzzle or a lesson) or
    /// after they have inspected a game. This is the game that the user has already left, or else
    /// the current game. Returns `None` if the current game has no record or is not worth saving.
    pub(super) fn game_to_return_to(&self) -> Option<PathBuf> {
        let current =
            self.snapshot.save_location().filter(|_| self.snapshot.is_worth_saving()).map(|kept| kept.path.clone());
        self.play.left_game.clone().or(current)
    }

    /// Returns to the game that the user left for an exercise. If there is no such game, starts a
    /// game with the setup of the last game.
    pub(super) fn leave_exercise(&mut self) {
        if self.play.left_game.is_some() {
            self.return_to_game();
        } else {
            self.begin(self.settings.setup_of_last_game());
        }
    }

    /// Opens the first lesson whose goal the user has not reached. If the user has reached all
    /// goals, opens the first lesson.
    pub(super) fn open_next_lesson(&mut self) {
        let is_done = |lesson: &Lesson| self.settings.lessons_done.iter().any(|name| name == lesson.name);
        let next = lessons().iter().position(|lesson| lesson.has_goal() && !is_done(lesson));
        self.open_lesson(next.unwrap_or(0));
    }

    /// Performs an action on lessons.
    pub(super) fn act_on_lessons(&mut self, action: LessonAction) {
        match action {
            LessonAction::Open(number) => self.open_lesson(number),
            LessonAction::Again => {
                if let Some(lesson) = self.lesson() {
                    self.rewind_to(lesson.at, Vec::new());
                }
            }
            LessonAction::Leave => {
                self.play.lesson = None;
                self.leave_exercise();
            }
            LessonAction::Play => {
                self.play.lesson = None;
                self.begin(first_setup());
            }
        }
    }

    /// Returns the mods on disk, with bundled mods in their original state, so that the lessons
    /// follow the rules that they explain.
    fn library_of_lessons(&self) -> Library {
        match &self.mods.originals {
            Some(originals) => self.mods.home.clone().with_bundled_override(originals.texts()),
            None => self.mods.home.clone(),
        }
    }

    fn open_lesson(&mut self, number: usize) {
        let Some(lesson) = lessons().get(number) else { return };
        let (library, home) = (self.library_of_lessons(), self.mods.home.clone());
        let left = self.game_to_return_to();
        let work = move |session: &mut Session| {
            let name = format!("lesson {}", lesson.name);
            let opened =
                session.open_record_text(&library, &name, lesson.position).map_err(|error| error.to_string())?;
            if !opened.is_whole {
                return Err(opened.warnings.join("; "));
            }
            *session = opened.session;
            session.pause_chance();
            if !lesson.has_goal() {
                // Opening the record has dealt a tile. A lesson without a goal asks for no move, so
                // the game goes back to its beginning.
                session.go_to(0);
                session.delete_later_answers();
            }
            session.set_library(home);
            Ok(())
        };
        self.replace_game("opening a lesson", work, move |app, opened| {
            app.play.left_game = left;
            match opened {
                Ok(()) => {
                    app.show_other_game();
                    app.play.lesson = Some(OpenLesson::new(&app.snapshot, number, lesson));
                    app.show_pane(Pane::Board);
                    app.settings.workspace = Workspace::Play;
                    if !lesson.has_goal() {
                        app.note_lesson_done(lesson);
                    }
                }
                Err(error) => app.notify(Tone::Bad, format!("this lesson cannot be opened: {error}")),
            }
        });
    }

    /// Checks the goal of the lesson on the board once the user's move is complete.
    pub(super) fn poll_lesson(&mut self) {
        let seen = self.snapshot.clone();
        let Some(open) =
            self.play.lesson.as_mut().filter(|lesson| lesson.is_on_board(&seen) && lesson.lesson.has_goal())
        else {
            return;
        };
        if !open.is_answered(&seen) {
            open.stage = LessonStage::Open;
        } else if open.stage == LessonStage::Open {
            open.stage = LessonStage::Checking;
            let lesson = open.lesson;
            let check = |session: &mut Session| session.meets(&lesson.expectations);
            self.run_on_game_thread("checking the goal", check, move |app, is_met| app.end_check(lesson, is_met));
        }
    }

    fn end_check(&mut self, lesson: &Lesson, is_met: bool) {
        let Some(open) = self.play.lesson.as_mut().filter(|open| open.stage == LessonStage::Checking) else { return };
        open.stage = if is_met { LessonStage::Reached } else { LessonStage::Missed };
        if is_met {
            self.note_lesson_done(lesson);
        }
    }

    /// Notes that the user has reached the goal of a lesson, or has opened a lesson without a goal.
    fn note_lesson_done(&mut self, lesson: &Lesson) {
        let done = &mut self.settings.lessons_done;
        if !done.iter().any(|name| name == lesson.name) {
            done.push(lesson.name.to_owned());
        }
    }
}
