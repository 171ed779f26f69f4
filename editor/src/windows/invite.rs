//! The window that invites guests to this game, and the proposal to undo.

use std::net::{Ipv4Addr, SocketAddr};

use door::{MAX_CHAT_TEXT, Request};
use egui::{Align, Context, DragValue, Grid, Key, Layout, Panel, RichText, ScrollArea, TextEdit, Ui};
use table::Seat;

use super::place;
use super::playtest;
use crate::actions::Action;
use crate::notifications::Tone;
use crate::panels::widgets::{action_button, request_on_click};
use crate::table_view::GuestRequest;
use crate::ui_context::UiContext;

/// The default port, which is also the default of `bastide host`.
const DEFAULT_PORT: u16 = 7878;

/// The proposed time of each player in minutes, and the seconds for each further turn.
const DEFAULT_CLOCK: [u32; 2] = [10, 5];

/// The longest time of a player, in minutes: one day, as for `bastide host --clock`.
const MAX_MINUTES: u32 = 24 * 60;

/// The largest number of seconds for each further turn.
const MAX_SECONDS: u32 = 3600;

/// The height of the title and the margins of the window, in points.
const WINDOW_FRAME: f32 = 96.0;

/// Draws the window, if it is open.
pub fn invite(ctx: &Context, cx: &mut UiContext<'_>) {
    let mut is_open = cx.view_state.windows.invite;
    place::centred(ctx, "Invite guests", [480.0, 300.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        // On a small screen with large text, the content is higher than the screen. Otherwise, the
        // window grows with the content instead of scrolling.
        let height = ctx.content_rect().height() - WINDOW_FRAME;
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        area.show(ui, |ui| content(ui, cx));
    });
    cx.view_state.windows.invite = is_open;
}

fn content(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.label("Guests in your network can join in a browser, or with the command bastide join LINK.");
    ui.weak("They see what their seat may see. You can change the rules while they play.");
    ui.add_space(6.0);
    match cx.invitation {
        None => start_controls(ui, cx),
        Some(_) => running_invitation(ui, cx),
    }
}

/// Draws the choice of the port, and the button that starts the server.
fn start_controls(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.horizontal(|ui| {
        let mut port = cx.view_state.guest_port.unwrap_or(DEFAULT_PORT);
        let label = ui.label("Port");
        let value = ui.add(DragValue::new(&mut port).range(0..=u16::MAX)).labelled_by(label.id);
        cx.view_state.guest_port = Some(port);
        value.on_hover_text("The port at which this computer listens. 0 takes a free one.");
        if ui.button("Start inviting").clicked() {
            let address = SocketAddr::from((Ipv4Addr::UNSPECIFIED, port));
            cx.request_action(Action::Invite(address));
            if cx.view_state.playtest.collects {
                cx.request_action(Action::Guests(GuestRequest::CollectPlaytest));
            }
        }
    });
    playtest::before_start(ui, cx);
}

/// Draws the link and the seats.
fn running_invitation(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(invitation) = cx.invitation else { return };
    ui.horizontal(|ui| {
        ui.label(RichText::new(&invitation.link).monospace().strong());
        if ui.button("Copy link").clicked() {
            ui.ctx().copy_text(invitation.link.clone());
            cx.request_action(Action::Tell(Tone::Good, "copied the link for guests".to_owned()));
        }
    });
    ui.add_space(6.0);
    Grid::new("seats").num_columns(3).striped(true).spacing([16.0, 6.0]).show(ui, |ui| {
        for (i, it) in invitation.seats.iter().enumerate() {
            let seat = Seat(i as u8);
            ui.label(RichText::new(cx.session.view().name(seat)).color(cx.text_colour(ui.ctx(), seat)).strong());
            let words = match (it.is_own, &it.name) {
                (true, _) => "you".to_owned(),
                (false, None) if it.is_bot => "bot; a guest can take the seat".to_owned(),
                (false, None) => "free; you play it until a guest takes it".to_owned(),
                (false, Some(name)) if !it.is_here => format!("{name}, away"),
                (false, Some(name)) if it.is_bot => format!("{name}, with a bot"),
                (false, Some(name)) => name.clone(),
            };
            let consent = if it.is_guest() { playtest::consent_words(invitation.playtest.as_ref(), i) } else { "" };
            ui.label(format!("{words}{consent}"));
            if it.is_guest() && ui.button("Free the seat").clicked() {
                cx.request_action(Action::Guests(GuestRequest::Free(seat)));
            }
            ui.end_row();
        }
    });
    pause_button(ui, cx, invitation.paused_by.is_some());
    if invitation.clock.is_none() {
        clock_controls(ui, cx);
    }
    if invitation.n_spectators > 0 {
        ui.weak(format!("{} watching", invitation.n_spectators));
    }
    ui.add_space(6.0);
    playtest::while_inviting(ui, cx);
    ui.add_space(6.0);
    action_button(ui, cx, "Stop inviting", "Disconnects all guests.", Action::Guests(GuestRequest::Stop));
}

/// Draws the button that pauses the game, or continues a paused game.
fn pause_button(ui: &mut Ui, cx: &mut UiContext<'_>, is_paused: bool) {
    ui.add_space(6.0);
    let (label, about) = match is_paused {
        true => ("Continue the game", "Guests and bots can move again, and the clock runs."),
        false => ("Pause the game", "No guest or bot moves, and no time runs, until a player continues."),
    };
    let pause = Request::Pause { is_paused: !is_paused };
    action_button(ui, cx, label, about, Action::Guests(GuestRequest::Send(pause)));
}

/// Draws the times of a clock, and the button that starts it.
fn clock_controls(ui: &mut Ui, cx: &mut UiContext<'_>) {
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let mut clock = cx.view_state.guest_clock.unwrap_or(DEFAULT_CLOCK);
        let [minutes, seconds] = &mut clock;
        let label = ui.label("Time of each player");
        ui.add(DragValue::new(minutes).range(1..=MAX_MINUTES).suffix(" min")).labelled_by(label.id);
        let label = ui.label("+");
        let increment = ui.add(DragValue::new(seconds).range(0..=MAX_SECONDS).suffix(" s per turn"));
        increment.labelled_by(label.id).on_hover_text("The time that a player gains in each further turn.");
        cx.view_state.guest_clock = Some(clock);
        let ([minutes, seconds], about) = (clock, "If a player's time runs out, a Medium bot takes over.");
        let start = Action::Guests(GuestRequest::StartClock(60 * minutes, seconds));
        action_button(ui, cx, "Start a clock", about, start);
    });
}

/// Draws the window that asks before another game replaces the game with guests, if this window is
/// open.
pub fn replacement(ctx: &Context, cx: &mut UiContext<'_>) {
    let Some(invitation) = cx.invitation.filter(|_| cx.has_replacement) else { return };
    let guests = match invitation.n_guests() {
        1 => "A guest is".to_owned(),
        n => format!("{n} guests are"),
    };
    let mut is_open = true;
    place::centred(ctx, "Open another game?", [420.0, 120.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        ui.label(format!("{guests} at this table. Another game ends their connections and the invitation."));
        ui.label("This game stays saved: open it later and invite again.");
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            for (label, replaces) in [("Open the other game", true), ("Keep this game", false)] {
                request_on_click(cx, &ui.button(label), Action::ReplaceGame(replaces));
            }
        });
    });
    if !is_open {
        cx.request_action(Action::ReplaceGame(false));
    }
}

/// The number of chat lines that the window shows.
const CHAT_LINES: usize = 3;

/// Draws the latest lines of the chat, and the field for a new line. Draws nothing if no other
/// person is at the table.
pub fn chat(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(table) = cx.table.filter(|it| it.is_player() && it.n_guests() > 0 || !it.chat.is_empty()) else { return };
    Panel::bottom("chat").show(ui, |ui| {
        let n_earlier = table.chat.len().saturating_sub(CHAT_LINES);
        for (name, text) in table.chat.iter().skip(n_earlier) {
            ui.horizontal_wrapped(|ui| {
                ui.strong(name);
                ui.label(text);
            });
        }
        if !table.is_player() {
            ui.weak("Only players write to each other.");
            return;
        }
        ui.horizontal(|ui| {
            let label = ui.label("Chat");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let sends = ui.button("Send").clicked();
                let line = &mut cx.view_state.chat_line;
                let field = TextEdit::singleline(line).char_limit(MAX_CHAT_TEXT).desired_width(ui.available_width());
                let hint = "Write to the others. Shift+click on the board points at a spot.";
                let field = ui.add(field.hint_text(hint)).labelled_by(label.id);
                let enters = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
                if (sends || enters) && !line.trim().is_empty() {
                    let text = std::mem::take(line);
                    cx.ask_table(Request::Chat { text });
                    field.request_focus();
                }
            });
        });
    });
}

/// Draws the open proposal to undo, if there is one.
pub fn undo_proposal(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(table) = cx.table else { return };
    let Some((by, asks)) = table.proposal else { return };
    Panel::top("undo proposal").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            if !asks {
                ui.label("Waiting for the others to agree to undo.");
                return;
            }
            let name = table.guest(by).map_or(cx.session.view().name(by), |(name, _)| name);
            ui.label(format!("{name} proposes to undo their last choice."));
            for (label, agrees) in [("Agree", true), ("Decline", false)] {
                if ui.button(label).clicked() {
                    cx.ask_table(Request::AnswerUndo { agrees });
                }
            }
        });
    });
}
