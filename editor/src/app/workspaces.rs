//! The two workspaces of the window: the board with cards on it, and the board among panels.

use egui::Context;

use super::App;
use crate::cards;
use crate::layout;
use crate::panels::Pane;
use crate::settings::Workspace;

impl App {
    /// Returns whether the board fills the window, with cards on it. In a small window, and in a
    /// tall window with a lesson above the board, the panels are shown even in
    /// [`Workspace::Play`], because cards would cover the board.
    pub(super) fn has_cards(&self, ctx: &Context) -> bool {
        let size = ctx.content_rect().size();
        let is_filled = layout::is_tall(size) && self.play.lesson.is_some();
        self.settings.workspace == Workspace::Play && cards::has_room(size) && !is_filled
    }

    /// Changes to the other workspace.
    pub(super) fn switch_workspace(&mut self) {
        self.settings.workspace = match self.settings.workspace {
            Workspace::Play => Workspace::Make,
            Workspace::Make => Workspace::Play,
        };
    }

    /// Shows a panel, and brings its tab to the front. Changes to the workspace [`Workspace::Make`]
    /// if the current workspace does not have the panel.
    pub(super) fn show_pane(&mut self, pane: Pane) {
        layout::show(&mut self.panes.tree, pane);
        if !cards::PANES.contains(&pane) {
            self.settings.workspace = Workspace::Make;
        }
    }

    /// Returns whether a panel is visible.
    pub(super) fn is_seen(&self, pane: Pane) -> bool {
        match self.view_state.uncovered {
            Some(_) => cards::PANES.contains(&pane),
            None => layout::is_seen(&self.panes.tree, pane),
        }
    }
}
