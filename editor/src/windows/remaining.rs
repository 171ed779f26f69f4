//! The tiles that are left, grouped by what their edges are.

use board::{Facing, Spot, TileIdx};
use egui::{
    Align2, Color32, Context, FontId, Id, Rect, Role, ScrollArea, Sense, Stroke, TextEdit, Ui, Vec2, WidgetInfo,
    Window, pos2, vec2,
};
use rules::{DeckIdx, Holds};
use table::Session;

use super::beside_middle;
use super::patterns::{edge_counts, kind_letters, pattern};
use crate::panels::tags::{TagShown, tags_of_tile};
use crate::panels::widgets::{cached, many, mod_and_name, paint_picture, remember, remembered};
use crate::settings::Hints;
use crate::ui_context::UiContext;
use crate::view_state::Target;

/// The side of a tile, in points.
const SIDE: f32 = 58.0;

/// How many tiles of a pattern stand in a row; more go on in the next.
const IN_ROW: usize = 6;

/// A sort of tile in a deck.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sort {
    tile: TileIdx,
    left: usize,
    all: usize,
    fits: bool,
}

/// What the window remembers between frames.
#[derive(Clone, Default)]
struct Memory {
    deck: usize,
    text: String,
    only_fitting: bool,
    only_here: bool,
    only_left: bool,
    lit: Option<TileIdx>,
}

/// Draws the window, if it is open.
pub fn remaining(ctx: &Context, cx: &mut UiContext<'_>) {
    if !cx.view_state.windows.remaining {
        return;
    }
    let mut is_open = true;
    let mut memory: Memory = remembered(ctx, Id::unique("remaining"));
    let window = Window::new("Remaining tiles").open(&mut is_open).min_width(320.0);
    window.default_rect(beside_middle(ctx, vec2(660.0, 540.0))).show(ctx, |ui| {
        if cx.hints() == Hints::Purist {
            purist(ui, cx);
        } else {
            decks(ui, cx, &mut memory);
        }
    });
    if let Some(tile) = memory.lit {
        cx.view_state.light(Target::Tiles(tile));
    }
    if !is_open {
        memory.lit = None;
        cx.view_state.windows.remaining = false;
    }
    remember(ctx, Id::unique("remaining"), memory);
}

/// Only how many there are, for those who want to know no more.
fn purist(ui: &mut Ui, cx: &UiContext<'_>) {
    for (i, deck) in cx.session.catalogue().decks.iter().enumerate() {
        let n = cx.session.view().deck(DeckIdx(i as u8)).len();
        ui.label(format!("{}: {n} left", deck.name));
    }
    ui.weak("Which ones is not shown at the level Purist.");
}

fn decks(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut Memory) {
    let session = cx.session;
    let decks = &session.catalogue().decks;
    memory.deck = memory.deck.min(decks.len().saturating_sub(1));
    if decks.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for (i, deck) in decks.iter().enumerate() {
                let n = session.view().deck(DeckIdx(i as u8)).len();
                ui.selectable_value(&mut memory.deck, i, format!("{} ({n})", deck.name));
            }
        });
        ui.separator();
    }
    let deck = DeckIdx(memory.deck as u8);
    match decks.get(memory.deck).map(|d| d.holds) {
        Some(Holds::Tiles) => tiles(ui, cx, deck, memory),
        Some(Holds::Cards) => cards(ui, session, deck),
        None => {
            ui.weak("These mods have no tiles to draw.");
        }
    }
}

/// The sorts of a deck with what is left of each; `here` asks whether they fit on that spot and not on any.
fn sorts(session: &Session, deck: DeckIdx, here: Option<Spot>) -> Vec<Sort> {
    let view = session.view();
    let tile_set = session.tile_set();
    let open: Vec<Spot> = match here {
        Some(spot) => vec![spot],
        None => view.board.open_spots().map(|o| o.spot).collect(),
    };
    let mut found: Vec<Sort> = Vec::new();
    let declared = session.catalogue().decks[deck.idx()].items.iter().map(|(item, n)| (*item, usize::from(*n)));
    // A position that was given may hold tiles that the deck does not have at first.
    let there = view.deck(deck).groups.iter().flat_map(|g| &g.stacks).map(|s| (s.item, 0));
    for (item, all) in declared.chain(there) {
        let tile = TileIdx(item);
        let left = view.deck(deck).count(item);
        match found.iter_mut().find(|s| s.tile == tile) {
            Some(sort) => sort.all += all,
            None => {
                let lies =
                    |spot: &Spot| Facing::ALL.iter().any(|f| view.board.check(tile_set, *spot, tile, *f).is_ok());
                found.push(Sort { tile, left, all: all.max(left), fits: open.iter().any(lies) });
            }
        }
    }
    found
}

fn tiles(ui: &mut Ui, cx: &mut UiContext<'_>, deck: DeckIdx, memory: &mut Memory) {
    let session = cx.session;
    let chosen = cx.view_state.only_fitting.or(cx.view_state.chosen).filter(|s| session.view().board.at(*s).is_none());
    let here = chosen.filter(|_| memory.only_here);
    let id = Id::unique("sorts of tiles").with((deck.0, here.map(|s| (s.x, s.y))));
    let sorts = cached(ui.ctx(), id, session, || sorts(session, deck, here));
    let left: Vec<(TileIdx, usize)> = sorts.iter().map(|s| (s.tile, s.left)).collect();
    filters(ui, cx, memory, chosen);
    summary(ui, session, &left);
    let needle = memory.text.trim().to_lowercase();
    let is_shown = |sort: &&Sort| {
        let name = &session.tile_set().tile(sort.tile).name;
        let is_called = || {
            let tags = tags_of_tile(session.tile_set(), sort.tile);
            name.to_lowercase().contains(&needle) || tags.iter().any(|t| t.words().to_lowercase().contains(&needle))
        };
        (!memory.only_fitting && here.is_none() || sort.fits)
            && (!memory.only_left || sort.left > 0)
            && (needle.is_empty() || is_called())
    };
    let groups = grouped(session, sorts.iter().filter(is_shown).cloned().collect());
    if groups.is_empty() {
        ui.weak("No tile is like that.");
    }
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
            for (name, sorts) in &groups {
                sorts.chunks(IN_ROW).for_each(|row| group(ui, cx, memory, name, sorts, row));
            }
        });
    });
}

fn grouped(session: &Session, sorts: Vec<Sort>) -> Vec<(String, Vec<Sort>)> {
    let letters = kind_letters(session.tile_set());
    let mut groups: Vec<(String, Vec<Sort>)> = Vec::new();
    for sort in sorts {
        let name = pattern(session.tile_set(), &letters, sort.tile);
        match groups.iter_mut().find(|(n, _)| *n == name) {
            Some((_, of_it)) => of_it.push(sort),
            None => groups.push((name, vec![sort])),
        }
    }
    groups.sort_by(|a, b| a.0.cmp(&b.0));
    groups
}

fn filters(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut Memory, chosen: Option<Spot>) {
    ui.horizontal_wrapped(|ui| {
        let search = TextEdit::singleline(&mut memory.text).hint_text("Name or tag").desired_width(120.0);
        ui.add(search).accessible_name("Find a tile");
        ui.toggle_value(&mut memory.only_left, "left").on_hover_text("Only tiles of which there are some left.");
        ui.toggle_value(&mut memory.only_fitting, "fits somewhere")
            .on_hover_text("Only tiles that fit on an open spot.");
        let text = chosen.map_or_else(|| "fits the chosen spot".to_owned(), |spot| format!("fits {spot}"));
        memory.only_here &= chosen.is_some();
        let button = egui::Button::selectable(memory.only_here, text);
        let response = ui.add_enabled(chosen.is_some(), button);
        if response.clicked() {
            memory.only_here = !memory.only_here;
        }
        response
            .on_hover_text("Only tiles that fit on the spot that is chosen.")
            .on_disabled_hover_text("Choose an open spot first: with Page Down, or by its menu on the board.");
        if cx.view_state.only_fitting.is_some()
            && ui.small_button("Unpin").on_hover_text("Forget the pinned spot.").clicked()
        {
            cx.view_state.only_fitting = None;
        }
    });
}

/// How many are left, and how many edges of each kind are on them.
fn summary(ui: &mut Ui, session: &Session, left: &[(TileIdx, usize)]) {
    let n: usize = left.iter().map(|(_, n)| n).sum();
    let counts = edge_counts(session.tile_set(), left);
    let counts: Vec<String> = counts.iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    let text = format!("{} left · edges on them: {}", many(n, "tile", "tiles"), counts.join(", "));
    ui.add(egui::Label::new(egui::RichText::new(text).weak()).wrap());
}

/// Draws the tiles of a pattern, or a row of them.
fn group(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut Memory, name: &str, all: &[Sort], row: &[Sort]) {
    let gap = 5.0;
    let size = vec2(row.len() as f32 * (SIDE + gap) + gap, SIDE + 40.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    let (left, of): (usize, usize) = all.iter().fold((0, 0), |(l, a), s| (l + s.left, a + s.all));
    let visuals = ui.visuals();
    ui.painter().rect(
        rect,
        5.0,
        visuals.faint_bg_color,
        visuals.widgets.noninteractive.bg_stroke,
        egui::StrokeKind::Inside,
    );
    let (strong, weak) = (visuals.strong_text_color(), visuals.text_color());
    let at = rect.min + vec2(gap + 1.0, 3.0);
    let width = ui.painter().text(at, Align2::LEFT_TOP, name, FontId::proportional(12.5), strong).width();
    if row.len() > 1 || width < 34.0 {
        let at = pos2(rect.right() - gap, at.y);
        ui.painter().text(at, Align2::RIGHT_TOP, format!("{left}/{of}"), FontId::proportional(11.0), weak);
    }
    response.on_hover_text(format!("Edges {name}, in whatever way they are turned: {left} of {of} left."));
    for (i, sort) in row.iter().enumerate() {
        let at = rect.min + vec2(gap + i as f32 * (SIDE + gap), 20.0);
        tile(ui, cx, memory, sort, Rect::from_min_size(at, Vec2::splat(SIDE)));
    }
}

fn tile(ui: &mut Ui, cx: &mut UiContext<'_>, memory: &mut Memory, sort: &Sort, rect: Rect) {
    let session = cx.session;
    let name = session.tile_set().tile(sort.tile).name.clone();
    let response = ui.interact(rect, ui.scope_id().with(("tile", sort.tile.0)), Sense::click());
    let label = format!("{name}: {} of {} left", sort.left, sort.all);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    let tint = if sort.left == 0 { Color32::from_gray(150).gamma_multiply(0.45) } else { Color32::WHITE };
    let texture = cx.pictures.tile(ui.ctx(), sort.tile, Facing::default(), 0, SIDE);
    paint_picture(ui.painter(), texture, rect, tint);
    let visuals = ui.visuals();
    let is_lit = memory.lit == Some(sort.tile);
    if is_lit || response.hovered() {
        let stroke = Stroke::new(2.0, visuals.selection.stroke.color);
        ui.painter().rect_stroke(rect.expand(1.0), 2.0, stroke, egui::StrokeKind::Outside);
    }
    let colour = if sort.left == 0 { visuals.weak_text_color() } else { visuals.text_color() };
    let text = format!("{}/{}", sort.left, sort.all);
    let below = rect.center_bottom() + vec2(0.0, 2.0);
    ui.painter().text(below, Align2::CENTER_TOP, text, FontId::proportional(11.5), colour);
    if response.hovered() {
        cx.view_state.light(Target::Tiles(sort.tile));
    }
    if response.clicked() {
        memory.lit = if is_lit { None } else { Some(sort.tile) };
    }
    response.on_hover_ui(|ui| {
        let n_laid = session.view().board.tiles().iter().filter(|t| t.tile == sort.tile).count();
        ui.strong(&label);
        ui.weak(mod_and_name(session, &name).0);
        let tags = tags_of_tile(session.tile_set(), sort.tile);
        if !tags.is_empty() {
            ui.label(tags.iter().map(TagShown::words).collect::<Vec<_>>().join(", "));
        }
        ui.label(if sort.fits { "It fits." } else { "It fits nowhere now." });
        ui.weak(format!("{} on the board. Click to keep them highlighted.", many(n_laid, "lies", "lie")));
    });
}

/// A deck that holds no tiles, as a list.
fn cards(ui: &mut Ui, session: &Session, deck: DeckIdx) {
    let items = &session.catalogue().decks[deck.idx()].items;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        egui::Grid::new("cards").striped(true).show(ui, |ui| {
            for (item, all) in items {
                let left = session.view().deck(deck).count(*item);
                ui.label(session.catalogue().item_name(deck, *item));
                ui.label(format!("{left} of {all} left"));
                ui.end_row();
            }
        });
    });
}
