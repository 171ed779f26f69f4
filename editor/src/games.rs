//! The games that are kept: which one was left last, where the next one goes, and whether opening one has ended the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use table::RecordFile;

/// The folder in which games are kept.
#[derive(Clone, Debug)]
pub struct Games {
    data: PathBuf,
}

/// What the file that says which game is being opened holds where one is begun.
const BEGINNING: &str = "a new game";

impl Games {
    /// The games kept below `data`.
    pub fn new(data: &Path) -> Games {
        Games { data: data.to_owned() }
    }

    fn folder(&self) -> PathBuf {
        self.data.join("games")
    }

    /// The records, the one written last first. Empty files are none.
    pub fn newest(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        let record = |path: PathBuf| {
            let about = fs::metadata(&path).ok().filter(|about| about.is_file() && about.len() > 0)?;
            (path.extension()? == "game").then_some((about.modified().ok()?, path))
        };
        let mut found: Vec<(SystemTime, PathBuf)> = entries.filter_map(|entry| record(entry.path())).collect();
        found.sort_by(|a, b| b.cmp(a));
        found.into_iter().map(|(_, path)| path).collect()
    }

    /// A record of its own for a game. Nothing is made on disk before somebody answers.
    ///
    /// Fails where the folder cannot be made.
    pub fn next(&self) -> Result<RecordFile, String> {
        let folder = self.folder();
        fs::create_dir_all(&folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
        Ok(RecordFile::planned(folder.join(format!("{now}.game"))))
    }

    fn opening_file(&self) -> PathBuf {
        self.data.join("opening")
    }

    /// Notes that the game in `record`, or a new one, is about to be opened: should that end the program, the next start knows.
    pub fn begin_opening(&self, record: Option<&Path>) {
        let text = record.map_or(BEGINNING.into(), |path| path.to_string_lossy());
        // Without a place for the note games are opened all the same.
        let _ = fs::write(self.opening_file(), text.as_bytes());
    }

    /// Notes that the game is open.
    pub fn end_opening(&self) {
        let _ = fs::remove_file(self.opening_file());
    }

    /// The record that was being opened when the program ended, `Some(None)` for a new game; `None` where it ended otherwise.
    pub fn ended_opening(&self) -> Option<Option<PathBuf>> {
        let text = fs::read_to_string(self.opening_file()).ok()?;
        Some((text != BEGINNING).then(|| PathBuf::from(text)))
    }

    /// Puts a record where nobody takes it for the game that was left; returns where.
    ///
    /// Fails where it cannot be moved.
    pub fn set_aside(&self, record: &Path) -> std::io::Result<PathBuf> {
        let folder = self.folder().join("set-aside");
        fs::create_dir_all(&folder)?;
        let to = folder.join(record.file_name().unwrap_or_default());
        let to = if to.exists() { RecordFile::free_name(&to) } else { to };
        fs::rename(record, &to)?;
        Ok(to)
    }
}
