//! Guests in the game of this window: invitations, seats, and proposals to undo.

use std::net::SocketAddr;

use table::shown_path;

use super::App;
use super::start::store_if_unstored;
use crate::invitation::Invitation;
use crate::notifications::{NewsSubject, Tone};
use crate::table_view::{CollectedPlaytest, GuestRequest, TableNews};

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
        self.change_game("inviting", move |session| store_if_unstored(session, games.as_ref()));
        match Invitation::start(&self.thread, address) {
            Ok(invitation) => {
                self.notify_about(NewsSubject::Guests, Tone::Good, format!("guests can join at {}", invitation.link));
                self.play.invitation = Some(invitation);
            }
            Err(error) => self.notify_about(NewsSubject::Guests, Tone::Bad, error),
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
            self.end_invitation();
            self.notify(Tone::Good, "guests can no longer join; their seats are yours again");
        }
    }

    /// Forgets the invitation, and tells the user where its playtest is.
    fn end_invitation(&mut self) {
        self.tasks.replacement = None;
        let playtest = self.play.invitation.take().and_then(|invitation| invitation.playtest);
        if let Some(playtest) = playtest.filter(|playtest| playtest.is_stored) {
            self.notify(Tone::Good, format!("the playtest is saved in {}", shown_path(&playtest.file)));
            self.play.last_playtest = Some(playtest.file);
        }
    }

    /// Returns whether the person at this window takes part in a playtest.
    pub(super) fn takes_part(&self) -> bool {
        self.play.invitation.as_ref().is_some_and(Invitation::takes_part)
    }

    /// Opens the window for a note about the current position.
    pub(super) fn begin_note(&mut self) {
        if !self.takes_part() {
            return self.notify(Tone::Changed, "first take part in a playtest: choose Invite… in the Game menu");
        }
        self.view_state.playtest.begin_note(self.snapshot.position_index() as u32);
        self.view_state.windows.note = true;
    }

    /// After the end of the game, tells the user once where the playtest is. Also opens the survey
    /// if the user takes part.
    pub(super) fn notify_end_of_playtest(&mut self) {
        let is_over = self.snapshot.view().is_over();
        let Some(invitation) = self.play.invitation.as_mut().filter(|it| is_over && !it.has_told_playtest) else {
            return;
        };
        let Some(playtest) = invitation.playtest.as_ref().filter(|playtest| playtest.is_stored) else { return };
        invitation.has_told_playtest = true;
        let text = format!("the playtest is saved in {}", shown_path(&playtest.file));
        self.view_state.windows.survey |= playtest.own.has_survey();
        self.notify(Tone::Good, text);
    }

    /// Replaces the game although guests must leave (true), or continues the current game (false).
    pub(super) fn answer_replacement(&mut self, replaces: bool) {
        if let Some(replace) = self.tasks.replacement.take().filter(|_| replaces) {
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
        let Some(invitation) = &mut self.play.invitation else { return };
        let told = match news {
            TableNews::Playtest(playtest) => {
                let told = consent_change_text(invitation, &playtest);
                invitation.playtest = Some(*playtest);
                told
            }
            TableNews::Ended => {
                self.end_invitation();
                Some("the guests have left, because another game is on the board".to_owned())
            }
            news => {
                if let TableNews::Paused(by) = news {
                    self.play.is_paused = by.is_some();
                }
                invitation.table.apply(news, self.snapshot.view())
            }
        };
        if let Some(text) = told {
            self.notify(Tone::Changed, text);
        }
        self.notify_end_of_playtest();
    }
}

/// Returns a notification about a guest who agrees to the playtest or declines; `None` if no guest
/// at a seat has done so.
fn consent_change_text(invitation: &Invitation, now: &CollectedPlaytest) -> Option<String> {
    let before = invitation.playtest.as_ref().map_or(&[][..], |before| &before.consents);
    let changed = |(i, consent): (usize, &Option<bool>)| {
        let agrees = (*consent).filter(|_| before.get(i) != Some(consent))?;
        let name = invitation.seats.get(i).filter(|seat| seat.is_guest())?.name.as_deref()?;
        Some(if agrees {
            format!("{name} takes part in the playtest")
        } else {
            format!("{name} declines the playtest")
        })
    };
    now.consents.iter().enumerate().find_map(changed)
}
