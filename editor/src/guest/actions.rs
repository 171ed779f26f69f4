//! The actions of a guest: requests to the table, and changes of the view.

use door::{PlaytestView, Request, SeatClaim};
use egui::{Context, ViewportCommand};
use table::{Answer, AwaitedActor, Seat};

use super::GuestTable;
use super::lobby::LobbyChoice;
use crate::actions::Action;
use crate::command::{Command, CommandMenu, pressed};
use crate::file_choice::FilePurpose;
use crate::ghost_tile;
use crate::notifications::Tone;
use crate::settings::{HintLevel, Settings};
use crate::table_view::GuestRequest;
use crate::view_state::{ViewMove, Windows};

/// Returns whether a guest can run a command.
pub fn is_for_guests(command: Command) -> bool {
    match command.info().group {
        CommandMenu::Move => true,
        CommandMenu::Time => !matches!(command, Command::Redo | Command::PlayPause | Command::LetGoOn),
        CommandMenu::View => !matches!(command, Command::SwitchWorkspace | Command::Coach),
        _ => matches!(
            command,
            Command::WriteNote
                | Command::SaveCopy
                | Command::GameSetup
                | Command::Settings
                | Command::Quit
                | Command::Palette
                | Command::Remaining
                | Command::ScoreTrack
                | Command::BottomDock
                | Command::EventLog
                | Command::Keys
                | Command::About
        ),
    }
}

impl GuestTable {
    /// Runs the commands whose keys were pressed.
    pub(super) fn run_keys(&mut self, ctx: &Context, settings: &mut Settings) {
        self.view_state.turns_freely = settings.hints == HintLevel::Purist;
        let has_window = self.view_state.windows.needs_keys()
            || self.palette.is_open()
            || self.files.is_open()
            || self.lobby.is_open()
            || self.must_consent();
        for command in pressed(ctx, has_window) {
            let takes_part = self.playtest.as_ref().is_some_and(PlaytestView::takes_part);
            // In a playtest, N writes a note, as on the page of guests.
            let command = if command == Command::OverlayNames && takes_part { Command::WriteNote } else { command };
            self.run_command(ctx, settings, command);
        }
    }

    /// Performs an action that a panel requested.
    pub fn act(&mut self, ctx: &Context, settings: &mut Settings, action: Action) {
        match action {
            Action::Answer(choice) => self.answer(choice),
            Action::Command(command) => self.run_command(ctx, settings, command),
            Action::Guests(request) => self.act_on_table(request),
            Action::SetBot(seat, bot) if self.own_seat() == Some(seat) => self.request(Request::SetBot { seat, bot }),
            Action::SetBot(..) => self.notify(Tone::Changed, "only the player of a seat can let a bot play"),
            Action::Tell(tone, text) => self.notify(tone, text),
            Action::GoTo(n) => self.look_at(n),
            _ => self.notify(Tone::Changed, "a guest cannot do this: leave the table first"),
        }
        ctx.request_repaint();
    }

    fn run_command(&mut self, ctx: &Context, settings: &mut Settings, command: Command) {
        if !is_for_guests(command) {
            return self.notify(Tone::Changed, "a guest cannot do this: leave the table first");
        }
        let view = &mut self.view_state;
        if let Some(is_open) = view.windows.toggled_by(command) {
            *is_open = !*is_open;
        } else if let Some(is_on) = view.overlays.toggled_by(command) {
            *is_on = !*is_on;
        } else if let Some(moved) = ViewMove::requested_by(command) {
            view.moves.push(moved);
        } else if command.info().group == CommandMenu::Move {
            self.run_move_command(ctx, command);
        } else if command.info().group == CommandMenu::Time && command != Command::Undo {
            self.run_time_command(command);
        } else {
            self.run_other_command(ctx, settings, command);
        }
    }

    fn run_other_command(&mut self, ctx: &Context, settings: &mut Settings, command: Command) {
        match command {
            Command::Undo => match self.excursion() {
                Some(excursion) => self.take_back_tried(excursion),
                None => self.act_on_table(GuestRequest::ProposeUndo),
            },
            Command::WriteNote if self.playtest.as_ref().is_some_and(PlaytestView::takes_part) => {
                let n_played = self.excursion().map(|it| it.n_played);
                let n = n_played.or(self.snapshot().map(|seen| seen.position_index())).unwrap_or(0);
                self.view_state.playtest.begin_note(n as u32);
                self.view_state.windows.note = true;
            }
            Command::WriteNote => self.notify(Tone::Changed, "first take part in a playtest of the host"),
            Command::SaveCopy if self.fairness.record.is_some() => {
                self.files.ask_output(FilePurpose::SaveCopy, "my.game");
            }
            Command::SaveCopy => self.notify(Tone::Changed, "a guest can save the game when it is over"),
            Command::Palette => self.palette.toggle(),
            Command::BottomDock => settings.shows_log = !settings.shows_log,
            Command::EventLog => settings.shows_log = true,
            Command::HintsLearn => settings.hints = HintLevel::Learn,
            Command::HintsNormal => settings.hints = HintLevel::Normal,
            Command::HintsPurist => settings.hints = HintLevel::Purist,
            Command::Fullscreen => {
                let is_full = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!is_full));
            }
            Command::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            _ => {}
        }
    }

    fn run_move_command(&mut self, ctx: &Context, command: Command) {
        let Some(game) = &mut self.game else { return };
        let (seen, insight, view) = (game.snapshot.clone(), &mut game.insight, &mut self.view_state);
        if let Some(n) = command.answer_number() {
            if let Some(shown) = seen.view().option_views().get(n) {
                self.answer(shown.answer);
            }
            return;
        }
        match command {
            Command::Rotate => ghost_tile::rotate(&seen, insight, view, true),
            Command::RotateBack => ghost_tile::rotate(&seen, insight, view, false),
            Command::NextSpot => ghost_tile::choose_next_spot(&seen, insight, view, true),
            Command::PreviousSpot => ghost_tile::choose_next_spot(&seen, insight, view, false),
            Command::Confirm if ghost_tile::tile(&seen).is_some() => {
                match ghost_tile::placement(&seen, insight, view) {
                    Some(choice) => self.answer(choice),
                    None => ghost_tile::choose_next_spot(&seen, insight, view, true),
                }
            }
            Command::Confirm => view.preview.into_iter().for_each(|marked| self.answer(marked)),
            Command::Pass if seen.view().answers().contains(&Answer::Pass) => self.answer(Answer::Pass),
            Command::TakeBack if egui::Popup::is_any_open(ctx) => egui::Popup::close_all(ctx),
            Command::TakeBack => self.close_or_cancel(),
            _ => {}
        }
    }

    /// Closes the explanation of points or the open windows. If nothing is open, forgets the chosen
    /// spot.
    fn close_or_cancel(&mut self) {
        let view = &mut self.view_state;
        let had_explanation = !std::mem::take(&mut view.explained).is_empty();
        let had_windows = std::mem::take(&mut view.windows) != Windows::default() || self.palette.is_open();
        let had_details = std::mem::take(&mut self.shows_details);
        self.palette.close();
        if !had_explanation && !had_windows && !had_details {
            (view.piece, view.pinned, view.chosen) = (None, None, None);
        }
    }

    /// Returns the first seat of the guest, if they have one.
    pub(super) fn own_seat(&self) -> Option<Seat> {
        self.table.seats.iter().position(|seat| seat.is_own).map(|i| Seat(i as u8))
    }

    fn answer(&mut self, choice: Answer) {
        let Some(game) = &self.game else { return };
        if game.excursion.is_some() {
            return self.try_answer(choice);
        }
        let (snapshot, at) = (game.snapshot.clone(), game.at);
        match snapshot.awaited_actor() {
            AwaitedActor::Person(seat) if !snapshot.guests().contains(seat) => {}
            AwaitedActor::Person(seat) => {
                let text = format!("another person plays {}: wait for their choice", snapshot.view().name(seat));
                return self.notify(Tone::Changed, text);
            }
            _ => return,
        }
        // A second click before the reply of the table is no second answer.
        if self.answered == Some(at) && self.lost.is_none() {
            return;
        }
        let Some(answer) = snapshot.view().answer_text(choice) else { return };
        if self.lost.is_none() {
            self.answered = Some(at);
        }
        self.request(Request::Answer { at, answer });
        let view = &mut self.view_state;
        view.explained.clear();
        (view.chosen, view.preview) = (None, None);
    }

    fn act_on_table(&mut self, request: GuestRequest) {
        match request {
            GuestRequest::ProposeUndo => {
                let at = self.game.as_ref().map_or(0, |game| game.at);
                self.request(Request::ProposeUndo { at });
            }
            GuestRequest::Send(note @ Request::Note { .. }) => {
                self.request(note);
                self.notify(Tone::Good, "note sent to the host");
            }
            GuestRequest::Send(request) => {
                match request {
                    Request::AnswerUndo { .. } => self.table.proposal.iter_mut().for_each(|(_, asks)| *asks = false),
                    Request::Consent { agrees } => self.given_consent = Some(agrees),
                    _ => {}
                }
                self.request(request);
            }
            GuestRequest::Invite(_)
            | GuestRequest::Stop
            | GuestRequest::Free(_)
            | GuestRequest::CollectPlaytest
            | GuestRequest::StartClock(..) => {}
        }
    }

    pub(super) fn choose_in_lobby(&mut self, choice: LobbyChoice) {
        let LobbyChoice::Sit(seat, name) = choice else { return };
        match SeatClaim::of(None) {
            Ok(claim) => self.request(Request::Sit { seat: Some(seat), name, claim }),
            Err(error) => self.notify(Tone::Bad, error.to_string()),
        }
    }

    /// Returns whether the guest has not said yet whether they take part in the playtest.
    pub(super) fn must_consent(&self) -> bool {
        let is_asked = self.playtest.as_ref().is_some_and(|playtest| playtest.agrees.is_none());
        is_asked && self.given_consent.is_none() && !self.lobby.is_open() && !self.lobby.is_returning()
    }

    /// Gives up the seat of the guest.
    pub(super) fn stand(&mut self, settings: &mut Settings) {
        self.request(Request::Stand);
        self.link.token = None;
        settings.table_link = self.link.to_string();
        self.lobby.open();
    }
}
