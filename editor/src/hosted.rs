//! The game of the game thread as a table with guests.

use door::{ClientId, Event, NumberedRequest, Request, SavedTable, Table};
use host::Guests;
use platform::time::Instant;
use table::{AwaitedActor, Revision, Seat, Session};

use crate::invitation::{GuestRequest, TableNews, TableSeat};

/// A message of a guest, which the server passes to the game thread.
pub use host::RoomMessage as GuestMessage;

/// The name of the person at this window, as guests see it.
const HOST: &str = "host";

/// The game, and the guests who have joined it.
pub struct HostedGame {
    table: Table,
    guests: Guests,
    /// The number of the running invitation; `None` if no guest is invited.
    invitation: Option<u64>,
    n_requests: u32,
}

impl HostedGame {
    /// Makes a table without guests.
    pub fn new(session: Session) -> HostedGame {
        let table = Table::new(session, SavedTable::default());
        HostedGame { table, guests: Guests::default(), invitation: None, n_requests: 0 }
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        self.table.session()
    }

    /// Returns the session for a change. Call [`send_change`](Self::send_change) after the change.
    pub fn session_mut(&mut self) -> &mut Session {
        self.table.session_mut()
    }

    /// Sends guests the changes that the window has made since `before`. If `is_other` is true, the
    /// window has replaced the game, so the invitation ends instead.
    pub fn send_change(&mut self, before: Revision, is_other: bool) {
        if is_other {
            self.close();
        } else if self.is_inviting() {
            self.table.send_changes(before);
        }
    }

    /// Tells guests that the rules have changed.
    pub fn notify_new_rules(&mut self) {
        if self.is_inviting() {
            self.table.notify("the host has changed the rules".to_owned());
        }
    }

    /// Handles a message of a guest. Drops messages of earlier invitations.
    pub fn handle(&mut self, invitation: u64, message: GuestMessage) {
        if self.invitation == Some(invitation) && !self.guests.handle(&mut self.table, message) {
            self.close();
        }
    }

    /// Carries out a request of the window.
    pub fn request(&mut self, request: GuestRequest) {
        match request {
            GuestRequest::Invite(number) => {
                self.close();
                let session = self.table.session();
                let seat = match session.awaited_actor() {
                    AwaitedActor::Person(seat) => Some(seat),
                    _ => session.view().seats().find(|seat| !session.is_bot(*seat)),
                };
                self.invitation = Some(number);
                self.table.connect_local(seat, HOST);
            }
            GuestRequest::Stop => self.close(),
            GuestRequest::Free(seat) if self.is_inviting() => self.table.free(seat),
            GuestRequest::ProposeUndo => {
                let at = self.table.session().revision().version();
                self.send_request(Request::ProposeUndo { at });
            }
            GuestRequest::AnswerUndo(agrees) => self.send_request(Request::AnswerUndo { agrees }),
            GuestRequest::Chat(text) => self.send_request(Request::Chat { text }),
            GuestRequest::Point(spot) => self.send_request(Request::Point { spot }),
            GuestRequest::Free(_) => {}
        }
    }

    fn send_request(&mut self, request: Request) {
        self.n_requests += 1;
        self.table.set_time(Instant::now());
        self.table.handle(ClientId::LOCAL, NumberedRequest { number: self.n_requests, request });
    }

    fn close(&mut self) {
        if self.is_inviting() {
            (self.invitation, self.guests) = (None, Guests::default());
        }
        self.table.close();
    }

    /// Sends events to the guests. Returns the news for the window.
    pub fn deliver(&mut self) -> Vec<TableNews> {
        if !self.is_inviting() {
            return Vec::new();
        }
        self.guests.deliver(&mut self.table).into_iter().filter_map(news).collect()
    }

    /// Returns whether guests can join.
    pub fn is_inviting(&self) -> bool {
        self.invitation.is_some()
    }
}

/// Returns the news of an event for the window; `None` if the window learns it in another way.
fn news(event: Event) -> Option<TableNews> {
    Some(match event {
        Event::Seats { seats, own, n_spectators } => {
            let seat = |(i, seat): (usize, door::SeatView)| TableSeat {
                name: seat.name,
                is_here: seat.is_here,
                is_bot: seat.is_bot,
                is_own: own.contains(Seat(i as u8)),
            };
            // The window itself has no seat in a game of bots, and is counted as a spectator.
            let n_spectators = n_spectators.saturating_sub(u16::from(own == table::SeatSet::NONE));
            TableNews::Seats(seats.into_iter().enumerate().map(seat).collect(), n_spectators)
        }
        Event::UndoProposed { by, asks } => TableNews::UndoProposed(by, asks),
        Event::UndoEnded { declined_by } => TableNews::UndoEnded(declined_by),
        Event::Said(line) => TableNews::Said(line.seat, line.name, line.text),
        Event::Pointed { by, spot } => TableNews::Pointed(by, spot),
        Event::Refused { why, .. } => TableNews::Refused(why),
        _ => return None,
    })
}
