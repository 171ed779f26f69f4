//! The decision: the player to move, the question and the choices. They are always in the same
//! place of the window.

use egui::{
    Align, Button, Color32, Id, Label, Layout, RichText, Role, ScrollArea, Sense, TextStyle, Ui, Vec2, WidgetInfo, vec2,
};
use table::{Answer, AwaitedActor, Seat, Snapshot, Spot};

use super::best_places::best_places;
use super::choices::{choices, open_options, pass_choice};
use super::coach::coach;
use super::log::last_laid_before;
use super::log_rows::answer_label;
use super::prompt_cards::{diverged, fault, game_over};
use super::tags::new_tags;
use super::widgets::{
    ButtonIcon, chip, icon_button, paint_picture, pane, pluralized, remember, remembered, request_on_click,
    seat_mark_ui,
};
use crate::actions::Action;
use crate::bot_levels;
use crate::command::Command;
use crate::ghost_tile;
use crate::pictures::PictureSubject;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The height of the panel, in points, below which the question takes only one line, so that the
/// choices stay visible.
const LOW_BELOW: f32 = 90.0;

/// The side of a card, in points.
const CARD_SIDE: f32 = 48.0;

/// The height of the margins and the frame around the panel's content, in points.
const AROUND: f32 = 20.0;

/// Draws the panel.
pub fn prompt(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        let id = Id::unique("height below the answers");
        let below: f32 = remembered(ui.ctx(), id);
        let height = (ui.available_height() - below).max(20.0);
        let is_low = height < LOW_BELOW;
        let mut pointed = None;
        let scrolled = ScrollArea::vertical()
            .auto_shrink([false, true])
            .min_scrolled_height(20.0)
            .max_height(height)
            .show(ui, |ui| {
                if cx.session.divergence().is_some() {
                    diverged(ui, cx);
                }
                if let Some(note) = cx.answered {
                    ui.label(note);
                    if cx.session.guest_to_move().is_some() && cx.table.is_none() && ui.button("Copy my move").clicked()
                    {
                        cx.request_action(Action::Command(Command::CopyMove));
                    }
                    return;
                }
                pointed = match cx.session.awaited_actor() {
                    AwaitedActor::Mod => {
                        if let Some(it) = cx.session.view().fault() {
                            fault(ui, cx, it);
                        }
                        None
                    }
                    AwaitedActor::Nobody => {
                        game_over(ui, cx);
                        None
                    }
                    AwaitedActor::Bot(seat) => {
                        bot(ui, cx, seat);
                        None
                    }
                    AwaitedActor::Chance => chance(ui, cx),
                    AwaitedActor::Person(seat) => person(ui, cx, seat, is_low),
                };
            });
        // Keeps the buttons that pass and that return to the end of the branch always in view.
        let top = ui.cursor().top();
        if matches!(cx.session.awaited_actor(), AwaitedActor::Person(_)) && cx.session.guest_to_move().is_none() {
            pointed = pass_choice(ui, cx).or(pointed);
        }
        if !cx.session.is_live() {
            past_note(ui, cx);
        }
        if !is_low {
            coach(ui, cx);
        }
        let below = (ui.cursor().top() - top).max(0.0);
        remember(ui.ctx(), id, below);
        cx.view_state.question_height = Some(scrolled.content_size.y + below + AROUND);
        preview(ui, cx, pointed);
    });
}

/// Shows the hovered choice on the board. When the pointer leaves the choice, removes the preview
/// if this panel has set it.
fn preview(ui: &Ui, cx: &mut UiContext<'_>, pointed: Option<Answer>) {
    let id = Id::unique("preview by the prompt");
    let own: Option<Answer> = remembered(ui.ctx(), id);
    if pointed.is_some() {
        cx.view_state.preview = pointed;
    } else if own.is_some() && cx.view_state.preview == own {
        cx.view_state.preview = None;
    }
    if own != pointed {
        remember(ui.ctx(), id, pointed);
    }
}

/// Draws the mark and name of the player to move, followed by `words`, and the title of the mod
/// that asks the question.
fn head(ui: &mut Ui, cx: &UiContext<'_>, seat: Seat, words: &str) {
    ui.horizontal(|ui| {
        seat_mark_ui(ui, cx, seat, 22.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(info) = cx.session.view().prompt().and_then(|p| p.asked_by) {
                let colour = ui.visuals().hyperlink_color;
                chip(ui, &info.title, colour).on_hover_text(format!("{} {}\n{}", info.title, info.version, info.about));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = cx.session.view().name(seat);
                let text = RichText::new(format!("{name}{words}")).color(cx.text_colour(ui.ctx(), seat)).size(14.0);
                ui.add(Label::new(text).truncate());
            });
        });
    });
}

/// Draws the question. If a card was drawn for the decision, draws it beside the question.
fn question(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let Some(prompt) = cx.session.view().prompt() else { return };
    let text = RichText::new(prompt.text).size(15.0).strong();
    let Some(card) = drawn_card(cx.session) else {
        ui.label(text);
        return;
    };
    ui.horizontal(|ui| {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(CARD_SIDE), Sense::hover());
        let texture = cx.pictures.get(ui.ctx(), PictureSubject::Card(card.to_owned()), CARD_SIDE);
        paint_picture(ui.painter(), texture, rect, Color32::WHITE);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Card {card}")));
        response.on_hover_text(card);
        ui.add(Label::new(text).wrap());
    });
}

/// Returns the name of the card that the last answer drew, if any.
fn drawn_card(session: &Snapshot) -> Option<&str> {
    let name = session.steps()[..session.position_index()].last()?.text.strip_prefix("draw ")?;
    let view = session.view();
    let mut decks = view.decks().into_iter().enumerate().filter(|(_, deck)| !deck.holds_tiles);
    decks.any(|(i, _)| view.cards_of_deck(i).iter().any(|card| card.name == name)).then_some(name)
}

/// Draws the request to hand the window over to `seat`, the only player who may see the decision.
fn hand_over(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, is_low: bool) {
    let name = cx.session.view().name(seat).to_owned();
    ui.label(RichText::new(format!("Hand over to {name}")).size(15.0).strong());
    if !is_low {
        ui.label(format!("Only {name} may see the next question."));
    }
    let button = Button::new(format!("I am {name}")).min_size(vec2(ui.available_width(), 26.0));
    request_on_click(cx, &ui.add(button), Action::HandOver(Some(seat)));
}

fn person(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat, is_low: bool) -> Option<Answer> {
    if cx.session.hand_over_to() == Some(seat) {
        if !is_low {
            head(ui, cx, seat, "");
        }
        hand_over(ui, cx, seat, is_low);
        return None;
    }
    let mut pointed = None;
    if is_low {
        // Omits the name, because the panel of players also shows the player to move.
        let text = cx.session.view().prompt().map_or("", |prompt| prompt.text);
        ui.horizontal(|ui| {
            seat_mark_ui(ui, cx, seat, 16.0);
            ui.add(Label::new(RichText::new(text).strong()).truncate());
        });
        return choices(ui, cx, Some(seat));
    }
    head(ui, cx, seat, "");
    if ghost_tile::tile(cx.session).is_some() {
        pointed = placement_prompt(ui, cx, seat);
        if !open_options(ui.ctx(), cx).is_empty() {
            ui.weak("or");
        }
    } else {
        question(ui, cx);
    }
    choices(ui, cx, Some(seat)).or(pointed)
}

/// Draws the placement: the number of places, the keys, a button and, at the hint level Learn, the
/// best places. The level Purist omits the number and the button. Returns the hovered one of these
/// places, if any.
fn placement_prompt(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat) -> Option<Answer> {
    let places = cx.insight.places(cx.session);
    let mut spots: Vec<Spot> = places.iter().map(|p| p.spot).collect();
    spots.dedup();
    let n = spots.len();
    let text = match cx.hints() {
        HintLevel::Purist => "Lay the tile".to_owned(),
        _ => format!("Lay the tile: {}", pluralized(n, "place", "places")),
    };
    ui.label(RichText::new(text).size(15.0).strong()).on_hover_text(match cx.hints() {
        HintLevel::Purist => "Click a place beside the tiles on the board.".to_owned(),
        _ => format!("{}, {} to lay it.", pluralized(n, "place", "places"), pluralized(places.len(), "way", "ways")),
    });
    // A window of this shape is on a phone, even before the first touch.
    let is_touched = cx.has_fingers || cx.settings.is_tall || ui.input(|input| input.has_touch_screen());
    if is_touched {
        ui.weak("Tap a place; tap again to turn the tile.");
    } else {
        let ctx = ui.ctx().clone();
        let key = |command: Command| command.key_text(&ctx);
        let keys = format!("{} turns, {} lays", key(Command::Rotate), key(Command::Confirm));
        ui.weak(format!("{keys}, {} moves", key(Command::NextSpot)));
    }
    if cx.hints() != HintLevel::Purist {
        let chosen = cx.view_state.chosen.filter(|s| spots.contains(s));
        let (text, command) = match chosen {
            Some(_) => ("Lay the tile", Command::Confirm),
            None => ("Next place", Command::NextSpot),
        };
        let button = match is_touched {
            true => Button::new(text).min_size(vec2(ui.available_width(), 26.0)),
            false => button_with_key(ui, text, command),
        };
        let response = ui.add_enabled(n > 0, button).on_hover_text(command.info().about);
        request_on_click(cx, &response, Action::Command(command));
    }
    if let Some(tile) = ghost_tile::tile(cx.session) {
        new_tags(ui, cx, tile);
    }
    if cx.hints() == HintLevel::Learn { best_places(ui, cx, seat) } else { None }
}

/// Shows the bot to move, its state, such as `is thinking`, and the button that pauses or resumes
/// bots. At a past position, shows the choice that this branch contains, and a button that lets the
/// bot choose again.
fn bot(ui: &mut Ui, cx: &mut UiContext<'_>, seat: Seat) {
    let kind = bot_levels::bot_of(cx.session, seat).map_or("bot", |bot| bot_levels::title(Some(bot)));
    let is_live = cx.session.is_live();
    let words = match (is_live, cx.is_playing) {
        (true, true) => " is thinking",
        (true, false) => " waits",
        (false, _) => " was to move",
    };
    head(ui, cx, seat, &format!(" ({kind}){words}"));
    question(ui, cx);
    if is_live {
        ui.horizontal(|ui| {
            let (icon, label, about) = if cx.is_playing {
                (ButtonIcon::Pause, "Pause bots", "Pauses all bots.")
            } else {
                (ButtonIcon::Play, "Let bots play", "Lets the bots play on.")
            };
            let button = icon_button(ui, icon, label, about, true, 28.0);
            request_on_click(cx, &button, Action::Command(Command::PlayPause));
            ui.weak(format!("{} ({})", label, Command::PlayPause.key_text(ui.ctx())));
        });
    } else {
        played_answer(ui, cx);
        continue_button(ui, cx, "Let the bot choose again", "The bot plays on from here in a new branch.");
    }
}

/// Returns a button over the whole width. It shows the key of `command` if there is room for it
/// beside the text.
fn button_with_key(ui: &Ui, text: &str, command: Command) -> Button<'static> {
    let key = command.key_text(ui.ctx());
    let font = TextStyle::Button.resolve(ui.style());
    let width = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x;
    let has_room = width(text) + width(&key) + 40.0 < ui.available_width();
    let button = Button::new(text.to_owned()).min_size(vec2(ui.available_width(), 26.0)).wrap();
    if has_room { button.shortcut_text(key) } else { button }
}

fn continue_button(ui: &mut Ui, cx: &mut UiContext<'_>, text: &str, about: &str) {
    let button = button_with_key(ui, text, Command::LetGoOn);
    request_on_click(cx, &ui.add(button).on_hover_text(about), Action::Command(Command::LetGoOn));
}

/// Shows the answer of the current branch at this position.
fn played_answer(ui: &mut Ui, cx: &UiContext<'_>) {
    if let Some(step) = cx.session.steps().get(cx.session.position_index()) {
        let drawn = ghost_tile::tile(cx.session).map(|t| cx.session.view().tiles_declared().name(t));
        let last = last_laid_before(cx.session, cx.session.position_index());
        ui.label(format!("In this branch: {}", answer_label(Some(cx.session.view()), &step.text, drawn, last)));
    }
}

/// Draws a chance decision at a past position: its result, a button that draws again at random, and
/// the other possible results. The hint level Purist hides the other results. Returns the hovered
/// one, if any.
fn chance(ui: &mut Ui, cx: &mut UiContext<'_>) -> Option<Answer> {
    question(ui, cx);
    played_answer(ui, cx);
    let about = "Draw from here on with the seed of this game. Other results start a new branch.";
    continue_button(ui, cx, "Draw at random", about);
    if cx.hints() == HintLevel::Purist || open_options(ui.ctx(), cx).is_empty() {
        return None;
    }
    ui.weak("or choose:");
    choices(ui, cx, None)
}

/// Draws a note that this is a past position, and a button that returns to the end of the branch.
/// Draws nothing for a guest, whose bar of excursions says so.
fn past_note(ui: &mut Ui, cx: &mut UiContext<'_>) {
    if cx.is_guest {
        return;
    }
    ui.separator();
    let last = cx.session.steps().last().map_or(0, |s| s.turn);
    ui.weak(format!("Viewing turn {} of {last}. Playing here starts a new branch; this one stays.", cx.session.turn()));
    let key = Command::GoToEnd.key_text(ui.ctx());
    let button = ui.add(Button::new("To the end").shortcut_text(key));
    request_on_click(cx, &button.on_hover_text(Command::GoToEnd.info().about), Action::Command(Command::GoToEnd));
}
