//! Opening the window: which game is on the board, and where it is kept.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use art::Painter;
use egui::Context;
use table::{Library, OpenError, RecordFile, Session, Setup, Watcher, begin_setup, open_record};

use super::{App, Start};
use crate::board::BoardView;
use crate::files::FileWindow;
use crate::insight_cache::InsightCache;
use crate::notifications::{Notifications, Tone};
use crate::pictures::Pictures;
use crate::settings::{LastGame, Settings};
use crate::view_state::{Move, ViewState};
use crate::windows::{NewGame, Palette};
use crate::{layout, style};

impl App {
    /// The window, with a game on the board. What could not be done as asked is told in the notifications.
    ///
    /// Fails only where not even the mods that come with the program can be played.
    pub fn new(ctx: &Context, start: Start) -> Result<App, OpenError> {
        let settings = start.data.as_deref().map(Settings::read).unwrap_or_default();
        let mut paths = start.mods.clone().unwrap_or_else(table::builtin_mods);
        paths.extend(start.mods_paths.iter().cloned());
        let library = Library::open(&paths);
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
            kept: settings.clone(),
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

    pub(super) fn watch(&mut self, ctx: &Context) {
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
    pub(super) fn keep_record(&mut self) {
        let header = self.session.setup().header();
        if let Some(record) = new_record(self.data.as_deref(), &header, &mut self.notifications, self.started) {
            self.settings.last_record = Some(record.path().to_owned());
            self.session.save_to(record);
        }
    }

    /// Keeps the first game. One that was gone on with is in the new file as a whole, without what was taken back: the old file can go.
    pub(super) fn go_on_keeping(&mut self, is_opened: bool) {
        let old = self.settings.last_record.take();
        self.keep_record();
        let is_kept = self.session.record().is_some() && self.session.save_error().is_none();
        if let Some(old) = old.filter(|_| is_kept && self.goes_on && !is_opened) {
            // It does no harm where it cannot be deleted.
            let _ = std::fs::remove_file(old);
        }
    }

    pub(super) fn tell(&mut self, tone: Tone, text: impl Into<String>) {
        self.notifications.tell(self.started.elapsed(), tone, text);
    }
}

/// The first game: the record asked for, the setup asked for, the game that was left last, another one like it, or the base game. The second
/// value says whether it is the one that was left last, with every answer of its record.
fn first_session(
    library: &Library,
    start: &Start,
    settings: &Settings,
    notifications: &mut Notifications,
) -> Result<(Session, bool), OpenError> {
    if let Some(path) = &start.open {
        match open_record(library, path) {
            Ok(opened) => {
                opened.warnings.iter().for_each(|w| notifications.tell(Duration::ZERO, Tone::Changed, w.clone()));
                return Ok((opened.session, false));
            }
            Err(error) => notifications.tell(Duration::ZERO, Tone::Bad, error.to_string()),
        }
    }
    let left = settings.last_record.as_ref().filter(|path| start.setup.is_none() && path.is_file());
    match left.map(|path| open_record(library, path)) {
        Some(Ok(opened)) if !opened.session.view().is_over() && opened.session.turn() > 1 => {
            notifications.tell(
                Duration::ZERO,
                Tone::Good,
                "going on with the game that was left; Ctrl+N begins another",
            );
            opened.warnings.iter().for_each(|w| notifications.tell(Duration::ZERO, Tone::Changed, w.clone()));
            return Ok((opened.session, opened.is_whole));
        }
        Some(Err(error)) => notifications.tell(Duration::ZERO, Tone::Bad, error.to_string()),
        _ => {}
    }
    let last = settings.last_game.as_ref().map(LastGame::setup);
    for setup in [start.setup.clone(), last].into_iter().flatten() {
        match begin_setup(library, setup) {
            Ok(session) => return Ok((session, false)),
            Err(error) => notifications.tell(Duration::ZERO, Tone::Bad, error.to_string()),
        }
    }
    begin_setup(library, first_game()).map(|session| (session, false))
}

/// A game against a bot with the base game alone.
fn first_game() -> Setup {
    let mut setup = Setup::of(&["base"], 2);
    setup.bots.push((setup.players[1].clone(), "random".to_owned()));
    setup
}

impl LastGame {
    /// The setup of another game of this sort.
    pub(super) fn setup(&self) -> Setup {
        let mods: Vec<&str> = self.mods.iter().map(String::as_str).collect();
        let bot = |(name, bot): &(String, Option<String>)| Some((name.clone(), bot.clone()?));
        Setup {
            players: self.players.iter().map(|(name, _)| name.clone()).collect(),
            bots: self.players.iter().filter_map(bot).collect(),
            settings: self.settings.clone(),
            ..Setup::of(&mods, 0)
        }
    }

    pub(super) fn of(setup: &Setup) -> LastGame {
        let bot = |name: &String| setup.bots.iter().find(|(player, _)| player == name).map(|(_, bot)| bot.clone());
        LastGame {
            mods: setup.mods.iter().map(|m| m.id.clone()).collect(),
            players: setup.players.iter().map(|name| (name.clone(), bot(name))).collect(),
            settings: setup.settings.clone(),
        }
    }
}

pub(super) fn new_record(
    data: Option<&Path>,
    header: &str,
    notifications: &mut Notifications,
    started: Instant,
) -> Option<RecordFile> {
    let folder = data?.join("games");
    let made = std::fs::create_dir_all(&folder);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_millis());
    let made = made
        .map_err(|e| e.to_string())
        .and_then(|()| RecordFile::create(&folder.join(format!("{now}.game")), header).map_err(|e| e.to_string()));
    match made {
        Ok(record) => Some(record),
        Err(error) => {
            notifications.tell(started.elapsed(), Tone::Bad, format!("this game is not kept on disk: {error}"));
            None
        }
    }
}

/// The painter for the mods in play.
pub(super) fn painter(session: &Session, settings: &Settings) -> Arc<Painter> {
    let theme = session.loaded().theme();
    let palette = settings.palette.as_deref().unwrap_or(theme.suggested_palette());
    Arc::new(Painter::new(session.tile_set(), theme, palette))
}
