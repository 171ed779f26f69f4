//! The application: it handles the results of background work, draws a frame, and performs the
//! actions requested in the frame.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use egui::{Context, Ui};
use platform::time::{Duration, Instant};
use table::{AwaitedActor, Award, Seat, Snapshot};

use crate::actions::Action;
use crate::balance_bench::BalanceBench;
use crate::board::BoardView;
use crate::command::pressed;
use crate::game_thread::{BUSY_MESSAGE_DELAY, GameThread, ThreadEnded, ThreadReport};
use crate::insight_cache::InsightCache;
use crate::layout;
use crate::notifications::{NewsSubject, Notifications, Tone};
use crate::panels::Pane;
use crate::pictures::Pictures;
use crate::settings::{HintLevel, Settings};
use crate::test_bench::TestBench;
use crate::tiles::TilesPane;
use crate::ui_context::UiContext;
use crate::view_state::ViewState;
use crate::{chrome, panels, sounds, style, windows};

mod balance;
mod books;
mod bots;
mod commands;
mod corpus;
mod dialogs;
mod drawing;
mod game;
mod guests;
mod joining;
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
mod state;
mod tests;
mod texts;
mod tiles;
mod workspaces;

use dialogs::Dialogs;
pub use packages::action_to_open;
use state::{Benches, Frames, InstalledMods, Panes, PlayState, Store, Tasks};

/// The longest time that a frame waits for the game thread. If the work takes less time, the frame
/// in which a key requests it already shows the result.
const MAX_FRAME_WAIT: Duration = Duration::from_millis(8);

/// The longest time that closing the window waits for the game thread.
const MAX_CLOSE_WAIT: Duration = Duration::from_secs(2);

/// The window: the game, its panels and dialogs, and the work in progress.
pub struct App {
    /// The latest snapshot of the game.
    snapshot: Arc<Snapshot>,
    thread: GameThread<App>,
    insight: InsightCache,
    pictures: Pictures,
    view_state: ViewState,
    /// The settings, stored between runs.
    pub settings: Settings,
    notifications: Notifications,
    panes: Panes,
    benches: Benches,
    dialogs: Dialogs,
    play: PlayState,
    tasks: Tasks<App>,
    store: Store,
    mods: InstalledMods,
    frames: Frames,
}

/// Access for other modules and tests.
impl App {
    fn notify(&mut self, tone: Tone, text: impl Display) {
        self.notifications.notify(self.frames.started.elapsed(), tone, text.to_string());
    }

    /// Notifies the user about a subject; a success replaces the failures of the same subject.
    fn notify_about(&mut self, subject: NewsSubject, tone: Tone, text: impl Display) {
        self.notifications.notify_about(subject, self.frames.started.elapsed(), tone, text.to_string());
    }

    /// Returns the value of `result`. If it is an error, notifies the user and returns `None`.
    fn ok_or_notify<T>(&mut self, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|error| self.notify(Tone::Bad, error)).ok()
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
        &self.panes.board
    }

    /// Returns the path of the file in the rule editor, if a file is open.
    pub fn shown_text(&self) -> Option<&Path> {
        self.panes.rules.shown_file()
    }

    /// Returns the number of open mod files with unsaved changes.
    pub fn n_unsaved_texts(&self) -> usize {
        self.panes.rules.n_unsaved()
    }

    /// Returns the tests of the mods in play.
    pub fn tests(&self) -> &TestBench {
        &self.benches.tests
    }

    /// Returns the balance bench of the mods in play.
    pub fn balance(&self) -> &BalanceBench {
        &self.benches.balance
    }

    /// Returns whether a bot is thinking in a worker.
    pub fn is_bot_thinking(&self) -> bool {
        self.play.thinker.is_some()
    }

    /// Returns the panel with the tiles of all mods and the designer.
    pub fn tiles(&self) -> &TilesPane {
        &self.panes.tiles
    }

    /// Shows a view of the panel of tiles, for a screenshot. `what` is `tiles`, `sketch`,
    /// `looks`, `designer` or `patterns`.
    pub fn show_tiles_view(&mut self, what: &str) {
        self.panes.tiles.request_view(what);
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

    /// Notes that this is a touch screen without a mouse.
    pub fn use_touch(&mut self) {
        self.frames.has_fingers = true;
    }
}

/// Drawing and input, frame by frame.
impl App {
    /// Draws a frame and performs the actions that panels requested in this frame.
    pub fn show(&mut self, ui: &mut Ui) {
        if self.show_guest(ui) {
            return;
        }
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
        self.panes.rules.consume_keys(&ctx);
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
        self.view_state.highlighted = std::mem::take(&mut self.view_state.next_highlighted);
        self.play_sounds(&ctx);
        self.store_changed_settings(&ctx);
        self.frames.n_frames += 1;
        if self.frames.n_frames == 3 {
            self.end_opening();
        }
    }

    /// Handles the reports of the game thread. If changes are pending, waits for them until
    /// `until`.
    fn poll(&mut self, until: Instant) {
        loop {
            match self.thread.next(until) {
                Ok(Some(ThreadReport::Seen(snapshot, painter))) => {
                    if !Arc::ptr_eq(&painter, self.pictures.painter()) {
                        self.pictures.set_painter(painter);
                    }
                    let before = std::mem::replace(&mut self.snapshot, snapshot);
                    self.notify_save_change(&before);
                    self.notify_end_of_playtest();
                }
                Ok(Some(ThreadReport::Table(news))) => self.handle_table_news(news),
                Ok(Some(ThreadReport::Done(then))) => then(self),
                Ok(Some(ThreadReport::Failed(error))) => self.notify(Tone::Bad, error.to_string()),
                Ok(None) => return,
                Err(ThreadEnded) if self.frames.has_ended => return,
                Err(ThreadEnded) => {
                    self.frames.has_ended = true;
                    self.notify(Tone::Bad, "internal error: close the window and open it again; your game is saved");
                    return;
                }
            }
        }
    }

    /// Notifies the user when the game cannot be saved, and when it can be saved again.
    fn notify_save_change(&mut self, before: &Snapshot) {
        if before.id() != self.snapshot.id() {
            return;
        }
        match (before.save_error(), self.snapshot.save_error()) {
            (None, Some(_)) => self.notify_save_error(),
            (Some(_), None) => {
                self.notify_about(NewsSubject::Game, Tone::Good, "saving works again; the whole game is on disk");
            }
            _ => {}
        }
    }

    /// Notifies the user of the reason if the game cannot be saved.
    fn notify_save_error(&mut self) {
        if let Some(error) = self.snapshot.save_error() {
            let text = format!("{error}; Bastide tries to save again after each move");
            self.notify_about(NewsSubject::Game, Tone::Bad, text);
        }
    }

    fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let ctx = ui.ctx().clone();
        let seen = self.snapshot.clone();
        let busy = self.busy_status();
        let colours = style::seat_colours(seen.setup(), self.settings.seats);
        let has_cards = self.has_cards(&ctx);
        let shows_log = if has_cards { self.settings.shows_log } else { layout::shows_dock(&self.panes.tree) };
        let answered = self.reason_not_to_ask();
        let (lesson, is_exercise) = (self.lesson().cloned(), self.is_exercise());
        let puzzle = self.play.puzzle.as_ref().filter(|puzzle| puzzle.is_on_board(&seen));
        let panes = &mut self.panes;
        let mut cx = UiContext {
            session: &seen,
            insight: &mut self.insight,
            pictures: &mut self.pictures,
            view_state: &mut self.view_state,
            settings: &mut self.settings,
            tests: &mut self.benches.tests,
            balance: &mut self.benches.balance,
            notifications: &self.notifications,
            originals: self.mods.originals.as_deref(),
            actions,
            colours,
            is_playing: !self.play.is_paused,
            has_fingers: self.frames.has_fingers,
            is_exercise,
            answered: answered.as_deref(),
            is_guest: false,
            table: self.play.invitation.as_ref().map(|invitation| &invitation.table),
            excursion: None,
            playtest: self.play.invitation.as_ref().and_then(|it| Some(&it.playtest.as_ref()?.own)),
            invitation: self.play.invitation.as_ref(),
            has_replacement: self.tasks.replacement.is_some(),
            last_playtest: self.play.last_playtest.as_deref(),
            has_cards,
            shows_log,
            has_left_game: self.play.left_game.is_some(),
            time: self.frames.started.elapsed(),
            busy,
        };
        let cx = &mut cx;
        let has_moved_panes = windows::behind_dialogs(&ctx, || {
            chrome::menu(ui, cx);
            chrome::tools(ui, cx);
            chrome::status(ui, cx);
            windows::chat(ui, cx);
            windows::undo_proposal(ui, cx);
            if shows_log || !seen.is_live() {
                chrome::time_bar(ui, cx);
            }
            match (puzzle, &lesson) {
                (Some(puzzle), _) => panels::puzzle(ui, cx, puzzle),
                (None, Some(lesson)) => panels::lesson(ui, cx, lesson),
                (None, None) => chrome::return_bar(ui, cx),
            }
            // Hides the banner while the rule editor is visible, because the editor shows the
            // problems beside their lines.
            if has_cards || !layout::is_seen(&panes.tree, Pane::Rules) {
                chrome::banner(ui, cx);
            }
            if lesson.is_none() {
                windows::welcome(ui, cx);
            }
            panes.show(ui, cx)
        });
        let has_board = has_cards || layout::is_seen(&panes.tree, Pane::Board);
        if !has_board {
            // The board is not drawn, so it does not reset its small tile itself.
            cx.view_state.small_tile = None;
        }
        self.dialogs.show(&ctx, cx, self.store.data.as_deref());
        if has_board {
            windows::first_steps(&ctx, cx, panes.board.free_rect());
        }
        self.dialogs.palette.show(&ctx, cx);
        cx.actions.extend(self.dialogs.files.show(&ctx, || seen.record_text()));
        if has_moved_panes {
            self.store_layout();
        }
    }

    /// Returns the busy message of the work in progress and its time so far. `None` if there is no
    /// such work, or if that time is too short for a message.
    pub fn busy_status(&self) -> Option<(String, Duration)> {
        let thinking = self.play.thinker.iter().map(|it| ("a bot is thinking".to_owned(), it.since));
        let reading = self.tasks.reading.iter().map(|it| (it.what.to_owned(), it.since));
        let drawing = self.tasks.drawing.iter().map(|it| (format!("{}, {}%", it.what, it.percent), it.since));
        let mut tasks = thinking.chain(reading).chain(drawing).map(|(what, since)| (what, since.elapsed()));
        let on_thread = self.thread.busy_status().map(|(what, time)| (what.to_owned(), time));
        on_thread.or_else(|| tasks.find(|(_, time)| *time >= BUSY_MESSAGE_DELAY))
    }

    /// Returns the note that replaces the question of the game: the user's moves in a puzzle or
    /// lesson are over, or a guest is to move. `None` if the question is shown.
    fn reason_not_to_ask(&self) -> Option<String> {
        if self.is_exercise_answered() {
            let is_puzzle = self.puzzle().is_some();
            let note = if is_puzzle { "The result is above the time bar." } else { "Continue with the lesson." };
            return Some(note.to_owned());
        }
        let seat = self.snapshot.guest_to_move()?;
        let player = self.snapshot.view().name(seat);
        Some(match self.play.invitation.as_ref().and_then(|invitation| invitation.guest(seat)) {
            Some((guest, true)) => format!("{guest} ({player}) is choosing."),
            Some((guest, false)) => format!("{guest} ({player}) is away. Wait, or free the seat in Invite…"),
            None if self.snapshot.view().opens_sealed_answer() => {
                format!("{player} has sealed an answer and opens it next. Copy your move and send it to them.")
            }
            None => format!("{player} is to move. Copy your move and send it to them."),
        })
    }

    /// Plays the sounds of this frame. Tests and screenshots, which wait for all work, are silent.
    fn play_sounds(&mut self, ctx: &Context) {
        let is_input = |event: &egui::Event| {
            matches!(event, egui::Event::Key { pressed: true, .. } | egui::Event::PointerButton { pressed: true, .. })
        };
        self.frames.has_input |= ctx.input(|i| i.raw.events.iter().any(is_input));
        let sounds = std::mem::take(&mut self.view_state.sounds);
        let may_play = self.frames.has_input || cfg!(not(target_family = "wasm"));
        if self.settings.sounds && may_play && !self.thread.waits() {
            sounds::play(&sounds, self.settings.volume);
        }
    }

    /// Stores the layout of the panels in the settings.
    fn store_layout(&mut self) {
        self.settings.layout = serde_json::to_value(&self.panes.tree).ok();
    }

    /// Continues play if it is not paused and enough time has passed since the last answer. At the
    /// end of the branch, lets the next bot answer. At a past position, replays the next answer of
    /// the branch.
    fn continue_play(&mut self, ctx: &Context) {
        let now = self.frames.started.elapsed();
        self.receive_bot_answer();
        if self.thread.has_pending_changes() {
            // The game thread is busy, and makes one change at a time.
            return;
        }
        if !self.snapshot.is_live() {
            let pause = Duration::from_secs_f32(1.0 / self.settings.play_speed.max(0.1));
            if !self.play.is_paused {
                if now >= self.play.last_move + pause {
                    self.replay_next();
                }
                ctx.request_repaint_after(pause);
            }
            return;
        }
        if let AwaitedActor::Bot(_) = self.snapshot.awaited_actor()
            && !self.play.is_paused
            && !self.is_exercise()
            && self.play.invitation.as_ref().is_none_or(|invitation| invitation.proposal.is_none())
        {
            let pause = Duration::from_secs_f32(self.settings.pause_of_bots());
            if now >= self.play.last_move + pause {
                self.let_bot_answer(ctx);
            }
            ctx.request_repaint_after(pause);
        }
    }

    fn store_changed_settings(&mut self, ctx: &Context) {
        self.settings.folder = self.dialogs.files.last.clone();
        // At a past position, the replay is paused, not the bots.
        if self.snapshot.is_live() && !self.is_exercise() {
            self.settings.are_bots_paused = self.play.is_paused;
        }
        self.dialogs.files.uses_system = self.dialogs.has_system_dialogs && !self.settings.own_dialogs;
        if self.store.remembered_turn != (self.snapshot.id(), self.snapshot.turn(), self.snapshot.view().is_over()) {
            self.store.remembered_turn = (self.snapshot.id(), self.snapshot.turn(), self.snapshot.view().is_over());
            self.add_recent_game(None);
        }
        if self.settings == self.store.saved_settings {
            return;
        }
        if self.settings.palette != self.store.saved_settings.palette {
            self.thread.set_palette(self.settings.palette.clone());
        }
        if self.settings.palette != self.store.saved_settings.palette
            || self.settings.seats != self.store.saved_settings.seats
        {
            ctx.request_repaint();
        }
        style::set(ctx, &self.settings);
        self.store.saved_settings = self.settings.clone();
        self.write_settings();
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
        let size = ui.ctx().content_rect().size() * ui.ctx().zoom_factor();
        self.frames.size = Some([size.x.round(), size.y.round()]);
    }

    /// Saves the game, the drafts and the settings. Stores the window size only here, because the
    /// size changes in every frame while the user drags an edge.
    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        // Waits until the last answer is saved, but only for a limited time, because a mod may
        // never return.
        let until = Instant::now() + MAX_CLOSE_WAIT;
        while self.thread.has_pending_changes() && Instant::now() < until {
            self.poll(until);
        }
        self.panes.rules.all_drafts().for_each(|file| self.queue_file(file));
        self.settings.size = self.frames.size.or(self.settings.size);
        self.write_settings();
        // Dropping the writer waits until all files are written. Failures can no longer be shown.
        self.store.keeper = None;
    }
}
