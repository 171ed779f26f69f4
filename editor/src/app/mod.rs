//! The application: one frame after the other, and what is done when somebody asks for it.
//!
//! The file is long because every action that panels can ask for is done here, and nowhere else.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use egui::{Context, Ui, ViewportCommand};
use egui_tiles::Tree;
use table::{
    Answer, Library, OpenError, Outcome, Revision, Seat, Session, Setup, Waits, Watcher, begin_setup, open_record,
};

use self::start::{first_session, new_record, painter};
use crate::board::BoardView;
use crate::command::{Command, pressed};
use crate::files::{FileWindow, Wanted};
use crate::insight_cache::InsightCache;
use crate::layout::{self, Docked, Pane};
use crate::notifications::{Notifications, Tone};
use crate::pictures::Pictures;
use crate::settings::{Hints, LastGame, Settings};
use crate::ui_context::{Action, UiContext};
use crate::view_state::{Move, Overlays, ViewState, Windows};
use crate::windows::{self, NewGame, Palette};
use crate::{chrome, ghost, style};

mod start;

pub use self::start::Start;

/// The window.
pub struct App {
    session: Session,
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
    palette: Palette,
    new_game: NewGame,
    files: FileWindow,
    data: Option<PathBuf>,
    started: Instant,
    /// When the last bot answered or the line was played on.
    last_move: Duration,
    /// Whether the line is played, in the past, or bots are let play, at its end.
    is_playing: bool,
    /// By which mods and in which palette the pictures were looked after last.
    painted: (Revision, Option<String>),
    /// Whether the first game is the one that was left last.
    goes_on: bool,
    /// The size of the window in points.
    size: Option<[f32; 2]>,
}

/// Opening, and what is known from outside.
impl App {
    /// The window, with a game on the board. What could not be done as asked is told in the notifications.
    ///
    /// Fails only where not even the mods that come with the program can be played.
    pub fn new(ctx: &Context, start: Start) -> Result<App, OpenError> {
        let settings = start.data.as_deref().map(Settings::read).unwrap_or_default();
        let mut paths = start.mods.clone().unwrap_or_else(table::builtin_mods);
        paths.extend(start.mods_paths.iter().cloned());
        let library = Library::open(&paths).checking_icons(art::check_icon);
        let mut notifications = Notifications::default();
        let (session, goes_on) = first_session(&library, &start, &settings, &mut notifications)?;
        let started = Instant::now();
        let painter = painter(&session, &settings);
        let palette = settings.palette.clone();
        let mut app = App {
            watcher: None,
            insight: InsightCache::default(),
            pictures: Pictures::new(painter, ctx, start.at_once),
            view_state: ViewState::default(),
            tree: layout::tree_from(settings.layout.as_ref()),
            saved_settings: settings.clone(),
            settings,
            notifications,
            board: BoardView::default(),
            palette: Palette::default(),
            new_game: NewGame::default(),
            files: FileWindow::default(),
            data: start.data.clone(),
            started,
            last_move: Duration::ZERO,
            is_playing: true,
            painted: (session.mods_revision(), palette),
            goes_on,
            size: None,
            session,
        };
        style::set(ctx, &app.settings);
        if start.watch {
            app.watch(ctx);
        }
        app.go_on_keeping(start.open.is_some());
        app.view_state.moves.push(Move::Fit);
        Ok(app)
    }

    fn watch(&mut self, ctx: &Context) {
        let ctx = ctx.clone();
        let wake = move || ctx.request_repaint();
        self.watcher = match Watcher::with(self.session.library().paths(), Watcher::DEBOUNCE, wake) {
            Ok(watcher) => Some(watcher),
            Err(error) => {
                let text = format!("{error}; Ctrl+R reads the mods again");
                self.tell(Tone::Bad, text);
                None
            }
        };
    }

    /// Keeps the running game in a new file of the data folder.
    fn keep_record(&mut self) {
        let header = self.session.header_text();
        if let Some(record) = new_record(self.data.as_deref(), &header, &mut self.notifications, self.started) {
            self.settings.last_record = Some(record.path().to_owned());
            self.session.save_to(record);
        }
    }

    /// Keeps the first game. One that was gone on with is in the new file as a whole, without what was taken back: the old file can go.
    fn go_on_keeping(&mut self, is_opened: bool) {
        let old = self.settings.last_record.take();
        self.keep_record();
        let is_kept = self.session.record().is_some() && self.session.save_error().is_none();
        if let Some(old) = old.filter(|_| is_kept && self.goes_on && !is_opened) {
            // It does no harm where it cannot be deleted.
            let _ = std::fs::remove_file(old);
        }
    }

    fn tell(&mut self, tone: Tone, text: impl Into<String>) {
        self.notifications.tell(self.started.elapsed(), tone, text);
    }

    /// The game.
    pub fn session(&self) -> &Session {
        &self.session
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
            Action::SwitchTo(branch) => match self.session.switch_to(branch) {
                Ok(()) => self.tell(Tone::Good, format!("line {}", self.session.line_name())),
                Err(error) => self.tell(Tone::Bad, format!("this line does not fit the rules any more: {error}")),
            },
            Action::SetBot(seat, bot) => self.session.set_bot(seat, bot.as_deref()),
            Action::Begin(setup) => self.begin(*setup),
            Action::Open(path) => self.open(&path),
            Action::AskForMods => self.files.ask(Wanted::AddMods, None),
            Action::AddMods(path) => self.add_mods(ctx, path),
            Action::UseMods(ids) => self.reload(Some(&ids)),
            Action::OpenFile(path, line) => {
                if let Err(error) = crate::files::open_in_system(&path, line) {
                    self.tell(Tone::Bad, error);
                }
            }
            Action::MakeMod => self.make_mod(ctx),
        }
        ctx.request_repaint();
    }

    fn answer(&mut self, choice: Answer) {
        match self.session.answer(choice) {
            Ok(true) => {
                let name = self.session.line_name().to_owned();
                self.tell(Tone::Good, format!("this is line {name} now; the one before is kept as a branch"));
            }
            Ok(false) => {}
            Err(error) => self.tell(Tone::Bad, error.to_string()),
        }
        self.view_state.chosen = None;
        self.view_state.preview = None;
        self.last_move = self.started.elapsed();
        if self.session.is_live() {
            self.is_playing = true;
        }
    }

    fn look_at(&mut self, n: usize) {
        self.session.go_to(n);
        self.view_state.chosen = None;
        self.is_playing = self.session.is_live();
        self.last_move = self.started.elapsed();
    }

    fn begin(&mut self, setup: Setup) {
        match begin_setup(self.session.library(), setup) {
            Ok(session) => {
                self.session = session;
                self.settings.last_game = Some(LastGame::of(self.session.setup()));
                self.view_state =
                    ViewState { overlays: self.view_state.overlays, moves: vec![Move::Fit], ..ViewState::default() };
                self.insight = InsightCache::default();
                self.is_playing = true;
                self.keep_record();
            }
            Err(error) => self.tell(Tone::Bad, error.to_string()),
        }
    }

    fn open(&mut self, path: &Path) {
        match open_record(self.session.library(), path) {
            Ok(opened) => {
                self.session = opened.session;
                self.view_state =
                    ViewState { overlays: self.view_state.overlays, moves: vec![Move::Fit], ..ViewState::default() };
                self.insight = InsightCache::default();
                self.is_playing = false;
                self.settings.remember(path);
                self.tell(Tone::Good, format!("opened {}", path.display()));
                opened.warnings.into_iter().for_each(|w| self.tell(Tone::Changed, w));
                // What is played on from here goes to a record of its own: the file that was opened stays as it is.
                self.keep_record();
            }
            Err(error) => self.tell(Tone::Bad, error.to_string()),
        }
    }

    fn add_mods(&mut self, ctx: &Context, path: PathBuf) {
        let mut paths = self.session.library().paths().to_vec();
        if !paths.contains(&path) {
            paths.push(path);
        }
        self.session.set_library(Library::open(&paths).checking_icons(art::check_icon));
        if self.watcher.is_some() {
            self.watch(ctx);
        }
        layout::show(&mut self.tree, Pane::Mods);
    }

    /// Makes a small expansion in the data folder and plays on with it.
    fn make_mod(&mut self, ctx: &Context) {
        let Some(data) = self.data.clone() else {
            self.tell(Tone::Bad, "there is no folder to make a mod in");
            return;
        };
        match crate::files::make_mod(&data.join("mods")) {
            Ok(folder) => {
                let id = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                self.add_mods(ctx, data.join("mods"));
                let mut ids: Vec<String> = self.session.setup().mods.iter().map(|m| m.id.clone()).collect();
                ids.push(id);
                self.reload(Some(&ids));
                self.tell(
                    Tone::Good,
                    format!("made {}: open it in any text editor, change a number, save", folder.display()),
                );
            }
            Err(error) => self.tell(Tone::Bad, error),
        }
    }

    /// Gives a command.
    pub fn command(&mut self, ctx: &Context, command: Command) {
        let session = &self.session;
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
            Command::ScoreChart => {
                let windows = &mut self.view_state.windows;
                (windows.track, windows.track_chart) = (true, true);
            }
            Command::Console => self.toggle(Pane::Log),
            Command::LeftDock => self.toggle(Pane::Mods),
            Command::ResetLayout => {
                self.tree = layout::default_tree();
                self.settings.layout = None;
            }
            Command::Reload => self.reload(None),
            Command::NextProblem => layout::show(&mut self.tree, Pane::Problems),
            Command::KeepOldRules => self.session.keep_old_rules(),
            Command::StopThere => self.session.stop_there(),
            Command::FromHere => self.continue_from_position(),
            Command::Keys => self.view_state.windows.keys = !self.view_state.windows.keys,
            Command::StartPage => self.settings.welcome = !self.settings.welcome,
            Command::About => self.view_state.windows.about = !self.view_state.windows.about,
            _ => {}
        }
    }

    /// Shows or hides a panel.
    fn toggle(&mut self, pane: Pane) {
        layout::toggle(&mut self.tree, pane);
        self.keep_layout();
    }

    /// Lets chance and bots answer from the moment looked at, in a line of its own.
    fn let_go_on(&mut self) {
        if self.session.advance() {
            self.is_playing = true;
            let name = self.session.line_name().to_owned();
            self.tell(Tone::Good, format!("going on from here, in line {name}"));
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
        let starts: Vec<usize> = self.session.turns().map(|(_, i)| i).collect();
        let at = self.session.at();
        let target = if n < 0 {
            let before: Vec<usize> = starts.into_iter().filter(|i| *i < at).collect();
            before.len().checked_sub(n.unsigned_abs() as usize).and_then(|i| before.get(i).copied()).unwrap_or(0)
        } else {
            starts.into_iter().filter(|i| *i > at).nth(n as usize - 1).unwrap_or(usize::MAX)
        };
        self.look_at(target);
    }

    /// Lays the tile where it is; without a place chosen, chooses the first one. Where nothing else can be meant, passes.
    fn confirm(&mut self) {
        if ghost::tile(&self.session).is_none() {
            return self.pass();
        }
        match ghost::placement(&self.session, &mut self.insight, &self.view_state) {
            Some(choice) => self.answer(choice),
            None => ghost::next_spot(&self.session, &mut self.insight, &mut self.view_state, true),
        }
    }

    /// Passes where that is offered; in the past, plays on.
    fn pass(&mut self) {
        let session = &self.session;
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
        self.palette.close();
        self.files.close();
        if was_open {
            return;
        }
        if self.view_state.piece.take().is_some() || self.view_state.pinned.take().is_some() {
            return;
        }
        let is_proposal = self.session.is_live() && matches!(self.session.waits(), Waits::Person(_));
        let laid = self.session.at().checked_sub(1).and_then(|i| self.session.line()[i].laid);
        if is_proposal && laid.is_some() {
            self.session.take_back();
        } else {
            self.view_state.chosen = None;
        }
    }

    fn continue_from_position(&mut self) {
        let (data, started) = (self.data.clone(), self.started);
        let notifications = &mut self.notifications;
        let done =
            self.session.continue_from_position(|header| new_record(data.as_deref(), header, notifications, started));
        match done {
            Ok(()) => self.tell(Tone::Good, "going on from this position, in a record of its own"),
            Err(error) => self.tell(Tone::Bad, format!("this position cannot be under the new rules: {error}")),
        }
    }
}

/// Frames.
impl App {
    /// Draws a frame and does what was asked for in it.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.reload_changed_mods();
        self.move_on(&ctx);
        self.pictures.collect(&ctx);
        self.view_state.turns_freely = self.settings.hints == Hints::Purist;
        for command in pressed(&ctx) {
            self.command(&ctx, command);
        }
        let mut actions = Vec::new();
        self.draw(ui, &mut actions);
        for action in actions {
            self.act(&ctx, action);
        }
        self.view_state.shown = std::mem::take(&mut self.view_state.lit);
        self.keep_settings(&ctx);
    }

    fn draw(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let ctx = ui.ctx().clone();
        let colours = style::seat_colours(self.session.setup(), self.settings.seats);
        let mut cx = UiContext {
            session: &self.session,
            insight: &mut self.insight,
            pictures: &mut self.pictures,
            view_state: &mut self.view_state,
            settings: &mut self.settings,
            notifications: &self.notifications,
            actions,
            colours,
            is_playing: self.is_playing,
            time: self.started.elapsed(),
        };
        chrome::menu(ui, &mut cx);
        chrome::status(ui, &mut cx);
        chrome::time(ui, &mut cx);
        chrome::banner(ui, &mut cx);
        windows::welcome(ui, &mut cx);
        let mut docked = Docked { cx: &mut cx, board: &mut self.board, is_edited: false };
        let room = egui::Frame::new().fill(ui.visuals().panel_fill);
        egui::CentralPanel::default().frame(room).show(ui, |ui| self.tree.ui(&mut docked, ui));
        let is_edited = docked.is_edited;
        windows::remaining(&ctx, &mut cx);
        windows::track(&ctx, &mut cx);
        windows::breakdown(&ctx, &mut cx);
        windows::big_tile(&ctx, &mut cx);
        windows::game_setup(&ctx, &mut cx);
        windows::keys(&ctx, &mut cx);
        windows::settings(&ctx, &mut cx);
        windows::about(&ctx, &mut cx);
        self.new_game.show(&ctx, &mut cx);
        self.palette.show(&ctx, &mut cx);
        if let Some(action) = self.files.show(&ctx, || self.session.record_text()) {
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

    /// Lets chance and bots answer, and plays a line.
    fn move_on(&mut self, ctx: &Context) {
        let now = self.started.elapsed();
        if !self.session.is_live() {
            let pause = Duration::from_secs_f32(1.0 / self.settings.play_speed.max(0.1));
            if self.is_playing {
                if now >= self.last_move + pause {
                    let at = self.session.at();
                    self.session.go_to(at + 1);
                    self.last_move = now;
                }
                ctx.request_repaint_after(pause);
            }
            return;
        }
        // Nobody waits for chance.
        self.session.deal();
        if let Waits::Bot(_) = self.session.waits()
            && self.is_playing
        {
            let pause = Duration::from_secs_f32(self.settings.bot_pause.max(0.0));
            if now >= self.last_move + pause {
                self.session.advance();
                self.session.deal();
                self.last_move = now;
            }
            ctx.request_repaint_after(pause);
        }
    }

    /// Reads mods again whose files have changed.
    fn reload_changed_mods(&mut self) {
        let changed = self.watcher.as_mut().and_then(Watcher::try_changes);
        if changed.is_some_and(|files| files.iter().any(|f| is_of_mods(f))) {
            self.reload(None);
        }
        self.look_after_pictures();
    }

    /// Lets everything be painted anew where mods or settings want it to look otherwise.
    fn look_after_pictures(&mut self) {
        let now = (self.session.mods_revision(), self.settings.palette.clone());
        if self.painted == now {
            return;
        }
        self.painted = now;
        let theme = self.session.loaded().theme();
        let palette = self.settings.palette.as_deref().unwrap_or(theme.suggested_palette());
        if !self.pictures.painter().draws(self.session.tile_set(), theme, palette) {
            self.pictures.set_painter(painter(&self.session, &self.settings));
        }
    }

    fn reload(&mut self, ids: Option<&[String]>) {
        let begun = Instant::now();
        let outcome = match ids {
            Some(ids) => self.session.use_mods(ids),
            None => self.session.reload_mods(),
        };
        let took = begun.elapsed().as_secs_f64() * 1000.0;
        match outcome {
            Outcome::Untouched => {
                self.tell(Tone::Good, format!("mods read again in {took:.0} ms: the rules are the same"));
            }
            Outcome::Same => self.tell(Tone::Good, format!("same: nothing in this game is different ({took:.0} ms)")),
            Outcome::Changed(summary) => self.tell(Tone::Changed, format!("{summary} ({took:.0} ms)")),
            Outcome::Diverged(summary) => self.tell(Tone::Changed, summary),
            Outcome::Failed(problems) => {
                let n = problems.n_errors();
                let first = problems.list().first().map(ToString::to_string).unwrap_or_default();
                let more = if n > 1 { format!(", and {} more", n - 1) } else { String::new() };
                self.tell(Tone::Bad, format!("not taken over: {first}{more}"));
                layout::show(&mut self.tree, Pane::Problems);
            }
        }
    }

    fn keep_settings(&mut self, ctx: &Context) {
        if self.settings == self.saved_settings {
            return;
        }
        if self.settings.palette != self.saved_settings.palette || self.settings.seats != self.saved_settings.seats {
            ctx.request_repaint();
        }
        style::set(ctx, &self.settings);
        self.saved_settings = self.settings.clone();
        if let Some(Err(error)) = self.data.as_deref().map(|folder| self.settings.write(folder)) {
            self.tell(Tone::Bad, format!("settings cannot be kept: {error}"));
            // Told once; the next change tries again.
        }
    }
}

/// Whether a file of a mod is one that the game is made of.
fn is_of_mods(file: &Path) -> bool {
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
    // Deleted folders have no ending.
    matches!(ending, "toml" | "rhai" | "svg" | "")
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
        let size = ui.ctx().content_rect().size() * ui.ctx().zoom_factor();
        self.size = Some([size.x.round(), size.y.round()]);
    }

    /// The size of the window is kept at the end: it changes with every frame while somebody drags its edge.
    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.settings.size = self.size.or(self.settings.size);
        if let Some(folder) = &self.data {
            // There is nobody left to tell.
            let _ = self.settings.write(folder);
        }
    }
}
