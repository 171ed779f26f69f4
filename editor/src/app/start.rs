//! The options with which the window opens, and the search for its first game.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use table::{
    Library, OpenError, OpenedRecord, Problems, RecordFile, SaveError, Session, Setup, StopFlag, begin_game_with_stop,
    open_record_with_stop,
};

use workshop::bundled_mods::Originals;

use crate::actions::Action;
use crate::games::Games;
use crate::notifications::Tone;
use crate::settings::{LastGame, Settings, first_setup, own_mods_folder};

/// The options with which the window opens.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// The folders of mods to use instead of the default folders.
    pub mods: Option<Vec<PathBuf>>,
    /// Further folders of mods.
    pub mods_paths: Vec<PathBuf>,
    /// A record to open instead of starting a game.
    pub open: Option<PathBuf>,
    /// An action to perform when the first game is on the board, such as showing the contents of a
    /// link.
    pub first_action: Option<Action>,
    /// The game to start if no record is opened. If `None`, the window continues the last game, or
    /// starts a game with its setup.
    pub setup: Option<Setup>,
    /// The folder for settings and games. If `None`, nothing is stored.
    pub data: Option<PathBuf>,
    /// True if each frame waits for its pictures and for the game thread. Used in tests and
    /// screenshots.
    pub at_once: bool,
    /// True if the system asks for less motion.
    pub less_motion: bool,
    /// True if file dialogs of the desktop may open. False in tests, because no user closes the
    /// dialogs.
    pub system_dialogs: bool,
    /// True if the folders of mods are watched for changes.
    pub watch: bool,
    /// A function that returns whether the program will survive opening a record. The window calls
    /// this function for a record if the previous run of the program ended while opening it. If the
    /// function is `None` or returns false, the window sets the record aside.
    pub survives: Option<fn(&Path) -> bool>,
    /// The original content of the bundled mods. The window reads bundled mods from this content if
    /// they are missing on disk, or if no game can begin with the mods on disk. It also shows how
    /// the files on disk differ from this content.
    pub originals: Option<Arc<Originals>>,
}

impl StartOptions {
    /// Returns the mods on disk, and the bundled mods that are missing on disk. The mods on disk
    /// include those in the data folder, where the window makes mods.
    pub fn library(&self) -> Library {
        let mut paths = self.mods.clone().unwrap_or_else(table::builtin_mods);
        let own = self.data.as_deref().map(own_mods_folder);
        paths.extend(own.filter(|own| !paths.contains(own)));
        paths.extend(self.mods_paths.iter().cloned());
        let library = match &self.originals {
            Some(originals) => originals.library(paths),
            None => Library::open(&paths),
        };
        library.with_icon_check(art::check_icon)
    }
}

/// The first game, and the notifications that opening it caused.
pub(super) struct FirstSession {
    pub session: Session,
    pub told: Vec<(Tone, String)>,
    /// True if mods on disk have errors. The problems of the session contain these errors.
    pub has_broken_mods: bool,
}

/// Opens the first game. Tries these games in order:
///
/// - the requested record;
/// - the requested setup or, if there is none, the newest stored game;
/// - a game with the setup of the last game;
/// - the base game.
///
/// If even the base game cannot begin with the mods on disk, tries these games again with the
/// bundled mods. The library of the session then still contains the mods on disk, so that a reload
/// uses them when the user has repaired them.
///
/// # Errors
/// Returns an error if not even the base game can begin.
pub(super) fn first_session(
    library: &Library,
    start: &StartOptions,
    settings: &Settings,
    stop: &StopFlag,
) -> Result<FirstSession, OpenError> {
    let games = start.data.as_deref().map(Games::new);
    let ended = games.as_ref().and_then(Games::interrupted_opening);
    let library = library.clone();
    let mut opening = FirstGameSearch { library, start, stop, games, ended, told: Vec::new(), broken: None };
    let mut session = match (opening.find(settings), &start.originals) {
        (Err(error), Some(originals)) => {
            let bundled = opening.library.clone().with_bundled_override(originals.texts());
            let on_disk = std::mem::replace(&mut opening.library, bundled);
            let why = if opening.broken.is_some() { "see Problems".to_owned() } else { error.to_string() };
            let text = format!("this game uses the bundled mods, because those on disk cannot be played: {why}");
            opening.told = vec![(Tone::Bad, text)];
            let mut session = opening.find(settings)?;
            session.set_library(on_disk);
            session
        }
        (found, _) => found?,
    };
    let FirstGameSearch { games, told, broken, .. } = opening;
    let has_broken_mods = broken.is_some();
    if let Some(problems) = broken {
        session.set_problems(problems);
    }
    if session.save_location().is_none() && start.open.is_none() {
        store_in_new_record(&mut session, games.as_ref());
    }
    Ok(FirstSession { session, told, has_broken_mods })
}

/// Returns the notifications about an opened record: its warnings, and where the game ends if the
/// rest of the record does not fit the rules.
pub(super) fn record_news(warnings: Vec<String>, end: Option<(usize, String)>) -> Vec<(Tone, String)> {
    let is_other = |warning: &String| end.as_ref().is_none_or(|(_, reason)| !warning.ends_with(reason));
    let mut texts: Vec<String> = warnings.into_iter().filter(is_other).collect();
    texts.extend(end.iter().map(|(line, reason)| format!("the game stops before line {line} of the record: {reason}")));
    texts.into_iter().map(|text| (Tone::Changed, text)).collect()
}

/// Stores the game in a new record from now on. Does nothing if `games` is `None`.
pub(super) fn store_in_new_record(session: &mut Session, games: Option<&Games>) {
    if let Some(games) = games {
        session.save_to(games.new_record(session.setup()));
    }
}

/// Continues to store the game in the opened record `file`, if the record is in one of the folders
/// of `games` and `is_whole` is true. `is_whole` is true if all answers of the record fit the
/// rules.
pub(super) fn store_in_own_record(session: &mut Session, games: &Games, file: &Path, is_whole: bool) {
    if is_whole
        && games.contains_record(file)
        && let Ok(record) = RecordFile::open(file)
    {
        session.save_to(record);
    }
}

/// Stores the game in a new record from now on, if it has no record. A game that was opened from
/// another folder has none until play continues.
pub(super) fn store_if_unstored(session: &mut Session, games: Option<&Games>) {
    if session.save_location().is_none() {
        store_in_new_record(session, games);
    }
}

/// The search for the first game.
struct FirstGameSearch<'a> {
    library: Library,
    start: &'a StartOptions,
    stop: &'a StopFlag,
    games: Option<Games>,
    /// The game that the program was opening when its last run ended: the path of its record, or
    /// `Some(None)` for a new game. `None` if the last run did not end during the opening of a
    /// game.
    ended: Option<Option<PathBuf>>,
    told: Vec<(Tone, String)>,
    /// The problems of the first failed attempt to load mods; `None` if all attempts succeeded.
    broken: Option<Problems>,
}

impl FirstGameSearch<'_> {
    fn find(&mut self, settings: &Settings) -> Result<Session, OpenError> {
        let found = match &self.start.setup {
            None => self.open_requested().or_else(|| self.open_last()),
            Some(_) => self.open_requested(),
        };
        found.map_or_else(|| self.begin_new(settings), Ok)
    }

    /// Adds a notification with the reason why a game cannot be opened, and stores the problems of
    /// its mods.
    fn notify_failed(&mut self, error: &OpenError) {
        self.notify(Tone::Bad, error.to_string());
        self.note_broken_mods(error);
    }

    fn note_broken_mods(&mut self, error: &OpenError) {
        if let OpenError::Mods(problems) = error {
            self.broken.get_or_insert_with(|| problems.clone());
        }
    }

    fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.told.push((tone, text.into()));
    }

    /// Opens the requested record. Returns `None` if no record is requested, or if it cannot be
    /// opened.
    fn open_requested(&mut self) -> Option<Session> {
        let file = self.start.open.as_ref()?;
        let library =
            self.games.as_ref().map_or_else(|| self.library.clone(), |it| it.library_for(file, &self.library));
        match open_record_with_stop(&library, file, self.stop) {
            Ok(OpenedRecord { mut session, warnings, is_whole, end }) => {
                self.told.extend(record_news(warnings, end));
                if let (Some(games), Some(file)) = (&self.games, &self.start.open) {
                    store_in_own_record(&mut session, games, file, is_whole);
                }
                Some(session)
            }
            Err(error) => {
                self.notify_failed(&error);
                None
            }
        }
    }

    /// Opens the newest stored game. If the record cannot be opened, or if opening it ended the
    /// program before and would do so again, tries the next game.
    ///
    /// Returns `None` if the game is over, has not begun, is open in another window, or needs mods
    /// that cannot be loaded. Also returns `None` if the user stops the opening.
    fn open_last(&mut self) -> Option<Session> {
        let games = self.games.clone()?;
        for path in games.newest() {
            if self.is_fatal(&path) {
                let moved = games.set_aside(&path);
                let place = moved.as_ref().unwrap_or(&path).display();
                let text = "your last game made the program stop, so it was set aside";
                self.notify(Tone::Bad, format!("{text}: it is in {place}"));
                continue;
            }
            let record = match RecordFile::open(&path) {
                Ok(record) => record,
                Err(SaveError::InUse(_)) => {
                    let text = "your last game is open in another window; here is a new game";
                    self.notify(Tone::Changed, text);
                    return None;
                }
                Err(error) => {
                    self.notify(Tone::Bad, error.to_string());
                    continue;
                }
            };
            games.begin_opening(Some(&path));
            match open_record_with_stop(&games.library_for(&path, &self.library), &path, self.stop) {
                Ok(opened) if opened.session.view().is_over() || !opened.session.is_worth_saving() => return None,
                Ok(OpenedRecord { mut session, warnings, is_whole, end }) => {
                    self.notify(Tone::Good, "continuing your last game; Ctrl+N starts a new one");
                    self.told.extend(record_news(warnings, end));
                    // If the end of the record does not fit the rules, leaves the file unchanged.
                    if is_whole {
                        session.save_to(record);
                    }
                    return Some(session);
                }
                Err(error) => {
                    self.notify_failed(&error);
                    // If mods cannot be loaded, older games would fail too. If the user stopped the
                    // opening, they want a new game.
                    if matches!(error, OpenError::Mods(_)) || self.stop.is_requested() {
                        self.stop.clear();
                        return None;
                    }
                }
            }
        }
        None
    }

    /// Returns whether opening this record ended the program before and would do so again.
    fn is_fatal(&self, record: &Path) -> bool {
        let ended = self.ended.as_ref().and_then(Option::as_deref);
        ended == Some(record) && !self.start.survives.is_some_and(|survives| survives(record))
    }

    /// Starts a new game. Tries, in this order: the requested setup, the setup of the last game,
    /// and the base game.
    fn begin_new(&mut self, settings: &Settings) -> Result<Session, OpenError> {
        let has_ended = self.ended == Some(None);
        if has_ended && self.start.setup.is_none() {
            self.notify(Tone::Bad, "your last game could not be started; here is a new base game");
        }
        if let Some(games) = &self.games {
            games.begin_opening(None);
        }
        let last = settings.last_game.as_ref().filter(|_| !has_ended).map(LastGame::setup);
        for setup in [self.start.setup.clone(), last].into_iter().flatten() {
            match begin_game_with_stop(&self.library, setup, self.stop) {
                Ok(session) => return Ok(session),
                Err(error) => self.notify_failed(&error),
            }
        }
        begin_game_with_stop(&self.library, first_setup(), self.stop).inspect_err(|error| self.note_broken_mods(error))
    }
}
