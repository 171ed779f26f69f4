//! What is done when somebody asks for it: actions of panels, and commands.

use std::path::{Path, PathBuf};

use egui::{Context, ViewportCommand};
use table::{Answer, Library, Setup, Waits, begin_setup, open_record};

use super::App;
use super::begin::new_record;
use crate::command::Command;
use crate::files::Wanted;
use crate::ghost;
use crate::insight_cache::InsightCache;
use crate::layout::{self, Pane};
use crate::notifications::Tone;
use crate::settings::{Hints, LastGame};
use crate::ui_context::Action;
use crate::view_state::{Move, Overlays, ViewState, Windows};

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

    pub(super) fn answer(&mut self, choice: Answer) {
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

    pub(super) fn look_at(&mut self, n: usize) {
        self.session.go_to(n);
        self.view_state.chosen = None;
        self.is_playing = self.session.is_live();
        self.last_move = self.started.elapsed();
    }

    pub(super) fn begin(&mut self, setup: Setup) {
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

    pub(super) fn open(&mut self, path: &Path) {
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

    pub(super) fn add_mods(&mut self, ctx: &Context, path: PathBuf) {
        let mut paths = self.session.library().paths().to_vec();
        if !paths.contains(&path) {
            paths.push(path);
        }
        self.session.set_library(Library::open(&paths));
        if self.watcher.is_some() {
            self.watch(ctx);
        }
        layout::show(&mut self.tree, Pane::Mods);
    }

    /// Makes a small expansion in the data folder and plays on with it.
    pub(super) fn make_mod(&mut self, ctx: &Context) {
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
    pub(super) fn toggle(&mut self, pane: Pane) {
        layout::toggle(&mut self.tree, pane);
        self.keep_layout();
    }

    /// Lets chance and bots answer from the moment looked at, in a line of its own.
    pub(super) fn let_go_on(&mut self) {
        if self.session.advance() {
            self.is_playing = true;
            let name = self.session.line_name().to_owned();
            self.tell(Tone::Good, format!("going on from here, in line {name}"));
        }
    }

    pub(super) fn set_hints(&mut self, hints: Hints) {
        self.settings.hints = hints;
        if hints == Hints::Purist {
            let overlays = self.view_state.overlays;
            self.view_state.overlays =
                Overlays { fields: false, owners: false, odds: false, values: false, ..overlays };
            self.view_state.windows.remaining = false;
        }
    }

    pub(super) fn go_if(&mut self, target: Option<usize>) {
        if let Some(n) = target {
            self.look_at(n);
        }
    }

    /// Looks `n` turns ahead, or back.
    pub(super) fn turns(&mut self, n: i32) {
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
    pub(super) fn confirm(&mut self) {
        if ghost::tile(&self.session).is_none() {
            return self.pass();
        }
        match ghost::placement(&self.session, &mut self.insight, &self.view_state) {
            Some(choice) => self.answer(choice),
            None => ghost::next_spot(&self.session, &mut self.insight, &mut self.view_state, true),
        }
    }

    /// Passes where that is offered; in the past, plays on.
    pub(super) fn pass(&mut self) {
        let session = &self.session;
        let passes = session.view().option_views().iter().any(|s| s.answer == Answer::Pass);
        match session.waits() {
            Waits::Person(_) if passes => self.answer(Answer::Pass),
            Waits::Person(_) if session.is_live() => {}
            _ => self.is_playing = !self.is_playing,
        }
    }

    /// Closes what is open, else takes the tile up again that was laid last.
    pub(super) fn take_back(&mut self) {
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

    pub(super) fn continue_from_position(&mut self) {
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
