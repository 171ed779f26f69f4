//! Opens the window: the game thread opens the first game. If that takes long, the window shows a
//! waiting screen.

use std::io;
use std::sync::Arc;

use art::Painter;
use egui::{Context, Ui};
use platform::time::{Duration, Instant};
use table::{FileStore, Snapshot, StopFlag};

use super::App;
use super::start::{FirstSession, StartOptions, first_session};
use crate::balance_bench::BalanceBench;
use crate::board::BoardView;
use crate::board_previews::PreviewWriter;
use crate::files::FileWindow;
use crate::game_thread::{DoneCallback, GameThread, ThreadEnded, ThreadReport};
use crate::insight_cache::InsightCache;
use crate::layout::{self, Pane};
use crate::notifications::Notifications;
use crate::pictures::Pictures;
use crate::rules::RulesView;
use crate::settings::Settings;
use crate::style;
use crate::test_bench::TestBench;
use crate::tiles::TilesPane;
use crate::view_state::{ViewMove, ViewState};
use crate::windows::{
    CommandPalette, CorpusWindow, FreezeWindow, InstallWindow, LinkWindow, NameFileWindow, NewGameWindow, NewModWindow,
    PrintWindow, PuzzlesWindow, RestoreWindow,
};

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
        let mut settings = start.data.as_deref().map(Settings::read).unwrap_or_default();
        settings.system_wants_less_motion = start.less_motion;
        let (asked, known) = (start.clone(), settings.clone());
        let begin = move |stop: &StopFlag| {
            let library = asked.library();
            let FirstSession { session, told, has_broken_mods } =
                first_session(&library, &asked, &known, stop).map_err(|error| error.to_string())?;
            let tell: DoneCallback<App> = Box::new(move |app| {
                told.into_iter().for_each(|(tone, text)| app.notify(tone, text));
                if has_broken_mods {
                    layout::show(&mut app.tree, Pane::Problems);
                }
            });
            Ok((session, tell))
        };
        let (ctx, waits) = (ctx.clone(), start.at_once);
        // If the window waits for all work, it needs no repaint request when work is done.
        let wake = move |after: Duration| {
            if !waits {
                ctx.request_repaint_after(after)
            }
        };
        let thread = GameThread::start(begin, settings.palette.clone(), wake, waits)?;
        Ok(OpeningWindow { thread, start, settings, seen: None, begun: Instant::now() })
    }

    /// Waits until `until` for the game. Returns `Ok(Err(self))` if the game is not ready by then.
    ///
    /// # Errors
    /// Returns a message if no game can be opened, not even the base game, or if the game thread
    /// fails.
    pub fn wait(mut self, ctx: &Context, until: Instant) -> Result<Result<App, OpeningWindow>, String> {
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
                Err(ThreadEnded) => return Err("the game cannot be opened: internal error, report it".to_owned()),
            }
        }
    }

    fn finish(self, ctx: &Context, snapshot: Arc<Snapshot>, painter: Arc<Painter>) -> App {
        let OpeningWindow { thread, start, settings, .. } = self;
        let mut files = FileWindow::default();
        files.last.clone_from(&settings.folder);
        let wake = ctx.clone();
        // If the writer thread cannot start, settings and drafts are not saved. The game thread
        // still saves the game.
        let keeper = start.data.as_ref().and_then(|_| FileStore::start(move || wake.request_repaint()).ok());
        let mut app = App {
            insight: InsightCache::new(thread.asker(), start.at_once),
            thread,
            snapshot,
            watcher: None,
            pictures: Pictures::new(painter, ctx, start.at_once),
            view_state: ViewState::default(),
            tree: layout::tree_from(settings.layout.as_ref()),
            saved_settings: settings.clone(),
            settings,
            notifications: Notifications::default(),
            board: BoardView::default(),
            rules: RulesView::new(ctx, start.data.as_deref(), start.at_once),
            tiles: TilesPane::new(start.data.as_deref()),
            palette: CommandPalette::default(),
            new_game: NewGameWindow::default(),
            new_mod: NewModWindow::default(),
            freeze: FreezeWindow::default(),
            install: InstallWindow::default(),
            print: PrintWindow::default(),
            link: LinkWindow::default(),
            puzzles: PuzzlesWindow::default(),
            corpus: CorpusWindow::default(),
            puzzle: None,
            lesson: None,
            has_fingers: false,
            name_file: NameFileWindow::default(),
            restore: RestoreWindow::default(),
            originals: start.originals.clone(),
            tests: TestBench::default(),
            balance: BalanceBench::default(),
            touched: Vec::new(),
            files,
            has_system_dialogs: start.system_dialogs,
            home: start.library(),
            data: start.data,
            keeper,
            left_game: None,
            started: Instant::now(),
            last_move: Duration::ZERO,
            is_playing: true,
            thinker: None,
            invitation: None,
            previews: PreviewWriter::default(),
            drawing: None,
            reading: None,
            ctx: ctx.clone(),
            replayed: None,
            remembered_turn: (0, 0, false),
            n_frames: 0,
            has_ended: false,
            size: None,
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
    /// Returns a message if no game can be opened, not even the base game, or if the game thread
    /// cannot be started or fails.
    pub fn new(ctx: &Context, start: StartOptions) -> Result<App, String> {
        let mut opening = OpeningWindow::begin(ctx, start).map_err(|error| error.to_string())?;
        loop {
            opening = match opening.wait(ctx, Instant::now() + Duration::from_secs(1))? {
                Ok(app) => return Ok(app),
                Err(opening) => opening,
            };
        }
    }
}
