//! The two arrangements of the window: the board with cards on it, and the panels.

use egui::Context;

use super::App;
use crate::cards;
use crate::layout::{self, Pane};
use crate::settings::Place;

impl App {
    /// Returns whether the board fills the window, with cards on it. In a small window, the panels
    /// are shown even in [`Place::Play`], because cards would cover the board.
    pub(super) fn has_cards(&self, ctx: &Context) -> bool {
        self.settings.place == Place::Play && cards::fit(ctx.content_rect().size())
    }

    /// Changes to the other arrangement.
    pub(super) fn switch_place(&mut self) {
        self.settings.place = match self.settings.place {
            Place::Play => Place::Make,
            Place::Make => Place::Play,
        };
    }

    /// Shows a panel, and brings its tab to the front. Changes to the arrangement [`Place::Make`]
    /// if the other arrangement does not have the panel.
    pub(super) fn show_pane(&mut self, pane: Pane) {
        layout::show(&mut self.tree, pane);
        if !cards::PANES.contains(&pane) {
            self.settings.place = Place::Make;
        }
    }

    /// Returns whether a panel is visible.
    pub(super) fn is_seen(&self, pane: Pane) -> bool {
        match self.view_state.free {
            Some(_) => cards::PANES.contains(&pane),
            None => layout::is_seen(&self.tree, pane),
        }
    }
}
