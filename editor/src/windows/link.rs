//! The window that opens a link. It shows the contents of the link before any script in it runs.

use egui::{Button, Context, RichText, ScrollArea, TextEdit, Ui, vec2};
use workshop::link::{Link, LinkSummary, MAX_CHARS_TO_COPY};

use super::install::package_files;
use super::place;
use crate::actions::{Action, LinkAction};
use crate::file_choice::FilePurpose;
use crate::notifications::Tone;
use crate::panels::widgets::{pluralized, request_on_click};
use crate::shown_error::ShownError;
use crate::style::tone_colour;
use crate::ui_context::UiContext;

/// The window and its content.
#[derive(Default)]
pub struct LinkWindow {
    shows: LinkContent,
    /// True if the content changed since the last frame.
    is_new: bool,
}

#[derive(Default)]
enum LinkContent {
    /// A field for a link, and the reason why the last link was refused; `None` if no link was
    /// refused.
    Field { text: String, refused: Option<ShownError> },
    /// A link that the program is reading.
    Reading { text: String },
    /// The contents of a link.
    Link(Box<Link>, LinkSummary),
    /// The number of characters of a link that is too long.
    TooLong(usize),
    #[default]
    Nothing,
}

impl LinkWindow {
    /// Shows the field in which the user enters a link.
    pub fn show_field(&mut self) {
        (self.shows, self.is_new) = (LinkContent::Field { text: String::new(), refused: None }, true);
    }

    /// Shows that the program is reading the link `text`. If the user stops the reading, the field
    /// contains `text` again.
    pub fn show_reading(&mut self, text: String) {
        self.shows = LinkContent::Reading { text };
    }

    /// Shows the contents of a link, or the reason why the program refuses it.
    pub fn show_contents(&mut self, read: Result<(Link, LinkSummary), ShownError>) {
        self.is_new = true;
        self.shows = match read {
            Ok((link, summary)) => LinkContent::Link(Box::new(link), summary),
            Err(refused) => LinkContent::Field { text: self.take_text(), refused: Some(refused) },
        };
    }

    /// If a link is being read, shows the field again.
    pub fn stop_reading(&mut self) {
        if matches!(self.shows, LinkContent::Reading { .. }) {
            self.shows = LinkContent::Field { text: self.take_text(), refused: None };
        }
    }

    fn take_text(&mut self) -> String {
        match &mut self.shows {
            LinkContent::Field { text, .. } | LinkContent::Reading { text } => std::mem::take(text),
            _ => String::new(),
        }
    }

    /// Shows that a link would be too long, with `n_letters` characters. Offers to save it as a
    /// file instead.
    pub fn offer_file(&mut self, n_letters: usize) {
        self.shows = LinkContent::TooLong(n_letters);
    }

    /// Draws the window, if it is open.
    pub fn show(&mut self, ctx: &Context, cx: &mut UiContext<'_>) {
        if !cx.view_state.windows.link {
            return;
        }
        let mut is_open = true;
        place::centred(ctx, "A link", [520.0, 320.0]).open(&mut is_open).show(ctx, |ui| self.body(ui, cx));
        cx.view_state.windows.link &= is_open;
    }

    fn body(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) {
        match &mut self.shows {
            LinkContent::Nothing => cx.view_state.windows.link = false,
            LinkContent::Field { text, refused } => {
                let label = ui.label("Paste a link, or the part after its #:");
                let field = TextEdit::multiline(text).desired_rows(4).desired_width(f32::INFINITY);
                let field = ScrollArea::vertical().max_height(140.0).show(ui, |ui| ui.add(field)).inner;
                if self.is_new {
                    field.request_focus();
                }
                field.labelled_by(label.id);
                if let Some(refused) = refused {
                    ui.colored_label(tone_colour(ui, Tone::Bad), refused.to_string());
                }
                ui.weak("You see its contents before anything runs.");
                ui.horizontal(|ui| {
                    let show = ui.add_enabled(!text.trim().is_empty(), Button::new("Show its contents"));
                    request_on_click(cx, &show, Action::Link(LinkAction::LookAt(text.clone())));
                    cx.view_state.windows.link &= !ui.button("Cancel").clicked();
                });
            }
            LinkContent::Reading { .. } => {
                ui.horizontal(|ui| {
                    ui.spinner();
                    ui.label("Reading the link…");
                });
                request_on_click(cx, &ui.button("Stop"), Action::Stop);
            }
            LinkContent::TooLong(n_letters) => {
                ui.label(format!(
                    "The link has {n_letters} characters; many programs cut links at {MAX_CHARS_TO_COPY}."
                ));
                ui.weak("To open the file, choose Open record… in the Game menu, or drop it onto the window.");
                ui.horizontal(|ui| {
                    if ui.button("Save a file…").clicked() {
                        cx.request_action(Action::AskOutput(FilePurpose::SaveLink, "my.link".to_owned()));
                        cx.view_state.windows.link = false;
                    }
                    cx.view_state.windows.link &= !ui.button("Cancel").clicked();
                });
            }
            LinkContent::Link(link, summary) => contents(ui, cx, link, summary, self.is_new),
        }
        self.is_new = false;
    }
}

/// Shows the contents of a link, and asks whether to open it.
fn contents(ui: &mut Ui, cx: &mut UiContext<'_>, link: &Link, summary: &LinkSummary, is_new: bool) {
    let what = if link.solution.is_some() { "puzzle" } else { "game" };
    ui.heading(format!("A {what} with {}", summary.mods.join(", ")));
    let moves = pluralized(summary.n_answers, "move", "moves");
    ui.label(format!("{} · {moves}", pluralized(summary.n_players, "player", "players")));
    if let Some(player) = &summary.plays {
        ui.label(format!("It is {player}'s turn: you play {player}."));
    }
    if link.mods.is_empty() {
        ui.label("It contains no mods, because you have all mods of the game.");
    } else {
        ui.label("It contains these mods. They stay separate from your mods.");
        ui.weak("Their scripts cannot read files or use the network; they set the rules of this game.");
        ScrollArea::vertical().max_height((ui.available_height() - 60.0).max(60.0)).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            for package in &link.mods {
                let n_bytes: usize = package.files().map(|(_, n)| n).sum();
                ui.label(RichText::new(format!("{} {}", package.title, package.version)).strong());
                ui.weak(format!("{} · {} kB", package.id, n_bytes.div_ceil(1024)));
                if !package.about.is_empty() {
                    ui.label(&package.about);
                }
                package_files(ui, package);
            }
        });
    }
    ui.separator();
    ui.horizontal(|ui| {
        if ui.add(Button::new(RichText::new("Open it").strong()).min_size(vec2(110.0, 28.0))).clicked() {
            cx.request_action(Action::Link(LinkAction::Open(Box::new(link.clone()))));
            cx.view_state.windows.link = false;
        }
        let cancel = ui.button("Cancel");
        if is_new {
            // The button Cancel has the focus, so that no script runs if the user presses Enter by
            // accident.
            cancel.request_focus();
        }
        cx.view_state.windows.link &= !cancel.clicked();
    });
}
