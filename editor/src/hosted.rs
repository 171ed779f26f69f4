//! The game of the game thread as a table with guests.

use door::{
    Agreements, ClientId, ClockView, Event, NumberedRequest, Request, SavedTable, SeatView, Table, TimeControl,
};
use host::{Guests, PlaytestFile};
use platform::time::{Duration, Instant};
use table::{AwaitedActor, Revision, Seat, SeatSet, Session};

use crate::table_view::{CollectedPlaytest, GuestRequest, RemainingTimes, TableNews, TableSeat};

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
    /// The file of the playtest; `None` if the window collects none.
    playtest: Option<PlaytestFile>,
    /// The state of the playtest that the window has received last.
    sent_playtest: Option<CollectedPlaytest>,
    /// News that the window has not received yet.
    news: Vec<TableNews>,
}

impl HostedGame {
    /// Makes a table without guests.
    pub fn new(session: Session) -> HostedGame {
        let table = Table::new(session, SavedTable::default());
        HostedGame {
            table,
            guests: Guests::default(),
            invitation: None,
            n_requests: 0,
            playtest: None,
            sent_playtest: None,
            news: Vec::new(),
        }
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
            self.table.set_time(Instant::now());
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
            GuestRequest::Send(request) => self.send_request(request),
            GuestRequest::CollectPlaytest => self.collect_playtest(),
            GuestRequest::StartClock(start, increment) if self.is_inviting() => {
                let [start, increment] = [start, increment].map(|seconds| Duration::from_secs(seconds.into()));
                self.table.set_time(Instant::now());
                self.table.start_clock(TimeControl { start, increment });
            }
            GuestRequest::Free(_) | GuestRequest::StartClock(..) => {}
        }
    }

    fn send_request(&mut self, request: Request) {
        self.n_requests += 1;
        self.table.set_time(Instant::now());
        self.table.handle(ClientId::LOCAL, NumberedRequest { number: self.n_requests, request });
    }

    /// Collects a playtest in the file beside the record, and continues the file if it exists.
    fn collect_playtest(&mut self) {
        if !self.is_inviting() || self.playtest.is_some() {
            return;
        }
        let record = self.table.session().save_location().map(|it| it.path.clone());
        let Some(file) = record.as_deref().map(PlaytestFile::beside) else {
            return self.refuse("a playtest needs a game that is saved: save the game first".to_owned());
        };
        match file.read() {
            Ok(playtest) => {
                self.table.set_time(Instant::now());
                self.table.collect_playtest(playtest);
                self.playtest = Some(file);
            }
            Err(why) => self.refuse(format!("{} is not continued: {why}", file.path().display())),
        }
    }

    fn refuse(&mut self, why: String) {
        self.news.push(TableNews::Refused(why));
    }

    /// Stores the playtest. Returns its state for the window if this has changed.
    fn store_playtest(&mut self) -> Option<TableNews> {
        let file = self.playtest.as_mut()?;
        file.save(&mut self.table);
        let (playtest, own) = (self.table.playtest()?, self.table.local_playtest()?);
        let Agreements { seats: consents, n_spectators } = self.table.agreements();
        let now = CollectedPlaytest {
            file: file.path().to_owned(),
            is_stored: !playtest.people.is_empty() && file.failure().is_none(),
            failure: file.failure().map(str::to_owned),
            counts: (playtest.answers.len(), playtest.notes.len()),
            own,
            consents,
            n_spectators,
        };
        let has_changed = self.sent_playtest.as_ref() != Some(&now);
        self.sent_playtest = Some(now.clone());
        has_changed.then(|| TableNews::Playtest(Box::new(now)))
    }

    fn close(&mut self) {
        (self.playtest, self.sent_playtest) = (None, None);
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
        let playtest = self.store_playtest();
        let events = self.guests.deliver(&mut self.table);
        let told = std::mem::take(&mut self.news).into_iter().chain(playtest);
        told.chain(events.into_iter().filter_map(news)).collect()
    }

    /// Returns whether guests can join.
    pub fn is_inviting(&self) -> bool {
        self.invitation.is_some()
    }
}

/// Returns the news of an event for the window; `None` if the window learns it in another way.
fn news(event: Event) -> Option<TableNews> {
    Some(match event {
        // The window itself has no seat in a game of bots, and is counted as a spectator.
        Event::Seats { seats, own, n_spectators } => {
            TableNews::Seats(table_seats(&seats, own), n_spectators.saturating_sub(u16::from(own == SeatSet::NONE)))
        }
        Event::UndoProposed { by, asks } => TableNews::UndoProposed(by, asks),
        Event::UndoEnded { declined_by } => TableNews::UndoEnded(declined_by),
        Event::Said(line) => TableNews::Said(line.seat, line.name, line.text),
        Event::Pointed { by, spot } => TableNews::Pointed(by, spot),
        Event::Paused(by) => TableNews::Paused(by),
        Event::Clock(clock) => TableNews::Clock(remaining_times(&clock)),
        Event::Refused { why, .. } => TableNews::Refused(why),
        _ => return None,
    })
}

/// Returns the seats of a table, of which this window has `own`.
pub fn table_seats(seats: &[SeatView], own: SeatSet) -> Vec<TableSeat> {
    let seat = |(i, seat): (usize, &SeatView)| TableSeat {
        name: seat.name.clone(),
        is_here: seat.is_here,
        is_bot: seat.is_bot,
        is_own: own.contains(Seat(i as u8)),
    };
    seats.iter().enumerate().map(seat).collect()
}

/// Returns the remaining times that a table has just sent.
pub fn remaining_times(clock: &ClockView) -> RemainingTimes {
    RemainingTimes {
        left: clock.left.iter().map(|ms| Duration::from_millis((*ms).into())).collect(),
        runs: clock.runs,
        since: Instant::now(),
    }
}
