//! The application: it handles the results of background work, draws a frame, and performs the
//! actions requested in the frame.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use egui::{Context, Ui};
use egui_tiles::Tree;
use platform::time::{Duration, Instant};
use table::{AwaitedActor, Award, FileStore, Library, Seat, Snapshot, Watcher};

use workshop::bundled_mods::Originals;

use crate::balance_bench::BalanceBench;
use crate::board::BoardView;
use crate::board_previews::PreviewWriter;
use crate::command::pressed;
use crate::files::FileWindow;
use crate::game_thread::{GameThread, ThreadEnded, ThreadReport};
use crate::insight_cache::InsightCache;
use crate::invitation::Invitation;
use crate::layout::{self, DockBehavior, Pane};
use crate::notifications::{Notifications, Tone};
use crate::pictures::Pictures;
use crate::rules::RulesView;
use crate::settings::{HintLevel, Settings};
use crate::test_bench::TestBench;
use crate::tiles::TilesPane;
use crate::ui_context::{Action, UiContext};
use crate::view_state::ViewState;
use crate::windows::{
    self, CommandPalette, CorpusWindow, FreezeWindow, InstallWindow, LinkWindow, NameFileWindow, NewGameWindow,
    NewModWindow, PrintWindow, PuzzlesWindow, RestoreWindow,
};
use crate::{cards, chrome, panels, style};

mod balance;
mod books;
mod bots;
mod commands;
mod corpus;
mod drawing;
mod game;
mod guests;
mod lessons;
mod links;
mod mod_files;
pub mod opening;
mod packages;
mod printing;
mod puzzles;
mod reading;
mod restoring;
pub mod start;
mod tests;
mod texts;
mod tiles;
mod workspaces;

pub use balance::BalanceAction;
pub use books::BookAction;
use bots::ThinkingBot;
pub use corpus::CorpusAction;
use drawing::DrawingTask;
pub use lessons::{LessonAction, LessonStage, OpenLesson};
pub use links::LinkAction;
pub use mod_files::{FileAction, Removal};
pub use packages::{PackageAction, action_to_open};
pub use printing::PrintAction;
pub use puzzles::{Puzzle, PuzzleAction, PuzzleStage};
use reading::ReadTask;
pub use restoring::RestoreAction;
pub use tests::TestAction;

/// The longest time that a frame waits for the game thread. If work that a key requests takes less
/// time, the same frame shows the result.
const MAX_FRAME_WAIT: Duration = Duration::from_millis(8);

/// The window height, in points, below which there is no room for panels below the board.
const LOW_WINDOW_HEIGHT: f32 = 600.0;

/// The longest time that closing the window waits for the game thread.
const MAX_CLOSE_WAIT: Duration = Duration::from_secs(2);

/// The window: the game, the panels, and the work in progress.
pub struct App {
    /// The latest snapshot of the game.
    snapshot: Arc<Snapshot>,
    thread: GameThread<App>,
    watcher: Option<Watcher>,
    insight: InsightCache,
    pictures: Pictures,
    view_state: ViewState,
    /// The settings, stored between runs.
    pub settings: Settings,
    /// True on a touch screen without a mouse.
    has_fingers: bool,
    saved_settings: Settings,
    notifications: Notifications,
    tree: Tree<Pane>,
    board: BoardView,
    rules: RulesView,
    tiles: TilesPane,
    palette: CommandPalette,
    new_game: NewGameWindow,
    new_mod: NewModWindow,
    freeze: FreezeWindow,
    install: InstallWindow,
    print: PrintWindow,
    link: LinkWindow,
    name_file: NameFileWindow,
    puzzles: PuzzlesWindow,
    corpus: CorpusWindow,
    restore: RestoreWindow,
    /// The bundled mods in their original state, if known.
    originals: Option<Arc<Originals>>,
    /// The puzzle that the user opened last. Another game may be on the board now.
    puzzle: Option<Puzzle>,
    /// The lesson that the user opened last. Another game may be on the board now.
    lesson: Option<OpenLesson>,
    tests: TestBench,
    balance: BalanceBench,
    /// The files of mods and tests that were saved since the tests were last started.
    touched: Vec<PathBuf>,
    files: FileWindow,
    /// True if file dialogs of the desktop may open.
    has_system_dialogs: bool,
    data: Option<PathBuf>,
    /// The mods on disk and the bundled mods, without mods that came in a link.
    home: Library,
    /// The record of the game that the user left to inspect a test or a balance game, or for a
    /// puzzle or a lesson.
    left_game: Option<PathBuf>,
    /// The thread that writes settings and drafts.
    keeper: Option<FileStore>,
    started: Instant,
    /// The time of the last answer or change of the current position, counted from `started`.
    last_move: Duration,
    /// True unless the user has paused the replay (at a past position) or the bots (at the end of
    /// the branch).
    is_playing: bool,
    /// A bot that thinks in a worker.
    thinker: Option<ThinkingBot>,
    /// The running invitation of guests.
    invitation: Option<Invitation>,
    /// The picture of the game that a background task is drawing.
    drawing: Option<DrawingTask>,
    /// Draws small pictures of boards for the list of recent games.
    previews: PreviewWriter,
    /// A link or an archive that is being read.
    reading: Option<ReadTask>,
    /// The context, used to wake the window from other threads.
    ctx: Context,
    /// Receives the example game that a background task replays: the path of its record, and the
    /// number of answers before the position to show.
    replayed: Option<Receiver<Result<(PathBuf, usize), String>>>,
    /// The state of the game when the list of recent games was last updated: the number of the
    /// session, the turn, and whether the game was over.
    remembered_turn: (u64, u32, bool),
    /// The number of frames drawn.
    n_frames: u64,
    /// True once the game thread has ended and the user was notified.
    has_ended: bool,
    /// The size of the window, in points at a scale of 1.
    size: Option<[f32; 2]>,
}

/// Access for other modules and tests.
impl App {
    fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.notifications.notify(self.started.elapsed(), tone, text);
    }

    /// Returns the latest snapshot of the game.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Returns the state of the view.
    pub fn view_state(&self) -> &ViewState {
        &self.view_state
    }

    /// Returns the notifications.
    pub fn notifications(&self) -> &Notifications {
        &self.notifications
    }

    /// Returns the board.
    pub fn board(&self) -> &BoardView {
        &self.board
    }

    /// Returns the path of the mod's file shown in the rule editor, if one is open.
    pub fn shown_text(&self) -> Option<&Path> {
        self.rules.shown_file()
    }

    /// Returns the number of open mod files with unsaved changes.
    pub fn n_unsaved_texts(&self) -> usize {
        self.rules.n_unsaved()
    }

    /// Returns the tests of the mods in play.
    pub fn tests(&self) -> &TestBench {
        &self.tests
    }

    /// Returns the balance bench of the mods in play.
    pub fn balance(&self) -> &BalanceBench {
        &self.balance
    }

    /// Returns whether a bot is thinking in a worker.
    pub fn is_bot_thinking(&self) -> bool {
        self.thinker.is_some()
    }

    /// Returns the panel with the tiles of all mods and the designer.
    pub fn tiles(&self) -> &TilesPane {
        &self.tiles
    }

    /// Shows `what` (`tiles`, `sketch`, `designer` or `patterns`) in the panel of tiles, for a
    /// screenshot.
    pub fn show_tiles_view(&mut self, what: &str) {
        self.tiles.request_view(what);
    }

    /// Opens the breakdown of a player's score.
    pub fn show_breakdown(&mut self, seat: Seat) {
        self.view_state.windows.breakdown = Some(seat);
    }

    /// Explains the award with the most points among those whose features are on the board.
    pub fn explain_largest_award(&mut self) {
        let seen = self.snapshot.clone();
        let view = seen.view();
        let is_here = |award: &Arc<Award>| award.feature.is_some_and(|feature| view.has_feature(feature));
        let line = seen.steps().get(..seen.position_index()).unwrap_or_default();
        let awards = line.iter().flat_map(|step| &step.awards).filter(|award| is_here(award));
        self.view_state.explain(view, awards.max_by_key(|award| award.points).cloned().into_iter().collect());
    }
}

impl App {
    /// Notes that this is a touch screen without a mouse. On a low screen, like that of a phone
    /// held sideways, the first call also hides the panels below the board. A layout that the user
    /// has changed stays as it is.
    pub fn use_touch(&mut self, ctx: &Context) {
        let is_first = !std::mem::replace(&mut self.has_fingers, true);
        let is_low = ctx.content_rect().height() < LOW_WINDOW_HEIGHT;
        if is_first && is_low && self.settings.layout.is_none() && layout::shows_dock(&self.tree) {
            layout::toggle_dock(&mut self.tree);
        }
    }
}

/// Drawing and input, frame by frame.
impl App {
    /// Draws a frame and performs the actions that panels requested in this frame.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let until = Instant::now() + MAX_FRAME_WAIT;
        self.poll(until);
        self.continue_play(&ctx);
        self.poll_tests(&ctx);
        self.poll_balance(&ctx);
        self.receive_drawing();
        self.poll_reading(until);
        self.poll_puzzle(&ctx);
        self.poll_lesson();
        self.handle_dropped_files(&ctx);
        self.receive_file_changes();
        self.insight.begin_frame();
        self.pictures.collect(&ctx);
        self.view_state.turns_freely = self.settings.hints == HintLevel::Purist;
        self.rules.consume_keys(&ctx);
        for command in pressed(&ctx, self.has_modal_window()) {
            self.run_key_command(&ctx, command);
            self.poll(until);
        }
        self.poll(until);
        let mut actions = Vec::new();
        self.draw(ui, &mut actions);
        for action in actions {
            self.act(&ctx, action);
        }
        self.view_state.shown = std::mem::take(&mut self.view_state.lit);
        self.store_changed_settings(&ctx);
        self.n_frames += 1;
        if self.n_frames == 3 {
            self.end_opening();
        }
    }

    /// Handles the reports of the game thread. If the game thread has pending changes, waits for
    /// these changes until `until`.
    fn poll(&mut self, until: Instant) {
        loop {
            match self.thread.next(until) {
                Ok(Some(ThreadReport::Seen(snapshot, painter))) => {
                    if !Arc::ptr_eq(&painter, self.pictures.painter()) {
                        self.pictures.set_painter(painter);
                    }
                    let before = std::mem::replace(&mut self.snapshot, snapshot);
                    self.notify_save_change(&before);
                }
                Ok(Some(ThreadReport::Table(news))) => self.handle_table_news(news),
                Ok(Some(ThreadReport::Done(then))) => then(self),
                Ok(Some(ThreadReport::Failed(error))) => self.notify(Tone::Bad, error),
                Ok(None) => return,
                Err(ThreadEnded) if self.has_ended => return,
                Err(ThreadEnded) => {
                    self.has_ended = true;
                    self.notify(Tone::Bad, "internal error: close the window and open it again; your game is saved");
                    return;
                }
            }
        }
    }

    /// Notifies the user when the game can no longer be saved, and when it can be saved again.
    fn notify_save_change(&mut self, before: &Snapshot) {
        if before.id() != self.snapshot.id() {
            return;
        }
        match (before.save_error(), self.snapshot.save_error()) {
            (None, Some(_)) => self.notify_save_error(),
            (Some(_), None) => self.notify(Tone::Good, "the game is saved on disk again, with nothing missing"),
            _ => {}
        }
    }

    /// If the game cannot be saved, notifies the user of the reason.
    fn notify_save_error(&mut self) {
        if let Some(error) = self.snapshot.save_error() {
            self.notify(Tone::Bad, format!("{error}; Bastide tries to save again after each move"));
        }
    }

    fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let ctx = ui.ctx().clone();
        let seen = self.snapshot.clone();
        let own = |(what, long): (&'static str, Duration)| (what.to_owned(), long);
        let busy = self
            .thread
            .busy_status()
            .or_else(|| self.thinking_status())
            .or_else(|| self.reading_status())
            .map(own)
            .or_else(|| self.drawing_status());
        let colours = style::seat_colours(seen.setup(), self.settings.seats);
        let (has_cards, shows_log) = (self.has_cards(&ctx), self.settings.shows_log);
        let answered = self.is_exercise_answered().then_some(if self.puzzle().is_some() {
            "The result is above the time bar."
        } else {
            "Continue with the lesson."
        });
        let chooses = seen.guest_to_move().map(|seat| {
            let player = seen.view().name(seat);
            match self.invitation.as_ref().and_then(|invitation| invitation.guest(seat)) {
                Some((guest, true)) => format!("{guest} ({player}) is choosing."),
                Some((guest, false)) => format!("{guest} ({player}) is away. Wait, or free the seat in Invite…"),
                None => format!("{player} is to move. Copy your move and send it to them."),
            }
        });
        let (lesson, is_exercise) = (self.lesson().cloned(), self.is_exercise());
        let mut cx = UiContext {
            session: &seen,
            insight: &mut self.insight,
            pictures: &mut self.pictures,
            view_state: &mut self.view_state,
            settings: &mut self.settings,
            tests: &mut self.tests,
            balance: &mut self.balance,
            notifications: &self.notifications,
            originals: self.originals.as_deref(),
            actions,
            colours,
            is_playing: self.is_playing,
            has_fingers: self.has_fingers,
            is_exercise,
            answered: answered.or(chooses.as_deref()),
            invitation: self.invitation.as_ref(),
            has_cards,
            shows_log: if has_cards { shows_log } else { layout::shows_dock(&self.tree) },
            has_left_game: self.left_game.is_some(),
            time: self.started.elapsed(),
            busy,
        };
        chrome::menu(ui, &mut cx);
        chrome::status(ui, &mut cx);
        windows::chat(ui, &mut cx);
        windows::undo_proposal(ui, &mut cx);
        if !has_cards || shows_log || !seen.is_live() {
            chrome::time_bar(ui, &mut cx);
        }
        match (self.puzzle.as_ref().filter(|puzzle| puzzle.is_on_board(&seen)), &lesson) {
            (Some(puzzle), _) => panels::puzzle(ui, &mut cx, puzzle),
            (None, Some(lesson)) => panels::lesson(ui, &mut cx, lesson),
            (None, None) => chrome::return_bar(ui, &mut cx),
        }
        // The rule editor shows problems beside their lines, so the banner is not needed while the
        // editor is visible.
        if has_cards || !layout::is_seen(&self.tree, Pane::Rules) {
            chrome::banner(ui, &mut cx);
        }
        if lesson.is_none() {
            windows::welcome(ui, &mut cx);
        }
        let is_tall = layout::is_tall(ctx.content_rect().size());
        if is_tall != cx.settings.is_tall {
            layout::set_tall(&mut self.tree, is_tall);
            cx.settings.is_tall = is_tall;
        }
        if !cx.settings.is_resized {
            layout::fit_column(&mut self.tree, seen.view().n_seats());
        }
        let (board, rules, tiles) = (&mut self.board, &mut self.rules, &mut self.tiles);
        tiles.begin_frame();
        let room = egui::CentralPanel::default().frame(egui::Frame::new().fill(ui.visuals().panel_fill));
        let is_edited = if has_cards {
            let rect = ui.available_rect_before_wrap();
            cx.view_state.free = Some(cards::uncovered_rect(rect, seen.view().n_seats(), shows_log));
            room.show(ui, |ui| board.show(ui, &mut cx));
            cards::show(&ctx, &mut cx, rect);
            false
        } else {
            cx.view_state.free = None;
            layout::fold_column(&mut self.tree);
            let mut docked = DockBehavior { cx: &mut cx, board, rules, tiles, is_edited: false, is_resized: false };
            room.show(ui, |ui| self.tree.ui(&mut docked, ui));
            let (is_edited, is_resized) = (docked.is_edited, docked.is_resized);
            cx.settings.is_resized |= is_resized;
            is_edited
        };
        let has_board = has_cards || layout::is_seen(&self.tree, Pane::Board);
        if !has_board {
            // The board, which is not drawn, cannot say that its small tile is no longer visible.
            cx.view_state.small_tile = None;
        }
        self.rules.store_drafts(&ctx, &mut cx);
        self.tiles.store_drafts(&mut cx);
        windows::remaining(&ctx, &mut cx);
        windows::track(&ctx, &mut cx);
        windows::breakdown(&ctx, &mut cx);
        windows::big_tile(&ctx, &mut cx);
        windows::game_setup(&ctx, &mut cx);
        windows::keys(&ctx, &mut cx);
        windows::help(&ctx, &mut cx);
        windows::settings(&ctx, &mut cx);
        windows::about(&ctx, &mut cx);
        windows::invite(&ctx, &mut cx);
        windows::replacement(&ctx, &mut cx);
        windows::remove_mod(&ctx, &mut cx);
        self.new_game.show(&ctx, &mut cx);
        self.new_mod.show(&ctx, &mut cx, self.data.as_deref());
        self.freeze.show(&ctx, &mut cx);
        self.install.show(&ctx, &mut cx);
        self.print.show(&ctx, &mut cx);
        self.link.show(&ctx, &mut cx);
        self.name_file.show(&ctx, &mut cx);
        self.puzzles.show(&ctx, &mut cx);
        self.corpus.show(&ctx, &mut cx);
        self.restore.show(&ctx, &mut cx);
        if has_board {
            windows::first_steps(&ctx, &mut cx, self.board.screen_rect());
        }
        self.palette.show(&ctx, &mut cx);
        if let Some(action) = self.files.show(&ctx, || seen.record_text()) {
            match action {
                Ok(action) => actions.push(action),
                Err((tone, text)) => self.notifications.notify(self.started.elapsed(), tone, text),
            }
        }
        if is_edited {
            self.store_layout();
        }
    }

    /// Stores the layout of the panels in the settings.
    fn store_layout(&mut self) {
        self.settings.layout = serde_json::to_value(&self.tree).ok();
    }

    /// If play is not paused and enough time has passed since the last answer, lets the next bot
    /// answer. At a past position, replays the next answer of the branch instead.
    fn continue_play(&mut self, ctx: &Context) {
        let now = self.started.elapsed();
        self.receive_bot_answer();
        if self.thread.has_pending_changes() {
            // The game thread is busy; it makes one change at a time.
            return;
        }
        if !self.snapshot.is_live() {
            let pause = Duration::from_secs_f32(1.0 / self.settings.play_speed.max(0.1));
            if self.is_playing {
                if now >= self.last_move + pause {
                    self.replay_next();
                }
                ctx.request_repaint_after(pause);
            }
            return;
        }
        if let AwaitedActor::Bot(_) = self.snapshot.awaited_actor()
            && self.is_playing
            && !self.is_exercise()
            && self.invitation.as_ref().is_none_or(|invitation| invitation.proposal.is_none())
        {
            let pause = Duration::from_secs_f32(self.settings.pause_of_bots());
            if now >= self.last_move + pause {
                self.let_bot_answer();
            }
            ctx.request_repaint_after(pause);
        }
    }

    fn store_changed_settings(&mut self, ctx: &Context) {
        self.settings.folder = self.files.last.clone();
        self.files.uses_system = self.has_system_dialogs && !self.settings.own_dialogs;
        if self.remembered_turn != (self.snapshot.id(), self.snapshot.turn(), self.snapshot.view().is_over()) {
            self.remembered_turn = (self.snapshot.id(), self.snapshot.turn(), self.snapshot.view().is_over());
            self.add_recent_game(None);
        }
        if self.settings == self.saved_settings {
            return;
        }
        if self.settings.palette != self.saved_settings.palette {
            self.thread.set_palette(self.settings.palette.clone());
        }
        if self.settings.palette != self.saved_settings.palette || self.settings.seats != self.saved_settings.seats {
            ctx.request_repaint();
        }
        style::set(ctx, &self.settings);
        self.saved_settings = self.settings.clone();
        self.write_settings();
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
        let size = ui.ctx().content_rect().size() * ui.ctx().zoom_factor();
        self.size = Some([size.x.round(), size.y.round()]);
    }

    /// Saves the game, the drafts and the settings. Stores the window size only on exit, because
    /// the size changes in every frame while the user drags an edge.
    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        // Waits until the last answer is saved, but not forever: a mod may never return.
        let until = Instant::now() + MAX_CLOSE_WAIT;
        while self.thread.has_pending_changes() && Instant::now() < until {
            self.poll(until);
        }
        self.rules.all_drafts().for_each(|file| self.queue_file(file));
        self.settings.size = self.size.or(self.settings.size);
        self.write_settings();
        // Dropping the writer waits until all files are written. Failures can no longer be shown.
        self.keeper = None;
    }
}
