//! The panel of the drawn tile or, if there is none, of the tile placed last: picture, details, and
//! the number of tiles left in the bag. After the game, the panel shows the podium instead.

use art::TileVariant;
use egui::{
    Align2, Color32, FontId, Rect, Response, RichText, Role, Sense, TextStyle, Ui, Vec2, WidgetInfo, pos2, vec2,
};
use table::{Actor, Facing, PromptKind, TileIdx};

use super::podium::podium;
use super::tags::tags_ui;
use super::widgets::{ButtonIcon, icon_button, mod_and_name, paint_picture, pane, request_on_click};
use crate::actions::Action;
use crate::command::Command;
use crate::ghost_tile;
use crate::pictures::PictureSubject;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;
use crate::windows::small_tile_shown_large;

/// The smallest side of the picture, in points.
const MIN_SIDE: f32 = 48.0;

/// The width of the panel, in points, below which it shows no text beside the picture.
const NARROW_BELOW: f32 = 190.0;

/// The height above the bar, in points, above which a narrow panel has the buttons that turn the
/// tile below each other.
const NARROW_ROOM: f32 = 2.0 * TURN_BUTTON_SIDE + 8.0;

/// The height of the bar with the number of tiles left, with its margin, in points.
const BAR_HEIGHT: f32 = 24.0;

/// The side of the buttons that turn the tile, in points.
const TURN_BUTTON_SIDE: f32 = 30.0;

/// The tile that the panel shows large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ShownTile {
    /// The tile to place.
    Drawn(TileIdx),
    /// A drawn tile that is still in hand while another decision is open.
    InHand(TileIdx),
    /// The back of a tile to draw.
    Back,
    /// The last placed tile, at its facing and with its look.
    Laid(TileIdx, Facing, TileVariant),
    /// No tile.
    Nothing,
}

/// Draws the panel.
pub fn next_tile(ui: &mut Ui, cx: &mut UiContext<'_>) {
    pane(ui, |ui| {
        if cx.session.view().is_over() {
            podium(ui, cx);
            return;
        }
        let shown = shown_tile(cx);
        let room = ui.available_height() - BAR_HEIGHT - 8.0;
        let widest = ui.available_width() * if matches!(shown, ShownTile::Laid(..)) { 0.42 } else { 0.54 };
        // Two buttons that turn the tile fit beside it.
        let beside = ui.available_width() - 2.0 * (TURN_BUTTON_SIDE + ui.spacing().item_spacing.x);
        let side = room.min(widest).min(beside).clamp(MIN_SIDE, 240.0);
        // In a very low panel, for example in a small window with large text, the bar with the
        // number of tiles left does not fit below the tile. A button beside the tile then replaces
        // the bar.
        let margin = 8.0;
        let is_low = ui.available_height() + margin < MIN_SIDE + BAR_HEIGHT;
        if ui.available_width() < NARROW_BELOW && room > NARROW_ROOM {
            narrow(ui, cx, shown, room);
            bag(ui, cx, shown, bar);
            return;
        }
        ui.horizontal_top(|ui| {
            picture(ui, cx, shown, side);
            ui.vertical(|ui| {
                ui.set_max_height(room.max(MIN_SIDE));
                ui.spacing_mut().item_spacing.y = 3.0;
                describe(ui, cx, shown, is_low);
                hand(ui, cx);
                rows(ui, cx);
            });
        });
        if is_low {
            return;
        }
        let rest = ui.available_height() - BAR_HEIGHT;
        if rest > 0.0 {
            ui.add_space(rest.min(12.0));
        }
        bag(ui, cx, shown, bar);
    });
}

/// Draws the picture of the tile with the buttons that turn it. `room` is the height that both may
/// take, in points.
fn narrow(ui: &mut Ui, cx: &mut UiContext<'_>, shown: ShownTile, room: f32) {
    ui.horizontal_top(|ui| {
        let is_drawn = matches!(shown, ShownTile::Drawn(_));
        let buttons = if is_drawn { TURN_BUTTON_SIDE + ui.spacing().item_spacing.x } else { 0.0 };
        let side = (ui.available_width() - buttons).min(room).max(MIN_SIDE);
        picture(ui, cx, shown, side);
        if is_drawn {
            ui.vertical(|ui| rotate_buttons(ui, cx));
        }
    });
    hand(ui, cx);
    rows(ui, cx);
    ui.add_space((ui.available_height() - BAR_HEIGHT).clamp(0.0, 12.0));
}

fn shown_tile(cx: &UiContext<'_>) -> ShownTile {
    if let Some(tile) = ghost_tile::tile(cx.session) {
        return ShownTile::Drawn(tile);
    }
    let view = cx.session.view();
    if view.prompt().is_some_and(|p| matches!(p.kind, PromptKind::Draw | PromptKind::Source)) {
        return ShownTile::Back;
    }
    // The large view of the last tile has its choices, so this panel does not repeat the tile.
    if small_tile_shown_large(cx).is_some() {
        return ShownTile::Back;
    }
    if let Some(tile) = view.unplaced_tile() {
        return ShownTile::InHand(tile);
    }
    let look = |placed| TileVariant { copy: 0, complete: pictures::complete_zones(view, placed) };
    view.tiles().last().map_or(ShownTile::Nothing, |t| ShownTile::Laid(t.tile, t.facing, look(t)))
}

/// Returns the facing of the drawn tile on the hovered or chosen spot. Returns the facing that the
/// user has chosen if there is no such spot, if the tile does not fit there, or at the hint level
/// Purist.
fn facing(cx: &mut UiContext<'_>) -> Facing {
    if cx.hints() == HintLevel::Purist {
        return cx.view_state.facing;
    }
    let places = cx.insight.places(cx.session);
    match ghost_tile::spot(cx.view_state) {
        Some(spot) if places.iter().any(|p| p.spot == spot) => ghost_tile::facing_on(cx.view_state, &places, spot),
        _ => cx.view_state.facing,
    }
}

fn picture(ui: &mut Ui, cx: &mut UiContext<'_>, shown: ShownTile, side: f32) {
    let side = if matches!(shown, ShownTile::Laid(..)) { side * 0.8 } else { side };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::click());
    let session = cx.session;
    let name = |tile: TileIdx| session.view().tiles_declared().name(tile);
    let (label, what, about) = match shown {
        ShownTile::Drawn(tile) => (
            format!("Drawn tile {}", name(tile)),
            Some(PictureSubject::Tile(tile, facing(cx), TileVariant::default())),
            "Click a place on the board to lay it. R or right click turns it. Click here to enlarge it.",
        ),
        ShownTile::InHand(tile) => (
            format!("Drawn tile {}", name(tile)),
            Some(PictureSubject::Tile(tile, cx.view_state.facing, TileVariant::default())),
            "Drawn now, placed later. Click to enlarge.",
        ),
        ShownTile::Laid(tile, facing, look) => (
            format!("Last tile {}", name(tile)),
            Some(PictureSubject::Tile(tile, facing, look)),
            "The last tile. Click to enlarge it and see its features.",
        ),
        ShownTile::Back => ("Back of a tile".to_owned(), Some(PictureSubject::Back), "No tile is drawn yet."),
        ShownTile::Nothing => ("No tile".to_owned(), None, "No tiles on the board yet."),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let texture = what.and_then(|what| cx.pictures.get(ui.ctx(), what, side));
    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
    let rim = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
    ui.painter().rect_stroke(rect, 3.0, rim, egui::StrokeKind::Inside);
    if response.clicked() && !matches!(shown, ShownTile::Back | ShownTile::Nothing) {
        cx.request_command(Command::BigTile);
    }
    response.on_hover_text(about);
}

/// Draws a description of the tile. If `has_bag` is true, adds a button with the number of tiles
/// left in the bag.
fn describe(ui: &mut Ui, cx: &mut UiContext<'_>, shown: ShownTile, has_bag: bool) {
    match shown {
        ShownTile::Drawn(tile) => {
            ui.horizontal(|ui| rotate_buttons(ui, cx));
            describe_tile(ui, cx, tile, has_bag);
        }
        ShownTile::InHand(tile) => describe_tile(ui, cx, tile, has_bag),
        ShownTile::Laid(tile, ..) => {
            ui.weak("Last placed");
            describe_tile(ui, cx, tile, has_bag);
        }
        ShownTile::Back => {
            let is_chance = cx.session.view().prompt().is_some_and(|p| p.who == Actor::Chance);
            let text = match (is_chance, cx.session.is_live()) {
                // Chance draws no tile after the user's moves in an exercise.
                (true, true) if cx.is_exercise => return,
                (true, false) => "A tile was drawn here. Choose another one below, or play on.",
                (true, true) => "Drawing a tile.",
                (false, _) => "No tile is drawn yet.",
            };
            ui.label(text);
        }
        ShownTile::Nothing => {
            ui.weak("No tiles yet.");
        }
    }
}

fn rotate_buttons(ui: &mut Ui, cx: &mut UiContext<'_>) {
    for (icon, label, command) in
        [(ButtonIcon::TurnBack, "Turn back", Command::RotateBack), (ButtonIcon::Turn, "Turn", Command::Rotate)]
    {
        let about = format!("{} ({})", command.info().about, command.key_text(ui.ctx()));
        let button = icon_button(ui, icon, label, &about, true, TURN_BUTTON_SIDE);
        request_on_click(cx, &button, Action::Command(command));
    }
}

/// Returns whether another line of small text fits. A low panel omits less important lines.
fn has_room(ui: &Ui) -> bool {
    ui.available_height() >= ui.text_style_height(&TextStyle::Small)
}

/// Draws the name, the mod and the tags, if there is room for them. If `has_bag` is true, also
/// draws the button of the bag.
fn describe_tile(ui: &mut Ui, cx: &mut UiContext<'_>, tile: TileIdx, has_bag: bool) {
    let session = cx.session;
    let view = session.view();
    let full = view.tiles_declared().name(tile);
    let (title, _) = mod_and_name(session, full);
    let name = |ui: &mut Ui| {
        let text = view.tiles_declared().title(tile);
        ui.add(egui::Label::new(RichText::new(text).strong()).truncate())
            .on_hover_text(format!("Tile {full} of {title}"));
    };
    if !has_bag {
        name(ui);
    } else {
        ui.horizontal(|ui| {
            bag(ui, cx, ShownTile::Nothing, |ui, text, _| ui.small_button(text));
            name(ui);
        });
    }
    if has_room(ui) {
        ui.add(egui::Label::new(RichText::new(title).weak().small()).truncate());
    }
    // In a low window, a row of tags would hide the bar below it, which shows the number of tiles
    // left.
    if ui.available_height() >= ui.spacing().interact_size.y {
        tags_ui(ui, cx, &view.tiles_declared().tags(tile));
    }
}

/// Draws the tiles and cards in the hand of the player to move. If no player is to move, draws the
/// hand of the player of the turn.
fn hand(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let session = cx.session;
    let view = session.view();
    let seat = view.asked_seat().unwrap_or_else(|| view.player());
    let (tiles, cards): (Vec<TileIdx>, Vec<&str>) =
        (view.tiles_in_hand(seat).collect(), view.cards_in_hand(seat).collect());
    let n_hidden = view.n_hidden_in_hand(seat);
    if tiles.is_empty() && cards.is_empty() && n_hidden == 0 {
        return;
    }
    let name = view.name(seat);
    ui.label(RichText::new(format!("In {name}'s hand")).small().weak());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        tiles.into_iter().for_each(|tile| small_tile(ui, cx, tile, &format!("in {name}'s hand")));
        cards.into_iter().for_each(|card| small_card(ui, cx, card));
        if n_hidden > 0 {
            ui.small(format!("{n_hidden} hidden"));
        }
    });
    let is_here = !session.is_bot(seat) && !session.guests().contains(seat);
    if n_hidden > 0 && is_here && session.hand_over_to().is_none() {
        let about = format!("Hand over to {name}: only {name} may see this.");
        let button = ui.small_button(format!("I am {name}, show it")).on_hover_text(about);
        request_on_click(cx, &button, Action::HandOver(Some(seat)));
    } else if session.only_viewer() == Some(seat) && ui.small_button("Hide again").clicked() {
        cx.request_action(Action::HandOver(None));
    }
}

/// Draws the open row of each deck that has one: the tiles or cards that lie beside the deck.
fn rows(ui: &mut Ui, cx: &mut UiContext<'_>) {
    let session = cx.session;
    for row in session.view().rows() {
        ui.label(RichText::new(format!("The open row beside {}", row.deck)).small().weak());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
            if row.tiles.is_empty() {
                row.names.iter().for_each(|card| small_card(ui, cx, card));
            }
            row.tiles.into_iter().for_each(|tile| small_tile(ui, cx, tile, "in the open row"));
        });
    }
}

fn small_card(ui: &mut Ui, cx: &mut UiContext<'_>, card: &str) {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(28.0), Sense::hover());
    let texture = cx.pictures.get(ui.ctx(), PictureSubject::Card(card.to_owned()), 28.0);
    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
    response.on_hover_text(card);
}

fn small_tile(ui: &mut Ui, cx: &mut UiContext<'_>, tile: TileIdx, place: &str) {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(28.0), Sense::hover());
    let texture = cx.pictures.tile(ui.ctx(), tile, Facing::default(), TileVariant::default(), 28.0);
    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
    let name = cx.session.view().tiles_declared().name(tile);
    response.on_hover_text(format!("{name}, {place}"));
}

/// Draws the number of tiles left in the first deck and, except at the hint level Purist, the
/// number of those that are like the shown tile. `widget` draws the control; its arguments are the
/// text and the fraction of tiles left, from 0 to 1. A click on the control shows the remaining
/// tiles.
fn bag(ui: &mut Ui, cx: &mut UiContext<'_>, shown: ShownTile, widget: impl FnOnce(&mut Ui, &str, f32) -> Response) {
    let tile = match shown {
        ShownTile::Drawn(tile) | ShownTile::InHand(tile) | ShownTile::Laid(tile, ..) => Some(tile),
        ShownTile::Back | ShownTile::Nothing => None,
    };
    let n_alike = tile.filter(|_| cx.hints() != HintLevel::Purist).and_then(|tile| cx.session.view().n_left_of(tile));
    let decks = cx.session.view().decks();
    let Some(deck) = decks.first() else { return };
    let (left, all) = (deck.n_left, deck.n_all);
    let text = format!("{left} left");
    let alike = n_alike.map_or(String::new(), |n| format!(" · {n} like this"));
    let response = widget(ui, &format!("{text}{alike}"), left as f32 / all.max(1) as f32);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{text} in {}", deck.name)));
    request_on_click(cx, &response, Action::Command(Command::Remaining));
    let key = Command::Remaining.key_text(ui.ctx());
    let mut about = format!("{left} of {all} tiles are in the bag. Click to see which ({key}).");
    if let Some(n) = n_alike {
        let are = if n == 1 { "tile of the shown kind is" } else { "tiles of the shown kind are" };
        about += &format!(" {n} {are} in the bag or hidden in hands.");
    }
    response.on_hover_text(about);
}

/// Draws a bar that is filled to `share`, from 0 to 1, with a text in it. If there is no room for
/// the whole text, draws the part before the first `·`.
fn bar(ui: &mut Ui, text: &str, share: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::click());
    let filled = Rect::from_min_max(rect.min, pos2(rect.left() + rect.width() * share, rect.bottom()));
    let visuals = ui.visuals();
    let colour =
        if response.hovered() { visuals.selection.bg_fill.gamma_multiply(1.2) } else { visuals.selection.bg_fill };
    let painter = ui.painter();
    painter.rect_filled(rect, 4.0, visuals.extreme_bg_color);
    painter.rect_filled(filled, 4.0, colour);
    painter.rect_stroke(rect, 4.0, visuals.widgets.noninteractive.bg_stroke, egui::StrokeKind::Inside);
    let layout = |text: &str| painter.layout_no_wrap(text.to_owned(), FontId::proportional(12.0), visuals.text_color());
    let mut galley = layout(text);
    if galley.size().x > rect.width() - 6.0 {
        galley = layout(text.split('·').next().unwrap_or_default().trim_end());
    }
    let place = Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect);
    painter.galley(place.min, galley, visuals.text_color());
    response
}
