//! The windows in which a guest takes a seat and agrees to a playtest, and the details of the
//! table.

use door::MAX_NAME;
use egui::{Button, Context, RichText, TextEdit, Ui};
use host::GuestLink;
use table::Seat;

use super::fairness::Fairness;
use crate::notifications::Tone;
use crate::panels::widgets::pluralized;
use crate::style::tone_colour;
use crate::table_view::TableSeat;
use crate::ui_context::UiContext;
use crate::windows::place;

/// The lobby: the dialog in which a guest takes a seat.
#[derive(Default)]
pub struct Lobby {
    is_open: bool,
    /// True while the guest waits to return to the seat of the link.
    is_returning: bool,
    /// True if the field for the name has had the focus.
    had_focus: bool,
    name: String,
    seat: Option<Seat>,
}

/// The choice of a guest in the lobby.
pub enum LobbyChoice {
    /// Take this seat under this name.
    Sit(Seat, String),
    /// Watch the game without a seat.
    Watch,
}

impl Lobby {
    /// Opens the lobby, unless the guest returns to a seat.
    pub fn new(is_returning: bool) -> Lobby {
        Lobby { is_open: !is_returning, is_returning, ..Lobby::default() }
    }

    /// Opens the lobby.
    pub fn open(&mut self) {
        self.is_open = true;
    }

    /// Closes the lobby, because the guest has a seat or watches.
    pub fn close(&mut self) {
        (self.is_open, self.is_returning) = (false, false);
    }

    /// Opens the lobby if the table has refused to let the guest return to a seat.
    pub fn note_refusal(&mut self) {
        self.is_open |= std::mem::take(&mut self.is_returning);
    }

    /// Returns whether the lobby is open.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns whether the guest waits to return to a seat.
    pub fn is_returning(&self) -> bool {
        self.is_returning
    }

    /// Draws the lobby, if it is open. Returns the guest's choice, if any.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>, link: &GuestLink) -> Option<LobbyChoice> {
        if !self.is_open {
            return None;
        }
        if self.name.is_empty() {
            self.name.clone_from(&cx.settings.guest_name);
        }
        let mut choice = None;
        let title = format!("Table {}", link.code);
        place::centred(ctx, "Join the table", [400.0, 260.0]).collapsible(false).resizable(false).show(ctx, |ui| {
            let mods: Vec<&str> = cx.session.view().mods().iter().map(|info| info.title.as_str()).collect();
            ui.label(RichText::new(title).strong());
            ui.label(mods.join(", "));
            ui.horizontal(|ui| {
                let label = ui.label("Your name");
                let field = TextEdit::singleline(&mut self.name).char_limit(MAX_NAME).desired_width(200.0);
                let field = ui.add(field).labelled_by(label.id);
                if !std::mem::replace(&mut self.had_focus, true) {
                    field.request_focus();
                }
            });
            self.seats(ui, cx);
            ui.horizontal(|ui| {
                let name = self.name.trim();
                let can_sit = self.seat.is_some() && !name.is_empty();
                let sits = ui.add_enabled(can_sit, Button::new(RichText::new("Sit down").strong())).clicked();
                if let Some(seat) = self.seat.filter(|_| sits) {
                    choice = Some(LobbyChoice::Sit(seat, name.to_owned()));
                }
                if ui.button("Watch only").clicked() {
                    choice = Some(LobbyChoice::Watch);
                }
            });
        });
        if let Some(LobbyChoice::Sit(_, name)) = &choice {
            cx.settings.guest_name.clone_from(name);
        }
        if matches!(choice, Some(LobbyChoice::Watch)) {
            self.close();
        }
        choice
    }

    /// Draws the seats. Chooses a free seat without a bot first, then any free seat.
    fn seats(&mut self, ui: &mut Ui, cx: &UiContext<'_>) {
        let Some(table) = cx.table else { return };
        let view = cx.session.view();
        let is_free = |seat: Seat| table.seats.get(seat.idx()).is_some_and(|it| it.name.is_none());
        let is_bot = |seat: Seat| table.seats.get(seat.idx()).is_some_and(|it| it.is_bot);
        if !self.seat.is_some_and(is_free) {
            let free: Vec<Seat> = view.seats().filter(|seat| is_free(*seat)).collect();
            self.seat = free.iter().find(|seat| !is_bot(**seat)).or(free.first()).copied();
        }
        for (seat, it) in view.seats().zip(&table.seats) {
            let text = RichText::new(format!("{}: {}", view.name(seat), seat_words(it)));
            let button = egui::RadioButton::new(self.seat == Some(seat), text.color(cx.text_colour(ui.ctx(), seat)));
            if ui.add_enabled(it.name.is_none(), button).clicked() {
                self.seat = Some(seat);
            }
        }
        if self.seat.is_none() {
            ui.weak("All seats are taken.");
        }
    }
}

/// Returns the state of a seat as text.
fn seat_words(it: &TableSeat) -> String {
    match &it.name {
        None if it.is_bot => "a bot; take its place".to_owned(),
        None => "free".to_owned(),
        Some(_) if it.is_own => "you".to_owned(),
        Some(name) if !it.is_here => format!("{name}, away"),
        Some(name) if it.is_bot => format!("{name}, with a bot"),
        Some(name) => name.clone(),
    }
}

/// Asks the guest to agree to a playtest. Returns true if the guest agrees, false if they decline,
/// and `None` before they answer.
pub fn ask_consent(ctx: &Context) -> Option<bool> {
    let mut answer = None;
    place::centred(ctx, "A playtest", [420.0, 160.0]).collapsible(false).resizable(false).show(ctx, |ui| {
        ui.label("The host collects notes, the times of your choices, whether explanations are clear, and answers to a survey.");
        ui.label("Your name is not stored with them. You can play in either case.");
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            for (label, agrees) in [("I agree", true), ("No", false)] {
                if ui.button(label).clicked() {
                    answer = Some(agrees);
                }
            }
        });
    });
    answer
}

/// Draws the details of the table: its link, seats and mods, and the hash of the seed. Returns
/// whether the window stays open.
pub(super) fn details(ctx: &Context, cx: &UiContext<'_>, link: &GuestLink, fairness: &Fairness) -> bool {
    let mut is_open = true;
    place::centred(ctx, "Table details", [460.0, 300.0]).open(&mut is_open).resizable(false).show(ctx, |ui| {
        let view = cx.session.view();
        // The link without the token can be passed on.
        let link = GuestLink { token: None, ..link.clone() };
        ui.label(RichText::new(link.to_string()).monospace());
        if let Some(table) = cx.table {
            for (seat, it) in view.seats().zip(&table.seats) {
                let colour = cx.text_colour(ui.ctx(), seat);
                ui.colored_label(colour, format!("{}: {}", view.name(seat), seat_words(it)));
            }
            ui.weak(format!("{} watching", pluralized(table.n_spectators.into(), "person", "people")));
        }
        ui.separator();
        let titles: Vec<&str> = view.mods().iter().map(|info| info.title.as_str()).collect();
        ui.label(titles.join(", "));
        if let Some(hash) = &fairness.hash {
            ui.separator();
            ui.strong("Fair draws");
            ui.add(egui::Label::new(RichText::new(hash).monospace().size(11.0)).wrap());
            if fairness.is_broken {
                ui.colored_label(tone_colour(ui, Tone::Bad), "The host has shown another hash or seed.");
            }
            ui.weak("All draws follow from a seed with this hash. After the game, save it and check the draws:");
            ui.weak("bastide replay my.game --fair HASH");
        }
    });
    is_open
}
