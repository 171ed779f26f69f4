//! Tests: freezing a position as a test, running tests, accepting actual values.

use std::path::{Path, PathBuf};

use egui::Context;
use workshop::{FrozenPosition, ModTest, write_test};

use super::App;
use crate::actions::{NewTest, TestAction};
use crate::notifications::Tone;
use crate::panels::Pane;
use crate::settings::TESTED;
use crate::test_bench::TestSelection;

impl App {
    /// Performs an action on tests of mods.
    pub(super) fn act_on_tests(&mut self, ctx: &Context, action: TestAction) {
        match action {
            TestAction::List => self.run_tests(ctx, TestSelection::None),
            TestAction::Run(test) => self.run_tests(ctx, TestSelection::One(*test)),
            TestAction::Stop => self.benches.tests.stop(),
            TestAction::Accept(test) => self.accept(*test),
            TestAction::OpenAt(test, n_answers) => self.inspect_game(test.case.file, n_answers),
            TestAction::Write(new) => self.write_test(*new),
            TestAction::FreezeAt(n_answers) => {
                self.go_to_position(n_answers);
                self.view_state.windows.freeze = false;
                self.freeze();
            }
        }
    }

    /// Opens the window that makes a test of the current position, or closes it if it is open.
    pub(super) fn freeze(&mut self) {
        if self.view_state.windows.freeze {
            self.view_state.windows.freeze = false;
            return;
        }
        let work = |session: &mut table::Session| FrozenPosition::of(session.library(), session.game());
        self.run_on_game_thread("freezing the position", work, |app, frozen| {
            if frozen.expectations.is_empty() {
                app.notify(Tone::Bad, "this position cannot become a test: replaying it gives another result");
                return;
            }
            let wanted = app.settings.guide.as_ref().map(|guide| guide.id.clone());
            app.dialogs.freeze.begin(frozen, &app.snapshot, wanted.as_deref());
            app.view_state.windows.freeze = true;
        });
    }

    fn write_test(&mut self, NewTest { folder, name, text }: NewTest) {
        let work = move |_: &mut table::Session| write_test(&folder, &name, &text);
        self.run_on_game_thread("writing a test", work, |app, written| match written {
            Ok(path) => {
                app.view_state.windows.freeze = false;
                app.notify(
                    Tone::Good,
                    format!("saved {}; the test runs whenever a mod is saved", table::shown_path(&path)),
                );
                app.show_pane(Pane::Tests);
                app.benches.tests.view.file_to_select = Some(path.clone());
                if let Some(guide) = &mut app.settings.guide {
                    guide.done[TESTED] = true;
                }
                app.mods.touched.push(path);
            }
            Err(error) => app.notify(Tone::Bad, error),
        });
    }

    /// Writes the actual values into a test as its expectations.
    fn accept(&mut self, test: ModTest) {
        let Some(acceptance) = self.benches.tests.result(&test).and_then(|result| result.acceptance.clone()) else {
            return;
        };
        let work = move |_: &mut table::Session| (acceptance.write(&test.case), test.case.file);
        self.run_on_game_thread("writing a test", work, |app, (written, path)| match written {
            Ok(()) => {
                app.benches.tests.view.is_accepting = false;
                app.notify(Tone::Good, format!("{} now expects the current values", table::shown_path(&path)));
                app.mods.touched.push(path);
            }
            Err(error) => app.notify(Tone::Bad, error),
        });
    }

    pub(super) fn run_tests(&mut self, ctx: &Context, wanted: TestSelection) {
        let ids = self.snapshot.view().mods().iter().map(|info| info.id.clone()).collect();
        self.benches.tests.start(ctx, self.snapshot.library(), ids, wanted);
    }

    /// Notes the paths of saved files, so that the tests run when the rules are reloaded.
    pub(super) fn note_touched(&mut self, files: Vec<PathBuf>) {
        self.mods.touched.extend(files);
    }

    /// Runs the tests after a save, and polls the run in progress. At the end of a run, notifies
    /// the user if tests failed and if the number of failing tests has changed.
    pub(super) fn poll_tests(&mut self, ctx: &Context) {
        if !self.mods.touched.is_empty() && !self.thread.has_pending_changes() {
            let touched = std::mem::take(&mut self.mods.touched);
            if !touched.iter().all(|file| is_test(file)) {
                self.benches.tests.mark_stale();
            }
            self.run_tests(ctx, TestSelection::All(touched));
        }
        match self.benches.tests.poll() {
            Some(Ok(tally)) if tally.n_failed > 0 && tally.has_changed => {
                let fail = if tally.n_failed == 1 { "fails" } else { "fail" };
                let text = format!("{} of {} tests {fail}: see Tests", tally.n_failed, tally.n_done);
                self.notify(Tone::Changed, text);
            }
            Some(Err(error)) => self.notify(Tone::Bad, format!("the tests were not run: {error}")),
            Some(Ok(_)) | None => {}
        }
    }
}

/// Returns whether a file of a mod is a test.
pub(super) fn is_test(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "game")
}
