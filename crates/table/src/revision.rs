//! The identity of a session's visible state.

use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies the visible state of a session. Two revisions are equal only if they belong to the
/// same session and nothing changed in between. So the revision can be the cache key for everything
/// that is derived from a session.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Revision {
    /// The number of the session. Serialization omits the number, because a client knows only one
    /// session.
    #[serde(skip)]
    session: u64,
    version: u64,
}

impl Revision {
    /// Returns the first revision of a new session.
    pub(crate) fn of_new_session() -> Revision {
        static N_SESSIONS: AtomicU64 = AtomicU64::new(0);
        Revision { session: N_SESSIONS.fetch_add(1, Ordering::Relaxed), version: 0 }
    }

    /// Advances to the next revision of the same session.
    pub(crate) fn advance(&mut self) {
        self.version += 1;
    }

    /// Returns the number of changes since the session began.
    pub fn version(self) -> u64 {
        self.version
    }

    /// Returns the number of the session, unique in this process.
    pub fn session_id(self) -> u64 {
        self.session
    }
}
