//! Sessions between bots, as the window runs them. Tests of whole sessions share these functions.

use std::path::Path;

use loader::Library;
use rules::Setup;
use table::{OpenError, RecordFile, Session, begin_game};

/// Starts a deterministic game of these mods between two bots.
///
/// # Errors
/// Returns an error if the mods have errors.
pub fn begin(library: &Library, ids: &[String], bot: &str) -> Result<Session, OpenError> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut setup = Setup { seed: Some(1), ..Setup::of(&ids, 2) };
    setup.bots = setup.players.iter().map(|player| (player.clone(), bot.to_owned())).collect();
    begin_game(library, setup)
}

/// Creates a record file in which the session saves its game from now on.
///
/// # Panics
/// Panics if the file cannot be created.
pub fn save_into(session: &mut Session, file: &Path) {
    let record = RecordFile::create(file, &session.header_text());
    session.save_to(record.unwrap_or_else(|e| panic!("{e}")));
    session.save();
}

/// Lets bots and chance answer up to `n` times.
pub fn advance(session: &mut Session, n: usize) {
    for _ in 0..n {
        session.advance();
    }
}
