//! Joins tables of other computers. While the window is a guest, its own game waits.

use egui::{Context, Ui};
use platform::time::Instant;
use table::catch_panic;

use super::{App, MAX_FRAME_WAIT};
use crate::actions::Action;
use crate::guest::{GuestOutcome, GuestTable};
use crate::notifications::{NewsSubject, Tone};
use crate::shown_error::ShownError;

impl App {
    /// Returns the table at which this window is a guest, if it is one.
    pub fn guest(&self) -> Option<&GuestTable> {
        self.play.guest.as_deref()
    }

    /// Performs an action of the guest. Does nothing if the window is no guest.
    pub fn act_as_guest(&mut self, ctx: &Context, action: Action) {
        if let Some(guest) = &mut self.play.guest {
            guest.act(ctx, &mut self.settings, action);
        }
    }

    /// Shows the window in which the user enters a link. It contains the link of the last table.
    pub(super) fn ask_to_join(&mut self) {
        let draft = &mut self.view_state.join;
        if draft.link.is_empty() {
            draft.link.clone_from(&self.settings.table_link);
        }
        (draft.refused, draft.is_new) = (None, true);
        self.view_state.windows.join = true;
    }

    /// Shows the window for links with this link. The user must confirm it, because any web page
    /// can open an address of the program.
    pub(super) fn propose_to_join(&mut self, link: &str) {
        self.ask_to_join();
        link.trim().clone_into(&mut self.view_state.join.link);
        self.view_state.windows.link = false;
    }

    /// Joins the table of a link. If this is not possible, the window for links gives the reason.
    pub fn join(&mut self, link: &str) {
        let joined = match self.play.invitation {
            Some(_) => Err(ShownError::new("first stop inviting guests to your own game")),
            None => GuestTable::join(link, &self.frames.ctx, self.thread.waits()),
        };
        match joined {
            Ok(guest) => {
                link.trim().clone_into(&mut self.view_state.join.link);
                self.view_state.windows.join = false;
                self.view_state.windows.link = false;
                self.play.guest = Some(Box::new(guest));
            }
            Err(error) => self.refuse_to_join(link, error.to_string()),
        }
    }

    fn refuse_to_join(&mut self, link: &str, why: String) {
        self.propose_to_join(link);
        self.view_state.join.refused = Some(table::capitalize(&why));
    }

    /// Draws a frame at the table of another computer. Returns false if the window is no guest.
    pub(super) fn show_guest(&mut self, ui: &mut Ui) -> bool {
        let Some(mut guest) = self.play.guest.take() else { return false };
        let ctx = ui.ctx().clone();
        // The game thread may report changes of mods on disk.
        self.poll(Instant::now() + MAX_FRAME_WAIT);
        let has_fingers = self.frames.has_fingers;
        // Contradictory data of a host can cause a panic. Catches it, so that the window stays
        // open.
        let shown = catch_panic(|| guest.show(ui, &mut self.settings, has_fingers));
        match shown {
            Ok(GuestOutcome::Stays) => self.play.guest = Some(guest),
            Ok(GuestOutcome::Leaves(None)) => {
                // The settings have the link with the key to the seat.
                self.view_state.join.link.clear();
                self.notify_about(NewsSubject::Guests, Tone::Good, "you have left the table; this is your own game");
            }
            Ok(GuestOutcome::Leaves(Some(why))) => self.end_guest(why),
            Err(_) => self.end_guest("the host sent a game that cannot be shown".to_owned()),
        }
        if self.play.guest.is_none() {
            ctx.request_repaint();
        }
        self.store_changed_settings(&ctx);
        true
    }

    /// Shows the user's game again, and the reason why the window is no longer a guest.
    fn end_guest(&mut self, why: String) {
        self.notify_about(NewsSubject::Guests, Tone::Bad, &why);
        let link = self.view_state.join.link.clone();
        self.refuse_to_join(&link, why);
    }
}
