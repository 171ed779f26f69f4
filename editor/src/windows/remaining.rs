//! The remaining tiles, grouped by the pattern of their edges.

use art::TileVariant;
use egui::{
    Align, Align2, Color32, Context, FontId, Id, Layout, Rect, Role, ScrollArea, Sense, Stroke, Ui, Vec2, WidgetInfo,
    Window, pos2, vec2,
};
use table::{Facing, Snapshot, Spot, TagView, Target, TileCount, TileIdx};

use super::place;
use crate::actions::Action;
use crate::panels::widgets::{
    cached, mod_and_name, paint_picture, pluralized, remember, remembered, request_on_click, search_field,
};
use crate::pictures::PictureSubject;
use crate::settings::HintLevel;
use crate::ui_context::UiContext;

/// The side of a card, in points.
const CARD_SIDE: f32 = 32.0;

/// The side of a tile, in points.
const SIDE: f32 = 58.0;

/// The distance between tiles of a pattern, in points.
const GAP: f32 = 5.0;

/// The maximum number of tiles of a pattern in a row.
const MAX_IN_ROW: usize = 10;

/// The state of the window between frames.
#[derive(Clone, Default)]
struct RemainingState {
    deck: usize,
    text: String,
    only_fitting: bool,
    only_here: bool,
    only_left: bool,
    lit: Option<TileIdx>,
}

/// Draws the window, if it is open.
pub fn remaining(ctx: &Context, cx: &mut UiContext<'_>) {
    let id = Id::unique("remaining");
    if !cx.view_state.windows.remaining {
        // Closing the window resets the filters, so that the user does not overlook an active
        // filter later.
        ctx.data_mut(|d| d.remove_temp::<RemainingState>(id));
        return;
    }
    let mut is_open = true;
    let mut memory: RemainingState = remembered(ctx, id);
    if let Some(text) = cx.view_state.find_tile.take() {
        memory = RemainingState { text, ..RemainingState::default() };
    }
    let window = Window::new("Remaining tiles").open(&mut is_open).min_width(320.0);
    window.default_rect(place::beside_middle(ctx, vec2(660.0, 540.0))).show(ctx, |ui| {
        if cx.hints() == HintLevel::Purist {
            deck_sizes(ui, cx);
        } else {
            decks(ui, cx, &mut memory);
        }
    });
    if let Some(tile) = memory.lit {
        cx.view_state.highlight(Target::Tiles(tile));
    }
    cx.view_state.windows.remaining &= is_open;
    remember(ctx, id, memory);
}

/// Draws only the number of tiles or cards left in each deck. The hint level Purist uses this view.
fn deck_sizes(ui: &mut Ui, cx: &UiContext<'_>) {
    for deck in cx.session.view().decks() {
        ui.label(format!("{}: {} left", deck.name, deck.n_left));
    }
    ui.weak("The hint level Purist hides which tiles are left.");
}

fn decks(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut RemainingState) {
    let session = cx.session;
    let decks = session.view().decks();
    memory.deck = memory.deck.min(decks.len().saturating_sub(1));
    if decks.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for (i, deck) in decks.iter().enumerate() {
                ui.selectable_value(&mut memory.deck, i, format!("{} ({})", deck.name, deck.n_left));
            }
        });
        ui.separator();
    }
    match decks.get(memory.deck).map(|d| d.holds_tiles) {
        Some(true) => tiles(ui, cx, memory),
        Some(false) => cards(ui, cx, memory.deck),
        None => {
            ui.weak("These mods have no tiles to draw.");
        }
    }
}

fn tiles(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut RemainingState) {
    let session = cx.session;
    let chosen = cx.view_state.chosen.filter(|s| session.view().tile_at(*s).is_none());
    let here = chosen.filter(|_| memory.only_here);
    let deck = memory.deck;
    let id = Id::unique("tiles of a deck").with((deck, here.map(|s| (s.x, s.y))));
    let counts = cached(ui.ctx(), id, session, || session.view().tiles_of_deck(deck, here));
    let left: Vec<(TileIdx, usize)> = counts.iter().map(|c| (c.tile, c.left)).collect();
    filters(ui, memory, chosen);
    summary(ui, session, &left);
    let needle = memory.text.trim().to_lowercase();
    let declared = session.view().tiles_declared();
    let is_shown = |count: &&TileCount| {
        let name = declared.name(count.tile);
        let is_called = || {
            let tags = declared.tags(count.tile);
            name.to_lowercase().contains(&needle)
                || tags.iter().any(|t| t.label().to_lowercase().contains(&needle))
                || declared.has_edges(count.tile, &needle)
        };
        (!memory.only_fitting && here.is_none() || count.fits)
            && (!memory.only_left || count.left > 0)
            && (needle.is_empty() || is_called())
    };
    draw_tile_button(ui, cx, memory);
    let groups = grouped(session, counts.iter().filter(is_shown).cloned().collect());
    let n_shown: usize = groups.iter().map(|(_, of_it)| of_it.len()).sum();
    if n_shown < counts.len() {
        ui.horizontal(|ui| {
            ui.weak(match n_shown {
                0 => "No matching tiles.".to_owned(),
                _ => format!("{n_shown} of {}", pluralized(counts.len(), "kind of tile", "kinds of tiles")),
            });
            if ui.small_button("Show all").clicked() {
                *memory = RemainingState { deck, lit: memory.lit, ..RemainingState::default() };
            }
        });
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let in_row = ((ui.available_width() - GAP) / (SIDE + GAP)).floor().clamp(1.0, MAX_IN_ROW as f32) as usize;
        ui.with_layout(Layout::left_to_right(Align::Min).with_main_wrap(true), |ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
            groups.iter().for_each(|(name, counts)| group(ui, cx, memory, name, counts, in_row));
        });
    });
}

/// Groups the tiles by the pattern of their edges, in the order of the patterns' names.
fn grouped(session: &Snapshot, counts: Vec<TileCount>) -> Vec<(String, Vec<TileCount>)> {
    let mut groups: Vec<(String, Vec<TileCount>)> = Vec::new();
    for count in counts {
        let name = session.view().tiles_declared().edge_pattern(count.tile);
        match groups.iter_mut().find(|(n, _)| *n == name) {
            Some((_, of_it)) => of_it.push(count),
            None => groups.push((name, vec![count])),
        }
    }
    groups.sort_by(|a, b| a.0.cmp(&b.0));
    groups
}

fn filters(ui: &mut Ui, memory: &mut RemainingState, chosen: Option<Spot>) {
    ui.horizontal_wrapped(|ui| {
        let search = search_field(&mut memory.text, "CFRR, name or tag").desired_width(150.0);
        ui.add(search).accessible_name("Find a tile");
        ui.toggle_value(&mut memory.only_left, "left").on_hover_text("Only tiles with copies left.");
        ui.toggle_value(&mut memory.only_fitting, "fits somewhere").on_hover_text("Only tiles that fit somewhere now.");
        let text = chosen.map_or_else(|| "fits the chosen spot".to_owned(), |spot| format!("fits {spot}"));
        memory.only_here &= chosen.is_some();
        let button = egui::Button::selectable(memory.only_here, text);
        let response = ui.add_enabled(chosen.is_some(), button);
        if response.clicked() {
            memory.only_here = !memory.only_here;
        }
        response
            .on_hover_text("Only tiles that fit the chosen spot.")
            .on_disabled_hover_text("Choose an open spot first: Page Down, or right-click it.");
    });
}

/// Shows a button that replaces this turn's draw with the highlighted tile. If no tile is
/// highlighted, shows a hint instead.
fn draw_tile_button(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &RemainingState) {
    let Some(tile) = memory.lit else {
        ui.weak("Click a tile to highlight it on the board, or to draw it.");
        return;
    };
    let name = cx.session.view().tiles_declared().name(tile).to_owned();
    ui.horizontal(|ui| {
        let is_playing = !cx.session.view().is_over();
        let button = ui.add_enabled(is_playing, egui::Button::new(format!("Draw {name} now")));
        let about = "Draw this tile instead of the one drawn this turn. The moves after that draw are undone.";
        request_on_click(cx, &button.on_hover_text(about), Action::DrawTile(name));
    });
}

/// Draws the number of remaining tiles and, for each kind of land, the number of their edges with
/// this kind.
fn summary(ui: &mut Ui, session: &Snapshot, left: &[(TileIdx, usize)]) {
    let n: usize = left.iter().map(|(_, n)| n).sum();
    let counts = session.view().tiles_declared().edge_counts(left);
    let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    let text = format!("{} left · edges: {}", pluralized(n, "tile", "tiles"), counts.join(", "));
    ui.add(egui::Label::new(egui::RichText::new(text).weak()).wrap());
}

/// Draws the tiles of the pattern `name` below a heading, with at most `in_row` tiles in a row.
fn group(
    ui: &mut Ui,
    cx: &mut UiContext<'_>,
    memory: &mut RemainingState,
    name: &str,
    counts: &[TileCount],
    in_row: usize,
) {
    const HEADING: f32 = 20.0;
    let row_height = SIDE + 18.0;
    let n_columns = counts.len().min(in_row);
    let n_rows = counts.len().div_ceil(in_row);
    let size = vec2(n_columns as f32 * (SIDE + GAP) + GAP, HEADING + n_rows as f32 * row_height + 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let (left, of): (usize, usize) = counts.iter().fold((0, 0), |(l, a), s| (l + s.left, a + s.all));
    let visuals = ui.visuals();
    let rim = visuals.widgets.noninteractive.bg_stroke;
    ui.painter().rect(rect, 5.0, visuals.faint_bg_color, rim, egui::StrokeKind::Inside);
    let (strong, weak) = (visuals.strong_text_color(), visuals.text_color());
    let at = rect.min + vec2(GAP + 1.0, 3.0);
    ui.painter().text(at, Align2::LEFT_TOP, name, FontId::proportional(12.5), strong);
    // With one tile, the number below the tile is enough.
    if n_columns > 1 {
        let at = pos2(rect.right() - GAP, at.y);
        ui.painter().text(at, Align2::RIGHT_TOP, format!("{left}/{of}"), FontId::proportional(11.0), weak);
    }
    response.on_hover_text(format!("Edges {name}, in any rotation: {left} of {of} left."));
    for (i, count) in counts.iter().enumerate() {
        let place = vec2((i % in_row) as f32 * (SIDE + GAP), (i / in_row) as f32 * row_height);
        let at = rect.min + vec2(GAP, HEADING) + place;
        tile(ui, cx, memory, count, Rect::from_min_size(at, Vec2::splat(SIDE)));
    }
}

fn tile(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut RemainingState, count: &TileCount, rect: Rect) {
    let session = cx.session;
    let name = session.view().tiles_declared().name(count.tile).to_owned();
    let response = ui.interact(rect, ui.scope_id().with(("tile", count.tile.0)), Sense::click());
    let label = format!("{name}: {} of {} left", count.left, count.all);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let tint = if count.left == 0 { Color32::from_gray(150).gamma_multiply(0.45) } else { Color32::WHITE };
    let texture = cx.pictures.tile(ui.ctx(), count.tile, Facing::default(), TileVariant::default(), SIDE);
    paint_picture(ui.painter(), texture, rect, tint);
    let visuals = ui.visuals();
    let is_lit = memory.lit == Some(count.tile);
    if is_lit || response.hovered() {
        let stroke = Stroke::new(2.0, visuals.selection.stroke.color);
        ui.painter().rect_stroke(rect.expand(1.0), 2.0, stroke, egui::StrokeKind::Outside);
    }
    let colour = if count.left == 0 { visuals.weak_text_color() } else { visuals.text_color() };
    let text = format!("{}/{}", count.left, count.all);
    let below = rect.center_bottom() + vec2(0.0, 2.0);
    ui.painter().text(below, Align2::CENTER_TOP, text, FontId::proportional(11.5), colour);
    if response.hovered() {
        cx.view_state.highlight(Target::Tiles(count.tile));
    }
    if response.clicked() {
        memory.lit = if is_lit { None } else { Some(count.tile) };
    }
    response.on_hover_ui(|ui| {
        let n_laid = session.view().tiles().iter().filter(|t| t.tile == count.tile).count();
        ui.strong(&label);
        ui.weak(mod_and_name(session, &name).0);
        let tags = session.view().tiles_declared().tags(count.tile);
        if !tags.is_empty() {
            ui.label(tags.iter().map(TagView::label).collect::<Vec<_>>().join(", "));
        }
        ui.label(if count.fits { "It fits." } else { "It fits nowhere now." });
        ui.weak(format!("{} on the board. Click to keep them highlighted.", pluralized(n_laid, "lies", "lie")));
    });
}

/// Draws the list of cards in a deck that holds cards.
fn cards(ui: &mut Ui, cx: &mut UiContext<'_>, deck: usize) {
    let session = cx.session;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("cards").striped(true).show(ui, |ui| {
            for card in session.view().cards_of_deck(deck) {
                let texture = cx.pictures.get(ui.ctx(), PictureSubject::Card(card.name.to_owned()), CARD_SIDE);
                let (rect, _) = ui.allocate_exact_size(Vec2::splat(CARD_SIDE), Sense::hover());
                paint_picture(ui.painter(), texture, rect, Color32::WHITE);
                ui.label(card.name);
                ui.label(format!("{} of {} left", card.left, card.all));
                ui.label(card.about);
                ui.end_row();
            }
        });
    });
}
