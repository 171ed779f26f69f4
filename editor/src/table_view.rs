//! The people at a table, as this window sees them: as the host, or as a guest of another computer.

use std::path::PathBuf;

use door::{PlaytestView, Request};
use platform::time::{Duration, Instant};
use table::{GameView, Seat, Spot};

/// The time for which the board shows that a player points at a spot.
const POINTING: Duration = Duration::from_secs(4);

/// A seat of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableSeat {
    /// The name of the person who has taken the seat; `None` if the seat is free.
    pub name: Option<String>,
    /// True if the person is connected.
    pub is_here: bool,
    /// True if a bot plays the seat.
    pub is_bot: bool,
    /// True for the seat of the person at this window.
    pub is_own: bool,
}

impl TableSeat {
    /// Returns whether a person at another computer has taken the seat.
    pub fn is_guest(&self) -> bool {
        self.name.is_some() && !self.is_own
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

/// A position that a guest looks at alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExcursionView {
    /// The number of answers of the game before the position and before the tried choices.
    pub n_played: usize,
    /// The number of choices that the guest tries.
    pub n_tried: usize,
    /// True if the guest is to move in the game.
    pub is_asked: bool,
}

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
    /// Free a guest's seat.
    Free(Seat),
    /// Collect a playtest beside the record of the game, from the people who agree.
    CollectPlaytest,
    /// Start a clock with these numbers of seconds: the time of each seat, and the time that a seat
    /// gains in each further turn.
    StartClock(u32, u32),
    /// Send the table a request that guests can also make, such as a line of the chat.
    Send(Request),
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
    pub own: PlaytestView,
    /// By seat: true if the guest takes part, false if they decline; `None` before they have said
    /// so, and for free seats.
    pub consents: Vec<Option<bool>>,
    /// The number of spectators who take part.
    pub n_spectators: usize,
}

/// The people at a table.
#[derive(Clone, Debug, Default)]
pub struct TableView {
    /// The seats in order.
    pub seats: Vec<TableSeat>,
    /// The number of spectators.
    pub n_spectators: u16,
    /// The open proposal to undo: the seat that made it, and true if this window must agree or
    /// decline.
    pub proposal: Option<(Seat, bool)>,
    /// The lines of the chat, oldest first: the name of the player, and the text.
    pub chat: Vec<(String, String)>,
    /// The remaining times of the seats; `None` if the table has no clock.
    pub clock: Option<RemainingTimes>,
    /// The seat of the player who has paused the game; `None` if the game is not paused.
    pub paused_by: Option<Seat>,
    /// The spots at which players point, and the times at which they began.
    points: Vec<(Seat, Spot, Instant)>,
}

impl TableView {
    /// Returns the number of seats that people at other computers have taken.
    pub fn n_guests(&self) -> usize {
        self.seats.iter().filter(|seat| seat.is_guest()).count()
    }

    /// Returns whether the person at this window has a seat.
    pub fn is_player(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_own)
    }

    /// Returns whether a seat belongs to the person at this window.
    pub fn is_own(&self, seat: Seat) -> bool {
        self.seats.get(seat.idx()).is_some_and(|seat| seat.is_own)
    }

    /// Returns the remaining time of a seat as minutes and seconds; `None` if there is no clock.
    pub fn time_left(&self, seat: Seat) -> Option<String> {
        let RemainingTimes { left, runs, since, .. } = self.clock.as_ref()?;
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

    /// Returns the name of the person who has taken a seat at another computer, and whether they
    /// are connected. Returns `None` if there is no such person.
    pub fn guest(&self, seat: Seat) -> Option<(&str, bool)> {
        let it = self.seats.get(seat.idx()).filter(|seat| seat.is_guest())?;
        Some((it.name.as_deref()?, it.is_here))
    }

    /// Takes over news of the table. Returns a notification, if the user should see one. Ignores
    /// news that concern only the host.
    pub fn apply(&mut self, news: TableNews, view: GameView<'_>) -> Option<String> {
        let mut told = None;
        match news {
            TableNews::Seats(seats, n_spectators) => {
                for (i, seat) in seats.iter().enumerate() {
                    let player = view.seats().nth(i).map_or("", |seat| view.name(seat));
                    told = seat_change_text(player, self.seats.get(i), seat).or(told);
                }
                (self.seats, self.n_spectators) = (seats, n_spectators);
            }
            TableNews::UndoProposed(by, asks) => self.proposal = Some((by, asks)),
            TableNews::UndoEnded(declined_by) => {
                self.proposal = None;
                told = Some(match declined_by {
                    Some(seat) => format!("{} declined the undo", view.name(seat)),
                    None => "the proposal to undo has ended".to_owned(),
                });
            }
            TableNews::Said(seat, name, text) => {
                told = (!self.is_own(seat)).then(|| format!("{name}: {text}"));
                self.chat.push((name, text));
            }
            TableNews::Pointed(seat, spot) => self.point(seat, spot),
            TableNews::Clock(times) => {
                told = self.time_over_text(&times, |seat| view.name(seat));
                self.clock = Some(times);
            }
            TableNews::Paused(by) => {
                told = match (self.paused_by, by) {
                    (None, Some(seat)) => Some(format!("{} has paused the game", view.name(seat))),
                    (Some(_), None) => Some("the game goes on".to_owned()),
                    _ => None,
                };
                self.paused_by = by;
            }
            TableNews::Refused(why) => told = Some(format!("not applied: {why}")),
            TableNews::Playtest(_) | TableNews::Ended => {}
        }
        told
    }

    /// Returns a notification about the player whose time is over; `None` if no more time is over
    /// than before.
    fn time_over_text<'v>(&self, now: &RemainingTimes, name: impl Fn(Seat) -> &'v str) -> Option<String> {
        let before = &self.clock.as_ref()?.left;
        let is_over = |(before, now): (&Duration, &Duration)| now.is_zero() && !before.is_zero();
        let seat = Seat(before.iter().zip(&now.left).position(is_over)? as u8);
        Some(format!("{} has no time left: a bot takes over", name(seat)))
    }
}

/// Returns a notification about a change of a seat; `None` if no guest has come or gone.
fn seat_change_text(player: &str, before: Option<&TableSeat>, now: &TableSeat) -> Option<String> {
    let was = before.filter(|seat| seat.is_guest());
    match (was, Some(now).filter(|seat| seat.is_guest())) {
        (None, Some(guest)) => Some(format!("{} plays {player}", guest.name.as_deref()?)),
        (Some(guest), None) => Some(format!("{} has left; {player} is free", guest.name.as_deref()?)),
        (Some(was), Some(now)) if was.is_here != now.is_here => {
            let state = if now.is_here { "is back" } else { "is away" };
            Some(format!("{} {state}", now.name.as_deref()?))
        }
        _ => None,
    }
}
