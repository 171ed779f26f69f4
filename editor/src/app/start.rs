//! What the window is opened with: which game is on the board, where it is saved, and how it is painted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use table::{
    Library, OpenError, Opened, Problems, RecordFile, SaveError, Session, Setup, Stop, begin_setup_until,
    open_record_until,
};

use workshop::originals::Originals;

use crate::games::Games;
use crate::notifications::Tone;
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
    /// Says whether opening a record leaves a program alive, by opening it in another one. Asked about the game that was being opened when
    /// the last start ended; where nobody can say, that game is set aside.
    pub survives: Option<fn(&Path) -> bool>,
    /// The bundled mods as they came with the program: played if they are missing or broken on
    /// disk, and compared with the files there.
    pub originals: Option<Arc<Originals>>,
}

impl Start {
    /// Returns the mods on disk, with the bundled ones that are missing there.
    pub fn library(&self) -> Library {
        let mut paths = self.mods.clone().unwrap_or_else(table::builtin_mods);
        paths.extend(self.mods_paths.iter().cloned());
        let on_disk = |paths: &[PathBuf]| Library::open(paths).checking_icons(art::check_icon);
        let Some(originals) = &self.originals else { return on_disk(&paths) };
        // Bundled mods that are restored lie there.
        if !paths.iter().any(|path| path == originals.folder()) {
            paths.push(originals.folder().to_owned());
        }
        on_disk(&paths).filled_from(originals.texts())
    }
}

/// The first game, and what is to be told of how it was found.
pub(super) struct First {
    pub session: Session,
    pub told: Vec<(Tone, String)>,
    /// `true` if the session has errors of mods on disk among its problems.
    pub has_broken_mods: bool,
}

/// Opens the first game: the record asked for, the setup asked for, the game that was left last, another one like it, or the base game.
/// If even the base game cannot begin with the mods on disk, tries all of that again with the
/// bundled ones. The session then still looks for its mods on disk, so it plays by them as soon as
/// they are mended.
///
/// # Errors
/// Returns an error if not even the base game can begin.
pub(super) fn first_session(
    library: &Library,
    start: &Start,
    settings: &Settings,
    stop: &Stop,
) -> Result<First, OpenError> {
    let games = start.data.as_deref().map(Games::new);
    let ended = games.as_ref().and_then(Games::ended_opening);
    let library = library.clone();
    let mut opening = Opening { library, start, stop, games, ended, told: Vec::new(), broken: None };
    let mut session = match (opening.find(settings), &start.originals) {
        (Err(error), Some(originals)) => {
            let bundled = opening.library.clone().replaced_from(originals.texts());
            let on_disk = std::mem::replace(&mut opening.library, bundled);
            let why = if opening.broken.is_some() { "see Problems".to_owned() } else { error.to_string() };
            let text = format!("the mods on disk cannot be played; this game uses the bundled ones: {why}");
            opening.told = vec![(Tone::Bad, text)];
            let mut session = opening.find(settings)?;
            session.set_library(on_disk);
            session
        }
        (found, _) => found?,
    };
    let Opening { games, told, broken, .. } = opening;
    let has_broken_mods = broken.is_some();
    if let Some(problems) = broken {
        session.set_problems(problems);
    }
    if session.kept_in().is_none() && start.open.is_none() {
        keep(&mut session, games.as_ref());
    }
    Ok(First { session, told, has_broken_mods })
}

/// Keeps a game in a record of its own.
pub(super) fn keep(session: &mut Session, games: Option<&Games>) {
    if let Some(games) = games {
        session.keep_in(games.next(session.setup()));
    }
}

/// Goes on in the record that was opened, where it is one of those kept here and all of it fits.
pub(super) fn keep_own(session: &mut Session, games: &Games, file: &Path, is_whole: bool) {
    if is_whole
        && games.holds(file)
        && let Ok(record) = RecordFile::open(file)
    {
        session.keep_in(record);
    }
}

/// Keeps a game that was opened from elsewhere in a record of its own, now that somebody plays on.
pub(super) fn keep_changed(session: &mut Session, games: Option<&Games>) {
    if session.kept_in().is_none() {
        keep(session, games);
    }
}

/// Looking for the first game.
struct Opening<'a> {
    library: Library,
    start: &'a Start,
    stop: &'a Stop,
    games: Option<Games>,
    /// What was being opened when the program ended last; see [`Games::ended_opening`].
    ended: Option<Option<PathBuf>>,
    told: Vec<(Tone, String)>,
    /// The problems of the first mods that could not be loaded.
    broken: Option<Problems>,
}

impl Opening<'_> {
    fn find(&mut self, settings: &Settings) -> Result<Session, OpenError> {
        let found = match &self.start.setup {
            None => self.asked().or_else(|| self.left()),
            Some(_) => self.asked(),
        };
        found.map_or_else(|| self.another(settings), Ok)
    }

    /// Tells why a game cannot be opened, and remembers what is wrong with its mods.
    fn tell_failed(&mut self, error: &OpenError) {
        self.tell(Tone::Bad, error.to_string());
        self.note_broken(error);
    }

    fn note_broken(&mut self, error: &OpenError) {
        if let OpenError::Mods(problems) = error {
            self.broken.get_or_insert_with(|| problems.clone());
        }
    }

    fn tell(&mut self, tone: Tone, text: impl Into<String>) {
        self.told.push((tone, text.into()));
    }

    /// The record that was asked for.
    fn asked(&mut self) -> Option<Session> {
        let file = self.start.open.as_ref()?;
        let library =
            self.games.as_ref().map_or_else(|| self.library.clone(), |it| it.library_for(file, &self.library));
        match open_record_until(&library, file, self.stop) {
            Ok(Opened { mut session, warnings, is_whole }) => {
                warnings.into_iter().for_each(|w| self.tell(Tone::Changed, w));
                if let (Some(games), Some(file)) = (&self.games, &self.start.open) {
                    keep_own(&mut session, games, file, is_whole);
                }
                Some(session)
            }
            Err(error) => {
                self.tell_failed(&error);
                None
            }
        }
    }

    /// The newest game that is kept, if it is not over.
    fn left(&mut self) -> Option<Session> {
        let games = self.games.clone()?;
        for path in games.newest() {
            if self.is_fatal(&path) {
                let moved = games.set_aside(&path);
                let place = moved.as_ref().unwrap_or(&path).display();
                let text = "your last game made the program stop, so it was set aside";
                self.tell(Tone::Bad, format!("{text}: it is in {place}"));
                continue;
            }
            let record = match RecordFile::open(&path) {
                Ok(record) => record,
                Err(SaveError::InUse(_)) => {
                    let text = "your last game is open in another window; here is a new game";
                    self.tell(Tone::Changed, text);
                    return None;
                }
                Err(error) => {
                    self.tell(Tone::Bad, error.to_string());
                    continue;
                }
            };
            games.begin_opening(Some(&path));
            match open_record_until(&games.library_for(&path, &self.library), &path, self.stop) {
                Ok(opened) if opened.session.view().is_over() || !opened.session.is_begun() => return None,
                Ok(Opened { mut session, warnings, is_whole }) => {
                    self.tell(Tone::Good, "continuing your last game; Ctrl+N starts a new one");
                    warnings.into_iter().for_each(|w| self.tell(Tone::Changed, w));
                    // Where the rest of it does not fit the rules any more, the file stays as it is.
                    if is_whole {
                        session.keep_in(record);
                    }
                    return Some(session);
                }
                Err(error) => {
                    self.tell_failed(&error);
                    // Older games would not come back better by these mods, and whoever stops this wants another game.
                    if matches!(error, OpenError::Mods(_)) || self.stop.is_asked() {
                        self.stop.clear();
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Whether opening this record has ended the program, and would end it again.
    fn is_fatal(&self, record: &Path) -> bool {
        let ended = self.ended.as_ref().and_then(Option::as_deref);
        ended == Some(record) && !self.start.survives.is_some_and(|survives| survives(record))
    }

    /// Another game like the one begun last, or the base game.
    fn another(&mut self, settings: &Settings) -> Result<Session, OpenError> {
        let has_ended = self.ended == Some(None);
        if has_ended && self.start.setup.is_none() {
            self.tell(Tone::Bad, "your last game could not be opened; here is a new base game");
        }
        if let Some(games) = &self.games {
            games.begin_opening(None);
        }
        let last = settings.last_game.as_ref().filter(|_| !has_ended).map(LastGame::setup);
        for setup in [self.start.setup.clone(), last].into_iter().flatten() {
            match begin_setup_until(&self.library, setup, self.stop) {
                Ok(session) => return Ok(session),
                Err(error) => self.tell_failed(&error),
            }
        }
        begin_setup_until(&self.library, first_game(), self.stop).inspect_err(|error| self.note_broken(error))
    }
}

/// A game against a bot with the base game alone.
pub(super) fn first_game() -> Setup {
    let mut setup = Setup::of(&["base"], 2);
    setup.bots.push((setup.players[1].clone(), "greedy".to_owned()));
    setup
}
