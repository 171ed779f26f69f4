//! The invitation of guests to the game of this window.

use std::net::SocketAddr;
use std::path::PathBuf;

use platform::time::{Duration, Instant};
use playtest::SurveyQuestion;
use table::{Seat, Spot};

use crate::app::App;
use crate::game_thread::GameThread;

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
    /// The questions of the survey.
    pub survey: Vec<SurveyQuestion>,
    /// True if the person at this window takes part, false if they decline; `None` before they have
    /// said so.
    pub agrees: Option<bool>,
    /// True if the person at this window has replied to the survey.
    pub has_replied: bool,
    /// The opinions of the person at this window about explanations: the rule, and true if clear.
    pub thumbs: Vec<(String, bool)>,
    /// By seat: true if the guest takes part, false if they decline; `None` before they have said
    /// so, and for free seats.
    pub consents: Vec<Option<bool>>,
    /// The number of spectators who take part.
    pub n_spectators: usize,
}

impl CollectedPlaytest {
    /// Returns whether the person at this window takes part.
    pub fn takes_part(&self) -> bool {
        self.agrees == Some(true)
    }

    /// Returns whether the person at this window can reply to the survey.
    pub fn has_survey(&self) -> bool {
        self.takes_part() && !self.has_replied && !self.survey.is_empty()
    }
}

/// The remaining times of the seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemainingTimes {
    /// The time of each seat at the moment `since`.
    pub left: Vec<Duration>,
    /// The seat whose time runs; `None` if no time runs.
    pub runs: Option<Seat>,
    /// The moment at which the table has sent the times.
    pub since: Instant,
}

/// A seat of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSeat {
    /// The name of the guest or host; `None` if the seat is free.
    pub name: Option<String>,
    /// True if the guest is connected.
    pub is_here: bool,
    /// True if a bot plays the seat.
    pub is_bot: bool,
    /// True for the seat of the person at this window.
    pub is_own: bool,
}

impl TableSeat {
    /// Returns whether a guest has taken the seat.
    pub fn is_guest(&self) -> bool {
        self.name.is_some() && !self.is_own
    }
}

/// The time for which the board shows that a player points at a spot.
const POINTING: Duration = Duration::from_secs(4);

/// A function that replaces the game of the window.
pub(crate) type Replacement = Box<dyn FnOnce(&mut App)>;

/// The running invitation. Dropping it stops the server.
pub struct Invitation {
    /// The link that guests open.
    pub link: String,
    /// The seats in order.
    pub seats: Vec<TableSeat>,
    /// The number of spectators.
    pub n_spectators: u16,
    /// The open proposal to undo: the seat that made it, and true if this window must agree or
    /// decline.
    pub proposal: Option<(Seat, bool)>,
    /// The lines of the chat, oldest first: the name of the player, and the text.
    pub chat: Vec<(String, String)>,
    /// The playtest; `None` if the window collects none.
    pub playtest: Option<CollectedPlaytest>,
    /// True after the end of the game, when the user was told about the playtest.
    pub(crate) has_told_playtest: bool,
    /// The remaining times of the seats; `None` if the table has no clock.
    pub clock: Option<RemainingTimes>,
    /// Replaces the game by another game when the user has agreed that the guests must leave.
    pub(crate) replacement: Option<Replacement>,
    /// The spots at which players point, and the times at which they began.
    points: Vec<(Seat, Spot, Instant)>,
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
            seats: Vec::new(),
            n_spectators: 0,
            proposal: None,
            chat: Vec::new(),
            playtest: None,
            has_told_playtest: false,
            clock: None,
            replacement: None,
            points: Vec::new(),
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
        self.playtest.as_ref().is_some_and(CollectedPlaytest::takes_part)
    }

    /// Returns the number of seats that guests have taken.
    pub fn n_guests(&self) -> usize {
        self.seats.iter().filter(|seat| seat.is_guest()).count()
    }

    /// Returns the remaining time of a seat as minutes and seconds; `None` if there is no clock.
    pub fn time_left(&self, seat: Seat) -> Option<String> {
        let RemainingTimes { left, runs, since } = self.clock.as_ref()?;
        let passed = if *runs == Some(seat) { since.elapsed() } else { Duration::ZERO };
        // Rounds up, so that 0:00 means that the time is over.
        let seconds = left.get(seat.idx())?.saturating_sub(passed).as_millis().div_ceil(1000);
        Some(format!("{}:{:02}", seconds / 60, seconds % 60))
    }

    /// Notes that a player points at a spot.
    pub fn point(&mut self, seat: Seat, spot: Spot) {
        self.points.retain(|(other, ..)| *other != seat);
        self.points.push((seat, spot, Instant::now()));
    }

    /// Returns the spots at which players point now: the seat, its name and the spot.
    pub fn points(&self) -> impl Iterator<Item = (Seat, &str, Spot)> {
        let is_new = |(.., since): &&(Seat, Spot, Instant)| since.elapsed() < POINTING;
        let name = |seat: Seat| self.seats.get(seat.idx()).and_then(|it| it.name.as_deref()).unwrap_or_default();
        self.points.iter().filter(is_new).map(move |(seat, spot, _)| (*seat, name(*seat), *spot))
    }

    /// Returns the name of the guest at a seat, and whether the guest is connected; `None` if no
    /// guest has taken the seat.
    pub fn guest(&self, seat: Seat) -> Option<(&str, bool)> {
        let it = self.seats.get(seat.idx()).filter(|seat| seat.is_guest())?;
        Some((it.name.as_deref()?, it.is_here))
    }
}
