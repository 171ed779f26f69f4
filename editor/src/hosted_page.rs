//! The game of the page, which has no guests.

use crate::table_view::{GuestRequest, TableNews};
use table::{Revision, Session};

/// A message of a guest. A page receives none.
pub enum GuestMessage {}

/// The game.
pub struct HostedGame(Session);

impl HostedGame {
    /// Makes a table without guests.
    pub fn new(session: Session) -> HostedGame {
        HostedGame(session)
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.0
    }

    /// Returns the session for a change.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.0
    }

    /// Does nothing, because there are no guests.
    pub fn send_change(&mut self, _before: Revision, _is_other: bool) {}

    /// Does nothing, because there are no guests.
    pub fn notify_new_rules(&mut self) {}

    /// Handles a message, of which there are none.
    pub fn handle(&mut self, _invitation: u64, message: GuestMessage) {
        match message {}
    }

    /// Does nothing, because a page cannot invite.
    pub fn request(&mut self, _request: GuestRequest) {}

    /// Returns no news.
    pub fn deliver(&mut self) -> Vec<TableNews> {
        Vec::new()
    }

    /// Returns false.
    pub fn is_inviting(&self) -> bool {
        false
    }
}
