//! Sketches: the user paints or types the land at the four edges, and chooses one of the possible
//! tiles with these edges from their pictures.

use egui::{
    Align2, Color32, ComboBox, FontId, Rect, RichText, Role, ScrollArea, Sense, Stroke, TextEdit, Ui, Vec2, WidgetInfo,
    vec2,
};
use table::{Edge, Facing, TileSet, kind_letters};
use workshop::{
    EdgeStyle, KindIdx, ModTiles, Sketch, SketchLayout, TileDraft, first_ground, kinds_of, layouts, patterns,
    read_sketch, sketch_text,
};

use super::canvas::{handle_position, kind_colour};
use super::new_land::NewLand;
use super::shelf_view::{DrawnTiles, ModTilesView};
use crate::cached::Cached;
use crate::panels::widgets::{paint_picture, pluralized};
use crate::ui_context::UiContext;

/// The side of a picture, in points.
const SIDE: f32 = 96.0;

/// The side of the square whose edges the user paints, in points.
const SQUARE: f32 = 132.0;

/// The height of the words below a picture, in points: three lines.
const WORDS_HEIGHT: f32 = 44.0;

/// The maximum number of missing edge patterns that an empty sketch suggests.
const MAX_SUGGESTIONS: usize = 12;

/// The tiles that were found for a sketch.
#[derive(Default)]
pub struct FoundLayouts {
    /// The reason why the typed text is not a sketch.
    error: Option<String>,
    /// The layouts of the sketch. The square shows the first one. If the sketch is empty, the other
    /// layouts have edges that no tile in play has, and their words are the letters of these edges.
    layouts: Vec<SketchLayout>,
    drawn: DrawnTiles,
}

/// The state of the tab for new tiles: the sketch as the user typed it.
#[derive(Default)]
pub struct SketchView {
    text: String,
    inside: Option<String>,
    /// The name of the land that a click on an edge paints; `None` until the user chooses one.
    brush: Option<String>,
    new_land: NewLand,
    found: Cached<(String, Option<String>, String, usize), FoundLayouts>,
}

impl SketchView {
    /// Draws the sketch of a tile for the mod `view`. Returns the tile that the user chose, if any;
    /// its id is the text of the sketch.
    pub fn show(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, view: &ModTilesView) -> Option<TileDraft> {
        let (tile_set, catalogue) = view.tile_set().zip(view.shelf.catalogue.as_ref())?;
        self.find(cx, view, std::sync::Arc::as_ptr(catalogue) as usize);
        ui.horizontal_top(|ui| {
            self.square(ui, cx, tile_set);
            ui.vertical(|ui| {
                self.lands(ui, tile_set);
                if let Some((name, style)) = self.new_land.form(ui, cx, view) {
                    match style {
                        EdgeStyle::Inside => self.inside = Some(name),
                        _ => self.brush = Some(name),
                    }
                }
                self.letters(ui, tile_set);
                self.middle(ui, tile_set);
            });
        });
        self.choices(ui, cx)
    }

    /// Draws the layouts of the sketch. If the sketch is empty, suggests edges that no tile has.
    /// Returns the tile that the user chose.
    fn choices(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>) -> Option<TileDraft> {
        let found = &*self.found;
        let is_empty = self.text.is_empty();
        if let Some(error) = found.error.as_ref().filter(|_| !is_empty) {
            ui.add(egui::Label::new(RichText::new(error).weak()).wrap());
            return None;
        }
        let n_hidden = usize::from(is_empty);
        let n_offered = found.layouts.len().saturating_sub(n_hidden);
        let text = match is_empty {
            true if n_offered == 0 => String::new(),
            true => "No tile has these edges yet. Click one to begin with it.".to_owned(),
            false => {
                let n = pluralized(n_offered, "layout", "layouts");
                format!("{n} with these edges and no crossings. Click the one you want.")
            }
        };
        ui.weak(text);
        for problem in &found.drawn.preview.problems {
            ui.colored_label(crate::style::tone_colour(ui, crate::notifications::Tone::Bad), &problem.message);
        }
        let mut chosen = None;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(10.0, 10.0);
                for (i, layout) in found.layouts.iter().enumerate().skip(n_hidden) {
                    let (rect, response) = ui.allocate_exact_size(vec2(SIDE, SIDE + WORDS_HEIGHT), Sense::click());
                    let (rect, below) = rect.split_top_bottom_at_y(rect.top() + SIDE);
                    let what = if is_empty { "Edges" } else { "Layout" };
                    response
                        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{what} {}", layout.words)));
                    let texture = found.drawn.picture(ui.ctx(), cx.pictures, i as u16, Facing::default(), SIDE);
                    paint_picture(ui.painter(), texture, rect, Color32::WHITE);
                    let (font, colour) = (FontId::proportional(11.0), ui.visuals().text_color());
                    let words = ui.painter().layout(layout.words.clone(), font, colour, SIDE);
                    ui.painter().with_clip_rect(below).galley(below.min + vec2(0.0, 2.0), words, colour);
                    if response.hovered() || response.has_focus() {
                        let stroke = Stroke::new(2.0, ui.visuals().selection.stroke.color);
                        ui.painter().rect_stroke(rect.expand(1.0), 2.0, stroke, egui::StrokeKind::Outside);
                    }
                    if response.on_hover_text(&layout.words).clicked() {
                        chosen = Some(layout.clone());
                    }
                }
            });
        });
        let SketchLayout { words, mut draft } = chosen?;
        if is_empty {
            self.text = words;
            return None;
        }
        draft.id = self.text.to_uppercase();
        // The next new tile begins with an empty sketch.
        self.set(String::new());
        Some(draft)
    }

    /// Replaces the sketch by the letters of edges, `text`, with nothing in the middle.
    pub fn set(&mut self, text: String) {
        (self.text, self.inside) = (text, None);
    }

    /// Finds the layouts of the sketch if it or the mod has changed. `catalogue` is the address of
    /// the mod's catalogue.
    fn find(&mut self, cx: &mut UiContext<'_>, view: &ModTilesView, catalogue: usize) {
        let Some(tile_set) = view.tile_set() else { return };
        let key = (self.text.clone(), self.inside.clone(), view.shelf.id.clone(), catalogue);
        let inside = self.inside.as_ref().and_then(|name| tile_set.kind_named(name));
        let (text, sketch) = (self.text.clone(), self.padded(tile_set));
        let old = self.found.drawn.painter.clone();
        let found = self.found.refresh(key, || {
            let mut found = sketch.map(|sketch| layouts(tile_set, sketch, inside)).unwrap_or_default();
            if text.is_empty() {
                found.truncate(1);
                found.extend(missing_edges(tile_set, &view.shelf, inside));
            }
            found.iter_mut().enumerate().for_each(|(i, it)| it.draft.id = format!("l{i}"));
            let drafts: Vec<&TileDraft> = found.iter().map(|it| &it.draft).collect();
            let drawn = DrawnTiles::new(&view.shelf, cx, &drafts);
            FoundLayouts {
                error: read_sketch(tile_set, &text).err().map(|error| error.to_string()),
                layouts: found,
                drawn,
            }
        });
        cx.pictures.discard_replaced(old, found.drawn.painter.as_ref());
    }

    /// Returns the sketch with ground at the edges that have no letter yet. Returns `None` if the
    /// text has an unknown letter or too many letters.
    fn padded(&self, tile_set: &TileSet) -> Option<Sketch> {
        let is_small = !self.text.chars().any(char::is_uppercase);
        let text = if is_small { self.text.to_uppercase() } else { self.text.clone() };
        let letters = kind_letters(tile_set);
        let ground = letters.get(usize::from(ground_kind(tile_set)?.0))?;
        (0..=4).find_map(|n| read_sketch(tile_set, &format!("{text}{}", ground.repeat(n))).ok())
    }

    /// Returns the land that a click on an edge paints. Returns `None` if no land reaches edges.
    fn brush_kind(&self, tile_set: &TileSet) -> Option<KindIdx> {
        let offered = painted_kinds(tile_set);
        let chosen = self.brush.as_ref().and_then(|name| tile_set.kind_named(name));
        chosen.filter(|kind| offered.contains(kind)).or(offered.first().copied())
    }

    /// Draws the tile with a handle at each edge. A click on a handle paints the edge, or clears it
    /// if it has the chosen land already.
    fn square(&mut self, ui: &mut Ui, cx: &mut UiContext<'_>, tile_set: &TileSet) {
        let (outer, _) = ui.allocate_exact_size(Vec2::splat(SQUARE), Sense::hover());
        let rect = outer.shrink(12.0);
        let texture = self.found.drawn.picture(ui.ctx(), cx.pictures, 0, Facing::default(), rect.width());
        paint_picture(ui.painter(), texture, rect, Color32::WHITE);
        let stroke = ui.visuals().widgets.noninteractive.fg_stroke;
        ui.painter().rect_stroke(rect, 2.0, stroke, egui::StrokeKind::Inside);
        let (Some(brush), Some(ground)) = (self.brush_kind(tile_set), ground_kind(tile_set)) else { return };
        let sketch = self.padded(tile_set).unwrap_or([ground; 4]);
        let letters = kind_letters(tile_set);
        let id = ui.scope_id().with("sketched edges");
        for (edge, kind) in Edge::ALL.into_iter().zip(sketch) {
            let at = handle_position(rect, edge);
            let half = if matches!(edge, Edge::North | Edge::South) { vec2(34.0, 20.0) } else { vec2(20.0, 34.0) };
            let grip = Rect::from_center_size(at, half * 2.0).intersect(outer);
            let handle = ui.interact(grip, id.with(edge as usize), Sense::click());
            let label = format!("Sketch edge {}", edge.letter());
            handle.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
            let radius = if handle.hovered() { 12.0 } else { 10.0 };
            ui.painter().circle(at, radius, kind_colour(kind), Stroke::new(1.5, Color32::from_gray(30)));
            let letter = letters.get(usize::from(kind.0)).map_or("", String::as_str);
            let font = FontId::proportional(12.0);
            ui.painter().text(at, Align2::CENTER_CENTER, letter, font, Color32::from_gray(20));
            let now = spoken(tile_set, kind);
            let new = if kind == brush { ground } else { brush };
            let about = format!("{now} here. Click for {}.", spoken(tile_set, new));
            if handle.on_hover_text(about).clicked() {
                let mut changed = sketch;
                changed.iter_mut().skip(edge as usize).take(1).for_each(|it| *it = new);
                self.text = sketch_text(tile_set, changed);
            }
        }
    }

    /// Draws the kinds of land from which the user chooses the one to paint, and the button for a
    /// new kind.
    fn lands(&mut self, ui: &mut Ui, tile_set: &TileSet) {
        let brush = self.brush_kind(tile_set);
        ui.horizontal_wrapped(|ui| {
            ui.label("Choose land, then click edges:");
            for kind in painted_kinds(tile_set) {
                let name = spoken(tile_set, kind);
                let about = format!("Paints {name} at the edges that you click.");
                let response = ui.selectable_label(brush == Some(kind), &name).on_hover_text(about);
                response.widget_info(|| {
                    WidgetInfo::selected(Role::Button, true, brush == Some(kind), format!("Paint {name}"))
                });
                if response.clicked() {
                    self.brush = Some(tile_set.kind(kind).name.clone());
                }
            }
            self.new_land.button(ui);
        });
    }

    /// Draws the field for the letters of the edges.
    fn letters(&mut self, ui: &mut Ui, tile_set: &TileSet) {
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Edges");
            let field = TextEdit::singleline(&mut self.text).hint_text("CFRR").desired_width(80.0);
            let letters = kind_letters(tile_set);
            let known = painted_kinds(tile_set)
                .into_iter()
                .filter_map(|kind| Some(format!("{} {}", letters.get(usize::from(kind.0))?, spoken(tile_set, kind))));
            let about = format!(
                "The land at the four edges, clockwise from the north, one letter for each: {}.",
                known.collect::<Vec<_>>().join(", ")
            );
            ui.add(field).labelled_by(label.id).on_hover_text(about);
            if ui.small_button("Clear").on_hover_text("Clear the four edges.").clicked() {
                self.text.clear();
            }
        });
    }

    /// Draws the list from which the user chooses the land in the middle of the tile.
    fn middle(&mut self, ui: &mut Ui, tile_set: &TileSet) {
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("In the middle");
            let shown = self.inside.clone().unwrap_or_else(|| "nothing".to_owned());
            let combo = ComboBox::from_id_salt("inside").selected_text(shown).show_ui(ui, |ui| {
                ui.selectable_value(&mut self.inside, None, "nothing");
                for kind in kinds_of(tile_set, &[EdgeStyle::Inside]) {
                    let name = &tile_set.kind(kind).name;
                    ui.selectable_value(&mut self.inside, Some(name.clone()), spoken(tile_set, kind));
                }
            });
            combo.response.labelled_by(label.id);
        });
    }
}

/// Returns the kinds of land that reach edges.
fn painted_kinds(tile_set: &TileSet) -> Vec<KindIdx> {
    kinds_of(tile_set, &[EdgeStyle::Full, EdgeStyle::Line, EdgeStyle::Ground])
}

/// Returns the land at the edges of an empty sketch. Returns `None` if no land reaches edges.
fn ground_kind(tile_set: &TileSet) -> Option<KindIdx> {
    let ground = first_ground(tile_set).and_then(|name| tile_set.kind_named(name));
    ground.or_else(|| painted_kinds(tile_set).first().copied())
}

/// Returns the name of a kind of land as players read it.
fn spoken(tile_set: &TileSet, kind: KindIdx) -> String {
    tile_set.kind(kind).name.replace('_', " ")
}

/// Returns a layout for each of the first edge patterns that no tile in play has. The words of each
/// layout are the letters of its edges.
fn missing_edges(tile_set: &TileSet, shelf: &ModTiles, inside: Option<KindIdx>) -> Vec<SketchLayout> {
    let missing = patterns(tile_set, &shelf.all_tiles()).into_iter().filter(|pattern| pattern.n_copies == 0);
    let layout = |name: String| {
        let sketch = read_sketch(tile_set, &name).ok()?;
        let first = layouts(tile_set, sketch, inside).into_iter().next()?;
        Some(SketchLayout { words: name, ..first })
    };
    missing.filter_map(|pattern| layout(pattern.name)).take(MAX_SUGGESTIONS).collect()
}
