//! What the window is opened with: which game is on the board, where it is saved, and how it is painted.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use art::Painter;
use table::{Library, OpenError, RecordFile, Session, Setup, begin_setup, open_record};

use crate::notifications::{Notifications, Tone};
use crate::settings::{LastGame, Settings};

/// What the window is opened with.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Where mods are looked for instead of the folder that comes with the program.
    pub mods: Option<Vec<PathBuf>>,
    /// Further folders of mods.
    pub mods_paths: Vec<PathBuf>,
    /// A record to open instead of beginning a game.
    pub open: Option<PathBuf>,
    /// The game to begin where no record is opened; the one begun last where nothing is said.
    pub setup: Option<Setup>,
    /// Where settings and games are kept; nothing is kept where there is no such place.
    pub data: Option<PathBuf>,
    /// Whether pictures are painted before a frame is shown, as tests and pictures need it.
    pub at_once: bool,
    /// Whether files of mods are watched.
    pub watch: bool,
}

/// The first game: the record asked for, the setup asked for, the game that was left last, another one like it, or the base game. The second
/// value says whether it is the one that was left last, with every answer of its record.
pub(super) fn first_session(
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
