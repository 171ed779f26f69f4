//! Draws the table: the menus of a guest, the board with its cards, the chat and the windows.

use door::{PlaytestView, Request};
use egui::containers::menu::{MenuBar, MenuButton};
use egui::{Align, Button, Context, Layout, Panel, RichText, Ui};
use platform::time::Duration;

use super::actions::is_for_guests;
use super::{GuestGame, GuestTable, lobby};
use crate::actions::Action;
use crate::cards;
use crate::chrome;
use crate::command::{COMMANDS, Command, CommandMenu};
use crate::layout;
use crate::notifications::Tone;
use crate::panels::widgets::request_on_click;
use crate::settings::Settings;
use crate::style::{self, tone_colour};
use crate::table_view::{ExcursionView, GuestRequest, TableView};
use crate::ui_context::UiContext;
use crate::windows;

/// A choice of the menu *Table*, beside commands.
enum TableChoice {
    TakeSeat,
    CopySeatLink,
    LetBotPlay(bool),
    Stand,
    Explore,
    Pause(bool),
    Details,
    Leave,
}

impl GuestTable {
    /// Draws the frame. Returns the actions that panels requested.
    pub(super) fn draw(&mut self, ui: &mut Ui, settings: &mut Settings, has_fingers: bool) -> Vec<Action> {
        let ctx = ui.ctx().clone();
        let Some(mut game) = self.game.take() else {
            self.draw_waiting(ui);
            return Vec::new();
        };
        let (actions, choice) = self.draw_game(ui, &ctx, &mut game, settings, has_fingers);
        self.game = Some(game);
        if let Some(choice) = choice {
            self.choose_in_menu(&ctx, settings, choice);
        }
        actions
    }

    /// Draws the screen before the first game has arrived.
    fn draw_waiting(&mut self, ui: &mut Ui) {
        egui::CentralPanel::default().show(ui, |ui| {
            ui.vertical_centered(|ui| {
                ui.add_space(ui.available_height() * 0.4);
                ui.spinner();
                ui.label(format!("Connecting to {}…", self.link.host));
                self.leaves |= ui.button("Cancel").clicked();
            });
        });
    }

    fn draw_game(
        &mut self,
        ui: &mut Ui,
        ctx: &Context,
        game: &mut GuestGame,
        settings: &mut Settings,
        has_fingers: bool,
    ) -> (Vec<Action>, Option<TableChoice>) {
        let (mut actions, mut choice) = (Vec::new(), None);
        let seen = game.snapshot.clone();
        let waiting = self.waiting_text(&seen);
        let (attempt, must_consent, has_record) =
            (self.next_attempt(), self.must_consent(), self.fairness.record.is_some());
        settings.is_tall = layout::is_tall(ctx.content_rect().size());
        let mut cx = UiContext {
            session: &seen,
            insight: &mut game.insight,
            pictures: &mut game.pictures,
            view_state: &mut self.view_state,
            tests: &mut self.tests,
            balance: &mut self.balance,
            notifications: &self.notifications,
            originals: None,
            actions: &mut actions,
            colours: style::seat_colours(seen.setup(), settings.seats),
            is_playing: true,
            has_fingers,
            is_exercise: false,
            answered: waiting.as_deref(),
            is_guest: true,
            table: Some(&self.table),
            excursion: game.excursion,
            playtest: self.playtest.as_ref(),
            invitation: None,
            has_replacement: false,
            last_playtest: None,
            has_cards: true,
            shows_log: settings.shows_log,
            has_left_game: false,
            time: self.started.elapsed(),
            busy: None,
            settings: &mut *settings,
        };
        let cx = &mut cx;
        windows::behind_dialogs(ctx, || {
            menu(ui, cx, has_record, &mut choice);
            if let Some((why, _)) = &self.lost {
                lost_banner(ui, why, attempt.unwrap_or_default());
            }
            windows::undo_proposal(ui, cx);
            status(ui, cx);
            if cx.excursion.is_some() || cx.settings.shows_log {
                chrome::time_bar(ui, cx);
            }
            excursion_bar(ui, cx);
            windows::chat(ui, cx);
            let rect = ui.available_rect_before_wrap();
            cx.view_state.uncovered = Some(cards::uncovered_rect(rect, cx));
            let frame = egui::Frame::new().fill(ui.visuals().panel_fill);
            egui::CentralPanel::default().frame(frame).show(ui, |ui| self.board.show(ui, cx));
            cards::show(ctx, cx, rect);
        });
        windows::over_board(ctx, cx);
        self.palette.show(ctx, cx);
        if self.shows_details {
            self.shows_details = lobby::details(ctx, cx, &self.link, &self.fairness);
        }
        let chosen = self.lobby.show(ctx, cx, &self.link);
        if let Some(agrees) = Some(must_consent).filter(|must| *must).and_then(|_| lobby::ask_consent(ctx)) {
            cx.ask_table(Request::Consent { agrees });
        }
        let record = self.fairness.record.as_deref().unwrap_or_default();
        actions.extend(self.files.show(ctx, || record.to_owned()));
        chosen.into_iter().for_each(|choice| self.choose_in_lobby(choice));
        (actions, choice)
    }

    fn choose_in_menu(&mut self, ctx: &Context, settings: &mut Settings, choice: TableChoice) {
        match choice {
            TableChoice::TakeSeat => self.lobby.open(),
            TableChoice::CopySeatLink => {
                ctx.copy_text(self.link.to_string());
                self.notify(Tone::Good, "copied the link to your seat: keep it to yourself");
            }
            TableChoice::LetBotPlay(lets) => {
                if let Some(seat) = self.own_seat() {
                    let bot = lets.then(|| "greedy".to_owned());
                    self.request(Request::SetBot { seat, bot });
                }
            }
            TableChoice::Stand => self.stand(settings),
            TableChoice::Pause(is_paused) => self.request(Request::Pause { is_paused }),
            TableChoice::Explore => self.toggle_excursion(),
            TableChoice::Details => self.shows_details = !self.shows_details,
            TableChoice::Leave => self.leaves = true,
        }
    }
}

/// Draws the menu bar of a guest.
fn menu(ui: &mut Ui, cx: &mut UiContext<'_>, has_record: bool, choice: &mut Option<TableChoice>) {
    Panel::top("guest menu").show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            MenuButton::new("Table").ui(ui, |ui| {
                ui.set_min_width(240.0);
                table_menu(ui, cx, has_record, choice);
            });
            for group in [CommandMenu::Move, CommandMenu::View, CommandMenu::Windows, CommandMenu::Help] {
                MenuButton::new(group.name()).ui(ui, |ui| {
                    ui.set_min_width(240.0);
                    let is_here = |command: Command| is_for_guests(command) && command.answer_number().is_none();
                    let shown = COMMANDS.iter().filter(|info| info.group == group && is_here(info.command));
                    shown.for_each(|info| chrome::entry(ui, cx, info.command));
                });
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let shown = ui.selectable_label(cx.shows_log, "Log");
                let shown = shown.on_hover_text(Command::BottomDock.info().about);
                request_on_click(cx, &shown, Action::Command(Command::BottomDock));
                let explores = ui.selectable_label(cx.excursion.is_some(), "Explore");
                if explores.on_hover_text("Look at earlier positions and try moves; only you see them.").clicked() {
                    *choice = Some(TableChoice::Explore);
                }
                if !cx.table.is_some_and(TableView::is_player) && ui.button("Take a seat").clicked() {
                    *choice = Some(TableChoice::TakeSeat);
                }
            });
        });
    });
}

/// Draws the entries of the menu *Table*.
fn table_menu(ui: &mut Ui, cx: &mut UiContext<'_>, has_record: bool, choice: &mut Option<TableChoice>) {
    let own = cx.table.and_then(|table| table.seats.iter().find(|seat| seat.is_own));
    let mut entry = |ui: &mut Ui, label: &str, chosen: TableChoice| {
        if ui.button(label).clicked() {
            *choice = Some(chosen);
            ui.close();
        }
    };
    match own {
        None => entry(ui, "Take a seat…", TableChoice::TakeSeat),
        Some(seat) => {
            let (label, lets) =
                if seat.is_bot { ("Play myself again", false) } else { ("Let a bot play for me", true) };
            entry(ui, label, TableChoice::LetBotPlay(lets));
            let is_paused = cx.table.is_some_and(|table| table.paused_by.is_some());
            let label = if is_paused { "Continue the game" } else { "Pause the game" };
            entry(ui, label, TableChoice::Pause(!is_paused));
            entry(ui, "Copy the link to my seat", TableChoice::CopySeatLink);
            entry(ui, "Give up my seat", TableChoice::Stand);
        }
    }
    entry(ui, "Table details", TableChoice::Details);
    if own.is_some() && ui.add(Button::new("Propose to undo").shortcut_text(Command::Undo.key_text(ui.ctx()))).clicked()
    {
        cx.request_action(Action::Guests(GuestRequest::ProposeUndo));
        ui.close();
    }
    if let Some(playtest) = cx.playtest {
        playtest_entries(ui, cx, playtest);
    }
    if has_record && ui.button("Save the game…").clicked() {
        cx.request_command(Command::SaveCopy);
        ui.close();
    }
    chrome::entry(ui, cx, Command::Settings);
    ui.separator();
    if ui.button("Leave the table").on_hover_text("Your seat stays yours; your own game is back.").clicked() {
        *choice = Some(TableChoice::Leave);
        ui.close();
    }
    chrome::entry(ui, cx, Command::Quit);
}

fn playtest_entries(ui: &mut Ui, cx: &mut UiContext<'_>, playtest: &PlaytestView) {
    ui.separator();
    let (label, agrees) = match playtest.takes_part() {
        true => ("Leave the playtest; delete my data", false),
        false => ("Take part in the playtest", true),
    };
    if ui.button(label).clicked() {
        cx.ask_table(Request::Consent { agrees });
        ui.close();
    }
    if playtest.takes_part() {
        chrome::entry(ui, cx, Command::WriteNote);
    }
    if playtest.has_survey() && ui.button("Answer the survey…").clicked() {
        cx.view_state.windows.survey = true;
        ui.close();
    }
    ui.separator();
}

/// Says that the connection is lost, and when the guest connects again.
fn lost_banner(ui: &mut Ui, why: &str, attempt: Duration) {
    let bad = tone_colour(ui, Tone::Bad);
    Panel::top("lost connection").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spinner();
            ui.label(RichText::new(table::capitalize(why)).color(bad).strong());
            match attempt.as_millis().div_ceil(1000) {
                0 => ui.label("Connecting again…"),
                seconds => ui.label(format!("Connecting again in {seconds} s.")),
            }
        });
    });
    ui.ctx().request_repaint_after(Duration::from_millis(250));
}

/// Says that the guest looks at another position than the others, with the ways back.
fn excursion_bar(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(ExcursionView { n_tried, is_asked, .. }) = cx.excursion else { return };
    Panel::bottom("excursion").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let text = match n_tried {
                0 => "Only you see this position. Try any move here.".to_owned(),
                1 => "Only you see this tried move. Draws are made up.".to_owned(),
                n => format!("Only you see these {n} tried moves. Draws are made up."),
            };
            ui.label(RichText::new(text).strong());
            if is_asked {
                ui.colored_label(tone_colour(ui, Tone::Good), "It is your turn.");
            }
            if n_tried > 0 && ui.button("Take back").clicked() {
                cx.request_command(Command::Undo);
            }
            request_on_click(cx, &ui.button("Return to the game"), Action::Command(Command::GoToEnd));
        });
    });
}

/// Draws the status line: the last notification, and that this is the game of another computer.
fn status(ui: &mut Ui, cx: &mut UiContext<'_>) {
    Panel::bottom("guest status").show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.weak("guest").on_hover_text("Another computer hosts and saves this game.");
                ui.separator();
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| chrome::last_notification(ui, cx));
            });
        });
    });
}
