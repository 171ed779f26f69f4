//! The invitation of guests to the game of this window.

use std::net::SocketAddr;
use std::ops::Deref;
use std::path::PathBuf;

use table::{Seat, Spot};

use crate::app::App;
use crate::game_thread::GameThread;
use crate::table_view::{OwnPlaytest, RemainingTimes, TableSeat, TableView};

/// A request of the window about guests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GuestRequest {
    /// Let guests join. The number distinguishes the messages of this invitation from those of
    /// earlier invitations.
    Invite(u64),
    /// End all connections.
    Stop,
    /// Propose to the guests to undo the last choice of the person at this window.
    ProposeUndo,
    /// Agree (true) or decline to undo.
    AnswerUndo(bool),
    /// Free a guest's seat.
    Free(Seat),
    /// Write a line into the chat.
    Chat(String),
    /// Point at a spot, so that the guests see it.
    Point(Spot),
    /// Collect a playtest beside the record of the game, from the people who agree.
    CollectPlaytest,
    /// Agree (true) or decline that the playtest contains the data of the person at this window.
    Consent(bool),
    /// Write a note into the playtest. Contains the number of answers before the moment, the
    /// subject, and the text.
    Note(u32, Option<String>, String),
    /// Reply to the survey of the playtest: ids of questions, and the replies as text.
    Reply(Vec<(String, String)>),
    /// Say whether the explanation of this rule is clear.
    Thumb(String, bool),
    /// Start a clock with these numbers of seconds: the time of each seat, and the time that a seat
    /// gains in each further turn.
    StartClock(u32, u32),
    /// Pause the game (true), or continue it.
    Pause(bool),
}

/// News of the table for the window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableNews {
    /// The seats in order, and the number of spectators.
    Seats(Vec<TableSeat>, u16),
    /// The player at this seat proposes to undo. The flag is true if the window must agree or
    /// decline.
    UndoProposed(Seat, bool),
    /// The proposal has ended. Contains the seat of the player who declined; `None` if no player
    /// declined.
    UndoEnded(Option<Seat>),
    /// A request was refused, for this reason.
    Refused(String),
    /// The player at this seat has written a line into the chat: the name of the player, and the
    /// text.
    Said(Seat, String, String),
    /// The player at this seat points at a spot.
    Pointed(Seat, Spot),
    /// The playtest has changed.
    Playtest(Box<CollectedPlaytest>),
    /// The remaining times of the seats.
    Clock(RemainingTimes),
    /// The player at this seat has paused the game; `None` if the game goes on.
    Paused(Option<Seat>),
    /// The game was replaced, so the invitation has ended.
    Ended,
}

/// The playtest that the window collects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CollectedPlaytest {
    /// The path of the file.
    pub file: PathBuf,
    /// True if the file exists, because a person has agreed.
    pub is_stored: bool,
    /// The reason why the file could not be written; `None` if it was written.
    pub failure: Option<String>,
    /// The numbers of collected answers and notes.
    pub counts: (usize, usize),
    /// The playtest as the person at this window takes part in it.
    pub own: OwnPlaytest,
    /// By seat: true if the guest takes part, false if they decline; `None` before they have said
    /// so, and for free seats.
    pub consents: Vec<Option<bool>>,
    /// The number of spectators who take part.
    pub n_spectators: usize,
}

/// A function that replaces the game of the window.
pub(crate) type Replacement = Box<dyn FnOnce(&mut App)>;

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
    /// Replaces the game by another game when the user has agreed that the guests must leave.
    pub(crate) replacement: Option<Replacement>,
    #[cfg(not(target_family = "wasm"))]
    _server: host::RunningServer,
}

impl Invitation {
    /// Starts a server at `address` for the game of the game thread.
    ///
    /// # Errors
    /// Returns the reason if the server cannot start.
    #[cfg(not(target_family = "wasm"))]
    pub fn start<W: 'static>(thread: &GameThread<W>, address: SocketAddr) -> Result<Invitation, String> {
        let (number, messages) = thread.guest_messages();
        let room = host::Room::of_thread(messages);
        let server = host::RunningServer::start(room, address).map_err(|error| {
            format!("guests cannot be invited at port {}: {error}; choose another port", address.port())
        })?;
        thread.ask_guests(GuestRequest::Invite(number));
        let link = server.link.to_string();
        Ok(Invitation {
            link,
            table: TableView::default(),
            playtest: None,
            has_told_playtest: false,
            replacement: None,
            _server: server,
        })
    }

    /// Returns an error, because a page cannot be a server.
    ///
    /// # Errors
    /// Always returns an error.
    #[cfg(target_family = "wasm")]
    pub fn start<W: 'static>(_thread: &GameThread<W>, _address: SocketAddr) -> Result<Invitation, String> {
        Err("a browser cannot invite guests: use the desktop program".to_owned())
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
