//! Guests of the page. A browser opens the link of a table itself, so the page joins no table.

use egui::{Context, Ui};

use crate::actions::Action;
use crate::settings::Settings;
use crate::shown_error::ShownError;

/// A table at another computer. A page joins none.
pub enum GuestTable {}

/// The outcome of a frame at a table.
pub enum GuestOutcome {
    /// The window stays at the table.
    Stays,
    /// The window leaves the table. If the guest did not choose so, the text is the reason.
    Leaves(Option<String>),
}

/// Returns false, because a page joins no table.
pub fn is_link(_text: &str) -> bool {
    false
}

impl GuestTable {
    /// Returns an error.
    ///
    /// # Errors
    /// Always returns an error.
    pub fn join(_link: &str, _ctx: &Context, _at_once: bool) -> Result<GuestTable, ShownError> {
        Err(ShownError::new("open the link of the table in the address bar of the browser"))
    }

    /// Draws nothing.
    pub fn show(&mut self, _ui: &mut Ui, _settings: &mut Settings, _has_fingers: bool) -> GuestOutcome {
        match *self {}
    }

    /// Performs nothing.
    pub fn act(&mut self, _ctx: &Context, _settings: &mut Settings, _action: Action) {
        match *self {}
    }
}
