//! The application: one frame after the other, and what commands and actions do.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Context, Ui, ViewportCommand};
use egui_tiles::Tree;
use table::{Answer, Seat, Snapshot, Waits, Watcher};

use crate::board::BoardView;
use crate::command::{Command, pressed};
use crate::files::{FileWindow, Wanted};
use crate::game_thread::{Ended, GameThread, Report};
use crate::insight_cache::InsightCache;
use crate::layout::{self, Docked, Pane};
use crate::notifications::{Notifications, Tone};
use crate::pictures::Pictures;
use crate::rules::RulesView;
use crate::settings::{Hints, LastGame, Settings};
use crate::test_bench::TestBench;
use crate::tiles::TilesPane;
use crate::ui_context::{Action, UiContext};
use crate::view_state::{Move, Overlays, ViewState, Windows};
use crate::windows::{self, FreezeWindow, InstallWindow, NewGame, NewMod, Palette};
use crate::{chrome, ghost, style};

mod game;
pub mod opening;
mod packages;
pub mod start;
mod tests;
mod texts;
mod tiles;

pub use packages::PackageAction;
pub use tests::TestAction;

/// How long a frame waits for the game thread, so that what is done in no time is seen at once.
const PATIENCE: Duration = Duration::from_millis(8);

/// How long the end waits for it.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// The window.
pub struct App {
    /// The game, as it was when it was seen last.
    snapshot: Arc<Snapshot>,
    thread: GameThread<App>,
    watcher: Option<Watcher>,
    insight: InsightCache,
    pictures: Pictures,
    view_state: ViewState,
    /// What is kept between runs.
    pub settings: Settings,
    saved_settings: Settings,
    notifications: Notifications,
    tree: Tree<Pane>,
    board: BoardView,
    rules: RulesView,
    tiles: TilesPane,
    palette: Palette,
    new_game: NewGame,
    new_mod: NewMod,
    freeze: FreezeWindow,
    install: InstallWindow,
    tests: TestBench,
    /// Files of mods that were saved since their tests were run.
    touched: Vec<PathBuf>,
    files: FileWindow,
    data: Option<PathBuf>,
    started: Instant,
    /// When the last bot answered or the line was played on.
    last_move: Duration,
    /// Whether the line is played, in the past, or bots are let play, at its end.
    is_playing: bool,
    /// The session and the turn that the list of recent games was told of last, and whether the game was over.
    remembered_turn: (u64, u32, bool),
    /// How many frames were drawn.
    n_frames: u64,
    /// Whether the game thread was heard to have ended.
    has_ended: bool,
    /// The size of the window in points.
    size: Option<[f32; 2]>,
}

/// What is known from outside.
impl App {
    fn tell(&mut self, tone: Tone, text: impl Into<String>) {
        self.notifications.tell(self.started.elapsed(), tone, text);
    }

    /// The game, as it is seen.
    pub fn session(&self) -> &Snapshot {
        &self.snapshot
    }

    /// What is looked at.
    pub fn view_state(&self) -> &ViewState {
        &self.view_state
    }

    /// What has happened to mods and files.
    pub fn notifications(&self) -> &Notifications {
        &self.notifications
    }

    /// The board.
    pub fn board(&self) -> &BoardView {
        &self.board
    }

    /// Returns the path of the text of a mod that is open, the one that is shown.
    pub fn shown_text(&self) -> Option<&Path> {
        self.rules.shown_file()
    }

    /// How many texts of mods are open and not saved.
    pub fn n_unsaved_texts(&self) -> usize {
        self.rules.n_unsaved()
    }

    /// The tests of the mods in play.
    pub fn tests(&self) -> &TestBench {
        &self.tests
    }

    /// The tiles of all mods, and the designer.
    pub fn tiles(&self) -> &TilesPane {
        &self.tiles
    }

    /// Shows one of `tiles`, `sketch`, `designer` and `patterns`, for a picture of the window.
    pub fn picture_tiles(&mut self, what: &str) {
        self.tiles.picture(what);
    }

    /// Shows how the score of a player came about.
    pub fn show_breakdown(&mut self, seat: Seat) {
        self.view_state.windows.breakdown = Some(seat);
    }
}

/// Doing what was asked for.
impl App {
    /// Does what a panel asked for.
    pub fn act(&mut self, ctx: &Context, action: Action) {
        match action {
            Action::Answer(choice) => self.answer(choice),
            Action::Command(command) => self.command(ctx, command),
            Action::GoTo(n) => self.look_at(n),
            Action::SwitchTo(branch) => self.switch_to(branch),
            Action::HandOver(seat) => {
                self.at_the_table("handing over", move |session| session.hand_over(seat), |_, ()| {});
            }
            Action::SetBot(seat, bot) => {
                self.at_the_table("another player", move |session| session.set_bot(seat, bot.as_deref()), |_, ()| {});
            }
            Action::Begin(setup) => self.begin(*setup),
            Action::Open(path) => self.open(path),
            Action::AskForMods => self.files.ask(Wanted::AddMods, None),
            Action::AddMods(path) => self.add_mods(path),
            Action::UseMods(ids) => self.reload(Some(ids)),
            Action::LookAtDisk => {
                self.at_the_table("looking for mods", table::Session::look_at_disk, |_, ()| {});
            }
            Action::Stop => self.thread.stop(),
            Action::OpenFile(path, line) => self.open_text(&path, line),
            Action::OpenOutside(path, line) => self.open_outside(&path, line),
            Action::InsertExample(example) => self.insert_example(ctx, &example),
            Action::Saved => self.take_over_saved(),
            Action::Tell(tone, text) => self.tell(tone, text),
            Action::MakeMod(wanted) => self.make_mod(*wanted),
            Action::DrawTile(name) => self.draw_tile(name),
            Action::Package(action) => self.act_on_packages(action),
            Action::Tests(action) => self.act_on_tests(ctx, action),
            Action::Tiles(action) => self.act_on_tiles(action),
        }
        ctx.request_repaint();
    }

    /// Gives a command.
    pub fn command(&mut self, ctx: &Context, command: Command) {
        let seen = self.snapshot.clone();
        let session = &*seen;
        let is_open = self.view_state.windows != Windows::default()
            || self.palette.is_open()
            || self.files.is_open()
            || egui::Popup::is_any_open(ctx);
        if self.tiles.takes(command, is_open) {
            return;
        }
        if let Some(n) = command.answer_number() {
            let offered = session.view().option_views();
            if let Some(shown) = offered.get(n) {
                self.answer(shown.answer);
            }
            return;
        }
        let at = session.at();
        let peeks = self.settings.hints != Hints::Purist;
        match command {
            Command::Install => self.files.ask(Wanted::Package, None),
            Command::Freeze => self.freeze(),
            Command::Tests => layout::show(&mut self.tree, Pane::Tests),
            Command::RunTests => {
                layout::show(&mut self.tree, Pane::Tests);
                self.act_on_tests(ctx, TestAction::RunAll);
            }
            Command::Tiles => {
                self.tiles.take_keys();
                layout::show(&mut self.tree, Pane::Tiles);
            }
            Command::NewTile => {
                self.tiles.begin_sketch();
                layout::show(&mut self.tree, Pane::Tiles);
            }
            Command::NewMod => self.view_state.windows.new_mod = !self.view_state.windows.new_mod,
            Command::NewGame => self.view_state.windows.new_game = !self.view_state.windows.new_game,
            Command::PlayAgain => {
                let setup = LastGame::of(session.setup()).setup();
                self.begin(setup);
            }
            Command::OpenRecord => self.files.ask(Wanted::OpenRecord, self.data.as_deref()),
            Command::SaveCopy => self.files.ask(Wanted::SaveCopy, self.data.as_deref()),
            Command::CopyRecord => {
                ctx.copy_text(session.record_text());
                self.tell(Tone::Good, "the game is on the clipboard, as text");
            }
            Command::GameSetup => self.view_state.windows.game_setup = !self.view_state.windows.game_setup,
            Command::Settings => self.view_state.windows.settings = !self.view_state.windows.settings,
            Command::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Command::Rotate => ghost::rotate(session, &mut self.insight, &mut self.view_state, true),
            Command::RotateBack => ghost::rotate(session, &mut self.insight, &mut self.view_state, false),
            Command::NextSpot => ghost::next_spot(session, &mut self.insight, &mut self.view_state, true),
            Command::PreviousSpot => ghost::next_spot(session, &mut self.insight, &mut self.view_state, false),
            Command::Confirm => self.confirm(),
            Command::Pass => self.pass(),
            // What egui has opened, menus and lists, is closed first.
            Command::TakeBack if egui::Popup::is_any_open(ctx) => egui::Popup::close_all(ctx),
            Command::TakeBack => self.take_back(),
            Command::Undo => self.go_if(session.undo_target()),
            Command::Redo => self.go_if(session.redo_target()),
            Command::PreviousTurn => self.turns(-1),
            Command::NextTurn => self.turns(1),
            Command::Back10 => self.turns(-10),
            Command::Forward10 => self.turns(10),
            Command::PreviousStep => self.look_at(at.saturating_sub(1)),
            Command::NextStep => self.look_at(at + 1),
            Command::GoToStart => self.look_at(0),
            Command::GoToEnd => self.look_at(usize::MAX),
            Command::PlayPause => self.is_playing = !self.is_playing,
            Command::LetGoOn => self.let_go_on(),
            Command::ZoomIn => self.view_state.moves.push(Move::Zoom(1.2)),
            Command::ZoomOut => self.view_state.moves.push(Move::Zoom(1.0 / 1.2)),
            Command::Fit => self.view_state.moves.push(Move::Fit),
            Command::Zoom100 => self.view_state.moves.push(Move::Zoom100),
            Command::PanLeft => self.view_state.moves.push(Move::Pan(96.0, 0.0)),
            Command::PanRight => self.view_state.moves.push(Move::Pan(-96.0, 0.0)),
            Command::PanUp => self.view_state.moves.push(Move::Pan(0.0, 96.0)),
            Command::PanDown => self.view_state.moves.push(Move::Pan(0.0, -96.0)),
            Command::BigTile => self.view_state.windows.big_tile = !self.view_state.windows.big_tile,
            Command::OverlayFields => self.view_state.overlays.fields = peeks && !self.view_state.overlays.fields,
            Command::OverlayOwners => self.view_state.overlays.owners = peeks && !self.view_state.overlays.owners,
            Command::OverlayOdds => self.view_state.overlays.odds = peeks && !self.view_state.overlays.odds,
            Command::OverlayNames => self.view_state.overlays.names = !self.view_state.overlays.names,
            Command::OverlayValues => self.view_state.overlays.values = peeks && !self.view_state.overlays.values,
            Command::OverlayRecent => self.view_state.overlays.recent = !self.view_state.overlays.recent,
            Command::OverlayGrid => self.view_state.overlays.grid = !self.view_state.overlays.grid,
            Command::HintsLearn => self.set_hints(Hints::Learn),
            Command::HintsNormal => self.set_hints(Hints::Normal),
            Command::HintsPurist => self.set_hints(Hints::Purist),
            Command::Fullscreen => {
                let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!is_full));
            }
            Command::Palette => self.palette.toggle(),
            Command::Remaining => self.view_state.windows.remaining = !self.view_state.windows.remaining,
            Command::ScoreTrack => self.view_state.windows.track = !self.view_state.windows.track,
            Command::BottomDock => {
                layout::toggle_dock(&mut self.tree);
                self.keep_layout();
            }
            Command::EventLog => layout::show(&mut self.tree, Pane::Log),
            Command::Console => layout::show(&mut self.tree, Pane::Console),
            Command::Changes => layout::show(&mut self.tree, Pane::Changes),
            Command::Rules => self.show_rules(),
            Command::ModsPanel => layout::show(&mut self.tree, Pane::Mods),
            Command::ResetLayout => {
                self.tree = layout::default_tree();
                self.settings.layout = None;
                self.settings.is_resized = false;
            }
            Command::Reload => self.reload(None),
            Command::NextProblem => layout::show(&mut self.tree, Pane::Problems),
            Command::KeepChanges => {
                self.at_the_table("keeping the rules", table::Session::keep_changes, |_, ()| {});
            }
            Command::RevertChanges => self.revert_changes(),
            Command::KeepOldRules => {
                self.at_the_table("keeping the old rules", table::Session::keep_old_rules, |_, ()| {});
            }
            Command::StopThere => self.at_the_table("going back", table::Session::stop_there, |_, ()| {}),
            Command::FromHere => self.continue_from_position(),
            Command::Help => self.view_state.windows.help = !self.view_state.windows.help,
            Command::Keys => self.view_state.windows.keys = !self.view_state.windows.keys,
            Command::StartPage => self.settings.welcome = !self.settings.welcome,
            Command::About => self.view_state.windows.about = !self.view_state.windows.about,
            _ => {}
        }
    }

    fn set_hints(&mut self, hints: Hints) {
        self.settings.hints = hints;
        if hints == Hints::Purist {
            let overlays = self.view_state.overlays;
            self.view_state.overlays =
                Overlays { fields: false, owners: false, odds: false, values: false, ..overlays };
            self.view_state.windows.remaining = false;
        }
    }

    fn go_if(&mut self, target: Option<usize>) {
        if let Some(n) = target {
            self.look_at(n);
        }
    }

    /// Looks `n` turns ahead, or back.
    fn turns(&mut self, n: i32) {
        let starts: Vec<usize> = self.snapshot.turns().map(|(_, i)| i).collect();
        let at = self.snapshot.at();
        let target = if n < 0 {
            let before: Vec<usize> = starts.into_iter().filter(|i| *i < at).collect();
            before.len().checked_sub(n.unsigned_abs() as usize).and_then(|i| before.get(i).copied()).unwrap_or(0)
        } else {
            starts.into_iter().filter(|i| *i > at).nth(n as usize - 1).unwrap_or(usize::MAX)
        };
        self.look_at(target);
    }

    /// Lays the tile where it is; without a place chosen, chooses the first one. Gives the answer that is marked, and passes for nobody.
    fn confirm(&mut self) {
        let seen = self.snapshot.clone();
        if ghost::tile(&seen).is_none() {
            // Nothing is given by accident: what is meant is marked, or passed by its own key.
            return match (seen.waits(), self.view_state.preview) {
                (Waits::Person(_), Some(marked)) => self.answer(marked),
                (Waits::Person(_), None) => {
                    self.tell(Tone::Changed, "no answer is marked: press its number or click it, or Space to pass");
                }
                _ => self.pass(),
            };
        }
        match ghost::placement(&seen, &mut self.insight, &self.view_state) {
            Some(choice) => self.answer(choice),
            None => ghost::next_spot(&seen, &mut self.insight, &mut self.view_state, true),
        }
    }

    /// Passes where that is offered; in the past, plays on.
    fn pass(&mut self) {
        let session = &self.snapshot;
        let passes = session.view().option_views().iter().any(|s| s.answer == Answer::Pass);
        match session.waits() {
            Waits::Person(_) if passes => self.answer(Answer::Pass),
            Waits::Person(_) if session.is_live() => {}
            _ => self.is_playing = !self.is_playing,
        }
    }

    /// Closes what is open, else takes the tile up again that was laid last.
    fn take_back(&mut self) {
        let windows = std::mem::take(&mut self.view_state.windows);
        let was_open = windows != Windows::default() || self.palette.is_open() || self.files.is_open();
        if !was_open
            && self.view_state.small_tile.is_some()
            && self.view_state.closed_at != Some(self.snapshot.revision())
        {
            self.view_state.closed_at = Some(self.snapshot.revision());
            return;
        }
        self.palette.close();
        self.files.close();
        if was_open {
            return;
        }
        if self.view_state.guide.take().is_some() {
            return;
        }
        if self.view_state.piece.take().is_some() || self.view_state.pinned.take().is_some() {
            return;
        }
        let session = &self.snapshot;
        let is_proposal = session.is_live() && matches!(session.waits(), Waits::Person(_));
        let laid = session.at().checked_sub(1).and_then(|i| session.line()[i].laid);
        if is_proposal && laid.is_some() {
            self.take_up_tile();
        } else {
            self.view_state.chosen = None;
        }
    }
}

/// Frames.
impl App {
    /// Draws a frame and does what was asked for in it.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let until = Instant::now() + PATIENCE;
        self.hear(until);
        self.move_on(&ctx);
        self.move_tests_on(&ctx);
        self.take_dropped(&ctx);
        self.insight.begin_frame();
        self.pictures.collect(&ctx);
        self.view_state.turns_freely = self.settings.hints == Hints::Purist;
        self.rules.take_keys(&ctx);
        for command in pressed(&ctx) {
            self.command(&ctx, command);
            self.hear(until);
        }
        self.hear(until);
        let mut actions = Vec::new();
        self.draw(ui, &mut actions);
        for action in actions {
            self.act(&ctx, action);
        }
        self.view_state.shown = std::mem::take(&mut self.view_state.lit);
        self.keep_settings(&ctx);
        self.n_frames += 1;
        if self.n_frames == 3 {
            self.end_opening();
        }
    }

    /// Hears what the game thread has to say, and until then if something is to be done there.
    fn hear(&mut self, until: Instant) {
        loop {
            match self.thread.next(until) {
                Ok(Some(Report::Seen(snapshot, painter))) => {
                    if !Arc::ptr_eq(&painter, self.pictures.painter()) {
                        self.pictures.set_painter(painter);
                    }
                    self.snapshot = snapshot;
                }
                Ok(Some(Report::Done(then))) => then(self),
                Ok(Some(Report::Failed(error))) => self.tell(Tone::Bad, error),
                Ok(None) => return,
                Err(Ended) if self.has_ended => return,
                Err(Ended) => {
                    self.has_ended = true;
                    self.tell(Tone::Bad, "the game has ended by a fault in the program: close the window and open it again, the game is kept");
                    return;
                }
            }
        }
    }

    fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let ctx = ui.ctx().clone();
        let seen = self.snapshot.clone();
        let colours = style::seat_colours(seen.setup(), self.settings.seats);
        let mut cx = UiContext {
            session: &seen,
            insight: &mut self.insight,
            pictures: &mut self.pictures,
            view_state: &mut self.view_state,
            settings: &mut self.settings,
            tests: &mut self.tests,
            notifications: &self.notifications,
            actions,
            colours,
            is_playing: self.is_playing,
            has_dock: layout::has_dock(&self.tree),
            time: self.started.elapsed(),
            busy: self.thread.busy_with(),
        };
        chrome::menu(ui, &mut cx);
        chrome::status(ui, &mut cx);
        chrome::time(ui, &mut cx);
        chrome::banner(ui, &mut cx);
        windows::welcome(ui, &mut cx);
        if !cx.settings.is_resized {
            layout::fit_column(&mut self.tree, seen.view().n_seats());
        }
        let (board, rules, tiles) = (&mut self.board, &mut self.rules, &mut self.tiles);
        tiles.begin_frame();
        let mut docked = Docked { cx: &mut cx, board, rules, tiles, is_edited: false, is_resized: false };
        let room = egui::Frame::new().fill(ui.visuals().panel_fill);
        egui::CentralPanel::default().frame(room).show(ui, |ui| self.tree.ui(&mut docked, ui));
        let is_edited = docked.is_edited;
        cx.settings.is_resized |= docked.is_resized;
        windows::remaining(&ctx, &mut cx);
        windows::track(&ctx, &mut cx);
        windows::breakdown(&ctx, &mut cx);
        windows::big_tile(&ctx, &mut cx);
        windows::game_setup(&ctx, &mut cx);
        windows::keys(&ctx, &mut cx);
        windows::help(&ctx, &mut cx);
        windows::settings(&ctx, &mut cx);
        windows::about(&ctx, &mut cx);
        self.new_game.show(&ctx, &mut cx);
        self.new_mod.show(&ctx, &mut cx, self.data.as_deref());
        self.freeze.show(&ctx, &mut cx);
        self.install.show(&ctx, &mut cx);
        // The steps lie over the left of the middle, where tiles are made.
        if !self.tiles.is_shown() {
            windows::first_steps(&ctx, &mut cx);
        }
        self.palette.show(&ctx, &mut cx);
        if let Some(action) = self.files.show(&ctx, || seen.record_text()) {
            match action {
                Ok(action) => actions.push(action),
                Err((tone, text)) => self.notifications.tell(self.started.elapsed(), tone, text),
            }
        }
        if is_edited {
            self.keep_layout();
        }
    }

    /// Remembers where the panels are.
    fn keep_layout(&mut self) {
        self.settings.layout = serde_json::to_value(&self.tree).ok();
    }

    /// Lets bots answer, and plays a line.
    fn move_on(&mut self, ctx: &Context) {
        let now = self.started.elapsed();
        if self.thread.is_open() {
            // One thing after the other.
            return;
        }
        if !self.snapshot.is_live() {
            let pause = Duration::from_secs_f32(1.0 / self.settings.play_speed.max(0.1));
            if self.is_playing {
                if now >= self.last_move + pause {
                    self.play_on();
                }
                ctx.request_repaint_after(pause);
            }
            return;
        }
        if let Waits::Bot(_) = self.snapshot.waits()
            && self.is_playing
        {
            let pause = Duration::from_secs_f32(self.settings.pause_of_bots());
            if now >= self.last_move + pause {
                self.let_bot_answer();
            }
            ctx.request_repaint_after(pause);
        }
    }

    fn keep_settings(&mut self, ctx: &Context) {
        self.settings.folder = self.files.last.clone();
        if self.remembered_turn != (self.snapshot.id(), self.snapshot.turn(), self.snapshot.view().is_over()) {
            self.remembered_turn = (self.snapshot.id(), self.snapshot.turn(), self.snapshot.view().is_over());
            self.remember_game(None);
        }
        if self.settings == self.saved_settings {
            return;
        }
        if self.settings.palette != self.saved_settings.palette {
            self.thread.paint_in(self.settings.palette.clone());
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

    /// The size of the window is kept at the end: it changes with every frame while somebody drags its edge.
    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        // What was answered last is kept; a mod that does not come to an end is not waited for.
        let until = Instant::now() + LAST_PATIENCE;
        while self.thread.is_open() && Instant::now() < until {
            self.hear(until);
        }
        self.rules.keep_all();
        self.settings.size = self.size.or(self.settings.size);
        if let Some(folder) = &self.data {
            // There is nobody left to tell.
            let _ = self.settings.write(folder);
        }
    }
}
