//! Stored games: finds the newest game, names new records, and sets aside records that crash the
//! program.

use std::hash::Hasher as _;
use std::path::{Path, PathBuf};

use fnv::FnvHasher;
use platform::fs::{self, FileKind};
use platform::time::{SystemTime, UNIX_EPOCH};
use table::{Library, RecordFile, Setup};
use workshop::link::RECORD_FILE;

/// The folders in which the games of the user are stored.
#[derive(Clone, Debug)]
pub struct Games {
    data: PathBuf,
    folder: PathBuf,
}

/// The content of the file `opening` while the program opens a new game. While the program opens a
/// record, the file contains the path of the record instead.
const NEW_GAME_MARK: &str = "a new game";

impl Games {
    /// Returns the games stored below `data`.
    pub fn new(data: &Path) -> Games {
        Games { data: data.to_owned(), folder: data.join("games") }
    }

    /// Returns the games stored below `data`. If one of the folders `mods` came in a link, new
    /// records are stored in that folder.
    pub fn with_mods(data: &Path, mods: &[PathBuf]) -> Games {
        let games = Games::new(data);
        let of_link = mods.iter().find(|path| path.parent() == Some(&games.links())).cloned();
        Games { folder: of_link.unwrap_or(games.folder), data: games.data }
    }

    /// Returns the folder that contains the folders of all links.
    fn links(&self) -> PathBuf {
        self.data.join("links")
    }

    /// Returns the folder of the link with this text.
    pub fn folder_of_link(&self, text: &str) -> PathBuf {
        let mut hasher = FnvHasher::default();
        hasher.write(text.as_bytes());
        self.links().join(format!("{:016x}", hasher.finish()))
    }

    /// Returns the mods for a record. These are the mods of `home` or, if the record came in a
    /// link, the mods of the link and all mods of `home` with other ids.
    pub fn library_for(&self, record: &Path, home: &Library) -> Library {
        let Some(folder) = record.parent().filter(|folder| folder.parent() == Some(&self.links())) else {
            return home.clone();
        };
        let brought = Library::open(&[folder.to_owned()]).ids();
        let others = home.ids().into_iter().filter(|id| !brought.contains(id)).filter_map(|id| home.folder(&id));
        let paths: Vec<PathBuf> = others.chain([folder.to_owned()]).collect();
        home.with_paths(paths)
    }

    /// Returns the records of all stored games, the newest first. Omits empty files, and the
    /// original records of links.
    pub fn newest(&self) -> Vec<PathBuf> {
        let folders = fs::paths_in(self.links()).chain([self.data.join("games")]);
        let record = |path: PathBuf| {
            let stamp = fs::stamp(&path).ok().filter(|stamp| stamp.kind == FileKind::File && stamp.len > 0)?;
            (path.extension()? == "game" && path.file_name()? != RECORD_FILE).then_some((stamp.modified?, path))
        };
        let mut found: Vec<(SystemTime, PathBuf)> = folders.flat_map(fs::paths_in).filter_map(record).collect();
        found.sort_by(|a, b| b.cmp(a));
        found.into_iter().map(|(_, path)| path).collect()
    }

    /// Returns a new record for a game, named after the day, the mods and the players. The file is
    /// created with the first answer.
    pub fn new_record(&self, setup: &Setup) -> RecordFile {
        let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400);
        let path = self.folder.join(format!("{}.game", name_of(days, setup)));
        RecordFile::planned(if fs::exists(&path) { RecordFile::unused_path(&path) } else { path })
    }

    /// Returns whether a record is a stored game, so that play may continue in the same file. The
    /// original record of a link is not a stored game.
    pub fn contains_record(&self, record: &Path) -> bool {
        let folder = record.parent();
        let is_of_link = folder.is_some_and(|folder| folder.parent() == Some(&self.links()));
        folder == Some(&self.data.join("games"))
            || (is_of_link && record.file_name().is_some_and(|name| name != RECORD_FILE))
    }

    fn opening_file(&self) -> PathBuf {
        self.data.join("opening")
    }

    /// Stores a note that the program is about to open the game in `record` or, if `record` is
    /// `None`, a new game. [`end_opening`](Games::end_opening) removes the note. If the program
    /// ends before that call, [`interrupted_opening`](Games::interrupted_opening) returns the game
    /// at the next start.
    pub fn begin_opening(&self, record: Option<&Path>) {
        let text = record.map_or(NEW_GAME_MARK.into(), |path| path.to_string_lossy());
        // A game can be opened even if the note cannot be written.
        let _ = fs::write(self.opening_file(), text.as_bytes());
    }

    /// Removes the note that a game is being opened.
    pub fn end_opening(&self) {
        let _ = fs::remove(&self.opening_file());
    }

    /// Returns the record that the program was opening when it last ended, or `Some(None)` if it
    /// was opening a new game. Returns `None` if the program was not opening a game.
    pub fn interrupted_opening(&self) -> Option<Option<PathBuf>> {
        let text = fs::read_to_string(self.opening_file()).ok()?;
        Some((text != NEW_GAME_MARK).then(|| PathBuf::from(text)))
    }

    /// Moves a record to a folder whose records are not opened automatically; returns its new path.
    ///
    /// # Errors
    /// Returns an error if the record cannot be moved.
    pub fn set_aside(&self, record: &Path) -> std::io::Result<PathBuf> {
        let folder = self.data.join("games/set-aside");
        fs::create_dir_all(&folder)?;
        let to = folder.join(record.file_name().unwrap_or_default());
        let to = if fs::exists(&to) { RecordFile::unused_path(&to) } else { to };
        fs::rename(record, &to)?;
        Ok(to)
    }
}

/// Returns the date `days` days after 1970-01-01, such as `2026-11-22`.
fn date(days: u64) -> String {
    // Years start in March, so that a leap day is the last day of its year. An era has 400 years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + u64::from(month <= 2))
}

/// Returns the name of the record of a game that begins `days` days after 1970-01-01. The name
/// contains the day, the first two mods, the number of further mods, and the players.
fn name_of(days: u64, setup: &Setup) -> String {
    let ids: Vec<&str> = setup.mods.iter().map(|used| used.id.as_str()).collect();
    let more = if ids.len() > 2 { format!("+{}", ids.len() - 2) } else { String::new() };
    let mods = ids.iter().take(2).copied().collect::<Vec<_>>().join("+");
    let players: String =
        setup.players.join("-").chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
    let name: String = format!("{} {mods}{more} {players}", date(days)).chars().take(80).collect();
    name.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_called_after_day_mods_and_players() {
        assert_eq!([date(0), date(11_016), date(20_779)], ["1970-01-01", "2000-02-29", "2026-11-22"]);
        assert_eq!(name_of(20_779, &Setup::of(&["base"], 2)), "2026-11-22 base red-blue");
        let many = Setup::of(&["base", "river", "scout", "messages"], 3);
        assert_eq!(name_of(20_779, &many), "2026-11-22 base+river+2 red-blue-green");
    }
}
