//! What is asked of the game thread, and what is told when it is done.

use std::path::{Path, PathBuf};
use std::time::Instant;

use table::{Answer, Library, Outcome, Session, Setup, Watcher};

use super::App;
use super::start::keep;
use crate::games::Games;
use crate::layout::{self, Pane};
use crate::notifications::Tone;
use crate::settings::LastGame;
use crate::view_state::{Move, ViewState};

/// What came of reading mods again, and how long that took in milliseconds.
struct Reloaded {
    outcome: Outcome,
    took: f64,
}

impl Reloaded {
    /// Reads these mods, or those in play, and replays the game under them.
    fn by(session: &mut Session, ids: Option<&[String]>) -> Reloaded {
        let begun = Instant::now();
        let outcome = match ids {
            Some(ids) => session.use_mods(ids),
            None => session.reload_mods(),
        };
        Reloaded { outcome, took: begun.elapsed().as_secs_f64() * 1000.0 }
    }
}

/// Whether a file of a mod is one that the game is made of.
fn is_of_mods(file: &Path) -> bool {
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    // Deleted folders have no ending.
    matches!(ending, "toml" | "rhai" | "svg" | "")
}

impl App {
    /// Lets the game thread do `work`, and then does `then` with its result.
    pub(super) fn at_the_table<T: Send + 'static>(
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

    fn games(&self) -> Option<Games> {
        self.data.as_deref().map(Games::new)
    }

    /// Watches the folders of mods: what changes there is taken over at once.
    pub(super) fn watch(&mut self) {
        let thread = self.thread.handle();
        let tell = move |files: Vec<PathBuf>| {
            if files.iter().any(|file| is_of_mods(file)) {
                thread.change("reading the mods", |session| {
                    let reloaded = Reloaded::by(session, None);
                    Box::new(|app: &mut App| app.tell_reloaded(reloaded))
                });
            }
        };
        let watch = move |session: &mut Session| Watcher::with(session.library().paths(), Watcher::DEBOUNCE, tell);
        self.at_the_table("looking for mods", watch, |app, watcher| match watcher {
            Ok(watcher) => app.watcher = Some(watcher),
            Err(error) => app.tell(Tone::Bad, format!("{error}; Ctrl+R reads the mods again")),
        });
    }

    pub(super) fn answer(&mut self, choice: Answer) {
        let revision = self.snapshot.revision();
        // Between a click and here a mod may have changed, or a bot have answered.
        let work = move |session: &mut Session| (session.revision() == revision).then(|| session.answer(choice));
        self.at_the_table("answering", work, |app, given| {
            match given {
                Some(Ok(true)) => {
                    let name = app.snapshot.line_name().to_owned();
                    app.tell(Tone::Good, format!("this is line {name} now; the one before is kept as a branch"));
                }
                Some(Ok(false)) => {}
                Some(Err(error)) => app.tell(Tone::Bad, error.to_string()),
                None => app.tell(Tone::Changed, "not answered: the game has gone on meanwhile"),
            }
            app.last_move = app.started.elapsed();
            app.is_playing |= app.snapshot.is_live();
        });
        self.view_state.chosen = None;
        self.view_state.preview = None;
    }

    pub(super) fn take_up_tile(&mut self) {
        self.at_the_table("taking the tile up", Session::take_back, |_, ()| {});
    }

    pub(super) fn look_at(&mut self, n: usize) {
        self.at_the_table(
            "looking back",
            move |session| session.go_to(n),
            |app, ()| {
                app.is_playing = app.snapshot.is_live();
                app.last_move = app.started.elapsed();
            },
        );
        self.view_state.chosen = None;
    }

    /// Plays the next answer of the line.
    pub(super) fn play_on(&mut self) {
        let next = self.snapshot.at() + 1;
        self.at_the_table(
            "looking on",
            move |session| session.go_to(next),
            |app, ()| {
                app.last_move = app.started.elapsed();
            },
        );
    }

    /// Lets the bot answer whose turn it is.
    pub(super) fn let_bot_answer(&mut self) {
        let revision = self.snapshot.revision();
        let work = move |session: &mut Session| session.revision() != revision || session.advance();
        self.at_the_table("a bot is thinking", work, |app, has_answered| {
            app.last_move = app.started.elapsed();
            if !has_answered {
                app.is_playing = false;
                app.tell(Tone::Changed, "the bot was stopped; Space lets it think again");
            }
        });
    }

    /// Lets chance and bots answer from the moment looked at, in a line of its own.
    pub(super) fn let_go_on(&mut self) {
        self.at_the_table("going on", Session::advance, |app, goes_on| {
            if goes_on {
                app.is_playing = true;
                let name = app.snapshot.line_name().to_owned();
                app.tell(Tone::Good, format!("going on from here, in line {name}"));
            }
        });
    }

    pub(super) fn switch_to(&mut self, branch: usize) {
        let work = move |session: &mut Session| session.switch_to(branch);
        self.at_the_table("going to another line", work, |app, switched| match switched {
            Ok(()) => app.tell(Tone::Good, format!("line {}", app.snapshot.line_name())),
            Err(error) => app.tell(Tone::Bad, format!("this line does not fit the rules any more: {error}")),
        });
    }

    /// Shows another game: nothing that was looked at in the old one means anything in it.
    fn show_another_game(&mut self) {
        self.view_state =
            ViewState { overlays: self.view_state.overlays, moves: vec![Move::Fit], ..ViewState::default() };
    }

    pub(super) fn begin(&mut self, setup: Setup) {
        let games = self.games();
        let work = move |session: &mut Session| {
            let mut told = Vec::new();
            let mut begun = session.begin_another(setup).map_err(|error| error.to_string())?;
            keep(&mut begun, games.as_ref(), &mut told);
            *session = begun;
            Ok::<_, String>(told)
        };
        self.at_the_table("beginning a game", work, |app, begun| match begun {
            Ok(told) => {
                app.notifications.settle();
                told.into_iter().for_each(|(tone, text)| app.tell(tone, text));
                app.settings.last_game = Some(LastGame::of(app.snapshot.setup()));
                app.show_another_game();
                app.is_playing = true;
            }
            Err(error) => app.tell(Tone::Bad, error),
        });
    }

    pub(super) fn open(&mut self, path: PathBuf) {
        let (games, file) = (self.games(), path.clone());
        let work = move |session: &mut Session| {
            let mut told = vec![(Tone::Good, format!("opened {}", file.display()))];
            let opened = session.open_another(&file).map_err(|error| error.to_string())?;
            told.extend(opened.warnings.into_iter().map(|warning| (Tone::Changed, warning)));
            *session = opened.session;
            // What is played on from here goes to a record of its own: the file that was opened stays as it is.
            keep(session, games.as_ref(), &mut told);
            Ok::<_, String>(told)
        };
        self.at_the_table("opening a game", work, move |app, opened| match opened {
            Ok(told) => {
                app.notifications.settle();
                told.into_iter().for_each(|(tone, text)| app.tell(tone, text));
                app.show_another_game();
                app.is_playing = false;
                app.settings.remember(&path);
            }
            Err(error) => app.tell(Tone::Bad, error),
        });
    }

    pub(super) fn add_mods(&mut self, path: PathBuf) {
        let mut paths = self.snapshot.library().paths().to_vec();
        if !paths.contains(&path) {
            paths.push(path);
        }
        let library = Library::open(&paths).checking_icons(art::check_icon);
        self.at_the_table("looking for mods", move |session| session.set_library(library), |_, ()| {});
        if self.watcher.is_some() {
            self.watch();
        }
        layout::show(&mut self.tree, Pane::Mods);
    }

    /// Makes a small expansion in the data folder and plays on with it.
    pub(super) fn make_mod(&mut self) {
        let Some(data) = self.data.clone() else {
            self.tell(Tone::Bad, "there is no folder to make a mod in");
            return;
        };
        match crate::files::make_mod(&data.join("mods")) {
            Ok(folder) => {
                let id = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                self.add_mods(data.join("mods"));
                let mut ids: Vec<String> = self.snapshot.setup().mods.iter().map(|m| m.id.clone()).collect();
                ids.push(id);
                self.reload(Some(ids));
                let made = format!("made {}: open it in any text editor, change a number, save", folder.display());
                self.at_the_table("making a mod", |_| (), move |app, ()| app.tell(Tone::Good, made));
            }
            Err(error) => self.tell(Tone::Bad, error),
        }
    }

    /// Reads these mods, or those in play, and plays on with them.
    pub(super) fn reload(&mut self, ids: Option<Vec<String>>) {
        let work = move |session: &mut Session| Reloaded::by(session, ids.as_deref());
        self.at_the_table("reading the mods", work, App::tell_reloaded);
    }

    fn tell_reloaded(&mut self, Reloaded { outcome, took }: Reloaded) {
        match outcome {
            Outcome::Untouched => {
                self.tell(Tone::Good, format!("mods read again in {took:.0} ms: the rules are the same"));
            }
            Outcome::Same => self.tell(Tone::Good, format!("same: nothing in this game is different ({took:.0} ms)")),
            Outcome::Changed(summary) => {
                self.tell(Tone::Changed, format!("{summary} ({took:.0} ms)"));
                if self.snapshot.changes().is_some_and(|changes| !changes.list.is_empty()) {
                    layout::show(&mut self.tree, Pane::Changes);
                }
            }
            Outcome::Diverged(summary) => {
                self.tell(Tone::Changed, summary);
                if !self.snapshot.run_time_problems().is_empty() {
                    layout::show(&mut self.tree, Pane::Problems);
                }
            }
            Outcome::Stopped => {
                self.tell(Tone::Changed, "stopped: the old rules stay in force; Ctrl+R reads the mods again");
            }
            Outcome::Failed(problems) => {
                let n = problems.n_errors();
                let first = problems.list().first().map(ToString::to_string).unwrap_or_default();
                let more = if n > 1 { format!(", and {} more", n - 1) } else { String::new() };
                self.tell(Tone::Bad, format!("not taken over: {first}{more}"));
                layout::show(&mut self.tree, Pane::Problems);
            }
        }
    }

    pub(super) fn revert_changes(&mut self) {
        self.at_the_table("going back to the rules before", Session::revert_changes, |app, ()| {
            app.tell(Tone::Good, "the rules before are in force again, until a file changes once more");
        });
    }

    pub(super) fn continue_from_position(&mut self) {
        let games = self.games();
        let work =
            move |session: &mut Session| session.continue_from_position(games.and_then(|games| games.next().ok()));
        self.at_the_table("going on from here", work, |app, done| match done {
            Ok(()) => app.tell(Tone::Good, "going on from this position, in a record of its own"),
            Err(error) => app.tell(Tone::Bad, format!("this position cannot be under the new rules: {error}")),
        });
    }

    /// Says that the game could be opened: should the program end from now on, that is not to blame.
    pub(super) fn end_opening(&mut self) {
        if let Some(games) = self.games() {
            games.end_opening();
        }
    }

    /// Keeps the settings in the data folder.
    pub(super) fn write_settings(&mut self) {
        let Some(folder) = self.data.clone() else { return };
        let settings = self.settings.clone();
        self.at_the_table(
            "saving settings",
            move |_| settings.write(&folder),
            |app, written| {
                if let Err(error) = written {
                    // Told once; the next change tries again.
                    app.tell(Tone::Bad, format!("settings cannot be kept: {error}"));
                }
            },
        );
    }
}
