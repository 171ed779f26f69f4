//! The identity of what a session shows at a moment.

use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies what a session shows: two revisions are equal only where the session is the same one and nothing of it has changed in
/// between. No two sessions of a process share one, so it is the key for whatever is derived from a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Revision {
    session: u64,
    version: u64,
}

impl Revision {
    /// Returns the first revision of a new session.
    pub(crate) fn of_new_session() -> Revision {
        static N_SESSIONS: AtomicU64 = AtomicU64::new(0);
        Revision { session: N_SESSIONS.fetch_add(1, Ordering::Relaxed), version: 0 }
    }

    /// Moves on to the next revision of the same session.
    pub(crate) fn advance(&mut self) {
        self.version += 1;
    }

    /// Returns the number of the session, which no other session of this process has.
    pub fn session_id(self) -> u64 {
        self.session
    }
}
