//! The invitation of guests to the game of this window.

use std::net::SocketAddr;
use std::ops::Deref;

use crate::game_thread::GameThread;
use crate::shown_error::ShownError;
use crate::table_view::{CollectedPlaytest, TableView};

/// The running invitation. Dereferences to the people at the table. Dropping it stops the server.
pub struct Invitation {
    /// The link that guests open.
    pub link: String,
    /// The people at the table.
    pub table: TableView,
    /// The playtest; `None` if the window collects none.
    pub playtest: Option<CollectedPlaytest>,
    /// True after the end of the game, when the user was told about the playtest.
    pub(crate) has_told_playtest: bool,
    #[cfg(not(target_family = "wasm"))]
    _server: host::RunningServer,
}

impl Invitation {
    /// Starts a server at `address` for the game of the game thread.
    ///
    /// # Errors
    /// Returns an error if the server cannot start.
    #[cfg(not(target_family = "wasm"))]
    pub fn start<W: 'static>(thread: &GameThread<W>, address: SocketAddr) -> Result<Invitation, ShownError> {
        let (number, messages) = thread.guest_messages();
        let room = host::Room::of_thread(messages);
        let server = host::RunningServer::start(room, address).map_err(|error| {
            let port = address.port();
            ShownError::new(format!("guests cannot be invited at port {port}: {error}; choose another port"))
        })?;
        thread.ask_guests(crate::table_view::GuestRequest::Invite(number));
        let link = server.link.to_string();
        Ok(Invitation { link, table: TableView::default(), playtest: None, has_told_playtest: false, _server: server })
    }

    /// Returns an error, because a page cannot be a server.
    ///
    /// # Errors
    /// Always returns an error.
    #[cfg(target_family = "wasm")]
    pub fn start<W: 'static>(_thread: &GameThread<W>, _address: SocketAddr) -> Result<Invitation, ShownError> {
        Err(ShownError::new("a browser cannot invite guests: use the desktop program"))
    }

    /// Returns whether the person at this window takes part in a playtest.
    pub fn takes_part(&self) -> bool {
        self.playtest.as_ref().is_some_and(|playtest| playtest.own.takes_part())
    }
}

impl Deref for Invitation {
    type Target = TableView;

    fn deref(&self) -> &TableView {
        &self.table
    }
}
