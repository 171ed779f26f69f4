//! Excursions of a guest: earlier positions of the game, and choices that the guest tries. Only the
//! guest sees them.

use door::ExcursionStep;
use egui::Context;
use table::Answer;

use super::GuestTable;
use crate::command::Command;
use crate::notifications::Tone;
use crate::table_view::ExcursionView;

impl GuestTable {
    /// Returns the excursion of the guest; `None` while the guest looks at the game.
    pub fn excursion(&self) -> Option<ExcursionView> {
        self.game.as_ref()?.excursion
    }

    /// Requests the wanted position, if there is one.
    pub(super) fn request_wanted_position(&mut self, ctx: &Context) {
        if let Some(n) = self.explorer.due(ctx) {
            self.explore(ExcursionStep::LookAt(n));
        }
    }

    fn explore(&mut self, step: ExcursionStep) {
        if self.lost.is_some() {
            return self.notify(Tone::Changed, "not sent: the connection is lost");
        }
        self.connection.explore(step);
    }

    /// Shows the position after `n` answers of the game. At the end of the game's answers, returns
    /// to the game.
    pub(super) fn look_at(&mut self, n: usize) {
        let Some(game) = &self.game else { return };
        match game.excursion {
            _ if n < game.n_answers => self.explorer.wanted = Some(n),
            Some(_) => self.end_excursion(),
            None => {}
        }
    }

    /// Begins an excursion at the current position, or ends the excursion.
    pub(super) fn toggle_excursion(&mut self) {
        match &self.game {
            Some(game) if game.excursion.is_none() => self.explorer.wanted = Some(game.n_answers),
            _ => self.end_excursion(),
        }
    }

    fn end_excursion(&mut self) {
        self.explorer.wanted = None;
        self.explore(ExcursionStep::End);
    }

    /// Tries a choice at the position that the guest looks at.
    pub(super) fn try_answer(&mut self, choice: Answer) {
        let answer = self.snapshot().and_then(|seen| seen.view().answer_text(choice));
        if let Some(answer) = answer {
            self.explore(ExcursionStep::Try(answer));
            self.view_state.explained.clear();
            (self.view_state.chosen, self.view_state.preview) = (None, None);
        }
    }

    /// Takes back the last tried choice.
    pub(super) fn take_back_tried(&mut self, excursion: ExcursionView) {
        if excursion.n_tried > 0 {
            self.explore(ExcursionStep::TakeBack);
        } else {
            self.notify(Tone::Changed, "return to the game first, then propose to undo");
        }
    }

    /// Runs a command of the menu *Time*.
    pub(super) fn run_time_command(&mut self, command: Command) {
        let Some(seen) = self.snapshot() else { return };
        let at = seen.position_index();
        let n = match command {
            Command::PreviousTurn => seen.turns_away(-1),
            Command::NextTurn => seen.turns_away(1),
            Command::Back10 => seen.turns_away(-10),
            Command::Forward10 => seen.turns_away(10),
            Command::PreviousStep => at.saturating_sub(1),
            Command::NextStep => at + 1,
            Command::GoToStart => 0,
            _ => usize::MAX,
        };
        // Tried choices have no position of their own in the game.
        let n_played = self.excursion().filter(|it| it.n_tried > 0).map_or(usize::MAX, |it| it.n_played);
        self.look_at(if n < at { n.min(n_played) } else { n });
    }
}
