//! Sends work to the game thread, and shows messages when the work is done.

use std::path::{Path, PathBuf};

use platform::fs;
use platform::time::Instant;
use table::{
    Answer, FileStore, Library, ReloadOutcome, RulesChoice, Session, Setup, StoredFile, Watcher, WriteStatus,
    may_change_game,
};

use super::App;
use super::start::{record_news, store_if_unstored, store_in_new_record, store_in_own_record};
use super::tests::is_test;
use crate::actions::NewModRequest;
use crate::board_previews::preview_of;
use crate::games::Games;
use crate::layout;
use crate::notifications::{NewsSubject, Tone};
use crate::panels::Pane;
use crate::settings::{FirstStepsState, LastGame, RecentGame};
use crate::view_state::{ViewMove, ViewState};

/// The outcome of a reload and its duration in milliseconds.
struct TimedReload {
    outcome: ReloadOutcome,
    took: f64,
}

impl TimedReload {
    /// Loads the mods of `chosen`, or reloads those in play if `chosen` is `None`, and replays the
    /// game under their rules.
    fn run(session: &mut Session, chosen: Option<&RulesChoice>) -> TimedReload {
        let begun = Instant::now();
        let outcome = match chosen {
            Some(chosen) => session.change_rules(chosen),
            None => session.reload_mods(),
        };
        TimedReload { outcome, took: begun.elapsed().as_secs_f64() * 1000.0 }
    }
}

impl App {
    /// Runs `work` on the game thread, then calls `then` with its result. `what` is the busy
    /// message.
    pub(super) fn run_on_game_thread<T: Send + 'static>(
        &mut self,
        what: &'static str,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
        then: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        self.thread.change(what, move |session| {
            let done = work(session);
            Box::new(move |app: &mut App| then(app, done))
        });
    }

    /// Runs `work` on the game thread. `what` is the busy message.
    pub(super) fn change_game(&mut self, what: &'static str, work: impl FnOnce(&mut Session) + Send + 'static) {
        self.run_on_game_thread(what, work, |_, ()| {});
    }

    /// Replaces the game with `work` on the game thread, then calls `then` with its result. If
    /// guests are at the table, asks the user first, because the guests must leave. `what` is the
    /// busy message.
    pub(super) fn replace_game<T: Send + 'static>(
        &mut self,
        what: &'static str,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
        then: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        let replace = move |app: &mut App| app.run_on_game_thread(what, work, then);
        if self.has_guests() {
            self.tasks.replacement = Some(Box::new(replace));
        } else {
            replace(self);
        }
    }

    pub(super) fn games(&self) -> Option<Games> {
        self.store.data.as_deref().map(|data| Games::with_mods(data, self.snapshot.library().paths()))
    }

    /// Watches the folders of mods, and applies changes of their files immediately.
    pub(super) fn watch_mods(&mut self) {
        let thread = self.thread.handle();
        let tell = move |files: Vec<PathBuf>| {
            if files.iter().any(|file| may_change_game(file)) {
                thread.change("reading the mods", |session| {
                    // If the window saved these files itself, the game has already applied them.
                    let reloaded = (!session.is_up_to_date(&files)).then(|| TimedReload::run(session, None));
                    Box::new(|app: &mut App| {
                        reloaded.into_iter().for_each(|reloaded| app.notify_if_changed(reloaded));
                        app.note_touched(files);
                    })
                });
            } else if files.iter().any(|file| is_test(file)) {
                thread.change("running tests", |_| Box::new(|app: &mut App| app.note_touched(files)));
            }
        };
        let watch = move |session: &mut Session| Watcher::for_paths(session.library().paths(), Watcher::DEBOUNCE, tell);
        self.run_on_game_thread("looking for mods", watch, |app, watcher| match watcher {
            Ok(watcher) => app.mods.watcher = Some(watcher),
            Err(error) => app.notify(Tone::Bad, format!("{error}; press Ctrl+R to reload mods")),
        });
    }

    /// Watches the new folders of mods after the list of folders has changed. Does nothing if the
    /// folders are not watched.
    pub(super) fn rewatch_mods(&mut self) {
        if self.mods.watcher.is_some() {
            self.watch_mods();
        }
    }

    pub(super) fn answer(&mut self, choice: Answer) {
        if self.is_exercise_answered() {
            return;
        }
        if let Some(seat) = self.snapshot.guest_to_move() {
            let text = format!("another person plays {}: wait for their choice", self.snapshot.view().name(seat));
            return self.notify(Tone::Changed, text);
        }
        self.view_state.explained.clear();
        // The game may change between the click and this work, for example because a mod is
        // reloaded or a bot answers.
        let revision = self.snapshot.revision();
        let games = self.games_to_store_in();
        let work = move |session: &mut Session| {
            let given = (session.revision() == revision).then(|| session.answer(choice));
            if let Some(Ok(_)) = given {
                store_if_unstored(session, games.as_ref());
            }
            given
        };
        self.run_on_game_thread("answering", work, |app, given| {
            match given {
                Some(Ok(true)) => {
                    let name = app.snapshot.current_branch_name().to_owned();
                    app.notify(Tone::Good, format!("new branch {name}; the previous one stays available"));
                }
                Some(Ok(false)) => {}
                Some(Err(error)) => app.notify(Tone::Bad, error.to_string()),
                None => app.notify(Tone::Changed, "not applied: the game changed in the meantime"),
            }
            app.play.last_move = app.frames.started.elapsed();
            app.play.is_paused &= !app.snapshot.is_live();
        });
        self.view_state.chosen = None;
        self.view_state.preview = None;
    }

    pub(super) fn pick_up_tile(&mut self) {
        if self.snapshot.guest_to_move().is_some() {
            return;
        }
        self.change_game("picking up the tile", Session::undo_unconfirmed);
    }

    pub(super) fn go_to_position(&mut self, n: usize) {
        if self.refuses_because_of_guests() {
            return;
        }
        let work = move |session: &mut Session| session.go_to(n);
        self.run_on_game_thread("going to a turn", work, |app, ()| {
            app.play.is_paused = !app.snapshot.is_live();
            app.play.last_move = app.frames.started.elapsed();
        });
        self.view_state.chosen = None;
    }

    /// Replays the next answer of the branch.
    pub(super) fn replay_next(&mut self) {
        let next = self.snapshot.position_index() + 1;
        let work = move |session: &mut Session| session.go_to(next);
        self.run_on_game_thread("replaying", work, |app, ()| app.play.last_move = app.frames.started.elapsed());
    }

    /// Answers for chance or the bot to move at the current position, and then starts the bots. At
    /// a past position, this may start a new branch. Does nothing in a puzzle or a lesson.
    pub(super) fn answer_and_continue(&mut self) {
        if self.is_exercise() || (!self.snapshot.is_live() && self.refuses_because_of_guests()) {
            return;
        }
        let games = self.games_to_store_in();
        let work = move |session: &mut Session| {
            let goes_on = session.advance();
            store_if_unstored(session, games.as_ref());
            goes_on
        };
        self.run_on_game_thread("playing on", work, |app, goes_on| {
            if goes_on {
                app.play.is_paused = false;
                let name = app.snapshot.current_branch_name().to_owned();
                app.notify(Tone::Good, format!("playing on from here in branch {name}"));
            }
        });
    }

    pub(super) fn switch_to_branch(&mut self, branch: usize) {
        if self.refuses_because_of_guests() {
            return;
        }
        let work = move |session: &mut Session| session.switch_to(branch);
        self.run_on_game_thread("switching branches", work, |app, switched| match switched {
            Ok(()) => app.notify(Tone::Good, format!("branch {}", app.snapshot.current_branch_name())),
            Err(error) => app.notify(Tone::Bad, format!("this branch no longer fits the rules: {error}")),
        });
    }

    /// Resets the view, the notifications and play when another game opens, because selections and
    /// notifications do not apply to another game. The game does not play on by itself.
    pub(super) fn show_other_game(&mut self) {
        self.notifications.dismiss_all();
        self.play.is_paused = true;
        self.view_state = ViewState {
            overlays: self.view_state.overlays,
            guest_port: self.view_state.guest_port,
            playtest: std::mem::take(&mut self.view_state.playtest),
            guest_clock: self.view_state.guest_clock,
            moves: vec![ViewMove::Fit],
            ..ViewState::default()
        };
    }

    pub(super) fn begin(&mut self, setup: Setup) {
        let games = self.games();
        let work = move |session: &mut Session| {
            *session = session.begin_another(setup).map_err(|error| error.to_string())?;
            store_in_new_record(session, games.as_ref());
            Ok::<_, String>(())
        };
        self.replace_game("starting a game", work, |app, begun| {
            let Some(()) = app.ok_or_notify(begun) else { return };
            app.show_other_game();
            app.play.left_game = None;
            app.play.is_paused = false;
            app.notify_save_error();
            app.settings.last_game = Some(LastGame::from_setup(app.snapshot.setup()));
        });
    }

    pub(super) fn open(&mut self, path: PathBuf) {
        if path.extension().is_some_and(|ending| ending == "link") {
            return self.inspect_link_file(&path);
        }
        self.open_then(path, |app| app.play.left_game = None);
    }

    /// Opens a game, and then calls `then` if the game could be opened.
    fn open_then(&mut self, path: PathBuf, then: impl FnOnce(&mut App) + Send + 'static) {
        let (games, file, library) = (self.games(), path.clone(), self.library_for(&path));
        let work = move |session: &mut Session| {
            let mut told = vec![(Tone::Good, format!("opened {}", file.display()))];
            let opened = session.open_other_record(&library, &file).map_err(|error| error.to_string())?;
            told.extend(record_news(opened.warnings, opened.end));
            // Closes the record of the previous game. The code below may open the same record for
            // writing.
            *session = opened.session;
            // If the game is stored in the data folder and its whole record fits the rules,
            // continues in this record. Otherwise, the next answer creates a new record.
            if let Some(games) = &games {
                store_in_own_record(session, games, &file, opened.is_whole);
            }
            Ok::<_, String>(told)
        };
        self.replace_game("opening a game", work, move |app, opened| {
            let Some(told) = app.ok_or_notify(opened) else { return };
            app.show_other_game();
            told.into_iter().for_each(|(tone, text)| app.notify(tone, text));
            app.add_recent_game(Some(&path));
            then(app);
        });
    }

    /// Opens a game for inspection, at the position after `n_answers` answers.
    /// [`Command::BackToGame`](crate::Command::BackToGame) returns to the user's own game.
    pub(super) fn inspect_game(&mut self, path: PathBuf, n_answers: usize) {
        let left = self.game_to_return_to();
        self.open_then(path, move |app| {
            app.play.left_game = left;
            app.go_to_position(n_answers);
            app.show_pane(Pane::Board);
        });
    }

    /// Reopens the game that the user left to inspect another game, or for an exercise.
    pub(super) fn return_to_game(&mut self) {
        match self.play.left_game.clone() {
            Some(path) => {
                self.open(path);
                self.show_pane(Pane::Board);
            }
            None => self
                .notify(Tone::Changed, "there is no game to return to; choose one under Open recent in the Game menu"),
        }
    }

    pub(super) fn add_mods(&mut self, path: PathBuf) {
        let with = |library: &Library| {
            let mut paths = library.paths().to_vec();
            if !paths.contains(&path) {
                paths.push(path.clone());
            }
            library.with_paths(paths)
        };
        let library = with(self.snapshot.library());
        self.mods.home = with(&self.mods.home);
        self.change_game("looking for mods", move |session| session.set_library(library));
        self.rewatch_mods();
    }

    /// Creates a small expansion, continues the game with it, and shows the window with the first
    /// steps.
    pub(super) fn make_mod(&mut self, wanted: NewModRequest) {
        let folder = wanted.place.join(&wanted.id);
        if let Err(error) = crate::files::make_mod(&folder, &wanted.title, wanted.template, wanted.subject.as_deref()) {
            self.notify(Tone::Bad, error);
            return;
        }
        self.settings.own_mods.push(folder.clone());
        // A user who makes a mod no longer needs the welcome strip.
        self.settings.welcome = false;
        self.panes.tiles.request_tiles_again();
        self.panes.tiles.choose_mod(&wanted.id);
        self.add_mods(wanted.place);
        let mut chosen = RulesChoice::from_setup(self.snapshot.setup());
        chosen.mods.push(wanted.id.clone());
        self.reload(Some(chosen));
        let made = format!("made {}: change something and save", table::shown_path(&folder));
        self.run_on_game_thread(
            "making a mod",
            |_| (),
            move |app, ()| {
                app.notify(Tone::Good, made);
                let hash = app.snapshot.view().mods().iter().find(|info| info.id == wanted.id).map(|info| info.hash);
                app.settings.guide =
                    Some(FirstStepsState { id: wanted.id, folder, hash, ..FirstStepsState::default() });
                app.settings.first_steps = true;
                app.view_state.windows.new_mod = false;
            },
        );
    }

    /// Replaces a draw of this turn by the tile `name`, and undoes the moves after that draw.
    pub(super) fn replace_draw(&mut self, name: String) {
        if self.refuses_because_of_guests() {
            return;
        }
        let games = self.games_to_store_in();
        let text = format!("{name} is drawn; the moves after the old draw are undone");
        let work = move |session: &mut Session| {
            session.replace_draw(&name)?;
            store_if_unstored(session, games.as_ref());
            Ok::<(), table::DrawError>(())
        };
        self.run_on_game_thread("drawing a tile", work, move |app, drawn| match drawn {
            Ok(()) => app.notify(Tone::Good, text),
            Err(error) => app.notify(Tone::Bad, error.to_string()),
        });
        self.view_state.chosen = None;
        self.view_state.windows.remaining = false;
    }

    /// Loads the mods of `chosen`, or reloads those in play if `chosen` is `None`, and continues
    /// the game with them.
    pub(super) fn reload(&mut self, chosen: Option<RulesChoice>) {
        let work = move |session: &mut Session| TimedReload::run(session, chosen.as_ref());
        self.run_on_game_thread("reading the mods", work, App::notify_reloaded);
    }

    /// Applies files of mods that this window has just saved.
    pub(super) fn apply_saved(&mut self) {
        self.apply_files(None, |_| ());
    }

    /// Applies files of mods that this window has changed. Loads the mods of `chosen`, or reloads
    /// those in play if `chosen` is `None`. Then reports changes of the game, and calls `then`.
    pub(super) fn apply_files(&mut self, chosen: Option<RulesChoice>, then: impl FnOnce(&mut App) + Send + 'static) {
        let work = move |session: &mut Session| TimedReload::run(session, chosen.as_ref());
        self.run_on_game_thread("reading the mods", work, |app, reloaded| {
            app.notify_if_changed(reloaded);
            then(app);
        });
    }

    /// Reports a reload that the user did not request. If the reload changed nothing, keeps the
    /// previous notification, unless that reported a failed reload.
    fn notify_if_changed(&mut self, reloaded: TimedReload) {
        let is_news = !matches!(reloaded.outcome, ReloadOutcome::Untouched);
        if is_news || self.notifications.has_failure(NewsSubject::Rules) {
            self.notify_reloaded(reloaded);
        }
    }

    fn notify_reloaded(&mut self, TimedReload { outcome, took }: TimedReload) {
        if !matches!(outcome, ReloadOutcome::Failed(_) | ReloadOutcome::Stopped) {
            // The mods are loaded, so earlier notifications about errors in them are outdated.
            self.notifications.dismiss_all();
        }
        match outcome {
            ReloadOutcome::Untouched => {
                let text = format!("reloaded in {took:.0} ms: the rules are unchanged");
                self.notify_about(NewsSubject::Rules, Tone::Good, text);
            }
            ReloadOutcome::Same => {
                let text = format!("applied in {took:.0} ms: this game is unchanged");
                self.notify_about(NewsSubject::Rules, Tone::Good, text);
            }
            ReloadOutcome::Changed(summary) => {
                // A summary that begins with `applied:` reports unchanged scores, so the
                // notification is not a warning.
                let tone = if summary.starts_with("applied:") { Tone::Good } else { Tone::Changed };
                self.notify_about(NewsSubject::Rules, tone, format!("{summary} ({took:.0} ms)"));
                // If a mod has failed during the game, the window shows the problems, not the
                // changes.
                if !self.snapshot.run_time_problems().is_empty() {
                    layout::show(&mut self.panes.tree, Pane::Problems);
                } else if self.snapshot.changes().is_some_and(|changes| !changes.list.is_empty()) {
                    layout::show(&mut self.panes.tree, Pane::Changes);
                }
            }
            ReloadOutcome::Diverged(summary) => {
                self.notify_about(NewsSubject::Rules, Tone::Changed, summary);
                if !self.snapshot.run_time_problems().is_empty() {
                    layout::show(&mut self.panes.tree, Pane::Problems);
                }
            }
            ReloadOutcome::Stopped => {
                self.notify(Tone::Changed, "stopped: the old rules stay active; press Ctrl+R to reload mods");
            }
            ReloadOutcome::Failed(problems) => {
                let n = problems.n_errors();
                let first = problems.list().first().map(ToString::to_string).unwrap_or_default();
                let more = if n > 1 { format!(", and {} more", n - 1) } else { String::new() };
                // A bar above the time bar shows the problems of the mods in play.
                let is_shown = self.snapshot.problems().list().iter().any(|problem| problem.to_string() == first);
                let text = if is_shown { "a mod has an error".to_owned() } else { format!("{first}{more}") };
                self.notify_about(NewsSubject::Rules, Tone::Bad, format!("not applied: {text}"));
                layout::show(&mut self.panes.tree, Pane::Problems);
            }
        }
    }

    /// Continues the game under the rules before the last change, until a file changes again.
    pub(super) fn keep_old_rules(&mut self) {
        let keep = if self.snapshot.divergence().is_some() { Session::keep_old_rules } else { Session::revert_changes };
        self.run_on_game_thread("keeping the old rules", keep, |app, ()| {
            app.notify(Tone::Good, "this game keeps the old rules until a file changes; the files stay as they are");
        });
    }

    pub(super) fn continue_from_position(&mut self) {
        let games = self.games();
        let work = move |session: &mut Session| {
            let record = games.map(|games| games.new_record(session.setup()));
            session.continue_from_position(record)
        };
        self.run_on_game_thread("applying the new rules", work, |app, done| match done {
            Ok(()) => app.notify(Tone::Good, "playing on from this position in a new record"),
            Err(error) => app.notify(Tone::Bad, format!("this position is not possible under the new rules: {error}")),
        });
    }

    /// Adds the game to the list of recent games, with its mods, players, scores and turn. If the
    /// game has no record on disk, lists the file `opened` instead. If `opened` is also `None`,
    /// adds nothing.
    pub(super) fn add_recent_game(&mut self, opened: Option<&Path>) {
        let kept = self.snapshot.save_location().map(|kept| kept.path.clone());
        let known = || self.settings.games.first().map(|game| game.path.clone());
        let path = kept.filter(|path| fs::exists(path)).or_else(|| opened.map(Path::to_owned));
        let (Some(path), view) = (path.or_else(|| known().filter(|_| opened.is_some())), self.snapshot.view()) else {
            return;
        };
        let names: Vec<&str> = view.seats().map(|seat| view.name(seat)).collect();
        let scores: Vec<String> = view.scores().iter().map(i64::to_string).collect();
        let mods = view.mods();
        let more = if mods.len() > 1 { format!(" +{}", mods.len() - 1) } else { String::new() };
        let game = mods.first().map_or("", |info| info.title.as_str());
        let state = if view.is_over() { "over".to_owned() } else { format!("turn {}", view.turn()) };
        let about = format!("{game}{more} · {} · {} · {state}", names.join(", "), scores.join(" : "));
        let data =
            self.store.data.as_deref().filter(|_| self.games().is_some_and(|games| games.contains_record(&path)));
        let preview = data.and_then(|data| preview_of(data, &path));
        if let Some(file) = &preview {
            self.tasks.previews.write(self.snapshot.clone(), self.pictures.painter().clone(), file.clone());
        }
        self.settings.add_recent_game(RecentGame { path, about, preview });
    }

    /// Removes the note on disk that a game is being opened, so that the next start does not
    /// attribute a later crash to the opening.
    pub(super) fn end_opening(&mut self) {
        if let Some(games) = self.games() {
            games.end_opening();
        }
    }

    /// Stores the settings in the data folder.
    pub(super) fn write_settings(&mut self) {
        let file = self.store.data.as_ref().and_then(|folder| self.settings.file(folder));
        if let Some(file) = file {
            self.queue_file(file);
        }
    }

    /// Queues a file for the writer thread, which writes or removes the file and retries after a
    /// failure. Does nothing if there is no writer thread.
    pub(super) fn queue_file(&self, file: StoredFile) {
        if let Some(keeper) = &self.store.keeper {
            keeper.store(file);
        }
    }

    /// Notifies the user when settings and drafts cannot be saved, and when they can be saved
    /// again.
    pub(super) fn receive_file_changes(&mut self) {
        match self.store.keeper.as_ref().and_then(FileStore::take_message) {
            Some(WriteStatus::Fails(why)) => {
                let text = format!("settings and drafts cannot be saved: {why}; Bastide tries again");
                self.notify_about(NewsSubject::Settings, Tone::Bad, text);
            }
            Some(WriteStatus::Recovered) => {
                self.notify_about(NewsSubject::Settings, Tone::Good, "settings and drafts are saved again");
            }
            None => {}
        }
    }
}
