//! Guests in the game of this window: invitations, seats, and proposals to undo.

use std::net::SocketAddr;

use super::App;
use crate::invitation::{GuestRequest, Invitation, TableNews, TableSeat};
use crate::notifications::Tone;

impl App {
    /// Lets guests join the game at `address`. With port 0, the system chooses a port.
    pub fn invite(&mut self, address: SocketAddr) {
        if self.is_exercise() {
            return self.notify(Tone::Changed, "guests cannot join a puzzle or a lesson: return to your game first");
        }
        if self.play.invitation.is_some() {
            return;
        }
        let games = self.games_to_store_in();
        self.run_on_game_thread(
            "inviting",
            move |session| super::start::store_if_unstored(session, games.as_ref()),
            |_, ()| {},
        );
        match Invitation::start(&self.thread, address) {
            Ok(invitation) => {
                self.notify(Tone::Good, format!("guests can join at {}", invitation.link));
                self.play.invitation = Some(invitation);
            }
            Err(why) => self.notify(Tone::Bad, why),
        }
    }

    /// Returns the running invitation, if there is one.
    pub fn invitation(&self) -> Option<&Invitation> {
        self.play.invitation.as_ref()
    }

    pub(super) fn act_on_guests(&mut self, request: GuestRequest) {
        if self.play.invitation.is_none() {
            return;
        }
        let stops = request == GuestRequest::Stop;
        self.thread.ask_guests(request);
        if stops {
            self.play.invitation = None;
            self.notify(Tone::Good, "guests can no longer join; their seats are yours again");
        }
    }

    /// Replaces the game although guests must leave (true), or continues the current game (false).
    pub(super) fn answer_replacement(&mut self, replaces: bool) {
        let Some(replace) = self.play.invitation.as_mut().and_then(|it| it.replacement.take()) else { return };
        if replaces {
            replace(self);
        }
    }

    /// Returns whether a guest has taken a seat.
    pub(super) fn has_guests(&self) -> bool {
        self.play.invitation.as_ref().is_some_and(|invitation| invitation.n_guests() > 0)
    }

    /// Returns true, and notifies the user, if guests are at the table. In this case the user may
    /// not go to another position, because the guests would have to follow.
    pub(super) fn refuses_because_of_guests(&mut self) -> bool {
        let is_held = self.has_guests();
        if is_held {
            self.notify(Tone::Changed, "guests are at the table: use Undo to ask them to go back");
        }
        is_held
    }

    /// Handles news of the table.
    pub(super) fn handle_table_news(&mut self, news: TableNews) {
        let Some(mut invitation) = self.play.invitation.take() else { return };
        let view = self.snapshot.view();
        let mut told = None;
        match news {
            TableNews::Seats(seats, n_spectators) => {
                for (i, seat) in seats.iter().enumerate() {
                    let player = view.seats().nth(i).map_or("", |seat| view.name(seat));
                    told = seat_change_text(player, invitation.seats.get(i), seat).or(told);
                }
                (invitation.seats, invitation.n_spectators) = (seats, n_spectators);
            }
            TableNews::UndoProposed(by, asks) => invitation.proposal = Some((by, asks)),
            TableNews::UndoEnded(declined_by) => {
                invitation.proposal = None;
                told = Some(match declined_by {
                    Some(seat) => format!("{} declined the undo", view.name(seat)),
                    None => "the proposal to undo has ended".to_owned(),
                });
            }
            TableNews::Said(seat, name, text) => {
                let is_own = invitation.seats.get(seat.idx()).is_some_and(|seat| seat.is_own);
                told = (!is_own).then(|| format!("{name}: {text}"));
                invitation.chat.push((name, text));
            }
            TableNews::Pointed(seat, spot) => invitation.point(seat, spot),
            TableNews::Refused(why) => told = Some(format!("not applied: {why}")),
            TableNews::Ended => {
                self.notify(Tone::Changed, "the guests have left, because another game is on the board");
                return;
            }
        }
        self.play.invitation = Some(invitation);
        if let Some(text) = told {
            self.notify(Tone::Changed, text);
        }
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
