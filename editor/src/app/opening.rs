//! Opens the window while the game thread opens the first game. The window shows a waiting screen
//! if the game is not open soon.

use std::hint::black_box;
use std::io;
use std::sync::Arc;

use art::Painter;
use egui::{Context, Ui};
use platform::time::{Duration, Instant};
use table::{FileStore, Snapshot, StopFlag};

use super::App;
use super::dialogs::Dialogs;
use super::start::{FirstSession, StartOptions, first_session};
use super::state::{Benches, Frames, InstalledMods, Panes, PlayState, Store, Tasks};
use crate::game_thread::{DoneCallback, GameThread, ThreadEnded, ThreadReport};
use crate::insight_cache::{InsightCache, MAX_FRAME_WAIT};
use crate::layout;
use crate::notifications::Notifications;
use crate::panels::Pane;
use crate::pictures::Pictures;
use crate::settings::Settings;
use crate::shown_error::ShownError;
use crate::style;
use crate::view_state::{ViewMove, ViewState};

/// The largest size, in bytes, of the lists that the allocator keeps (see [`keep_freed_memory`]).
/// The lists of shapes of a frame are smaller.
const KEPT_BYTES: usize = 4 << 20;

/// Makes the allocator of Linux (glibc) keep freed memory. Otherwise it returns the lists of shapes
/// to the system after each frame, and requests them again in the next one. This takes half the
/// time of a frame with all overlays. The allocator keeps lists that are at most as large as the
/// largest list that was freed. The list that is freed here takes no memory, because nothing is
/// written to it.
fn keep_freed_memory() {
    drop(black_box(Vec::<u8>::with_capacity(KEPT_BYTES)));
}

/// A window whose first game is being opened.
pub struct OpeningWindow {
    thread: GameThread<App>,
    start: StartOptions,
    settings: Settings,
    seen: Option<(Arc<Snapshot>, Arc<Painter>)>,
    begun: Instant,
}

impl OpeningWindow {
    /// Starts to open the first game on the game thread.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub fn begin(ctx: &Context, start: StartOptions) -> io::Result<OpeningWindow> {
        keep_freed_memory();
        let mut settings = start.data.as_deref().map(Settings::read).unwrap_or_default();
        settings.system_wants_less_motion = start.less_motion;
        let (asked, known) = (start.clone(), settings.clone());
        let begin = move |stop: &StopFlag| {
            let library = asked.library();
            let FirstSession { session, told, has_broken_mods } = first_session(&library, &asked, &known, stop)?;
            let tell: DoneCallback<App> = Box::new(move |app| {
                told.into_iter().for_each(|(tone, text)| app.notify(tone, text));
                if has_broken_mods {
                    layout::show(&mut app.panes.tree, Pane::Problems);
                }
            });
            Ok((session, tell))
        };
        let (ctx, waits) = (ctx.clone(), start.at_once);
        // If the window waits for all work, it does not need repaint requests when work is done.
        let wake = move |after: Duration| {
            if !waits {
                ctx.request_repaint_after(after)
            }
        };
        let thread = GameThread::start(begin, settings.palette.clone(), wake, waits)?;
        Ok(OpeningWindow { thread, start, settings, seen: None, begun: Instant::now() })
    }

    /// Waits for the game until `until`. Returns `Ok(Err(self))` if the game is not open at that
    /// time.
    ///
    /// # Errors
    /// Returns an error if no game can be opened, not even the base game, or if the game thread
    /// fails.
    pub fn wait(mut self, ctx: &Context, until: Instant) -> Result<Result<App, OpeningWindow>, ShownError> {
        loop {
            match self.thread.next(until) {
                Ok(Some(ThreadReport::Seen(snapshot, painter))) => self.seen = Some((snapshot, painter)),
                Ok(Some(ThreadReport::Table(news))) => table::never!("there is no guest before the game: {news:?}"),
                Ok(Some(ThreadReport::Done(then))) => {
                    if let Some((snapshot, painter)) = self.seen.take() {
                        let first_action = self.start.first_action.take();
                        let mut app = self.finish(ctx, snapshot, painter);
                        then(&mut app);
                        if let Some(action) = first_action {
                            app.act(ctx, action);
                        }
                        return Ok(Ok(app));
                    }
                }
                Ok(Some(ThreadReport::Failed(error))) => return Err(error),
                Ok(None) => return Ok(Err(self)),
                Err(ThreadEnded) => {
                    return Err(ShownError::new("the game cannot be opened: internal error, report it"));
                }
            }
        }
    }

    fn finish(self, ctx: &Context, snapshot: Arc<Snapshot>, painter: Arc<Painter>) -> App {
        let OpeningWindow { thread, start, settings, .. } = self;
        let wake = ctx.clone();
        // If the writer thread cannot start, the window does not save settings and drafts. The game
        // thread still saves the game.
        let keeper = start.data.as_ref().and_then(|_| FileStore::start(move || wake.request_repaint()).ok());
        let mut dialogs = Dialogs { has_system_dialogs: start.system_dialogs, ..Dialogs::default() };
        dialogs.files.last.clone_from(&settings.folder);
        // The bots of a new game, or of a game that the user asked for, move at once.
        let continues = start.open.is_none() && start.setup.is_none() && snapshot.is_worth_saving();
        let play = PlayState { is_paused: continues && settings.are_bots_paused, ..PlayState::default() };
        let mut app = App {
            insight: InsightCache::new(
                thread.asker(),
                thread.session_asker(),
                (!start.at_once).then_some(MAX_FRAME_WAIT),
            ),
            thread,
            snapshot,
            pictures: Pictures::new(painter, ctx, start.at_once),
            view_state: ViewState::default(),
            notifications: Notifications::default(),
            panes: Panes::new(&start, &settings),
            benches: Benches::default(),
            dialogs,
            play,
            tasks: Tasks::default(),
            mods: InstalledMods {
                home: start.library(),
                originals: start.originals,
                watcher: None,
                touched: Vec::new(),
            },
            store: Store { data: start.data, keeper, saved_settings: settings.clone(), remembered_turn: (0, 0, false) },
            settings,
            frames: Frames::new(ctx),
        };
        style::set(ctx, &app.settings);
        if start.watch {
            app.watch_mods();
        }
        app.notify_save_error();
        app.view_state.moves.push(ViewMove::Fit);
        app
    }

    /// Draws the waiting screen.
    pub fn show(&self, ui: &mut Ui) {
        let seconds = self.begun.elapsed().as_secs();
        egui::CentralPanel::default().show(ui, |ui| {
            ui.vertical_centered(|ui| {
                ui.add_space(ui.available_height() * 0.4);
                ui.spinner();
                ui.label(format!("Opening the game… {seconds} s"));
                let about = "Your game is saved; to open it later, choose Open record… in the Game menu.";
                if ui.button("Start a new game instead").on_hover_text(about).clicked() {
                    self.thread.stop();
                }
            });
        });
        ui.ctx().request_repaint_after(Duration::from_millis(200));
    }
}

impl App {
    /// Opens the window with a game on the board. If the record or the setup that `start` requests
    /// cannot be used, a notification gives the reason.
    ///
    /// # Errors
    /// Returns an error if no game can be opened, not even the base game, or if the game thread
    /// cannot be started or fails.
    pub fn new(ctx: &Context, start: StartOptions) -> Result<App, ShownError> {
        let mut opening = OpeningWindow::begin(ctx, start)?;
        loop {
            opening = match opening.wait(ctx, Instant::now() + Duration::from_secs(1))? {
                Ok(app) => return Ok(app),
                Err(opening) => opening,
            };
        }
    }
}
