//! Games that jobs replay.

use serde::{Deserialize, Serialize};
use table::{Session, Snapshot};
use workshop::ConfiguredMods;

use crate::shown_error::ShownError;

/// A game as its mods and its record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RecordedGame {
    /// The mods in play.
    pub mods: ConfiguredMods,
    /// The text of the record.
    pub record: String,
}

impl RecordedGame {
    /// Records a game up to the current position.
    pub fn of(seen: &Snapshot) -> RecordedGame {
        RecordedGame { mods: ConfiguredMods::of(seen), record: seen.record_text() }
    }

    /// Records the first `n` answers of a game.
    pub fn until(seen: &Snapshot, n: usize) -> RecordedGame {
        RecordedGame { mods: ConfiguredMods::of(seen), record: seen.record_text_until(seen.setup(), n) }
    }

    /// Replays the game.
    ///
    /// # Errors
    /// Returns an error if the record cannot be replayed.
    pub fn open(&self) -> Result<Session, ShownError> {
        Ok(self.mods.open_record(&self.record)?)
    }
}
